#include "frame.glsl"

layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;

void main() {
    // The rows of the projection are the camera's axes, scaled.
    vec3 right = vec3(projection[0][0], projection[1][0], projection[2][0]);
    vec3 up = vec3(projection[0][1], projection[1][1], projection[2][1]);
    vec3 ahead = vec3(projection[0][3], projection[1][3], projection[2][3]);
    vec3 direction = normalize(ahead + place.x * right / dot(right, right) + place.y * up / dot(up, up));
    colour = vec4(shown(sky_towards(direction)), 1.0);
}
