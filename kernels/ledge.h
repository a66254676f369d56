/* One cell of a ledge (Editor §8.2): raised by the whole amount up to the limit, by nothing from `softness` above it on,
   and evenly less between. A negative amount is the mirrored rule: it lowers what lies above the limit. What is not
   moved keeps its bits. */
FN F ledge_at(F height, F amount, F limit, F softness) {
    F beyond = SEL(amount < 0.0f, limit - height, height - limit);
    F weight = 1.0f - CLAMP(beyond / softness, 0.0f, 1.0f);
    return SEL(weight > 0.0f, height + amount * weight, height);
}
