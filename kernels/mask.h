/* What masks have in common. A mask says how much of something is at a cell: 0 nothing, 1 all of it.

   The rule for missing cells, the same for all operations on masks: a mask that is made is 0 where what it is made from
   is missing, since nothing is known to be there. A mask that is changed keeps its missing cells, and they have no part in
   what others become. Where a second mask is missing it is 0. */

/* A mask's own value, brought into 0..1; a missing one stays missing. Adding 0 makes 0 of -0. */
FN F mask_value(F value) { return CLAMP(value, 0.0f, 1.0f) + 0.0f; }

/* 0 where there is no value to go by. */
FN F mask_or_nothing(F value) { return SEL(IS_MISSING(value), 0.0f, mask_value(value)); }

/* From 0, at a share of 0 and below, to 1, at 1 and above, level at both ends. A missing share is nothing. */
FN F mask_ramp(F share) {
    F t = mask_or_nothing(share);
    return t * t * (3.0f - 2.0f * t);
}

/* 1 where nothing lies outside, falling to 0 where `outside` has come to `softness`; at once where that is 0. */
FN F mask_falloff(F outside, F softness) {
    B soft = softness > 0.0f;
    F ramp = mask_ramp(1.0f - outside / SEL(soft, softness, 1.0f));
    return SEL(soft, ramp, SEL(outside <= 0.0f, 1.0f, 0.0f));
}

/* The same for what shall lie between low and high. */
FN F mask_between(F value, F low, F high, F softness) {
    return mask_falloff(MAX(low - value, value - high), softness);
}
