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
FN F perlin_gradient_x(U hash) {
    return FROM_BITS(SEL((hash & 4u) != 0u, 0x3ec3ef15u, 0x3f6c835eu) | (hash << 31));
}
FN F perlin_gradient_y(U hash) {
    return FROM_BITS(SEL((hash & 4u) != 0u, 0x3f6c835eu, 0x3ec3ef15u) | ((hash << 30) & 0x80000000u));
}

#define PERLIN_FADE(t) ((t) * (t) * (t) * ((t) * ((t) * 6.0f - 15.0f) + 10.0f))
