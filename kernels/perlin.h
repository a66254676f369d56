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

/* A lighter hash, where every lane has four lattice points to hash: a word of the column times a word of the row, of which
   the highest three bits are the gradient. The seed is in both words: a column whose word is 0 has one gradient all the way
   down, and must not be column 0. */
FN U perlin_folded(U word) { return word ^ (word >> 15); }
FN U perlin_light_hash(U column_word, U row_word) { return (column_word * row_word) >> 29; }

/* Gradients that make a value of 1 where the others make 1 / PERLIN_SCALE. */
#define PERLIN_LONG_COSINE (PERLIN_SCALE * PERLIN_COSINE)
#define PERLIN_LONG_SINE (PERLIN_SCALE * PERLIN_SINE)
FN F perlin_long_x(U hash) {
    return OF_EIGHT(hash, PERLIN_LONG_COSINE, -PERLIN_LONG_COSINE, PERLIN_LONG_COSINE, -PERLIN_LONG_COSINE,
                    PERLIN_LONG_SINE, -PERLIN_LONG_SINE, PERLIN_LONG_SINE, -PERLIN_LONG_SINE);
}
FN F perlin_long_y(U hash) {
    return OF_EIGHT(hash, PERLIN_LONG_SINE, PERLIN_LONG_SINE, -PERLIN_LONG_SINE, -PERLIN_LONG_SINE, PERLIN_LONG_COSINE,
                    PERLIN_LONG_COSINE, -PERLIN_LONG_COSINE, -PERLIN_LONG_COSINE);
}

/* A value and its exact derivatives to x and y, in lattice cells. None of them is scaled: PERLIN_SCALE is left to whoever
   can put it elsewhere, or to long gradients. */
typedef struct {
    F value, dx, dy;
} Sloped;

FN Sloped perlin_scaled(Sloped of) {
    Sloped made;
    made.value = of.value * PERLIN_SCALE;
    made.dx = of.dx * PERLIN_SCALE;
    made.dy = of.dy * PERLIN_SCALE;
    return made;
}

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

/* The same with the light hash and long gradients. */
FN PerlinPlace perlin_light_place(F x, F y, uint seed) {
    PerlinPlace place;
    F column = FLOOR(x);
    F row = FLOOR(y);
    place.fx = x - column;
    place.fy = y - row;
    U left = AS_U(FLOOR_TOI(x)) * 0x9e3779b1u + seed;
    U right = left + 0x9e3779b1u;
    U above = AS_U(FLOOR_TOI(y)) * 0x85ebca77u + seed;
    U below = above + 0x85ebca77u;
    left = perlin_folded(left);
    right = perlin_folded(right);
    above = perlin_folded(above);
    below = perlin_folded(below);
    U hash00 = perlin_light_hash(left, above);
    U hash10 = perlin_light_hash(right, above);
    U hash01 = perlin_light_hash(left, below);
    U hash11 = perlin_light_hash(right, below);
    place.x00 = perlin_long_x(hash00);
    place.y00 = perlin_long_y(hash00);
    place.x10 = perlin_long_x(hash10);
    place.y10 = perlin_long_y(hash10);
    place.x01 = perlin_long_x(hash01);
    place.y01 = perlin_long_y(hash01);
    place.x11 = perlin_long_x(hash11);
    place.y11 = perlin_long_y(hash11);
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

/* `fade` is how far the blend has come, `change` how fast it comes on there. */
FN Sloped perlin_blended(PerlinPlace at, F beyond_x, F beyond_y, F fade_x, F fade_y, F change_x, F change_y) {
    Sloped made;
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

FN Sloped perlin_sloped(PerlinPlace at) {
    return perlin_blended(at, at.fx - 1.0f, at.fy - 1.0f, PERLIN_FADE(at.fx), PERLIN_FADE(at.fy),
                          PERLIN_FADE_SLOPE(at.fx), PERLIN_FADE_SLOPE(at.fy));
}

/* The same but for rounding, in fewer steps: with c = t (t - 1) the fade is t + (2 t - 1) (3 c^2 - c), its slope 30 c^2. */
FN Sloped perlin_light_sloped(PerlinPlace at) {
    F beyond_x = at.fx - 1.0f;
    F beyond_y = at.fy - 1.0f;
    F curve_x = at.fx * beyond_x;
    F curve_y = at.fy * beyond_y;
    F square_x = curve_x * curve_x;
    F square_y = curve_y * curve_y;
    F fade_x = at.fx + (at.fx + beyond_x) * (square_x * 3.0f - curve_x);
    F fade_y = at.fy + (at.fy + beyond_y) * (square_y * 3.0f - curve_y);
    return perlin_blended(at, beyond_x, beyond_y, fade_x, fade_y, square_x * 30.0f, square_y * 30.0f);
}
