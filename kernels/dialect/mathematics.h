/* The dialect's mathematics: one text for every device, and the same bits from all of them.

   A driver's sin or exp is as good as its maker found good enough, and no two agree in the last bit. So the
   functions here are made of nothing but + - * / SQRT FLOOR, comparisons, integers and bit casts, which are
   exact or correctly rounded everywhere. No fused multiply-add (old CPUs emulate it), no tables (gathers are
   slow), no branches: a special value is put in at the end by SEL.

   They follow one plan. The argument is reduced to a small interval where a short polynomial does, with care
   that the reduction is exact or that its rounding error is known and put back; the polynomial is minimax
   (Sollya's fpminimax, coefficients rounded to float); and the sum is taken from the small terms to the great
   one, so that nearly all the error left is the last rounding.

   Errors are in ulp (units in the last place of the exact result; a correctly rounded result is within 0.5),
   measured against double precision over every float of the domain, POW and ATAN2 over a billion pairs each.
   A missing argument gives a missing result unless said otherwise. */

/* ---- missing, infinite, least, greatest ---------------------------------------------------------------- */

/* Every NaN means that there is no value; this is the one that we make. Uniform, as is INFINITE. */
#define MISSING FROM_BITS(0x7fc00000u)
#define IS_MISSING(x) ((x) != (x))
#define INFINITE FROM_BITS(0x7f800000u)

/* Where the comparison is false (equal, +0 and -0, missing) MIN gives b and MAX gives a, on every device. */
#ifndef CAPROCK_MASK_REGISTERS
#define MIN(a, b) SEL((a) < (b), (a), (b))
#define MAX(a, b) SEL((a) < (b), (b), (a))
#endif
/* A missing x stays missing. */
#define CLAMP(x, low, high) SEL((x) < (low), (low), SEL((high) < (x), (high), (x)))
/* From a, at t = 0, to b, at t = 1 (there within rounding). */
#define MIX(a, b, t) ((a) + ((b) - (a)) * (t))

/* ---- random numbers ------------------------------------------------------------------------------------ */

/* A bijection of 32 bits in which each bit of the argument flips each bit of the result with a chance very
   near one half. (Multiply and xorshift; the constants are the best that C. Wellons' hash prospector has
   found for two rounds.) Not random enough for a plain counter: that is what HASH is for. */
FN U SCRAMBLE(U x) {
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= x >> 15;
    x *= 0xd35a2d97u;
    return x ^ (x >> 15);
}

/* A random number is a hash of what it is for, never the next of a stream: it can be had for any cell, in any
   order. seed: the user's; index: which cell or feature; purpose: what the number decides there. Seed and
   purpose become two keys, a pair of its own for each pair of them. One key alone, put in before the first
   round, would only change the order in which all streams give the same numbers. Both keys are uniform as a
   rule, and the compiler takes them out of the loop: for each index it is a scramble, preceded by the golden
   ratio's multiple that spreads neighbours over all bits. */
FN U HASH(U seed, U index, U purpose) {
    const U before = SCRAMBLE(seed ^ SCRAMBLE(purpose + 0x9e3779b9u));
    const U between = SCRAMBLE(before + purpose * 0x85ebca6bu);
    U x = index * 0x9e3779b9u + before;
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= x >> 15;
    x += between;
    x *= 0xd35a2d97u;
    return x ^ (x >> 15);
}

/* A float in [0, 1) from a hash: its upper 24 bits, as many as a float holds, so that nothing is rounded. */
#define UNIT(hash) (TOF(AS_I((hash) >> 8)) * 0x1p-24f)

/* ---- tools for what follows ---------------------------------------------------------------------------- */

/* The upper 12 of a float's 24 bits. The rest, x - UPPER(x), has 12 as well, and a product of two 12-bit
   numbers is exact: this is how a product's rounding error is found without a fused multiply-add. */
#define UPPER(x) FROM_BITS(BITS(x) & 0xfffff000u)

/* 1 + great + small, |small| <= |great| <= 1, with one rounding that counts: what 1 + great loses is put back
   together with small. */
FN F ONE_PLUS(F great, F small) {
    const F sum = 1.0f + great;
    return sum + (((1.0f - sum) + great) + small);
}

/* 2^n for n from -126 to 127. */
#define POWER_OF_TWO(n) FROM_BITS(AS_U((n) + 127) << 23)

/* x * 2^n for x near 1 and a whole n from -252 to 254. The first product is exact, so that the second alone
   rounds: to infinity above, to denormal numbers and at last to 0 below. */
FN F SCALED(F x, F n) {
    const I exponent = TOI(n);
    const I first = exponent >> 1;
    return x * POWER_OF_TWO(first) * POWER_OF_TWO(exponent - first);
}

