// What the ground is made of, seen at a place: layers of material, each with a texture.
#include "materials.glsl"

#ifdef ROCKS
layout(binding = 7) uniform sampler2DArray page_materials;
#endif
layout(binding = 8) uniform sampler2DArray material_colours;   // light, and the height in the texture
layout(binding = 9) uniform sampler2DArray material_surfaces;  // normal, roughness, openness

struct Ground {
    vec3 colour;
    vec3 normal;
    float roughness;
    float open;
};

// One texture in up to three projections: what it shows, and how far its grains tilt the normal.
void add_texture(int kind, vec2 place, int axis, float share, inout vec4 colour, inout vec3 tilt, inout vec2 rest) {
    if (share < 0.01) return;
    vec3 at = vec3(place, float(kind));
    vec4 seen = texture(material_colours, at);
    // The same at another size and turned, so that no pattern is seen from afar.
    vec2 turned = mat2(0.21, 0.067, -0.067, 0.21) * place + vec2(0.37, 0.71);
    seen.rgb = mix(seen.rgb, texture(material_colours, vec3(turned, float(kind))).rgb, 0.4);
    vec4 surface = texture(material_surfaces, at);
    vec2 leaning = surface.xy * 2.0 - 1.0;
    colour += share * seen;
    rest += share * surface.zw;
    if (axis == 2) tilt += share * vec3(leaning, 0.0);
    else if (axis == 1) tilt += share * vec3(leaning.x, 0.0, -leaning.y);
    else tilt += share * vec3(0.0, leaning.x, -leaning.y);
}

Ground ground_at(SurfacePoint point, vec3 place, vec3 normal) {
    float weights[8];
    material_weights(point, weights);
    vec3 projections = material_projections(normal);
    Ground ground;
    ground.colour = vec3(0.0);
    vec3 tilt = vec3(0.0);
    vec2 rest = vec2(0.0);
    float total = 0.0;
    // More than three materials are hardly ever seen at one place; the rest would cost as much as they.
    for (int seen_layers = 0; seen_layers < int(light_area.y); seen_layers++) {
        int strongest = 0;
        for (int other = 1; other < material_use.x; other++)
            if (weights[other] > weights[strongest]) strongest = other;
        float weight = weights[strongest];
        weights[strongest] = -1.0;
        if (weight < 0.004) break;
        MaterialLayer layer = material_layers[strongest];
        float tiling = layer.tint_and_tiling.w;
        int kind = layer.links.x;
        vec4 colour = vec4(0.0);
        vec3 own_tilt = vec3(0.0);
        vec2 own_rest = vec2(0.0);
        // A bound that compilers do not know: written out three times, this takes software renderers long to compile.
        for (int axis = 0; axis < int(light_area.y); axis++) {
            vec2 seen = axis == 2 ? place.xy : vec2(axis == 1 ? place.x : place.y, -place.z);
            add_texture(kind, seen * tiling, axis, projections[axis], colour, own_tilt, own_rest);
        }
        // Where two materials meet, the higher grains of either lie on top.
        float share = weight * mix(1.0, 0.25 + 1.5 * colour.a, 4.0 * weight * (1.0 - weight));
        ground.colour += share * colour.rgb * layer.tint_and_tiling.rgb;
        tilt += share * own_tilt;
        rest += share * own_rest;
        total += share;
    }
    ground.colour *= material_macro_variation(point.position) / total;
    ground.normal = normalize(normal + tilt / total);
    ground.roughness = rest.x / total;
    ground.open = rest.y / total;
    return ground;
}
