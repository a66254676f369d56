// Software renderers work on both sides of every question: what is not asked for is left out when this is compiled.
#include "frame.glsl"
#include "page.glsl"
#include "light.glsl"
#include "lines.glsl"
#ifdef WATER
#include "water.glsl"
#endif
#ifdef MATERIALS
#include "ground.glsl"
#endif

layout(location = 0) in vec3 relative;
layout(location = 1) in vec2 texel_there;
layout(location = 2) in vec2 from_eye_cell;
layout(location = 3) flat in int layer;
layout(location = 4) flat in vec4 texels_of_tile;

layout(location = 0) out vec4 colour;

#ifdef COLOURS
layout(binding = 4) uniform sampler2DArray page_colours;
#endif

void main() {
    // The middle of a pixel that lies only partly on a tile may be beyond its page.
    vec2 texel = clamp(texel_there, texels_of_tile.xy, texels_of_tile.zw);
    vec3 at = page_place(texel, layer);
#ifdef HOLES
    // Only where there are any: what may be thrown away has to be drawn before its depth is compared.
    if (page_known(min(texel, texels_of_tile.zw - 0.5), layer) < 0.5) discard;
#endif
    vec2 slope = texture(page_slopes, at).xy * eye_in_cell.w;
    vec2 cells = from_eye_cell + vec2(eye_cell.xy);
    vec3 normal = normal_of(slope * sun.w);
    float depth = 0.0;
#ifdef WATER
    depth = texture(page_depths, at).r;
#endif
    vec3 light;
#ifdef MATERIALS
    vec4 marks = texture(page_marks, at);
    SurfacePoint point;
    vec3 place = vec3(relative.xy + eye.xy, relative.z + eye.z);
    point.position = place.xy;
    point.height = place.z / eye_in_cell.w - depth;
    point.slope = degrees(atan(length(slope)));
    point.curvature = marks.g * 2.0 - 1.0;
    point.flow = marks.b;
    point.mask = light_area.x > 0.0 ? marks.a : 1.0;
    point.material = 0.0;
#ifdef ROCKS
    point.material = floor(texelFetch(page_materials, ivec3(ivec2(floor(texel + 0.5)) + 1, layer), 0).r * 255.0 + 0.5);
#endif
    Ground ground = ground_at(point, place, normal_of(slope));
    vec3 grain = normalize(ground.normal + vec3(-slope * (sun.w - 1.0), 0.0));
    vec3 shine = light_on(grain, cells);
    light = ground.colour * shine * mix(0.55, 1.0, ground.open);
    // Snow and wet ground glitter a little towards the sun.
    vec3 half_way = normalize(sun.xyz - normalize(relative));
    float glance = pow(max(dot(grain, half_way), 0.0), mix(90.0, 8.0, ground.roughness));
    light += sun_colour.rgb * sunlight_at(normal, cells) * glance * 0.25 * (1.0 - ground.roughness);
#elif defined(COLOURS)
    light = 0.68 * texture(page_colours, at).rgb * light_on(normal, cells);
#else
    light = plain_colour.rgb * light_on(normal, cells);
#endif
#ifdef WATER
    if (depth > 0.0) {
        vec3 surface = normal_of(slope);
        light = with_water(light, surface, relative, light_on(surface, cells), depth);
    }
#endif
#ifdef LINES
    light = with_lines(light, relative, from_eye_cell, slope);
#endif
#ifdef HAZE
    light = through_air(light, relative);
#endif
    colour = vec4(shown(light), 1.0);
}
