/* The lane dialect on a CPU: a lane type is a vector of CAPROCK_LANES values (GCC vector extensions).
   docs/kernel-dialect.md explains every word. The including file defines CAPROCK_LANES and wraps this header
   and the kernel text in nothing: all names live in an unnamed namespace, so that code compiled for one
   instruction set never answers for another. */
#pragma once

#include "dialect/launch.h"

#if defined(__SSE4_1__)
#include <immintrin.h>
#endif

namespace {

#define FN static inline __attribute__((always_inline, unused))
#define LANES CAPROCK_LANES
#define VECTOR_OF(type) type __attribute__((vector_size(4 * LANES)))

typedef unsigned int uint;
typedef VECTOR_OF(float) FloatLanes;
typedef VECTOR_OF(int) IntLanes;
typedef VECTOR_OF(uint) UintLanes;

#if LANES == 16 && defined(__AVX512F__)
#define CAPROCK_MASK_REGISTERS 1
#endif

/* ---- masks ---------------------------------------------------------------------------------------------- */

struct B {
#ifdef CAPROCK_MASK_REGISTERS
    __mmask16 v;
    __attribute__((always_inline)) B(__mmask16 m, int) : v(m) {}
    __attribute__((always_inline)) B(bool one) : v(one ? 0xffff : 0) {}
#else
    IntLanes v;
    __attribute__((always_inline)) B(IntLanes m, int) : v(m) {}
    __attribute__((always_inline)) B(bool one) : v(IntLanes{} - int(one)) {}
#endif
    B() = default;
    B(int) = delete;
};
#ifdef CAPROCK_MASK_REGISTERS
FN B operator&(B a, B b) { return B(__mmask16(a.v & b.v), 0); }
FN B operator|(B a, B b) { return B(__mmask16(a.v | b.v), 0); }
FN B operator!(B a) { return B(__mmask16(~a.v), 0); }
FN bool every_lane(B a) { return a.v == 0xffff; }
#else
FN B operator&(B a, B b) { return B(a.v & b.v, 0); }
FN B operator|(B a, B b) { return B(a.v | b.v, 0); }
FN B operator!(B a) { return B(~a.v, 0); }
FN bool every_lane(B a) {
#if LANES == 8 && defined(__AVX2__)
    return _mm256_movemask_ps((__m256)a.v) == 0xff;
#elif LANES == 4 && defined(__SSE4_1__)
    return _mm_movemask_ps((__m128)a.v) == 0xf;
#else
    int all = -1;
    for (int lane = 0; lane < LANES; lane++) all &= a.v[lane];
    return all != 0;
#endif
}
#endif

/* ---- lanes ---------------------------------------------------------------------------------------------- */

/* A lane value is made from a uniform of the same kind without ceremony, from any other kind not at all:
   a double literal or a mixed int would mean something else on another device. */
struct F {
    FloatLanes v;
    F() = default;
    __attribute__((always_inline)) F(float one) : v(one - FloatLanes{}) {} /* 0 + -0 would lose the sign */
    __attribute__((always_inline)) explicit F(FloatLanes all) : v(all) {}
    F(double) = delete;
    F(int) = delete;
    F(uint) = delete;
};
struct I {
    IntLanes v;
    I() = default;
    __attribute__((always_inline)) I(int one) : v(IntLanes{} + one) {}
    __attribute__((always_inline)) explicit I(IntLanes all) : v(all) {}
    I(float) = delete;
    I(double) = delete;
    I(uint) = delete;
};
struct U {
    UintLanes v;
    U() = default;
    __attribute__((always_inline)) U(uint one) : v(UintLanes{} + one) {}
    __attribute__((always_inline)) explicit U(UintLanes all) : v(all) {}
    U(float) = delete;
    U(double) = delete;
    U(int) = delete;
};

/* A whole number of 64 bits. */
struct W {
    U low, high;
};

#define LANE_OPERATOR(T, op)                                   \
    FN T operator op(T a, T b) { return T(a.v op b.v); }       \
    FN T& operator op##=(T& a, T b) {                          \
        a.v = a.v op b.v;                                      \
        return a;                                              \
    }
