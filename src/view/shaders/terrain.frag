#include "frame.glsl"
#include "page.glsl"
#include "light.glsl"
#include "lines.glsl"

layout(location = 0) in vec3 relative;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec2 from_eye_cell;
layout(location = 3) flat in int layer;
layout(location = 4) flat in vec2 last_texel;

layout(location = 0) out vec4 colour;

#ifdef SCHEME
layout(binding = 4) uniform sampler2DArray page_values;
layout(binding = 5) uniform sampler2D scheme_colours;

vec3 ground_colour() {
    float value = texture(page_values, page_place(texel, layer)).r;
    float share = clamp((value - range.z) / max(range.w - range.z, 1e-30), 0.0, 1.0);
    return from_srgb(texture(scheme_colours, vec2((share * 255.0 + 0.5) / 256.0, 0.5)).rgb);
}
#else
vec3 ground_colour() { return plain_colour.rgb; }
#endif

void main() {
    // Neighbours share the border of the terrain with nothing.
    if (any(greaterThan(texel, last_texel))) discard;
    vec4 marks = page_marks_at(texel, layer);
    if (marks.r < 0.5) discard;
    vec2 slope = texture(page_slopes, page_place(texel, layer)).xy * eye_in_cell.w;
    vec3 ground = ground_colour();
    vec3 light = lit(ground, slope, from_eye_cell + vec2(eye_cell.xy));
    light = with_lines(light, relative, from_eye_cell, slope);
#ifndef PLAIN_AIR
    light = through_air(light, relative);
#endif
    colour = vec4(shown(light), 1.0);
}
