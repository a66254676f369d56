#include "frame.glsl"
#include "tiles.glsl"

layout(location = 0) in uvec2 grid;

uniform int first_tile;

layout(location = 0) out vec3 relative;         // to the eye, metres
layout(location = 1) out vec2 texel;            // of the page, 0 is its first sample
layout(location = 2) out vec2 from_eye_cell;    // cells
layout(location = 3) flat out int layer;
layout(location = 4) flat out vec2 last_texel;  // where the terrain ends

void main() {
    int tile = first_tile + gl_InstanceID;
    Vertex vertex = tile_vertex(tile, ivec2(grid));
    ivec4 page = tiles[tile].page;
    float texels = 1.0 / float(1 << page.z);
    relative = vertex.relative;
    texel = vec2(vertex.cells - page.xy) * texels;
    from_eye_cell = vec2(vertex.cells - eye_cell.xy);
    layer = page.w;
    last_texel = vec2(eye_cell.zw - page.xy) * texels;
    gl_Position = projection * vec4(vertex.relative, 1.0);
}