LANE_OPERATOR(F, +) LANE_OPERATOR(F, -) LANE_OPERATOR(F, *) LANE_OPERATOR(F, /)
LANE_OPERATOR(I, &) LANE_OPERATOR(I, |) LANE_OPERATOR(I, ^)
LANE_OPERATOR(U, +) LANE_OPERATOR(U, -) LANE_OPERATOR(U, *) LANE_OPERATOR(U, &) LANE_OPERATOR(U, |) LANE_OPERATOR(U, ^)
#undef LANE_OPERATOR
/* Overflow of an I is a mistake, but not one that may do anything it likes. */
#define WRAPPING_OPERATOR(op)                                                                      \
    FN I operator op(I a, I b) { return I((IntLanes)((UintLanes)a.v op(UintLanes) b.v)); }         \
    FN I& operator op##=(I& a, I b) { return a = a op b; }
WRAPPING_OPERATOR(+) WRAPPING_OPERATOR(-) WRAPPING_OPERATOR(*)
#undef WRAPPING_OPERATOR
FN U carried(B carry) {
#ifdef CAPROCK_MASK_REGISTERS
    return U((UintLanes)_mm512_maskz_set1_epi32(carry.v, 1));
#else
    return U((UintLanes)carry.v >> 31);
#endif
}
FN F operator-(F a) { return F(-a.v); }
FN I operator-(I a) { return I((IntLanes)(-(UintLanes)a.v)); }
FN U operator~(U a) { return U(~a.v); }
FN I operator>>(I a, int by) { return I(a.v >> by); }
FN I operator<<(I a, int by) { return I((IntLanes)((UintLanes)a.v << by)); }
FN U operator>>(U a, int by) { return U(a.v >> by); }
FN U operator<<(U a, int by) { return U(a.v << by); }

#ifdef CAPROCK_MASK_REGISTERS
#define LANE_COMPARISON(op, float_code, int_code)                                                            \
    FN B operator op(F a, F b) { return B(_mm512_cmp_ps_mask((__m512)a.v, (__m512)b.v, float_code), 0); }      \
    FN B operator op(I a, I b) { return B(_mm512_cmp_epi32_mask((__m512i)a.v, (__m512i)b.v, int_code), 0); }   \
    FN B operator op(U a, U b) { return B(_mm512_cmp_epu32_mask((__m512i)a.v, (__m512i)b.v, int_code), 0); }
LANE_COMPARISON(<, _CMP_LT_OQ, _MM_CMPINT_LT)
LANE_COMPARISON(<=, _CMP_LE_OQ, _MM_CMPINT_LE)
LANE_COMPARISON(>, _CMP_GT_OQ, _MM_CMPINT_NLE)
LANE_COMPARISON(>=, _CMP_GE_OQ, _MM_CMPINT_NLT)
LANE_COMPARISON(==, _CMP_EQ_OQ, _MM_CMPINT_EQ)
LANE_COMPARISON(!=, _CMP_NEQ_UQ, _MM_CMPINT_NE)
FN F SEL(B m, F a, F b) { return F((FloatLanes)_mm512_mask_blend_ps(m.v, (__m512)b.v, (__m512)a.v)); }
FN I SEL(B m, I a, I b) { return I((IntLanes)_mm512_mask_blend_epi32(m.v, (__m512i)b.v, (__m512i)a.v)); }
FN U SEL(B m, U a, U b) { return U((UintLanes)_mm512_mask_blend_epi32(m.v, (__m512i)b.v, (__m512i)a.v)); }
#else
#define LANE_COMPARISON(op)                                                \
    FN B operator op(F a, F b) { return B((IntLanes)(a.v op b.v), 0); }    \
    FN B operator op(I a, I b) { return B((IntLanes)(a.v op b.v), 0); }    \
    FN B operator op(U a, U b) { return B((IntLanes)(a.v op b.v), 0); }
LANE_COMPARISON(<) LANE_COMPARISON(<=) LANE_COMPARISON(>) LANE_COMPARISON(>=) LANE_COMPARISON(==) LANE_COMPARISON(!=)
FN F SEL(B m, F a, F b) { return F(m.v ? a.v : b.v); }
FN I SEL(B m, I a, I b) { return I(m.v ? a.v : b.v); }
FN U SEL(B m, U a, U b) { return U(m.v ? a.v : b.v); }
#endif
#undef LANE_COMPARISON
FN F SEL(B m, float a, float b) { return SEL(m, F(a), F(b)); }
FN I SEL(B m, int a, int b) { return SEL(m, I(a), I(b)); }
FN U SEL(B m, uint a, uint b) { return SEL(m, U(a), U(b)); }
FN float SEL(bool m, float a, float b) { return m ? a : b; }
FN int SEL(bool m, int a, int b) { return m ? a : b; }
FN uint SEL(bool m, uint a, uint b) { return m ? a : b; }
#define NOT(mask) (!(mask))
#define UNROLL _Pragma("GCC unroll 16")

