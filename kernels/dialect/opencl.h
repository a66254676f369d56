/* The lane dialect in OpenCL C 1.2: a lane type is a scalar, a work-item is a lane.
   docs/kernel-dialect.md explains every word. The device puts this text before a kernel's, and behind it one
   entry per kernel, made from the kernel's signature. */
#pragma OPENCL FP_CONTRACT OFF

typedef float F;
typedef int I;
typedef uint U;
typedef int B;
typedef ulong W;

#define FN static inline
#define SEL(mask, a, b) ((mask) ? (a) : (b))
#define NOT(mask) (!(mask))
#define UNROLL

#define TOI(a) ((int)(a))
#define TOF(a) ((float)(a))
#define AS_U(a) ((uint)(a))
#define AS_I(a) ((int)(a))
#define BITS(a) as_uint((float)(a))
#define FROM_BITS(a) as_float((uint)(a))

#define FLOOR(a) floor((float)(a))
#define FLOOR_TOI(a) ((int)floor((float)(a)))
#define SQRT(a) sqrt((float)(a))
#define ABS(a) fabs((float)(a))

/* Not inside: a work-item beyond the end of a row, kept for the company of the others. It stores nothing. */
typedef struct {
    int x, y;
    bool inside;
} Here;
#define HERE_X (here.x)
#define FIRST_X (here.x)
#define HERE_Y (here.y)

/* A field seen from one cell: `at` is that cell (or its place on the finer or coarser grid), the clip
   rectangle is relative to it. */
typedef struct {
    global const float* at;
    int stride, left, top, right, bottom;
    int x, y;
    bool inner; /* so far from every border that neighbour loads need no look at them */
} In;
typedef struct {
    global float* at;
} Out;
typedef In Around;
typedef In Finer;
typedef In Coarser;
typedef In Anywhere;
typedef Out Inout;

#define IN(name) const In name
#define OUT(name) const Out name
#define INOUT(name) const Inout name
#define AROUND(name) const Around name
#define FINER(name) const Finer name
#define COARSER(name) const Coarser name
#define ANYWHERE(name) const Anywhere name
#define UNIFORM(type, name) const type name
#define VARYING(name) const In name, const float name##_everywhere
#define VARYING_AROUND(name) const Around name, const float name##_everywhere
#define TABLE(type, name) global const type* const name
#define HAS(field) ((field).at != 0)

/* shape: x and y of the first element, stride, from plane to plane of a stack, clip left, top, right, bottom. */
FN In plane_in(global const float* data, const int8 shape, const int x, const int y) {
    In plane;
    plane.at = data ? data + ((long)(y - shape.s1) * shape.s2 + (x - shape.s0)) : 0;
    plane.stride = shape.s2;
    plane.left = shape.s4 - x;
    plane.top = shape.s5 - y;
    plane.right = shape.s6 - x - 1;
    plane.bottom = shape.s7 - y - 1;
    plane.x = x;
    plane.y = y;
    plane.inner = false;
    return plane;
}
FN In plane_inner(global const float* data, const int8 shape, const int x, const int y) {
    In plane = plane_in(data, shape, x, y);
    plane.inner = true;
    return plane;
}
/* Whether all cells within a radius are inside; so are those of a field that is not there. */
FN bool plane_holds(global const float* data, const int8 shape, const int x, const int y, const int radius) {
    return !data || (x - radius >= shape.s4 && y - radius >= shape.s5 && x + radius < shape.s6 && y + radius < shape.s7);
}
FN Out plane_out(global float* data, const int8 shape, const int x, const int y) {
    Out plane;
    plane.at = data ? data + ((long)(y - shape.s1) * shape.s2 + (x - shape.s0)) : 0;
    return plane;
}
FN float plane_near(const In plane, const int dx, const int dy) {
    if (plane.inner) return plane.at[(long)dy * plane.stride + dx];
    return plane.at[(long)clamp(dy, plane.top, plane.bottom) * plane.stride + clamp(dx, plane.left, plane.right)];
}

