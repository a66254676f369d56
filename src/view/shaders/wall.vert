// The sides of the terrain, from its border down to its base.
#include "frame.glsl"

layout(location = 0) in vec3 corner;  // cells from the first sample; metres

layout(location = 0) out vec3 relative;
layout(location = 1) out vec2 cells;

void main() {
    cells = corner.xy;
    vec2 on_the_flat = vec2(ivec2(corner.xy) - eye_cell.xy) * eye_in_cell.z - eye_in_cell.xy;
    relative = vec3(on_the_flat, corner.z * eye_in_cell.w - eye.z);
    gl_Position = projection * vec4(relative, 1.0);
}
