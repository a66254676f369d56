// Lines over the ground: contours, a grid in metres, limits of slope, the ring of a brush.

// How much of a pixel a line covers whose distance is `from` in units of which one pixel is `pixel`.
float line(float from, float pixel, float width) {
    return 1.0 - smoothstep(0.5 * width - 0.5, 0.5 * width + 0.5, from / max(pixel, 1e-20));
}

// `rounding`: by how much the value may be off. Where it does not change by more from one pixel to the next, it is even, and
// what differs is no line but specks.
float every(float value, float interval, float width, float rounding) {
    float pixel = fwidth(value);
    float from = abs(fract(value / interval + 0.5) - 0.5) * interval;
    // Lines so close that they would melt together fade away instead.
    return line(from, pixel, width) * (1.0 - smoothstep(0.15, 0.45, pixel / interval)) *
           smoothstep(rounding, 3.0 * rounding, pixel);
}

vec3 with_lines(vec3 light, vec3 relative, vec2 from_eye_cell, vec2 slope) {
    float height = (relative.z + eye.z) / eye_in_cell.w;
    vec2 place = relative.xy + eye_in_cell.xy;  // from the eye's cell, metres
    if (lines.x > 0.0) {
        float rounding = 2.4e-7 * (abs(relative.z) + abs(eye.z)) / eye_in_cell.w + 1e-20;
        float share = max(0.5 * every(height, lines.x, 1.2, rounding),
                          0.8 * every(height, 5.0 * lines.x, 1.8, rounding));
        light = mix(light, vec3(0.10, 0.045, 0.015), share);
    }
    if (lines.y > 0.0) {
        vec2 world = relative.xy + eye.xy;
        float share = max(every(world.x, lines.y, 1.0, 1e-20), every(world.y, lines.y, 1.0, 1e-20));
        light = mix(light, vec3(0.02, 0.03, 0.05), 0.45 * share);
    }
    if (lines.w > lines.z) {
        float degrees_up = degrees(atan(length(slope)));
        if (degrees_up < lines.z || degrees_up > lines.w) light = mix(light, vec3(0.75, 0.03, 0.02), 0.55);
    }
    if (ring.z > 0.0) {
        float distance = length(place - ring.xy);
        float pixel = fwidth(distance);
        float share = line(abs(distance - ring.z), pixel, 2.0);
        share = max(share, 0.5 * line(abs(distance - ring.w), pixel, 1.2));
        light = mix(light, vec3(1.0, 0.85, 0.25), share);
    }
    return light;
}
