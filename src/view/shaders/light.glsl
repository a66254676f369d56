// Sun and sky of two tones (the dissertation's section 5.3.2.3), with shadows and occlusion where they are known.
#ifdef LIGHT_MAP
layout(binding = 3) uniform sampler2D light_map;  // openness, sunlight
#endif

vec3 normal_of(vec2 slope) { return normalize(vec3(-slope, 1.0)); }

// How much of the sky and of the sun is seen from a place, in cells from the terrain's first sample. Texels cover whole cells
// and begin where the first cell's area does, half a cell before its sample.
#ifdef LIGHT_MAP
vec2 seen_from(vec2 cells) { return texture(light_map, (cells + 0.5) * light_area.zw).rg; }
#else
vec2 seen_from(vec2 cells) { return vec2(1.0); }
#endif

float sunlight_at(vec3 normal, vec2 cells) { return max(dot(normal, sun.xyz), 0.0) * seen_from(cells).y; }

vec3 light_on(vec3 normal, vec2 cells) {
    vec2 seen = seen_from(cells);
    float from_sun = max(dot(normal, sun.xyz), 0.0) * seen.y;
    return mix(sky_colour.rgb * seen.x, sun_colour.rgb, from_sun);
}
