#include "frame.glsl"
#include "light.glsl"

layout(location = 0) in vec3 relative;
layout(location = 1) in vec2 cells;

layout(location = 0) out vec4 colour;

float chance(float number) { return fract(sin(number * 12.9898) * 43758.5453); }

// Layers of rock, some of them thick and some thin.
float stratum(float depth) {
    float layer = floor(depth);
    return mix(chance(layer), chance(layer + 1.0), smoothstep(0.75, 1.0, depth - layer));
}

void main() {
    vec3 normal = normalize(cross(dFdx(relative), dFdy(relative)));
    if (dot(normal, relative) > 0.0) normal = -normal;
    float height = (relative.z + eye.z) / eye_in_cell.w;
    // They dip a little, so that no two walls look alike.
    float dipping = height + 0.05 * (relative.x + eye.x) - 0.03 * (relative.y + eye.y);
    float value = 0.65 * stratum(dipping / water_look.y) + 0.35 * stratum(4.7 * dipping / water_look.y);
    vec3 rock = mix(vec3(0.125, 0.088, 0.062), vec3(0.26, 0.205, 0.15), value);
    float from_sun = max(dot(normal, sun.xyz), 0.0);
    vec3 light = rock * mix(vec3(0.50, 0.50, 0.52), sun_colour.rgb, from_sun);
    colour = vec4(shown(through_air(light, relative)), 1.0);
}