/* x = 2^exponent * mantissa, mantissa in [sqrt(1/2), sqrt(2)): around 1, so that the logarithm of an x near 1
   is that of the mantissa alone and loses nothing to a sum. For x that are not positive and finite the parts
   mean nothing, but nothing breaks. */
typedef struct {
    F exponent, mantissa;
} FloatParts;
FN FloatParts FLOAT_PARTS(F x) {
    const B denormal = x < 0x1p-126f;
    const U root_half = 0x3f3504f3u;
    const U above = BITS(SEL(denormal, x * 0x1p24f, x)) - root_half;
    FloatParts parts;
    parts.exponent = TOF(AS_I(above) >> 23) - SEL(denormal, 24.0f, 0.0f);
    parts.mantissa = FROM_BITS((above & 0x007fffffu) + root_half);
    return parts;
}

/* ---- exponentials -------------------------------------------------------------------------------------- */

/* 2^part - 1 - part / 2 for part in [-1/2, 1/2]. Of the linear term, part * ln 2, it leaves out the half,
   which is exact and goes to ONE_PLUS as the great summand; its own rounding errors then are those of a small
   one. */
FN F EXP2_REST(F part) {
    F p = 1.53438828e-4f;
    p = p * part + 1.33968925e-3f;
    p = p * part + 9.61846672e-3f;
    p = p * part + 0.0555033945f;
    p = p * part + 0.240226477f;
    p = p * part + 0.193147197f;
    return p * part;
}

/* 2^x = 2^whole * 2^part, within 0.7 ulp (a denormal result within 0.8). The clamp is where the result is
   infinite or 0 already, and takes a missing x to 129. */
FN F EXP2(F x) {
    const F near = MIN(MAX(x, -151.0f), 129.0f);
    const F whole = FLOOR(near + 0.5f);
    const F part = near - whole;
    const F result = SCALED(ONE_PLUS(0.5f * part, EXP2_REST(part)), whole);
    return SEL(IS_MISSING(x), MISSING, result);
}

/* e^x = 2^whole * e^part, within 0.7 ulp (denormal 0.8). part = x - whole * ln 2: the upper 15 bits of ln 2
   make an exact product with a whole number of 8 bits, and what the subtraction of the lower ones rounds off
   is put back. */
FN F EXP(F x) {
    const F near = MIN(MAX(x, -104.0f), 89.0f);
    const F whole = FLOOR(near * 1.44269502f + 0.5f);
    const F upper = near - whole * 0x1.62e4p-1f;
    const F lower = whole * 0x1.7f7d1cp-20f;
    const F part = upper - lower;
    const F part_lost = (upper - part) - lower;
    F p = 1.37825042e-3f;
    p = p * part + 8.36867467e-3f;
    p = p * part + 0.0416689627f;
    p = p * part + 0.166665211f;
    p = p * part + 0.499999911f;
    const F result = SCALED(ONE_PLUS(part, part * part * p + part_lost), whole);
    return SEL(IS_MISSING(x), MISSING, result);
}

/* ---- logarithms ---------------------------------------------------------------------------------------- */

/* What a logarithm is where x has none that is finite: -infinity at 0, infinity at infinity, else missing. */
FN F LOG_OR_SPECIAL(F x, F logarithm) {
    const F special = SEL(x == 0.0f, -INFINITE, SEL(x > 0.0f, x, MISSING));
    return SEL((x > 0.0f) & (x < INFINITE), logarithm, special);
}

/* The logarithm to base 2, within 0.95 ulp, near 1 within 0.7. log2(1 + f) = f log2(e) - f^2 / 2 + f^2 p(f).
   Near 1 the first term is all, so its greater part is an exact product; the second is there to keep the
   third small. */
FN F LOG2(F x) {
    const FloatParts parts = FLOAT_PARTS(x);
    const F f = parts.mantissa - 1.0f;
    const F square = f * f;
    F p = -0.109995648f;
    p = p * f + 0.186257869f;
    p = p * f - 0.191087022f;
    p = p * f + 0.204587713f;
    p = p * f - 0.239612222f;
    p = p * f + 0.28856802f;
    p = p * f - 0.360696942f;
    p = p * f + 0.480898231f;
    p = p * f - 0.221347347f;
    const F upper = UPPER(f);
    const F rest = (f - upper) * 0x1.716p0f - f * 0x1.7135a8p-13f;
    const F small = (square * p + rest) - 0.5f * square;
    return LOG_OR_SPECIAL(x, (small + upper * 0x1.716p0f) + parts.exponent);
}

/* The natural logarithm, within 0.86 ulp, near 1 within 0.7. ln(1 + f) = f - f^2 / 2 + f^3 p(f); the exponent
   times ln 2 is in two parts, of which the greater is exact. */
