// Sun and sky of two tones (the dissertation's section 5.3.2.3), with shadows and occlusion where they are known.
layout(binding = 3) uniform sampler2D light_map;  // openness, sunlight

vec3 normal_of(vec2 slope) { return normalize(vec3(-slope, 1.0)); }

// `cells`: from the terrain's first sample.
vec3 light_on(vec3 normal, vec2 cells) {
    float towards_sun = max(dot(normal, sun.xyz), 0.0);
    float open = 1.0;
    if (light_area.z + light_area.w > 0.0) {
        vec2 seen = texture(light_map, (cells + 0.5) * light_area.xy).rg;
        towards_sun *= mix(1.0, seen.y, light_area.z);
        open = mix(1.0, seen.x, light_area.w);
    }
    vec3 sky = sky_colour.rgb * plain_colour.w * open;
    return mix(sky, sun_colour.rgb, towards_sun);
}

vec3 lit(vec3 ground, vec2 slope, vec2 cells) { return ground * light_on(normal_of(slope * sun.w), cells); }
