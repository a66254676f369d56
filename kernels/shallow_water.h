/* Water in virtual pipes, for the kernels of kernels/shallow_water.kernel, river_erosion.kernel and flood.kernel.

   Every cell has a pipe to the east and one to the south; a pipe has a speed, and what went through it in the step before,
   in metres of depth: positive to the east and to the south (Mei, Decaudin and Hu 2007 have four pipes a cell; two with a sign
   are the same). Pipes of a fixed width know nothing of depth, and their fronts are as fast as cells and steps are large. These have the
   momentum of the shallow-water equations: Stelling and Duinmeijer 2003, "A staggered conservative scheme for every Froude number
   in rapidly varied shallow water flows". */

/* The cube root of a positive number, within 1e-4 of it, is root * above / below: a third of its logarithm, and one step of Halley's
   rule. As a fraction it takes no division of its own. */
typedef struct {
    F root, above, below;
} WaterCubeRoot;

FN WaterCubeRoot water_cube_root(F x) {
    WaterCubeRoot made;
    made.root = FROM_BITS(AS_U(TOI(TOF(AS_I(BITS(x))) * 0.33333333f) + 709921077));
    F cube = made.root * made.root * made.root;
    made.above = cube + 2.0f * x;
    made.below = 2.0f * cube + x;
    return made;
}

#define WATER_TWICE_GRAVITY 19.62f

/* The speed in a pipe after a step. `rise` is how much higher the ground is behind the pipe than before it; `push` is what
   neighbouring water brings of its own speed, and `share` how much of the water at the pipe is new. Friction is Manning's,
   taken at the end of the step, so that no film is too thin for it. With what goes `across`, and with a wave over it along both
   axes, it comes no further than a cell in a step: else every other cell would be dry. What is missing has no pipe. */
FN F water_speed(F rise, F before, F behind, F speed, F share, F push, F drag, F across, float gravity, float deepest,
                   float fastest) {
    F drop = rise + (behind - before);
    F depth = MAX(before, rise + behind) - MAX(rise, 0.0f);
    B open = depth > 1e-6f;
    F deep = SEL(open, depth, 1.0f);
    WaterCubeRoot cube = water_cube_root(deep);
    F of_root = cube.root * cube.above;
    F part = 1.0f / (deep * of_root);
    F pull = gravity * MIN(deepest * of_root * part, 1.0f);
    F held = drag * cube.below * part;
    F pushed = speed + push / MAX(share, 1.0f) - pull * drop;
    /* u (1 + held |u|) = pushed, and then no more than the most. */
    F slows = 1.0f + SQRT(1.0f + 4.0f * held * ABS(pushed));
    F most = MAX(fastest - SQRT(WATER_TWICE_GRAVITY * MIN(deep, deepest)), 0.1f * fastest);
    F twice = 2.0f * pushed;
    return SEL(open, twice * most / MAX(ABS(twice) + across * slows, most * slows), 0.0f);
}

/* How much of the water beside a pipe came out of the cells along it. Where it gets faster its energy is kept, and elsewhere its
   momentum (Stelling and Duinmeijer): the edge of water on dry land runs ahead as it should. `advance` is the step by the cell. */
FN F water_share_along(F came, F per_depth, F mean, F faster, float advance) {
    F kept = MAX(came, 0.0f) * per_depth;
    return SEL(faster > 0.0f, MIN(kept, advance * MAX(mean, 0.0f)), kept);
}

/* What goes through a pipe in a step, and the sediment in it. No cell gives more than it has: `out` is what its pipes would take out of
   it at once, as a share of its water. Over a step of the ground flows only what stands above it. */
typedef struct {
    F water;
    F sediment;
} WaterMoved;