FN F LOG(F x) {
    const FloatParts parts = FLOAT_PARTS(x);
    const F f = parts.mantissa - 1.0f;
    const F square = f * f;
    F p = -0.0723589957f;
    p = p * f + 0.125378415f;
    p = p * f - 0.132199138f;
    p = p * f + 0.142442435f;
    p = p * f - 0.166208908f;
    p = p * f + 0.199986681f;
    p = p * f - 0.250008434f;
    p = p * f + 0.33333379f;
    const F small = (square * f * p + parts.exponent * 0x1.7f7d1cp-20f) - 0.5f * square;
    return LOG_OR_SPECIAL(x, (small + f) + parts.exponent * 0x1.62e4p-1f);
}

/* x^y for x >= 0, within 0.9 ulp. x^0 and 1^y are 1 even where the other is missing; 0^y is 0 for y > 0 and
   infinite for y < 0; infinities as the limits say. A negative x gives a missing result whatever y, unless y
   is 0: C makes an exception for whole y, but a power of a negative height is a mistake, not a number.

   2^(y log2(x)), and as y log2(x) goes up to 150 its logarithm needs 8 bits more than a float has. It is made
   in two floats: log2(m) = K (s + s^3 / 3 + s^5 / 5 ...), s = (m - 1) / (m + 1), K = 2 / ln 2, where s, K,
   and what of the series goes beside K, are each cut into 12 upper bits and a rest. */
FN F POW(F x, F y) {
    const FloatParts parts = FLOAT_PARTS(x);

    /* s = s1 + s2: a quotient cut to 12 bits, then what its remainder adds. above + below is exactly the
       divisor, m + 1. */
    const F f = parts.mantissa - 1.0f;
    const F sum = parts.mantissa + 1.0f;
    const F reciprocal = 1.0f / sum;
    const F above = UPPER(sum);
    const F below = parts.mantissa - (above - 1.0f);
    const F s = f * reciprocal;
    const F s1 = UPPER(s);
    const F s2 = ((f - s1 * above) - s1 * below) * reciprocal;

    /* w = K (z / 3 + z^2 / 5 + ...) = w1 + w2, z = s^2. Only the first term needs z in two parts. */
    const F z = s * s;
    const F higher = z * z * ((0.332482696f * z + 0.412067264f) * z + 0.577078223f);
    const F w = z * 0.961796701f + higher;
    const F w1 = UPPER(w);
    const F square = s1 * s1;
    const F z1 = UPPER(square);
    const F z2 = (square - z1) + s2 * (s1 + s);
    const F w2 = (z1 * 0x1.ec8p-1f - w1) + (higher + (z2 * 0.961796701f - z1 * 0x1.ec478cp-14f));

    /* log2(x) = exponent + s (K + w) = great + rest. Each sum keeps what it rounds off. */
    const F line = s1 * 0x1.716p1f;
    const F bend = s1 * w1;
    const F inner = line + bend;
    const F inner_lost = (line - inner) + bend;
    const F outer = parts.exponent + inner;
    const F outer_lost = (parts.exponent - outer) + inner;
    const F small =
        (outer_lost + inner_lost) + ((s2 * 2.88539004f - s1 * 0x1.7135a8p-12f) + (s1 * w2 + s2 * w));
    const F logarithm = outer + small;
    const F great = UPPER(logarithm);
    const F rest = (outer - great) + small;

    /* y log2(x) = product + minor. Where the product is clamped, or the sum an infinity less another, the
       result is infinite or 0 whatever is left of minor. */
    const F y1 = UPPER(y);
    const F product = MIN(MAX(y1 * great, -153.0f), 130.0f);
    const F minor = MIN(MAX(y1 * rest + (y - y1) * logarithm, -1.0f), 1.0f);

    /* 2 to that power, the fraction in two floats again. */
    const F whole = FLOOR(product + minor + 0.5f);
    const F near = product - whole;
    const F part = near + minor;
    const F part_lost = (near - part) + minor;
    F result = SCALED(ONE_PLUS(0.5f * part, EXP2_REST(part) + part_lost * 0.693147182f), whole);

    /* 0 and infinity are each other's reciprocals, and so nearly are their bits. */
    const F size = ABS(x);
    const F end = SEL(y > 0.0f, size, FROM_BITS(0x7f800000u - BITS(size)));
    result = SEL((size == 0.0f) | (size == INFINITE), end, result);
    result = SEL((x >= 0.0f) & (y == y), result, MISSING);
    return SEL((x == 1.0f) | (y == 0.0f), 1.0f, result);
}

/* ---- angles -------------------------------------------------------------------------------------------- */

/* |x| = quarter * pi/2 + rest, rest in [-pi/4, pi/4], and the sine and cosine of the rest. */
typedef struct {
    F sine, cosine;
    U quarter;
} Turn;

/* pi/2 is cut in three, of which the first two have 11 bits: their products with a quarter of 13 bits are
   exact, hence the bound 8192. Further out the error grows, to 2e-6 at 131072, from where
   on the result stays the same. */
