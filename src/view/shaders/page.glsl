// The textures of a page: 256 x 256 quads, so 257 samples each way, in a frame.
layout(binding = 1) uniform sampler2DArray page_slopes;  // rise over run to the east and to the south
layout(binding = 2) uniform sampler2DArray page_marks;   // how much is known of the quad, curvature, flow, mask

const float page_side = 260.0;

vec3 page_place(vec2 texel, int layer) { return vec3((texel + 1.5) / page_side, float(layer)); }

// Of the quad: unmixed. The last edge of a tile belongs to its last quad.
float page_known(vec2 texel, int layer) {
    return texelFetch(page_marks, ivec3(ivec2(floor(texel)) + 1, layer), 0).r;
}
