// A tile of the terrain as the vertex shader gets it. The C++ side is TileBlock in terrain_renderer.cpp.
struct Ladder {
    float first;      // level of the first error
    float errors[6];  // metres, of this level and the coarser ones
    float unused;
};
struct Tile {
    ivec4 place;   // xy: first sample, in cells from the terrain's first; z: level of the samples drawn; w: samples of a side, as a power of 2
    ivec4 page;    // xy: first sample of its page; z: level of the page; w: layer of the textures
    Ladder inside;
    Ladder edges[8];
};
layout(std430, binding = 0) readonly buffer Tiles { Tile tiles[]; };

layout(binding = 0) uniform sampler2DArray page_heights;

const int page_frame = 1;  // texels of a page before its first sample

// Of the sample at a place in cells from the tile's first.
float sample_at(const ivec4 place, const ivec4 page, const ivec2 cells) {
    ivec2 texel = ((place.xy + cells - page.xy) >> page.z) + page_frame;
    return texelFetch(page_heights, ivec3(texel, page.w), 0).r;
}

// The surface of a level at a place: on one of two triangles.
float height_of_level(const ivec4 place, const ivec4 page, const ivec2 cells, const int level) {
    int size = 1 << level;
    ivec2 corner = cells & ~(size - 1);
    ivec2 inside = cells - corner;
    float first = sample_at(place, page, corner);
    if (inside == ivec2(0)) return first;
    // Along an edge the other side of the quad has no part in the height, and may not be in the page.
    ivec2 next = ivec2(inside.x > 0 ? size : 0, inside.y > 0 ? size : 0);
    vec2 share = vec2(inside) / float(size);
    float across = sample_at(place, page, corner + next);
    if (share.x >= share.y) {
        float right = sample_at(place, page, corner + ivec2(next.x, 0));
        return first + share.x * (right - first) + share.y * (across - right);
    }
    float below = sample_at(place, page, corner + ivec2(0, next.y));
    return first + share.y * (below - first) + share.x * (across - below);
}

// How coarse a vertex may be where so much error is allowed: a number of levels.
float detail_of(const Ladder ladder, const float allowed) {
    float level = ladder.first;
    for (int i = 0; i < 5; i++) {
        float from = ladder.errors[i];
        float to = ladder.errors[i + 1];
        level += clamp((allowed - from) / max(to - from, 1e-20), 0.0, 1.0);
    }
    return level;
}

struct Vertex {
    ivec2 cells;    // from the terrain's first sample
    vec3 relative;  // to the eye
};

// `grid` counts drawn samples from the tile's first.
Vertex tile_vertex(const int tile, const ivec2 grid) {
    ivec4 place = tiles[tile].place;
    ivec4 page = tiles[tile].page;
    int last = 1 << place.w;
    ivec2 cells = grid << place.z;
    int edge = -1;
    if (grid.y == 0 || grid.y == last) edge = (grid.y == 0 ? 0 : 2) + (2 * grid.x >= last ? 1 : 0);
    if (grid.x == 0 || grid.x == last) edge = (grid.x == 0 ? 4 : 6) + (2 * grid.y >= last ? 1 : 0);
    if (edge >= 0) {
        // Vertices that the tile beside does not have move to the last one before that it has. The edge is straight
        // there, so nothing is seen of it.
        int step = 1 << int(tiles[tile].edges[edge].first);
        if (edge < 4) cells.x &= ~(step - 1);
        else cells.y &= ~(step - 1);
    }
    vec2 on_the_flat = vec2(place.xy + cells - eye_cell.xy) * eye_in_cell.z - eye_in_cell.xy;
    float exact = sample_at(place, page, cells);
    float distance = length(vec3(on_the_flat, exact * eye_in_cell.w - eye.z));
    float allowed = detail.x * distance;
    if (detail.z > 0.0) allowed *= pow(max(distance / detail.y, 1.0), detail.z);
    float level = edge >= 0 ? detail_of(tiles[tile].edges[edge], allowed) : detail_of(tiles[tile].inside, allowed);
    int below = int(level);
    float height = height_of_level(place, page, cells, below);
    if (level > float(below))
        height = mix(height, height_of_level(place, page, cells, below + 1), level - float(below));
    Vertex vertex;
    vertex.cells = place.xy + cells;
    vertex.relative = vec3(on_the_flat, height * eye_in_cell.w - eye.z);
    return vertex;
}
