/* What the dabs of a brush lay down on a cell (Editor 8.1, eq. 8-1). A dab is DAB_ENTRY numbers of a table; its place is
   relative to a cell that the launch names, since far from the first cell a float has no room for parts of cells. */

#define DAB_ENTRY 8
#define DAB_X 0
#define DAB_Y 1
#define DAB_NEARNESS 2 /* 1 / radius^2 */
#define DAB_EDGE 3     /* -c1 of the equation, for distances in radii */
#define DAB_WEIGHT 4
#define DAB_ACROSS 5 /* turns and scales places into the tip */
#define DAB_DOWN 6
#define DAB_FLIP 7 /* -1: the tip is seen in a mirror */

/* The first entry of a table is of all its dabs. */
#define DABS_COUNT 0
#define DABS_HALF_POWER 1
#define DABS_CURVE_POINTS 2 /* 0: the equation's falloff */
#define DABS_TIP_SIDE 3

/* From the square of the distance in radii, below 1. */
FN F dab_falloff(F square, float edge, float half_power, TABLE(float, curve), int curve_points) {
    if (curve_points > 0) {
        F along = SQRT(square) * TOF(curve_points - 1);
        F before = CLAMP(FLOOR(along), 0.0f, TOF(curve_points - 2));
        return MIX(LOOKUP(curve, TOI(before)), LOOKUP(curve, TOI(before) + 1), along - before);
    }
    F distance = square;
    if (half_power == 0.5f) distance = SQRT(square);
    if (half_power != 0.5f && half_power != 1.0f) distance = POW(square, half_power);
    return MIN(edge * (1.0f - distance), 1.0f);
}

/* A tip is a square picture over the dab; between its pixels it is mixed. */
FN F dab_tip(F dx, F dy, float across, float down, float flip, ANYWHERE(tip), int tip_side) {
    float middle = 0.5f * TOF(tip_side - 1);
    F x = CLAMP(middle + dx * across + dy * down, 0.0f, TOF(tip_side - 1));
    F y = CLAMP(middle + (dy * across - dx * down) * flip, 0.0f, TOF(tip_side - 1));
    F left = FLOOR(x);
    F top = FLOOR(y);
    F upper = MIX(GATHER(tip, TOI(left), TOI(top)), GATHER(tip, TOI(left) + 1, TOI(top)), x - left);
    F lower = MIX(GATHER(tip, TOI(left), TOI(top) + 1), GATHER(tip, TOI(left) + 1, TOI(top) + 1), x - left);
    return MIX(upper, lower, y - top);
}

/* The weight of dab number `i` at a cell. 0 from the rim on. */
FN F dab_weight(F x, float y, int i, TABLE(float, dabs), TABLE(float, curve), ANYWHERE(tip)) {
    int at = DAB_ENTRY * (i + 1);
    F dx = x - dabs[at + DAB_X];
    float dy = y - dabs[at + DAB_Y];
    F square = (dx * dx + dy * dy) * dabs[at + DAB_NEARNESS];
    F weight = dab_falloff(square, dabs[at + DAB_EDGE], dabs[DABS_HALF_POWER], curve, TOI(dabs[DABS_CURVE_POINTS]));
    if (HAS(tip)) weight *= dab_tip(dx, dy, dabs[at + DAB_ACROSS], dabs[at + DAB_DOWN], dabs[at + DAB_FLIP], tip, TOI(dabs[DABS_TIP_SIDE]));
    return SEL(square < 1.0f, weight * dabs[at + DAB_WEIGHT], 0.0f);
}

/* Whether a dab has no part in a row of cells. */
FN int dab_misses_row(float y, int i, TABLE(float, dabs)) {
    int at = DAB_ENTRY * (i + 1);
    float dy = y - dabs[at + DAB_Y];
    return dy * dy * dabs[at + DAB_NEARNESS] >= 1.0f;
}

/* What all dabs together lay down, added one by one to what was there: the same however they are cut into launches. */
FN F dabs_added(F dose, F x, float y, TABLE(float, dabs), TABLE(float, curve), ANYWHERE(tip)) {
    int count = TOI(dabs[DABS_COUNT]);
    for (int i = 0; i < count; i++) {
        if (dab_misses_row(y, i, dabs)) continue;
        dose += dab_weight(x, y, i, dabs, curve, tip);
    }
    return dose;
}

/* The share of the way to a target that a dose takes: doses add, and no sum of them goes beyond the target. */
FN F dab_share(F dose) { return 1.0f - EXP(-dose); }

/* What is missing is filled from where the target has half of it; where the target is missing nothing happens. */
FN F dab_mixed(F before, F target, F share, int whole_only) {
    F mixed = before + (target - before) * share;
    if (whole_only != 0) mixed = SEL(share >= 0.5f, target, before);
    mixed = SEL(IS_MISSING(before), SEL(share >= 0.5f, target, before), mixed);
    return SEL(IS_MISSING(target) | (share <= 0.0f), before, mixed);
}

/* One dab after the other on one cell: `after` is what the operation makes of the ground as it is at dab number DAB. */
#define DAB_AFTER_DAB(ground, after)                                                                  \
    do {                                                                                              \
        F dab_x_ = TOF(HERE_X - origin_x);                                                            \
        float dab_y_ = TOF(HERE_Y - origin_y);                                                        \
        int dab_count_ = TOI(dabs[DABS_COUNT]);                                                       \
        for (int DAB = 0; DAB < dab_count_; DAB++) {                                                  \
            if (dab_misses_row(dab_y_, DAB, dabs)) continue;                                          \
            F share_ = dab_share(dab_weight(dab_x_, dab_y_, DAB, dabs, curve, tip));                  \
            ground = dab_mixed(ground, after, share_, 0);                                             \
        }                                                                                             \
    } while (0)