FN WaterMoved water_moved(F speed, F rise, F before, F behind, F out_before, F out_behind, F sediment_before, F sediment_behind,
                     float advance) {
    WaterMoved moved;
    B ahead = speed > 0.0f;
    F from = SEL(ahead, before, behind);
    F depth = MAX(from - MAX(SEL(ahead, rise, -rise), 0.0f), 0.0f);
    /* One division for both: by what would go out, and by what there is. */
    F some = MAX(from, 1e-20f);
    F shares = MAX(SEL(ahead, out_before, out_behind), 1.0f);
    F part = advance * speed * depth / (shares * some);
    B known = NOT(IS_MISSING(before + behind));
    moved.water = SEL(known, part * some, 0.0f);
    moved.sediment = SEL(known, part * SEL(ahead, sediment_before, sediment_behind), 0.0f);
    return moved;
}

/* Adds to a sum in two parts, of which the second is what the first has no digits for: nothing is lost (Knuth's two-sum). */
#define WATER_ADD(sum, rest, term)                                        \
    {                                                                     \
        F water_term = (term);                                            \
        F water_sum = (sum) + water_term;                                 \
        F water_added = water_sum - (sum);                                \
        (rest) += ((sum) - (water_sum - water_added)) + (water_term - water_added); \
        (sum) = water_sum;                                                \
    }

