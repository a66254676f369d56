/* What a compiled CPU kernel and the device that runs it say to each other. Plain data only: this header is
   compiled once per instruction set, and nothing in it may be emitted as a shared inline function. */
#pragma once

namespace caprock::lanes {

/* A field as a kernel sees it. `data` is the address of cell (x, y); the clip rectangle is where loads end. */
struct Plane {
    float* data;
    long stride;
    int x, y;
    int left, top, right, bottom;
    int radius; /* how far neighbour loads may go; checked where CAPROCK_CHECKED is defined */
};

/* Several planes of one rectangle. The plane is the first of them, the next begins `pitch` cells further on. */
struct Stack : Plane {
    long pitch;
    int planes;
};

struct FoldResult {
    float extreme;
    unsigned long sum;
};

union Argument {
    Plane plane;
    const Stack* stack; /* never null: one that is absent has no data */
    float f;
    int i;
    unsigned u;
    const void* table;
    FoldResult* fold;
};

/* The cells of one task. */
struct Strip {
    int left, top, right, bottom;
    const Argument* arguments;
};

struct Compiled {
    const char* signature;
    void (*run)(const Strip&);
};

/* Room for what a kernel keeps along a row (ROW_ONCE). */
constexpr int scratch_bytes = 32768;

/* The widest strip of a kernel with running sums down its columns. */
constexpr int most_columns_down = 2048;

}  // namespace caprock::lanes
