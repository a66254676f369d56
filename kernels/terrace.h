/* One cell of a terraced landscape. Treads lie at offset + k step for whole k, risers half way between them, and no
   cell moves by more than half a step.

   Between a tread and the riser above it a share n of the step, 0 at the tread and 1/2 at the riser, becomes
   n (1 - s) / (1 - 2 s n): at the tread (1 - s) times as steep as before, at the riser 1 / (1 - s) times, and evenly
   between. The other half is the same, turned round. Each of the operations is monotone in floats, so their result is. */
FN F terrace_at(F height, F step, F sharpness, F offset) {
    F steps = (height - offset) / step;
    F below = FLOOR(steps);
    F above = steps - below;
    F near = MIN(above, 1.0f - above);
    F bent = near * (1.0f - sharpness) / (1.0f - 2.0f * sharpness * near);
    F share = SEL(sharpness < 1.0f, bent, 0.0f);
    F raised = below + SEL(above < 0.5f, share, 1.0f - share);
    F result = offset + raised * step;
    /* From 2^23 steps on, steps are finer than numbers are; missing and infinite heights stay as they are too. */
    return SEL((ABS(steps) < 8388608.0f) & (sharpness > 0.0f), result, height);
}
