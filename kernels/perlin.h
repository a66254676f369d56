/* Perlin's gradient noise (Editor §8.3): 8 off-axis gradients of length 1 at the points of an integer lattice,
   blended by the quintic fade. Its lattice is hashed from (column, row, seed), so it never repeats. */

/* In the middle of a lattice cell the blended gradients are at most half of |cos| + |sin| of pi/8; this maps that
   to 1. Off the middle they can be 1.2 % more. */
#define PERLIN_SCALE 1.530734f

FN U perlin_mixed(U hash) {
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6du;
    hash ^= hash >> 12;
    hash *= 0x297a2d39u;
    hash ^= hash >> 15;
    return hash;
}
/* The row's share of the hash is the same along a row of cells. */
FN uint perlin_row(int row, uint seed) { return AS_U(row) * 0x85ebca77u + seed * 0xc2b2ae3du; }
FN U perlin_hash(U column, uint row_share) { return perlin_mixed((column * 0x9e3779b1u) ^ row_share); }

/* The gradients lie at odd multiples of pi/8: (c, s) or (s, c) with any signs, by three bits of the hash. */
#define PERLIN_COSINE 0x1.d906bcp-1f
#define PERLIN_SINE 0x1.87de2ap-2f
FN F perlin_gradient_x(U hash) {
    return OF_EIGHT(hash, PERLIN_COSINE, -PERLIN_COSINE, PERLIN_COSINE, -PERLIN_COSINE, PERLIN_SINE, -PERLIN_SINE,
                    PERLIN_SINE, -PERLIN_SINE);
}
FN F perlin_gradient_y(U hash) {
    return OF_EIGHT(hash, PERLIN_SINE, PERLIN_SINE, -PERLIN_SINE, -PERLIN_SINE, PERLIN_COSINE, PERLIN_COSINE,
                    -PERLIN_COSINE, -PERLIN_COSINE);
}

#define PERLIN_FADE(t) ((t) * (t) * (t) * ((t) * ((t) * 6.0f - 15.0f) + 10.0f))
/* Its derivative. */
#define PERLIN_FADE_SLOPE(t) ((t) * (t) * 30.0f * (((t) - 1.0f) * ((t) - 1.0f)))

/* A value and its exact derivatives to x and y, in lattice cells. None of them is scaled: PERLIN_SCALE is left to whoever
   can put it elsewhere. */
typedef struct {
    F value, dx, dy;
} Sloped;

/* The noise at any place: the four lattice points around it, above and below, left and right, and where it lies
   between them. */
typedef struct {
    F fx, fy;
    F x00, y00, x10, y10, x01, y01, x11, y11; /* the gradients: 10 is right above, 01 is left below */
} PerlinPlace;

/* Where each lane has lattice points of its own. */
FN PerlinPlace perlin_place(F x, F y, uint seed) {
    PerlinPlace place;
    F column = FLOOR(x);
    F row = FLOOR(y);
    place.fx = x - column;
    place.fy = y - row;
    U left = AS_U(TOI(column)) * 0x9e3779b1u;
    U right = left + 0x9e3779b1u;
    U above = AS_U(TOI(row)) * 0x85ebca77u + seed * 0xc2b2ae3du;
    U below = above + 0x85ebca77u;
    U hash00 = perlin_mixed(left ^ above);
    U hash10 = perlin_mixed(right ^ above);
    U hash01 = perlin_mixed(left ^ below);
    U hash11 = perlin_mixed(right ^ below);
    place.x00 = perlin_gradient_x(hash00);
    place.y00 = perlin_gradient_y(hash00);
    place.x10 = perlin_gradient_x(hash10);
    place.y10 = perlin_gradient_y(hash10);
    place.x01 = perlin_gradient_x(hash01);
    place.y01 = perlin_gradient_y(hash01);
    place.x11 = perlin_gradient_x(hash11);
    place.y11 = perlin_gradient_y(hash11);
    return place;
}

FN F perlin_value(PerlinPlace at) {
    F beyond_x = at.fx - 1.0f;
    F beyond_y = at.fy - 1.0f;
    F fade_x = PERLIN_FADE(at.fx);
    F above = MIX(at.x00 * at.fx + at.y00 * at.fy, at.x10 * beyond_x + at.y10 * at.fy, fade_x);
    F below = MIX(at.x01 * at.fx + at.y01 * beyond_y, at.x11 * beyond_x + at.y11 * beyond_y, fade_x);
    return MIX(above, below, PERLIN_FADE(at.fy));
}

FN Sloped perlin_sloped(PerlinPlace at) {
    Sloped made;
    F fade_x = PERLIN_FADE(at.fx);
    F fade_y = PERLIN_FADE(at.fy);
    F change_x = PERLIN_FADE_SLOPE(at.fx);
    F change_y = PERLIN_FADE_SLOPE(at.fy);
    F beyond_x = at.fx - 1.0f;
    F beyond_y = at.fy - 1.0f;
    F left_above = at.x00 * at.fx + at.y00 * at.fy;
    F left_below = at.x01 * at.fx + at.y01 * beyond_y;
    F rise_above = at.x10 * beyond_x + at.y10 * at.fy - left_above;
    F rise_below = at.x11 * beyond_x + at.y11 * beyond_y - left_below;
    F above = left_above + rise_above * fade_x;
    F fall = left_below + rise_below * fade_x - above;
    F slope_above = MIX(at.x00, at.x10, fade_x) + rise_above * change_x;
    F slope_below = MIX(at.x01, at.x11, fade_x) + rise_below * change_x;
    made.value = above + fall * fade_y;
    made.dx = MIX(slope_above, slope_below, fade_y);
    made.dy = MIX(MIX(at.y00, at.y10, fade_x), MIX(at.y01, at.y11, fade_x), fade_y) + fall * change_y;
    return made;
}
