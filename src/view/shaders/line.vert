// Pieces of lines on the ground, each a rectangle of so many pixels across.
#include "frame.glsl"

struct Piece {
    vec4 from;  // xy: cells from the first sample, z: metres, w: not 0 where it is not to be seen
    vec4 to;
};
layout(std430, binding = 1) readonly buffer Pieces { Piece pieces[]; };

uniform int first_piece;
uniform float half_width;  // pixels
uniform float viewport_width;
uniform float viewport_height;
uniform float nearer;  // so many times as near as it is, to lie above the ground and what was drawn before

vec4 seen(vec3 place) {
    vec2 on_the_flat = (place.xy - vec2(eye_cell.xy)) * eye_in_cell.z - eye_in_cell.xy;
    return projection * vec4(on_the_flat, place.z * eye_in_cell.w - eye.z, 1.0);
}

void main() {
    Piece piece = pieces[first_piece + gl_VertexID / 6];
    vec4 from = seen(piece.from.xyz);
    vec4 to = seen(piece.to.xyz);
    // Depth is the nearest distance over this one: what lies before that is cut off there.
    float nearest = from.z;
    if (piece.from.w != 0.0 || max(from.w, to.w) <= nearest) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    if (from.w < nearest) from = mix(from, to, (nearest - from.w) / (to.w - from.w));
    else if (to.w < nearest) to = mix(to, from, (nearest - to.w) / (from.w - to.w));
    vec2 half_size = 0.5 * vec2(viewport_width, viewport_height);
    vec2 way = (to.xy / to.w - from.xy / from.w) * half_size;
    float away = length(way);
    bool is_point = piece.from.xy == piece.to.xy;
    vec2 ahead = away > 1e-4 && !is_point ? way / away : vec2(1.0, 0.0);
    float wide = is_point ? 2.0 * half_width : half_width;
    int corner = gl_VertexID % 6;
    bool at_end = corner == 1 || corner == 2 || corner == 4;
    float side = corner == 2 || corner == 4 || corner == 5 ? 1.0 : -1.0;
    vec4 place = at_end ? to : from;
    // A little longer than the piece, so that there are no gaps where lines bend.
    vec2 aside = vec2(-ahead.y, ahead.x) * side * wide + ahead * (at_end ? 1.0 : -1.0) * (is_point ? wide : 0.5 * wide);
    place.xy += aside / half_size * place.w;
    // The ground may be drawn a little off its samples, and must not cover what lies on it.
    place.z *= nearer;
    gl_Position = place;
}
