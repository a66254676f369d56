// What is the same for everything drawn in a frame. The C++ side is FrameBlock in terrain_renderer.cpp.
layout(std140, binding = 0) uniform Frame {
    mat4 projection;       // of positions relative to the eye
    vec4 eye;              // in the world, metres
    vec4 eye_in_cell;      // xy: the eye's place relative to the sample `eye_cell`, metres; z: cell size; w: exaggeration
    ivec4 eye_cell;        // xy: the sample nearest to the eye; zw: the last sample of the terrain
    vec4 detail;           // x: metres of error allowed at 1 m; y: distance the bias begins at; z: bias; w: metres of a pixel at 1 m
    vec4 sun;              // xyz: towards the sun; w: lighting exaggeration s
    vec4 sun_colour;
    vec4 sky_colour;
    vec4 fog;              // rgb; w: density f
    vec4 plain_colour;     // of ground without a material
    vec4 lines;            // x: metres between contours, y: between grid lines, z: slope limits in degrees, low, w: high
    vec4 ring;             // xy: middle relative to the eye's cell, metres; z: radius, w: radius of full strength
    vec4 light_area;       // x: whether there is a mask; y: 3; zw: from cells to places of the light map
    vec4 water_look;       // x: metres of water through which a third of the light comes back; y: metres of a layer of rock in the walls
};

// Light that is not too bright for a screen, as sRGB. No powers and exponentials: three of either for each pixel take
// software renderers as long as everything else.
vec3 shown(vec3 light) {
    // Up to 0.7 as it is; beyond that it closes in on white.
    vec3 over = max(light - 0.7, 0.0);
    light = clamp(light, 0.0, 0.7) + 0.3 * over / (over + 0.3);
    // The curve of sRGB, to less than a step of 8 bits.
    vec3 root = sqrt(light);
    return root * (-0.02104213 + root * (1.58498667 + root * 2.58088566)) /
           (0.03627184 + root * (1.0 + root * 3.1176425));
}

// What the sky looks like in a direction.
vec3 sky_towards(vec3 direction) {
    float up = clamp(direction.z, 0.0, 1.0);
    vec3 zenith = sky_colour.rgb * vec3(0.40, 0.62, 1.05);
    vec3 sky = mix(fog.rgb, zenith, 1.0 - exp(-3.6 * up));
    // Below the horizon lies a plain in the haze.
    sky = mix(sky, fog.rgb * vec3(0.62, 0.62, 0.64), smoothstep(0.0, 0.75, -direction.z));
    float near_sun = max(dot(direction, sun.xyz), 0.0);
    sky += sun_colour.rgb * (0.07 * pow(near_sun, 12.0) + 0.2 * pow(near_sun, 120.0));
    sky += sun_colour.rgb * 5.0 * smoothstep(0.99986, 0.99993, near_sun);
    return sky;
}

// What is far is haze: the dissertation's section 5.3.2.3 with its weights the right way round.
vec3 through_air(vec3 light, vec3 relative) {
    return mix(fog.rgb, light, exp(-fog.w * dot(relative, relative)));
}
