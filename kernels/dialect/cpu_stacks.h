/* Stacks of planes on a CPU. A part of cpu.h, which includes it where its names belong.

   A plane of a stack is a plane like others, so that what loads and stores cells is the same. Beyond the first
   and the last plane loads give those, as they repeat a border, and stores do nothing: a number that was made of
   missing cells or of lanes beyond the end of a row touches no other memory. */
#pragma once

struct InStack : caprock::lanes::Stack {};
struct OutStack : caprock::lanes::Stack {};
struct InoutStack : caprock::lanes::Stack {};
struct AroundStack : caprock::lanes::Stack {};

#define IN_STACK(name) const InStack name
#define OUT_STACK(name) const OutStack name
#define INOUT_STACK(name) const InoutStack name
#define AROUND_STACK(name) const AroundStack name
#define PLANES(stack) ((stack).planes)

FN long plane_begin(const caprock::lanes::Stack& stack, int plane) {
    return long(clamped(plane, 0, stack.planes - 1)) * stack.pitch;
}
FN bool has_plane(const caprock::lanes::Stack& stack, int plane) { return plane >= 0 && plane < stack.planes; }

/* ---- one plane for all lanes --------------------------------------------------------------------------------- */

template <typename Kind> FN Kind plane_of(const caprock::lanes::Stack& stack, int plane) {
    Kind one = {stack};
    one.data += plane_begin(stack, plane);
    return one;
}
FN F load_plane(const Here& here, const InStack& stack, int plane) { return load_here(here, plane_of<In>(stack, plane)); }
FN F load_plane(const Here& here, const InoutStack& stack, int plane) {
    return load_here(here, plane_of<Inout>(stack, plane));
}
FN F load_plane(const Here& here, const AroundStack& stack, int plane) {
    return load_here(here, plane_of<Around>(stack, plane));
}
FN F near_plane(const Here& here, const AroundStack& stack, int plane, int dx, int dy) {
    return lane_near(here, plane_of<Around>(stack, plane), dx, dy);
}
FN F near_known_plane(const Here& here, const AroundStack& stack, int plane, int dx, int dy) {
    return lane_near_known(here, plane_of<Around>(stack, plane), dx, dy);
}
FN void store_plane(const Here& here, const OutStack& stack, int plane, F value) {
    if (has_plane(stack, plane)) store_here(here, plane_of<Out>(stack, plane), value);
}
FN void store_plane(const Here& here, const InoutStack& stack, int plane, F value) {
    if (has_plane(stack, plane)) store_here(here, plane_of<Inout>(stack, plane), value);
}

/* ---- a plane for each lane ------------------------------------------------------------------------------------ */

FN F load_picked(const Here& here, const caprock::lanes::Stack& stack, I planes) {
    const float* from = stack.data + long(here.y - stack.y) * stack.stride + (here.x - stack.x);
    FloatLanes lanes = {};
    for (int lane = 0; lane < here.count; lane++) lanes[lane] = from[plane_begin(stack, planes.v[lane]) + lane];
    return F(lanes);
}
FN F load_plane(const Here& here, const InStack& stack, I planes) { return load_picked(here, stack, planes); }
FN F load_plane(const Here& here, const InoutStack& stack, I planes) { return load_picked(here, stack, planes); }
FN F load_plane(const Here& here, const AroundStack& stack, I planes) { return load_picked(here, stack, planes); }

FN F near_plane(const Here& here, const AroundStack& stack, I planes, int dx, int dy) {
    check_radius(stack, dx, dy);
    const float* row = row_of(stack, here.y + dy);
    FloatLanes lanes;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = row[plane_begin(stack, planes.v[lane]) +
                          clamped(here.x + lane + dx, stack.left, stack.right - 1)];
    return F(lanes);
}
FN F near_known_plane(const Here& here, const AroundStack& stack, I planes, int dx, int dy) {
    I x = here_x(here) + I(dx);
    B there = (x >= I(stack.left)) & (x < I(stack.right)) & B(has_row(stack, here.y + dy));
    return SEL(there, near_plane(here, stack, planes, dx, dy), F(__builtin_nanf("")));
}

FN void store_picked(const Here& here, const caprock::lanes::Stack& stack, I planes, F value) {
    float* to = stack.data + long(here.y - stack.y) * stack.stride + (here.x - stack.x);
    for (int lane = 0; lane < here.count; lane++)
        if (has_plane(stack, planes.v[lane])) to[planes.v[lane] * stack.pitch + lane] = value.v[lane];
}
FN void store_plane(const Here& here, const OutStack& stack, I planes, F value) {
    store_picked(here, stack, planes, value);
}
FN void store_plane(const Here& here, const InoutStack& stack, I planes, F value) {
    store_picked(here, stack, planes, value);
}

#define LOAD_PLANE(stack, plane) load_plane(here, stack, plane)
#define NEAR_PLANE(stack, plane, dx, dy) near_plane(here, stack, plane, dx, dy)
#define NEAR_KNOWN_PLANE(stack, plane, dx, dy) near_known_plane(here, stack, plane, dx, dy)
#define STORE_PLANE(stack, plane, value) store_plane(here, stack, plane, value)
