// The sides of the terrain, from its border down to its base.
#include "frame.glsl"

layout(location = 0) in vec3 corner;  // cells from the first sample; metres

layout(location = 0) out vec3 relative;
layout(location = 1) out vec2 cells;

void main() {
    cells = corner.xy;
    vec2 on_the_flat = vec2(ivec2(corner.xy) - eye_cell.xy) * eye_in_cell.z - eye_in_cell.xy;
    relative = vec3(on_the_flat, corner.z * eye_in_cell.w - eye.z);
    // The ground may be drawn a little off its samples: without this one would see through below its border. Walls on the far
    // side would look out behind it.
    vec2 outwards = vec2(equal(ivec2(corner.xy), eye_cell.zw)) - vec2(equal(ivec2(corner.xy), ivec2(0)));
    if (dot(max(-outwards * on_the_flat, 0.0), vec2(1.0)) > 0.0) relative.z += 2.5 * detail.w * length(relative);
    gl_Position = projection * vec4(relative, 1.0);
}