FN Turn TURN(F x) {
    const F size = MIN(ABS(x), 131072.0f);
    const F quarter = FLOOR(size * 0.636619747f + 0.5f);
    const F rest = ((size - quarter * 0x1.92p0f) - quarter * 0x1.fb4p-12f) - quarter * 0x1.4442d2p-24f;
    const F square = rest * rest;
    Turn turn;
    F p = -1.94961365e-4f;
    p = p * square + 8.33198335e-3f;
    p = p * square - 0.166666508f;
    turn.sine = rest + rest * square * p;
    p = 2.44331732e-5f;
    p = p * square - 1.38873141e-3f;
    p = p * square + 0.0416666456f;
    turn.cosine = ONE_PLUS(-0.5f * square, square * square * p);
    turn.quarter = AS_U(TOI(quarter));
    return turn;
}

/* The sine and the cosine of x in radians, within 6.5e-8 for |x| <= 8192; missing for an infinite x. Sine is
   odd and cosine even to the last bit, -0 included. A kernel that wants both pays little more than for
   one. */
FN F SIN(F x) {
    const Turn turn = TURN(x);
    const F value = SEL((turn.quarter & 1u) != 0u, turn.cosine, turn.sine);
    const U sign = ((turn.quarter << 30) ^ BITS(x)) & 0x80000000u;
    return SEL(ABS(x) < INFINITE, FROM_BITS(BITS(value) ^ sign), MISSING);
}
FN F COS(F x) {
    const Turn turn = TURN(x);
    const F value = SEL((turn.quarter & 1u) != 0u, turn.sine, turn.cosine);
    const U sign = ((turn.quarter + 1u) << 30) & 0x80000000u;
    return SEL(ABS(x) < INFINITE, FROM_BITS(BITS(value) ^ sign), MISSING);
}

/* The angle of (x, y) from the x axis, in [-pi, pi], within 2.3 ulp, and with C's results for zeros of either
   sign and for infinities: ATAN2(0, 0) is 0, ATAN2(0, -1) is pi, ATAN2(-0, -1) is -pi.
   The arc tangent of the lesser of |x|, |y| over the greater, then mirrored into the octant. */
FN F ATAN2(F y, F x) {
    const F across = ABS(x);
    const F up = ABS(y);
    const B steep = across < up;
    const F lesser = SEL(steep, across, up);
    const F greater = SEL(steep, up, across);
    const F ratio = lesser / SEL(greater == 0.0f, 1.0f, greater);
    const F t = SEL(lesser == INFINITE, 1.0f, ratio);
    const F square = t * t;
    F p = 2.92020338e-3f;
    p = p * square - 0.0163660031f;
    p = p * square + 0.0432087593f;
    p = p * square - 0.0755195171f;
    p = p * square + 0.106658801f;
    p = p * square - 0.142110229f;
    p = p * square + 0.199937686f;
    p = p * square - 0.333331525f;
    F angle = t + t * square * p;
    angle = SEL(steep, 1.57079637f - angle, angle);
    angle = SEL(AS_I(BITS(x)) < 0, 3.14159274f - angle, angle);
    angle = FROM_BITS(BITS(angle) | (BITS(y) & 0x80000000u));
    return SEL((x == x) & (y == y), angle, MISSING);
}

/* ---- whole numbers of 64 bits -------------------------------------------------------------------------------- */

/* From a whole float of either sign, below 2^62. All steps are exact. */
FN W WIDE_FROM(F whole) {
    const F size = ABS(whole);
    const F high = FLOOR(size * 2.3283064365386963e-10f);
    const F rest = size - high * 4294967296.0f;
    const F middle = FLOOR(rest * 1.52587890625e-5f);
    const W wide = WIDE((AS_U(TOI(middle)) << 16) + AS_U(TOI(rest - middle * 65536.0f)), AS_U(TOI(high)));
    const W opposite = WIDE(0u, 0u) - wide;
    const B negative = whole < 0.0f;
    return WIDE(SEL(negative, LOW(opposite), LOW(wide)), SEL(negative, HIGH(opposite), HIGH(wide)));
}

/* The float near an unsigned number. */
FN F UINT_VALUE(U number) {
    return TOF(AS_I(number >> 16)) * 65536.0f + TOF(AS_I(number & 65535u));
}

/* The float near a number of either sign, in two's complement. */
FN F WIDE_VALUE(W wide) {
    const B negative = HIGH(wide) >= 2147483648u;
    const W opposite = WIDE(0u, 0u) - wide;
    const U low = SEL(negative, LOW(opposite), LOW(wide));
    const U high = SEL(negative, HIGH(opposite), HIGH(wide));
    const F size = UINT_VALUE(high) * 4294967296.0f + UINT_VALUE(low);
    return SEL(negative, -size, size);
}