FN float plane_near_known(const In plane, const int dx, const int dy) {
    const bool there = plane.inner || (dx >= plane.left && dx <= plane.right && dy >= plane.top && dy <= plane.bottom);
    return there ? plane.at[(long)dy * plane.stride + dx] : as_float(0x7fc00000u);
}

#define LOAD(field) (*(field).at)
/* The value is made by all work-items: they may meet at a barrier on the way. */
#define STORE(field, value)                            \
    do {                                               \
        const float stored_ = (value);                 \
        if (here.inside) *(field).at = stored_;        \
    } while (0)
#define NEAR(field, dx, dy) plane_near(field, dx, dy)
#define NEAR_KNOWN(field, dx, dy) plane_near_known(field, dx, dy)
#define VALUE(number) (HAS(number) ? LOAD(number) : number##_everywhere)
#define VALUE_NEAR(number, dx, dy) (HAS(number) ? NEAR(number, dx, dy) : number##_everywhere)
#define FINE(field, dx, dy) plane_near_known(field, dx, dy)
#define COARSE(field, dy) plane_near_known(field, 0, dy)
#define COARSE_BESIDE(field, dy) plane_near_known(field, (here.x & 1) ? 1 : -1, dy)
#define GATHER(field, to_x, to_y) plane_near(field, (to_x) - (field).x, (to_y) - (field).y)

/* Several planes of one rectangle: `at` is this cell in the first of them, the next begins `pitch` cells further on.
   Loads beyond the first and the last plane give those, stores there do nothing. */
typedef struct {
    global const float* at;
    In first;
    long pitch;
    int planes;
} InStack;
typedef struct {
    global float* at;
    long pitch;
    int planes;
} OutStack;
typedef InStack AroundStack;
typedef OutStack InoutStack;
#define IN_STACK(name) const InStack name
#define OUT_STACK(name) const OutStack name
#define INOUT_STACK(name) const InoutStack name
#define AROUND_STACK(name) const AroundStack name
#define PLANES(stack) ((stack).planes)

FN InStack stack_of(const In first, const int8 shape, const int planes) {
    InStack stack;
    stack.at = first.at;
    stack.first = first;
    stack.pitch = shape.s3;
    stack.planes = planes;
    return stack;
}
FN InStack stack_in(global const float* data, const int8 shape, const int planes, const int x, const int y) {
    return stack_of(plane_in(data, shape, x, y), shape, planes);
}
FN InStack stack_inner(global const float* data, const int8 shape, const int planes, const int x, const int y) {
    return stack_of(plane_inner(data, shape, x, y), shape, planes);
}
FN OutStack stack_out(global float* data, const int8 shape, const int planes, const int x, const int y) {
    OutStack stack;
    stack.at = plane_out(data, shape, x, y).at;
    stack.pitch = shape.s3;
    stack.planes = planes;
    return stack;
}
FN In plane_of(const InStack stack, const int plane) {
    In one = stack.first;
    one.at += clamp(plane, 0, stack.planes - 1) * stack.pitch;
    return one;
}
FN void store_plane(const OutStack stack, const int plane, const bool inside, const float value) {
    if (inside && plane >= 0 && plane < stack.planes) stack.at[plane * stack.pitch] = value;
}
#define LOAD_PLANE(stack, plane) ((stack).at[clamp((int)(plane), 0, (stack).planes - 1) * (stack).pitch])
#define NEAR_PLANE(stack, plane, dx, dy) plane_near(plane_of(stack, plane), dx, dy)
#define NEAR_KNOWN_PLANE(stack, plane, dx, dy) plane_near_known(plane_of(stack, plane), dx, dy)
#define STORE_PLANE(stack, plane, value) store_plane(stack, plane, here.inside, value)

