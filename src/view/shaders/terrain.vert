#include "frame.glsl"
#include "tiles.glsl"

layout(location = 0) in uvec2 grid;

uniform int first_tile;

layout(location = 0) out vec3 relative;         // to the eye, metres
layout(location = 1) out vec2 texel;          // of the page, 0 is its first sample
layout(location = 2) out vec2 from_eye_cell;  // cells
layout(location = 3) flat out int layer;
layout(location = 4) flat out vec4 texels_of_tile;  // first and last

out float gl_ClipDistance[2];

void main() {
    int tile = first_tile + gl_InstanceID;
    Vertex vertex = tile_vertex(tile, ivec2(grid));
    ivec4 page = tiles[tile].page;
    float texels = 1.0 / float(1 << page.z);
    relative = vertex.relative;
    texel = vec2(vertex.cells - page.xy) * texels;
    from_eye_cell = vec2(vertex.cells - eye_cell.xy);
    layer = page.w;
    ivec4 place = tiles[tile].place;
    ivec2 first = place.xy - page.xy;
    texels_of_tile = vec4(first, min(first + (1 << (place.z + place.w)), eye_cell.zw - page.xy)) * texels;
    // Tiles are cut off where the terrain ends.
    gl_ClipDistance[0] = float(eye_cell.z - vertex.cells.x);
    gl_ClipDistance[1] = float(eye_cell.w - vertex.cells.y);
    gl_Position = projection * vec4(vertex.relative, 1.0);
}
