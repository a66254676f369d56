// How much of each material layer is seen at a place: the function material_weights of src/view/material_set.cpp, from
// the bytes of a PackedMaterialSet. For GLSL 4.50; what includes this has the #version line and the main function.

struct SurfacePoint {
    vec2 position;  // metres to the east and to the south
    float height;   // metres
    float slope;    // degrees
    float curvature;  // -1 hollow .. 1 ridge
    float flow;       // 0..1; 0 where there is no such field
    float material;   // index of a rock; 0 where there is no such field
    float mask;       // 0..1; 1 where there is no such field
};

struct MaterialLayer {
    // from, to, 1 / fade, how far noise moves the edges
    vec4 height;
    vec4 slope;
    vec4 curvature;
    vec4 flow;
    vec4 material;
    vec4 mask;
    vec4 tint_and_tiling;    // linear light; times the texture repeats within a metre
    vec4 noise_and_opacity;  // 1 / feature or 0 for no noise, opacity
    ivec4 links;             // texture, bits of the layers it covers, seed of its noise
};

layout(std140, binding = 1) uniform MaterialLayers {
    MaterialLayer material_layers[8];
    ivec4 material_use;    // how many layers; 0 vertical, 1 triplanar
    vec4 material_macro;   // amount, 1 / size
};

uint material_scrambled(uint x) {
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= x >> 15;
    x *= 0xd35a2d97u;
    return x ^ (x >> 15);
}

float material_lattice_value(int x, int y, uint seed) {
    uint hash = material_scrambled(material_scrambled(uint(x) + seed) ^ (uint(y) * 0x9e3779b9u));
    return float(hash >> 8) * (1.0 / 8388608.0) - 1.0;
}

// -1..1. `precise`: a fused multiply and add would look up another place than the CPU does, far from the origin.
float material_noise(vec2 position, float frequency, uint seed) {
    float sum = 0.0;
    float amplitude = 4.0 / 7.0;
    precise float u = position.x * frequency;
    precise float v = position.y * frequency;
    for (uint octave = 0u; octave < 3u; octave++) {
        float cell_x = floor(u);
        float cell_y = floor(v);
        float s = u - cell_x;
        float t = v - cell_y;
        s = s * s * s * (s * (s * 6.0 - 15.0) + 10.0);
        t = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
        int i = int(cell_x);
        int j = int(cell_y);
        uint own = seed + octave * 0x85ebca6bu;
        float a = material_lattice_value(i, j, own);
        float b = material_lattice_value(i + 1, j, own);
        float c = material_lattice_value(i, j + 1, own);
        float d = material_lattice_value(i + 1, j + 1, own);
        sum += amplitude * mix(mix(a, b, s), mix(c, d, s), t);
        amplitude *= 0.5;
        precise float turned = 1.6 * u - 1.2 * v;
        v = 1.2 * u + 1.6 * v;
        u = turned;
    }
    return sum;
}

float material_smooth_step(float share) {
    float t = clamp(share, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

float material_inside(vec4 band, float value, float noise) {
    float moved = value + noise * band.w;
    return material_smooth_step((moved - band.x) * band.z + 0.5) *
           (1.0 - material_smooth_step((moved - band.y) * band.z + 0.5));
}

// All of them add up to 1; those of layers that are not used are 0.
void material_weights(SurfacePoint point, out float weights[8]) {
    for (int i = 0; i < 8; i++) weights[i] = 0.0;
    weights[0] = 1.0;
    for (int i = 1; i < material_use.x; i++) {
        MaterialLayer layer = material_layers[i];
        float noise = 0.0;
        if (layer.noise_and_opacity.x > 0.0)
            noise = material_noise(point.position, layer.noise_and_opacity.x, uint(layer.links.z));
        float own = layer.noise_and_opacity.y;
        own *= material_inside(layer.height, point.height, noise);
        own *= material_inside(layer.slope, point.slope, noise);
        own *= material_inside(layer.curvature, point.curvature, noise);
        own *= material_inside(layer.flow, point.flow, noise);
        own *= material_inside(layer.material, point.material, noise);
        own *= material_inside(layer.mask, point.mask, noise);
        float below = 0.0;
        for (int other = 0; other < i; other++) {
            if ((layer.links.y >> other & 1) == 0) continue;
            below += weights[other];
            weights[other] *= 1.0 - own;
        }
        weights[i] = own * below;
    }
}

// How much of the textures seen from the east, from the south and from above to mix, for a normal of length 1. The
// dissertation (§5.3.2.2) squares the normal's parts and divides by the length of what it gets; squares of a unit vector
// add up to 1 as they are, and what adds up to 1 keeps the brightness.
vec3 material_projections(vec3 normal) {
    return material_use.y == 0 ? vec3(0.0, 0.0, 1.0) : normal * normal;
}

// What to multiply the light of the ground by, against the look of a pattern: 1 on average.
float material_macro_variation(vec2 position) {
    return 1.0 + material_macro.x * material_noise(position, material_macro.y, 0x6d616372u);
}
