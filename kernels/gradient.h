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

/* From the cells so many cells away, which is so many metres. Reads as many around. Where both of those are missing, the next
   ones say what there is to know: on land that is narrower than that, and between holes. */
FN Gradient gradient_over(const Here here, const Around surface, int cells, float distance) {
    F here_value = LOAD(surface);
    Gradient gradient;
    gradient.east =
        gradient_along(NEAR_KNOWN(surface, -cells, 0), here_value, NEAR_KNOWN(surface, cells, 0), distance);
    gradient.south =
        gradient_along(NEAR_KNOWN(surface, 0, -cells), here_value, NEAR_KNOWN(surface, 0, cells), distance);
    if (cells > 1) {
        float cell = distance / (float)cells;
        B east_unknown = IS_MISSING(NEAR_KNOWN(surface, -cells, 0)) & IS_MISSING(NEAR_KNOWN(surface, cells, 0));
        B south_unknown = IS_MISSING(NEAR_KNOWN(surface, 0, -cells)) & IS_MISSING(NEAR_KNOWN(surface, 0, cells));
        F east = gradient_along(NEAR_KNOWN(surface, -1, 0), here_value, NEAR_KNOWN(surface, 1, 0), cell);
        F south = gradient_along(NEAR_KNOWN(surface, 0, -1), here_value, NEAR_KNOWN(surface, 0, 1), cell);
        gradient.east = SEL(east_unknown, east, gradient.east);
        gradient.south = SEL(south_unknown, south, gradient.south);
    }
    return gradient;
}

/* Reads one cell around. */
FN Gradient gradient_of(const Here here, const Around surface, float cell) {
    return gradient_over(here, surface, 1, cell);
}

FN F gradient_size(const Gradient gradient) {
    return SQRT(gradient.east * gradient.east + gradient.south * gradient.south);
}

#define DEGREES_OF_RADIAN 57.2957795f