#define WIDE(low, high) (W{low, high})
#define LOW(wide) ((wide).low)
#define HIGH(wide) ((wide).high)
FN W operator+(W a, W b) {
    U low = a.low + b.low;
    return {low, a.high + b.high + carried(low < a.low)};
}
FN W operator-(W a, W b) { return {a.low - b.low, a.high - b.high - carried(a.low < b.low)}; }

/* ---- conversions: between values, and of the bits as they are --------------------------------------------- */

FN I TOI(F a) { return I(__builtin_convertvector(a.v, IntLanes)); }
FN F TOF(I a) { return F(__builtin_convertvector(a.v, FloatLanes)); }
FN int TOI(float a) { return int(a); }
FN float TOF(int a) { return float(a); }
FN U AS_U(I a) { return U((UintLanes)a.v); }
FN I AS_I(U a) { return I((IntLanes)a.v); }
FN uint AS_U(int a) { return uint(a); }
FN int AS_I(uint a) { return int(a); }
FN U BITS(F a) { return U((UintLanes)a.v); }
FN F FROM_BITS(U a) { return F((FloatLanes)a.v); }
FN uint BITS(float a) { return __builtin_bit_cast(uint, a); }
FN float FROM_BITS(uint a) { return __builtin_bit_cast(float, a); }

/* ---- correctly rounded functions -------------------------------------------------------------------------- */

#ifdef CAPROCK_MASK_REGISTERS
/* What mathematics.h makes of SEL, in one instruction. Without mask registers the compiler finds that by itself. */
#define LANE_EXTREME(name, instruction, first, second)                                                  \
    template <typename A, typename Other> FN auto name(A a, Other b) {                                  \
        if constexpr (__is_same(A, F) || __is_same(Other, F))                                           \
            return F((FloatLanes)instruction((__m512)F(first).v, (__m512)F(second).v));                 \
        else return SEL(a < b, first, second);                                                          \
    }
