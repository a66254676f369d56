/* What a CPU keeps along a row. A part of cpu.h, which includes it where its names belong. */
#pragma once

#define ROW_ONCE(Type, name, index, most, expression)                                                \
    static_assert((most) * sizeof(Type) <= caprock::lanes::scratch_bytes, "too much kept along a row"); \
    Type& name = reinterpret_cast<Type*>(here.scratch)[index];                                       \
    if (here.first) name = (expression)

/* A window onto a table that is too long to keep: the entries near the cells at hand, made anew when the row
   has moved past them. Where the cells are too far apart for one window, each lane has its own entry. */
struct Window {
    IntLanes at, next;
    IntLanes first, second; /* the columns the entries are made for */
    int base;
    bool direct;
};
struct Near {
    FloatLanes at, next;
};
FN Window window_anywhere() {
    Window window = {};
    window.base = -0x7fffffff - 1;
    return window;
}
FN bool window_moves(Window& window, I column) {
    I at = column - I(window.base);
    window.at = at.v;
    window.next = (at + I(1)).v;
    if (!window.direct && every_lane(AS_U(at) <= U(uint(LANES - 2)))) return false;
    window.base = column.v[0];
    at = column - I(window.base);
    window.direct = !every_lane(AS_U(at) <= U(uint(LANES - 2)));
    I first = window.direct ? column : I(window.base) + lane_numbers();
    window.first = first.v;
    window.second = (first + I(1)).v;
    if (window.direct) {
        window.at = window.next = lane_numbers().v;
    } else {
        window.at = at.v;
        window.next = (at + I(1)).v;
    }
    return true;
}
#define WINDOW_FILL(window, table, expression)            \
    do {                                                  \
        {                                                 \
            const U COLUMN = U((UintLanes)(window).first); \
            (table).at = F(expression).v;                 \
        }                                                 \
        if ((window).direct) {                            \
            const U COLUMN = U((UintLanes)(window).second); \
            (table).next = F(expression).v;               \
        } else {                                          \
            (table).next = (table).at;                    \
        }                                                 \
    } while (0)
#define WINDOW_AT(window, table) F(__builtin_shuffle((table).at, (window).at))
#define WINDOW_NEXT(window, table) F(__builtin_shuffle((table).next, (window).next))