/* The same for what is counted in a pair of fields. */
#define WATER_COUNT(field, term)                     \
    if (HAS(field)) {                                \
        F counted = LOAD(field);                     \
        F counted_rest = LOAD(field##_rest);         \
        WATER_ADD(counted, counted_rest, term)       \
        STORE(field, counted);                       \
        STORE(field##_rest, counted_rest);           \
    }

/* What the pipes of the cell (dx, dy) would take out of it, as a share of its water; a little more, so that there is no doubt
   about the last digit. */
#define WATER_OUT(dx, dy)                                                                                      \
    (1.0001f * advance *                                                                                       \
     (MAX(NEAR(east, dx, dy), 0.0f) + MAX(-NEAR(east, (dx)-1, dy), 0.0f) + MAX(NEAR(south, dx, dy), 0.0f) +    \
      MAX(-NEAR(south, dx, (dy)-1), 0.0f)))

/* Of a cell's own area, how far the neighbour touches it (kernels/scales.kernel). */
#define WATER_TOUCHES(dx, dy) MIN(NEAR(area, dx, dy) / LOAD(area), 1.0f)

/* What goes through the four pipes of a cell. `suspended` is its sediment, with _e, _w, _s and _n that of the cells beside it. */
#define WATER_PIPES(suspended)                                                                                 \
    F bed = LOAD(ground);                                                                                      \
    F wet = LOAD(water);                                                                                       \
    F speed_e = LOAD(east);                                                                                    \
    F speed_w = NEAR(east, -1, 0);                                                                             \
    F speed_s = LOAD(south);                                                                                   \
    F speed_n = NEAR(south, 0, -1);                                                                            \
    F wet_e = NEAR_KNOWN(water, 1, 0);                                                                         \
    F wet_w = NEAR_KNOWN(water, -1, 0);                                                                        \
    F wet_s = NEAR_KNOWN(water, 0, 1);                                                                         \
    F wet_n = NEAR_KNOWN(water, 0, -1);                                                                        \
    F rise_e = NEAR(ground, 1, 0) - bed;                                                                       \
    F rise_w = bed - NEAR(ground, -1, 0);                                                                      \
    F rise_s = NEAR(ground, 0, 1) - bed;                                                                       \
    F rise_n = bed - NEAR(ground, 0, -1);                                                                      \
    F out_e = WATER_OUT(1, 0);                                                                                 \
    F out_w = WATER_OUT(-1, 0);                                                                                \
    F out_s = WATER_OUT(0, 1);                                                                                 \
    F out_n = WATER_OUT(0, -1);                                                                                \
    F out = WATER_OUT(0, 0);                                                                                   \
    WaterMoved moved_e = water_moved(speed_e, rise_e, wet, wet_e, out, out_e, suspended, suspended##_e, advance);\
    WaterMoved moved_w = water_moved(speed_w, rise_w, wet_w, wet, out_w, out, suspended##_w, suspended, advance);\
    WaterMoved moved_s = water_moved(speed_s, rise_s, wet, wet_s, out, out_s, suspended, suspended##_s, advance);\
    WaterMoved moved_n = water_moved(speed_n, rise_n, wet_n, wet, out_n, out, suspended##_n, suspended, advance);\
    F east_of_it = moved_e.water;                                                                              \
    F south_of_it = moved_s.water;                                                                             \
    if (HAS(area)) {                                                                                           \
        F touches_e = WATER_TOUCHES(1, 0);                                                                     \
        F touches_w = WATER_TOUCHES(-1, 0);                                                                    \
        F touches_s = WATER_TOUCHES(0, 1);                                                                     \
        F touches_n = WATER_TOUCHES(0, -1);                                                                    \
        moved_e.water = moved_e.water * touches_e;                                                             \
        moved_w.water = moved_w.water * touches_w;                                                             \
        moved_s.water = moved_s.water * touches_s;                                                             \
        moved_n.water = moved_n.water * touches_n;                                                             \
        moved_e.sediment = moved_e.sediment * touches_e;                                                       \
        moved_w.sediment = moved_w.sediment * touches_w;                                                       \
        moved_s.sediment = moved_s.sediment * touches_s;                                                       \
        moved_n.sediment = moved_n.sediment * touches_n;                                                       \
    }                                                                                                          \
    /* Over an open border water leaves as fast as it came from the other side. */                             \
    F leaving = 0.0f;                                                                                          \
    if (open_border) {                                                                                         \
        leaving = SEL(IS_MISSING(wet_e), MAX(speed_w, 0.0f), 0.0f) +                                           \
                  SEL(IS_MISSING(wet_w), MAX(-speed_e, 0.0f), 0.0f) +                                          \
                  SEL(IS_MISSING(wet_s), MAX(speed_n, 0.0f), 0.0f) +                                           \
                  SEL(IS_MISSING(wet_n), MAX(-speed_s, 0.0f), 0.0f);                                           \
        leaving = MIN(advance * leaving, 1.0f);                                                                \
    }

/* The depth after a step: what the pipes and the sky bring and take. */
#define WATER_AFTER                                                                                            \
    F depth = wet;                                                                                             \
    F rest = LOAD(water_rest);                                                                                 \
    WATER_ADD(depth, rest, -moved_e.water)                                                                     \
    WATER_ADD(depth, rest, moved_w.water)                                                                      \
    WATER_ADD(depth, rest, -moved_s.water)                                                                     \
    WATER_ADD(depth, rest, moved_n.water)                                                                      \
    F fallen = VALUE(rain);                                                                                    \
    if (HAS(springs)) fallen += seconds * LOAD(springs);                                                       \
    fallen = SEL(IS_MISSING(bed), 0.0f, fallen);                                                               \
    WATER_ADD(depth, rest, fallen)                                                                             \
    F all = depth + rest;                                                                                      \
    rest = rest - (all - depth);                                                                               \
    F gone = MAX(leaving * all, 0.0f);                                                                         \
    gone = SEL(IS_MISSING(gone), 0.0f, gone);                                                                  \
    depth = all;                                                                                               \
    WATER_ADD(depth, rest, -gone)                                                                              \
    F dried = MIN(VALUE(evaporation), MAX(depth, 0.0f));                                                       \
    dried = SEL(IS_MISSING(bed), 0.0f, dried);                                                                 \
    WATER_ADD(depth, rest, -dried)                                                                             \
    F negative = MIN(depth, 0.0f);                                                                             \
    rest = SEL(IS_MISSING(bed), 0.0f, rest + negative);                                                        \
    depth = SEL(IS_MISSING(bed), bed, MAX(depth, 0.0f));                                                       \
    STORE(water_rest, rest);                                                                                   \
    STORE(next_water, depth);                                                                                  \
    STORE(moved_east, SEL(IS_MISSING(bed), 0.0f, east_of_it));                                                 \
    STORE(moved_south, SEL(IS_MISSING(bed), 0.0f, south_of_it));                                               \
    WATER_COUNT(came, fallen)                                                                                  \
    WATER_COUNT(evaporated, dried)                                                                             \
    WATER_COUNT(left, gone)