LANE_EXTREME(MIN, _mm512_min_ps, a, b)
LANE_EXTREME(MAX, _mm512_max_ps, b, a)
#undef LANE_EXTREME
#endif
FN F ABS(F a) { return FROM_BITS(BITS(a) & 0x7fffffffu); }
FN float ABS(float a) { return FROM_BITS(BITS(a) & 0x7fffffffu); }
FN F FLOOR(F a) {
#if defined(CAPROCK_MASK_REGISTERS)
    return F((FloatLanes)_mm512_roundscale_ps((__m512)a.v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
#elif LANES == 8 && defined(__AVX__)
    return F((FloatLanes)_mm256_floor_ps((__m256)a.v));
#elif LANES == 4 && defined(__SSE4_1__)
    return F((FloatLanes)_mm_floor_ps((__m128)a.v));
#else
    /* From 2^23 on every float is whole. The sign is kept for -0. */
    B small = ABS(a) < F(8388608.0f);
    F cut = TOF(TOI(SEL(small, a, F(0.0f))));
    F below = SEL(cut > a, cut - F(1.0f), cut);
    return SEL(small, FROM_BITS(BITS(below) | (BITS(a) & U(0x80000000u))), a);
#endif
}
FN F SQRT(F a) {
#if defined(CAPROCK_MASK_REGISTERS)
    return F((FloatLanes)_mm512_sqrt_ps((__m512)a.v));
#elif LANES == 8 && defined(__AVX__)
    return F((FloatLanes)_mm256_sqrt_ps((__m256)a.v));
#elif LANES == 4 && defined(__SSE4_1__)
    return F((FloatLanes)_mm_sqrt_ps((__m128)a.v));
#else
    for (int lane = 0; lane < LANES; lane++) a.v[lane] = __builtin_sqrtf(a.v[lane]);
    return a;
#endif
}
FN float FLOOR(float a) { return __builtin_floorf(a); }
/* TOI(FLOOR(a)), but the whole number does not wait for the float. */
FN I FLOOR_TOI(F a) {
#ifdef CAPROCK_MASK_REGISTERS
    return I((IntLanes)_mm512_cvt_roundps_epi32((__m512)a.v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
#else
    return TOI(FLOOR(a));
#endif
}
FN int FLOOR_TOI(float a) { return TOI(FLOOR(a)); }
FN float SQRT(float a) { return __builtin_sqrtf(a); }

/* ---- where we are ------------------------------------------------------------------------------------------ */

struct Here {
    int x, y;   /* the first lane's cell */
    int count;  /* how many lanes are cells; fewer than LANES only at the end of a row */
    bool first; /* the first lanes of a row: what ROW_ONCE keeps is made now */
    bool inner; /* so far from every border that neighbour loads need no look at them */
    char* scratch;
};

FN I lane_numbers() {
    IntLanes numbers;
    for (int lane = 0; lane < LANES; lane++) numbers[lane] = lane;
    return I(numbers);
}
FN I here_x(const Here& here) { return I(here.x) + lane_numbers(); }
#define HERE_X here_x(here)
#define FIRST_X (here.x)
#define HERE_Y (here.y)

/* ---- fields ------------------------------------------------------------------------------------------------ */

struct In : caprock::lanes::Plane {};
struct Out : caprock::lanes::Plane {};
struct Inout : caprock::lanes::Plane {};
struct Around : caprock::lanes::Plane {};
struct Finer : caprock::lanes::Plane {};
struct Coarser : caprock::lanes::Plane {};
struct Anywhere : caprock::lanes::Plane {};
struct Tally : caprock::lanes::Plane {};
struct Varying : caprock::lanes::Plane {};
struct VaryingAround : caprock::lanes::Plane {};

#define IN(name) const In name
#define OUT(name) const Out name
#define INOUT(name) const Inout name
#define AROUND(name) const Around name
#define FINER(name) const Finer name
#define COARSER(name) const Coarser name
#define ANYWHERE(name) const Anywhere name
#define TALLY(name) const Tally name
#define UNIFORM(type, name) const type name
#define VARYING(name) const Varying name, const float name##_everywhere
#define VARYING_AROUND(name) const VaryingAround name, const float name##_everywhere
#define TABLE(type, name) const type* const name
#define HAS(field) ((field).data != nullptr)

FN int clamped(int value, int low, int high) { return value < low ? low : value > high ? high : value; }
FN const float* row_of(const caprock::lanes::Plane& plane, int y) {
    return plane.data + long(clamped(y, plane.top, plane.bottom - 1) - plane.y) * plane.stride - plane.x;
}
FN F load_lanes(const float* from) {
    FloatLanes lanes;
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return F(lanes);
}
/* LANES cells of a row from x on, every `step`th, where cells beyond the border repeat the border's. */
FN F load_clamped(const caprock::lanes::Plane& plane, const float* row, int x, int step) {
    FloatLanes lanes;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = row[clamped(x + lane * step, plane.left, plane.right - 1)];
    return F(lanes);
}
FN void check_radius(const caprock::lanes::Plane& plane, int dx, int dy) {
#ifdef CAPROCK_CHECKED
    if (dx > plane.radius || -dx > plane.radius || dy > plane.radius || -dy > plane.radius) __builtin_trap();
#else
    (void)plane, (void)dx, (void)dy;
#endif
}

/* Only the lanes from `begin` to before `end`; the others are `rest`, and their memory is not touched. */
FN F load_some(const float* from, int begin, int end, float rest) {
#if defined(CAPROCK_MASK_REGISTERS)
    uint lanes = ((1u << end) - 1u) & ~((1u << begin) - 1u);
    return F((FloatLanes)_mm512_mask_loadu_ps((__m512)F(rest).v, (__mmask16)lanes, from));
#elif LANES == 8 && defined(__AVX2__)
    IntLanes some = (lane_numbers().v >= begin) & (lane_numbers().v < end);
    return SEL(B(some, 0), F((FloatLanes)_mm256_maskload_ps(from, (__m256i)some)), F(rest));
#else
    FloatLanes lanes = F(rest).v;
    for (int lane = begin; lane < end; lane++) lanes[lane] = from[lane];
    return F(lanes);
#endif
}
FN void store_some(float* to, int count, F value) {
#if defined(CAPROCK_MASK_REGISTERS)
    _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1u), (__m512)value.v);
#elif LANES == 8 && defined(__AVX2__)
    _mm256_maskstore_ps(to, (__m256i)(lane_numbers().v < count), (__m256)value.v);
#else
    for (int lane = 0; lane < count; lane++) to[lane] = value.v[lane];
#endif
}

FN F load_here(const Here& here, const caprock::lanes::Plane& plane) {
    const float* from = plane.data + long(here.y - plane.y) * plane.stride + (here.x - plane.x);
    return here.count == LANES ? load_lanes(from) : load_some(from, 0, here.count, 0.0f);
}
FN F lane_load(const Here& here, const In& plane) { return load_here(here, plane); }
FN F lane_load(const Here& here, const Inout& plane) { return load_here(here, plane); }
FN F lane_load(const Here& here, const Around& plane) { return load_here(here, plane); }

FN void store_here(const Here& here, const caprock::lanes::Plane& plane, F value) {
    float* to = plane.data + long(here.y - plane.y) * plane.stride + (here.x - plane.x);
    if (here.count == LANES) {
        __builtin_memcpy(to, &value.v, sizeof value.v);
    } else {
        store_some(to, here.count, value);
    }
}
FN void lane_store(const Here& here, const Out& plane, F value) { store_here(here, plane, value); }
FN void lane_store(const Here& here, const Inout& plane, F value) { store_here(here, plane, value); }

FN F load_near(const Here& here, const caprock::lanes::Plane& plane, int dx, int dy) {
    check_radius(plane, dx, dy);
    const float* row = row_of(plane, here.y + dy);
    int x = here.x + dx;
    if (here.inner || (x >= plane.left && x + LANES <= plane.right)) return load_lanes(row + x);
    /* Far beyond the border, as sums over wide windows go. */
    if (x >= plane.right - 1) return F(row[plane.right - 1]);
    if (x + LANES - 1 <= plane.left) return F(row[plane.left]);
    return load_clamped(plane, row, x, 1);
}
FN F lane_near(const Here& here, const Around& plane, int dx, int dy) { return load_near(here, plane, dx, dy); }

/* Where all cells have one number, the runner says so in a way that compilers see: nothing is asked a second time. */
FN F lane_value(const Here& here, const Varying& plane, float everywhere) {
    return HAS(plane) ? load_here(here, plane) : F(everywhere);
}
FN F lane_value(const Here& here, const VaryingAround& plane, float everywhere) {
    return HAS(plane) ? load_here(here, plane) : F(everywhere);
}
FN F lane_value_near(const Here& here, const VaryingAround& plane, float everywhere, int dx, int dy) {
    return HAS(plane) ? load_near(here, plane, dx, dy) : F(everywhere);
}

/* The other border rule: beyond the border cells are missing. */
FN bool has_row(const caprock::lanes::Plane& plane, int y) { return y >= plane.top && y < plane.bottom; }
FN F load_known(const Here& here, const caprock::lanes::Plane& plane, const float* row, int x) {
    if (here.inner || (x >= plane.left && x + LANES <= plane.right)) return load_lanes(row + x);
    int begin = clamped(plane.left - x, 0, LANES);
    int end = clamped(plane.right - x, begin, LANES);
    return load_some(row + x, begin, end, __builtin_nanf(""));
}

FN F lane_near_known(const Here& here, const Around& plane, int dx, int dy) {
    check_radius(plane, dx, dy);
    if (!has_row(plane, here.y + dy)) return F(__builtin_nanf(""));
    return load_known(here, plane, row_of(plane, here.y + dy), here.x + dx);
}

FN F lane_fine(const Here& here, const Finer& plane, int dx, int dy) {
    check_radius(plane, dx, dy);
    if (!has_row(plane, 2 * here.y + dy)) return F(__builtin_nanf(""));
    const float* row = row_of(plane, 2 * here.y + dy);
    /* Odd cells are taken from the same loads as the even cells before them. */
    int odd = dx & 1;
    int x = 2 * here.x + dx - odd;
    IntLanes every_other = 2 * lane_numbers().v + odd;
    return F(__builtin_shuffle(load_known(here, plane, row, x).v, load_known(here, plane, row, x + LANES).v,
                               every_other));
}

/* Lanes from (x / 2) - 1 on hold the coarse cells on both sides of LANES fine ones. */
FN F load_coarse(const Here& here, const Coarser& plane, int y, IntLanes index) {
    if (!has_row(plane, y)) return F(__builtin_nanf(""));
    return F(__builtin_shuffle(load_known(here, plane, row_of(plane, y), (here.x >> 1) - 1).v, index));
}
FN F lane_coarse(const Here& here, const Coarser& plane, int dy) {
    check_radius(plane, 0, dy);
    IntLanes pairs = (lane_numbers().v + (here.x & 1)) >> 1;
    return load_coarse(here, plane, (here.y >> 1) + dy, pairs + 1);
}
FN F lane_coarse_beside(const Here& here, const Coarser& plane, int dy) {
    check_radius(plane, 1, dy);
    IntLanes x = lane_numbers().v + (here.x & 1);
    return load_coarse(here, plane, (here.y >> 1) + dy, (x >> 1) + 2 * (x & 1));
}

FN F lane_gather(const Anywhere& plane, I x, I y) {
    FloatLanes lanes;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = row_of(plane, y.v[lane])[clamped(x.v[lane], plane.left, plane.right - 1)];
    return F(lanes);
}

#define LOAD(field) lane_load(here, field)
#define STORE(field, value) lane_store(here, field, value)
#define NEAR(field, dx, dy) lane_near(here, field, dx, dy)
#define NEAR_KNOWN(field, dx, dy) lane_near_known(here, field, dx, dy)
#define VALUE(number) lane_value(here, number, number##_everywhere)
#define VALUE_NEAR(number, dx, dy) lane_value_near(here, number, number##_everywhere, dx, dy)
#define FINE(field, dx, dy) lane_fine(here, field, dx, dy)
#define COARSE(field, dy) lane_coarse(here, field, dy)
#define COARSE_BESIDE(field, dy) lane_coarse_beside(here, field, dy)
#define GATHER(field, x, y) lane_gather(field, x, y)

FN F lane_lookup(const float* table, I index) {
    FloatLanes lanes;
    for (int lane = 0; lane < LANES; lane++) lanes[lane] = table[index.v[lane]];
    return F(lanes);
}
#define LOOKUP(table, index) lane_lookup(table, index)

/* One of eight numbers, by the three lowest bits of the index. */
FN F of_eight(U index, float n0, float n1, float n2, float n3, float n4, float n5, float n6, float n7) {
#if defined(CAPROCK_MASK_REGISTERS)
    /* Four bits choose among sixteen, which are the eight twice. */
    const __m512 all = _mm512_setr_ps(n0, n1, n2, n3, n4, n5, n6, n7, n0, n1, n2, n3, n4, n5, n6, n7);
    return F((FloatLanes)_mm512_permutexvar_ps((__m512i)index.v, all));
#elif LANES == 8 && defined(__AVX2__)
    const __m256 all = _mm256_setr_ps(n0, n1, n2, n3, n4, n5, n6, n7);
    return F((FloatLanes)_mm256_permutevar8x32_ps(all, (__m256i)index.v));
#else
    const float all[8] = {n0, n1, n2, n3, n4, n5, n6, n7};
    FloatLanes lanes;
    for (int lane = 0; lane < LANES; lane++) lanes[lane] = all[index.v[lane] & 7u];
    return F(lanes);
#endif
}
#define OF_EIGHT(index, n0, n1, n2, n3, n4, n5, n6, n7) of_eight(index, n0, n1, n2, n3, n4, n5, n6, n7)

/* The table's end is not the lanes' end. */
FN F lane_stretch(const Here& here, const float* from) {
    return here.count == LANES ? load_lanes(from) : load_some(from, 0, here.count, 0.0f);
}
FN I lane_stretch(const Here& here, const int* from) {
    return AS_I(BITS(lane_stretch(here, reinterpret_cast<const float*>(from))));
}
FN U lane_stretch(const Here& here, const uint* from) {
    return BITS(lane_stretch(here, reinterpret_cast<const float*>(from)));
}
#define STRETCH(table, index) lane_stretch(here, (table) + (index))

/* ---- folds: what one number says of many cells ------------------------------------------------------------- */

struct FoldMin { float* lanes; };
struct FoldMax { float* lanes; };
struct FoldSum { uint* lanes; };
#define FOLD_MIN(name) const FoldMin name
#define FOLD_MAX(name) const FoldMax name
#define FOLD_SUM(name) const FoldSum name

FN B live_lanes(const Here& here) { return lane_numbers() < I(here.count); }
FN void take_min(const Here& here, const FoldMin& fold, F value) {
    F so_far = load_lanes(fold.lanes);
    so_far = SEL((value < so_far) & live_lanes(here), value, so_far);
    __builtin_memcpy(fold.lanes, &so_far.v, sizeof so_far.v);
}
FN void take_max(const Here& here, const FoldMax& fold, F value) {
    F so_far = load_lanes(fold.lanes);
    so_far = SEL((value > so_far) & live_lanes(here), value, so_far);
    __builtin_memcpy(fold.lanes, &so_far.v, sizeof so_far.v);
}
FN void take_sum(const Here& here, const FoldSum& fold, U value) {
    UintLanes so_far;
    __builtin_memcpy(&so_far, fold.lanes, sizeof so_far);
    so_far += SEL(live_lanes(here), value, U(0u)).v;
    __builtin_memcpy(fold.lanes, &so_far, sizeof so_far);
}
#define TAKE_MIN(fold, value) take_min(here, fold, value)
#define TAKE_MAX(fold, value) take_max(here, fold, value)
#define TAKE_SUM(fold, value) take_sum(here, fold, value)

/* ---- whole numbers: tallies and running sums ----------------------------------------------------------------- */

/* Each row of a launch has its row of the tally to itself. The first lanes clear it. */
FN void tally_at(const Here& here, const Tally& plane, I x, I amount) {
    int* row = reinterpret_cast<int*>(plane.data + long(here.y - plane.y) * plane.stride);
    if (here.first) __builtin_memset(row + (plane.left - plane.x), 0, 4 * (unsigned long)(plane.right - plane.left));
    int places[LANES], amounts[LANES];
    __builtin_memcpy(places, &x.v, sizeof places);
    __builtin_memcpy(amounts, &amount.v, sizeof amounts);
#ifdef CAPROCK_CHECKED
    for (int lane = 0; lane < here.count; lane++)
        if (places[lane] < plane.left || places[lane] >= plane.right) __builtin_trap();
#endif
    row -= plane.x;
    if (here.count == LANES) {
        UNROLL
        for (int lane = 0; lane < LANES; lane++) row[places[lane]] += amounts[lane];
    } else {
        for (int lane = 0; lane < here.count; lane++) row[places[lane]] += amounts[lane];
    }
}
#define TALLY_AT(field, x, amount) tally_at(here, field, x, amount)

struct Along { unsigned long* before; };
#define ALONG(name) const Along name
FN U sum_along(const Along& total, U value) {
    UintLanes sum = value.v;
    for (int step = 1; step < LANES; step *= 2) {
        IntLanes from = lane_numbers().v - step;
        sum += __builtin_shuffle(sum, UintLanes{}, from < 0 ? IntLanes{} + LANES : from);
    }
    sum += uint(*total.before);
    *total.before = sum[LANES - 1];
    return U(sum);
}
FN W sum_along(const Along& total, W value) {
    unsigned long sum = *total.before;
    for (int lane = 0; lane < LANES; lane++) {
        sum += (unsigned long)value.high.v[lane] << 32 | value.low.v[lane];
        value.low.v[lane] = uint(sum);
        value.high.v[lane] = uint(sum >> 32);
    }
    *total.before = sum;
    return value;
}
#define SUM_ALONG(total, value) sum_along(total, value)

/* One sum a column of the strip: all low halves, then all high ones. */
struct Down {
    uint* sums;
    int left;
};
#define DOWN(name) const Down name
FN U load_sum(const uint* from) {
    UintLanes lanes;
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return U(lanes);
}
FN U sum_down(const Here& here, const Down& total, U value) {
    uint* low = total.sums + (here.x - total.left);
    value += load_sum(low);
    __builtin_memcpy(low, &value.v, sizeof value.v);
    return value;
}
FN W sum_down(const Here& here, const Down& total, W value) {
    uint* low = total.sums + (here.x - total.left);
    uint* high = low + caprock::lanes::most_columns_down;
    value = value + WIDE(load_sum(low), load_sum(high));
    __builtin_memcpy(low, &value.low.v, sizeof value.low.v);
    __builtin_memcpy(high, &value.high.v, sizeof value.high.v);
    return value;
}
#define SUM_DOWN(total, value) sum_down(here, total, value)

#include "dialect/cpu_stacks.h"
#include "dialect/cpu_rows.h"
#include "dialect/cpu_runner.h"
#include "dialect/mathematics.h"

}  // namespace
