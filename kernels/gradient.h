/* How a surface rises, by central differences. Next to the border or to a missing cell the difference is one-sided; where
   both neighbours are missing nothing is known of a slope, and it is 0. */
typedef struct {
    F east, south; /* metres of height for each metre */
} Gradient;

FN F gradient_along(F before, F here_value, F after, float cell) {
    B first = IS_MISSING(before);
    B last = IS_MISSING(after);
    F rise = SEL(last, here_value, after) - SEL(first, here_value, before);
    return rise / SEL(first | last, cell, 2.0f * cell);
}

/* Reads one cell around. */
FN Gradient gradient_of(const Here here, const Around surface, float cell) {
    F here_value = LOAD(surface);
    Gradient gradient;
    gradient.east = gradient_along(NEAR_KNOWN(surface, -1, 0), here_value, NEAR_KNOWN(surface, 1, 0), cell);
    gradient.south = gradient_along(NEAR_KNOWN(surface, 0, -1), here_value, NEAR_KNOWN(surface, 0, 1), cell);
    return gradient;
}

FN F gradient_size(const Gradient gradient) {
    return SQRT(gradient.east * gradient.east + gradient.south * gradient.south);
}

#define DEGREES_OF_RADIAN 57.2957795f