#define LOOKUP(table, index) ((table)[index])
#define STRETCH(table, index) ((table)[index])
FN float of_eight(const uint index, const float n0, const float n1, const float n2, const float n3, const float n4,
                  const float n5, const float n6, const float n7) {
    const float low = (index & 2u) ? ((index & 1u) ? n3 : n2) : ((index & 1u) ? n1 : n0);
    const float high = (index & 2u) ? ((index & 1u) ? n7 : n6) : ((index & 1u) ? n5 : n4);
    return (index & 4u) ? high : low;
}
#define OF_EIGHT(index, n0, n1, n2, n3, n4, n5, n6, n7) of_eight(index, n0, n1, n2, n3, n4, n5, n6, n7)

typedef struct {
    float* so_far;
} FoldMin;
typedef struct {
    float* so_far;
} FoldMax;
typedef struct {
    ulong* so_far;
} FoldSum;
#define FOLD_MIN(name) const FoldMin name
#define FOLD_MAX(name) const FoldMax name
#define FOLD_SUM(name) const FoldSum name
FN float fold_min(const float so_far, const float value) { return value < so_far ? value : so_far; }
FN float fold_max(const float so_far, const float value) { return value > so_far ? value : so_far; }
#define TAKE_MIN(fold, value) (*(fold).so_far = fold_min(*(fold).so_far, value))
#define TAKE_MAX(fold, value) (*(fold).so_far = fold_max(*(fold).so_far, value))
#define TAKE_SUM(fold, value) (*(fold).so_far += (uint)(value))

#define WIDE(low, high) upsample((uint)(high), (uint)(low))
#define LOW(wide) ((uint)(wide))
#define HIGH(wide) ((uint)((wide) >> 32))

/* The host has cleared it. Adding whole numbers gives the same in any order. */
typedef struct {
    volatile global int* row; /* of cell x = 0 */
} Tally;
#define TALLY(name) const Tally name
#define TALLY_AT(field, x, amount) ((void)atomic_add((field).row + (x), (amount)))
FN Tally plane_tally(global float* data, const int8 shape, const int x, const int y) {
    Tally plane;
    plane.row = (volatile global int*)data + ((long)(y - shape.s1) * shape.s2 - shape.s0);
    return plane;
}

/* A work-group goes along a row, so many cells at a time. */
#define ALONG_GROUP 256
typedef struct {
    local ulong* sums;
    ulong* before;
} Along;
#define ALONG(name) const Along name
FN ulong sum_along(const Along total, const ulong value) {
    const int item = (int)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    total.sums[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < ALONG_GROUP; step *= 2) {
        const ulong other = item >= step ? total.sums[item - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        total.sums[item] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const ulong sum = *total.before + total.sums[item];
    *total.before += total.sums[ALONG_GROUP - 1];
    return sum;
}
#define SUM_ALONG(total, value) sum_along(total, value)

typedef struct {
    ulong* so_far;
} Down;
#define DOWN(name) const Down name
#define SUM_DOWN(total, value) (*(total).so_far += (value))

#define ROW_ONCE(Type, name, index, most, expression) Type name = (expression)

/* One work-item is one lane: a window holds its own column and the next. */
typedef struct {
    int column;
} Window;
typedef struct {
    float at, next;
} Near;
FN Window window_anywhere(void) {
    Window window;
    window.column = 0;
    return window;
}
#define window_moves(window, to_column) ((window).column = (to_column), true)
#define WINDOW_FILL(window, table, expression)           \
    do {                                                 \
        {                                                \
            const U COLUMN = (uint)(window).column;      \
            (table).at = (expression);                   \
        }                                                \
        {                                                \
            const U COLUMN = (uint)(window).column + 1u; \
            (table).next = (expression);                 \
        }                                                \
    } while (0)
#define WINDOW_AT(window, table) ((table).at)
#define WINDOW_NEXT(window, table) ((table).next)

/* KERNEL(name, ...) itself is written out by the device: OpenCL C has no macros of variable length. */

#include "dialect/mathematics.h"
