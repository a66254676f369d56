#include "frame.glsl"

uniform float ink_red;
uniform float ink_green;
uniform float ink_blue;

layout(location = 0) out vec4 colour;

void main() { colour = vec4(ink_red, ink_green, ink_blue, 1.0); }
