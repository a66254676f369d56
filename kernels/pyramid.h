/* Halving and doubling the resolution, as Burt and Adelson's pyramids do. Grids are aligned to the absolute cell
   (0, 0): coarse cell (X, Y) lies in the middle of the four fine cells from (2X, 2Y) on, so a tile sees the same
   coarse cells as the whole.

   Cells that are missing, and those beyond the border, weigh nothing: beside a sum of values runs the sum of their
   weights. All factors are dyadic and add up to 1, so where every cell is known the weights are exactly 1. */

/* Halving: 1 3 3 1 over 8 in each direction, of variance 3/4 in cells of the finer grid. One loop goes over fine
   cells 2x + dx, another one over 2y + dy. */
#define PYRAMID_FINE(d) UNROLL for (int d = -1; d <= 2; d++)
#define PYRAMID_HALF(d) ((d) == 0 || (d) == 1 ? 0.375f : 0.125f)

/* Doubling: the quadratic B-spline's subdivision, three quarters of the coarse cell a cell lies in and one quarter of
   the one beside it, in each direction. Of variance 3/4 in cells of the finer grid as well. */
#define PYRAMID_COARSE(far) UNROLL for (int far = 0; far <= 1; far++)
#define PYRAMID_TWICE(far) ((far) == 0 ? 0.75f : 0.25f)
/* The coarse cell `aside` columns and `away` rows from the one this cell lies in, on the side that is nearer. */
#define PYRAMID_AT(field, aside, away)                           \
    ((aside) == 0 ? COARSE(field, PYRAMID_ROWS(away)) : COARSE_BESIDE(field, PYRAMID_ROWS(away)))
#define PYRAMID_ROWS(away) ((away) == 0 ? 0 : (HERE_Y & 1) != 0 ? 1 : -1)

/* Adds factor * value to `sum`, and its weight to `weights` where weights are kept. For kernels
   with a field `weight`, which may be absent, and a uniform `weighted`. */
#define PYRAMID_ADD(sum, weights, factor, load_value, load_weight)             \
    do {                                                                       \
        F value_there = load_value;                                            \
        if (weighted != 0) {                                                   \
            F weight_there = 1.0f;                                             \
            if (HAS(weight)) weight_there = load_weight;                       \
            weight_there = SEL(IS_MISSING(value_there), 0.0f, weight_there);   \
            value_there = SEL(IS_MISSING(value_there), 0.0f, value_there);     \
            weights += (factor) * weight_there;                                \
        }                                                                      \
        sum += (factor) * value_there;                                         \
    } while (0)
