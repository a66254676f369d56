// Water over the ground: what is seen through it, and what it mirrors.
layout(binding = 6) uniform sampler2DArray page_depths;

vec3 with_water(vec3 ground, vec3 normal, vec3 relative, vec3 sunlight, float depth) {
    vec3 to_eye = -normalize(relative);
    // Water takes red first.
    vec3 through = exp(-depth / water_look.x * vec3(2.2, 0.95, 0.75));
    vec3 body = vec3(0.006, 0.045, 0.060) * (0.35 + 0.65 * max(sunlight, vec3(0.2)));
    vec3 below = mix(body, ground, through);
    float facing = clamp(dot(to_eye, normal), 0.0, 1.0);
    float mirrored = 0.02 + 0.9 * pow(1.0 - facing, 5.0);
    vec3 away = reflect(-to_eye, normal);
    away.z = abs(away.z);
    vec3 water = mix(below, sky_towards(away), mirrored);
    // A film of rain is no water to look at.
    return mix(ground, water, smoothstep(0.05, 0.16, depth / eye_in_cell.z));
}
