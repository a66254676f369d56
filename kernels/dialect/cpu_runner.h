/* How a CPU runs a kernel over the cells of a task. A part of cpu.h, which includes it where its names belong. */
#pragma once

#define KERNEL(name, ...)                                  \
    constexpr char name##_signature[] = #__VA_ARGS__;      \
    FN void name##_cells(const Here& here, __VA_ARGS__)

/* The columns where a vector of lanes may load its neighbours without a look at the borders. */
struct InnerColumns {
    int begin, end; /* of first lanes */
};
FN void narrow_to(InnerColumns& inner, int begin, int end) {
    if (begin > inner.begin) inner.begin = begin;
    if (end < inner.end) inner.end = end;
}
FN void inner_columns(const void*, const caprock::lanes::Plane&, InnerColumns&) {}
FN void inner_columns(const Around*, const caprock::lanes::Plane& plane, InnerColumns& inner) {
    if (plane.data) narrow_to(inner, plane.left + plane.radius, plane.right - plane.radius - LANES + 1);
}
FN void inner_columns(const AroundStack*, const caprock::lanes::Plane& plane, InnerColumns& inner) {
    inner_columns(static_cast<Around*>(nullptr), plane, inner);
}
FN void inner_columns(const VaryingAround*, const caprock::lanes::Plane& plane, InnerColumns& inner) {
    inner_columns(static_cast<const Around*>(nullptr), plane, inner);
}
FN void inner_columns(const Finer*, const caprock::lanes::Plane& plane, InnerColumns& inner) {
    if (plane.data)
        narrow_to(inner, (plane.left + plane.radius + 2) >> 1, ((plane.right - plane.radius - 2 * LANES) >> 1) + 1);
}
FN void inner_columns(const Coarser*, const caprock::lanes::Plane& plane, InnerColumns& inner) {
    if (plane.data) narrow_to(inner, 2 * (plane.left + 1), 2 * (plane.right - LANES + 1) + 2);
}

FN const caprock::lanes::Plane& given_cells(const caprock::lanes::Plane*, const caprock::lanes::Argument& argument) {
    return argument.plane;
}
FN const caprock::lanes::Stack& given_cells(const caprock::lanes::Stack*, const caprock::lanes::Argument& argument) {
    return *argument.stack;
}

/* How a parameter of a kernel is taken out of a launch's arguments, and what a fold does around the cells. */
template <typename T>
struct Parameter {
    FN T taken(const caprock::lanes::Argument& argument, float*) {
        return {given_cells(static_cast<T*>(nullptr), argument)};
    }
    FN void begin(float*) {}
    FN void row_end(const caprock::lanes::Argument&, float*) {}
    FN void end(const caprock::lanes::Argument&, float*) {}
    FN void narrow(const caprock::lanes::Argument& argument, InnerColumns& inner) {
        inner_columns(static_cast<T*>(nullptr), given_cells(static_cast<T*>(nullptr), argument), inner);
    }
};
template <typename Value, Value caprock::lanes::Argument::*member>
struct PlainParameter {
    FN Value taken(const caprock::lanes::Argument& argument, float*) { return argument.*member; }
    FN void narrow(const caprock::lanes::Argument&, InnerColumns&) {}
    FN void begin(float*) {}
    FN void row_end(const caprock::lanes::Argument&, float*) {}
    FN void end(const caprock::lanes::Argument&, float*) {}
};
template <> struct Parameter<float> : PlainParameter<float, &caprock::lanes::Argument::f> {};
template <> struct Parameter<int> : PlainParameter<int, &caprock::lanes::Argument::i> {};
template <> struct Parameter<uint> : PlainParameter<uint, &caprock::lanes::Argument::u> {};
template <typename Entry>
struct Parameter<const Entry*> : Parameter<float> {
    FN const Entry* taken(const caprock::lanes::Argument& argument, float*) {
        return static_cast<const Entry*>(argument.table);
    }
};
template <typename Fold, bool least>
struct ExtremeParameter {
    FN Fold taken(const caprock::lanes::Argument&, float* lanes) { return {lanes}; }
    FN void narrow(const caprock::lanes::Argument&, InnerColumns&) {}
    FN void begin(float* lanes) {
        for (int lane = 0; lane < LANES; lane++) lanes[lane] = least ? __builtin_inff() : -__builtin_inff();
    }
    FN void row_end(const caprock::lanes::Argument&, float*) {}
    FN void end(const caprock::lanes::Argument& argument, float* lanes) {
        float extreme = lanes[0];
        for (int lane = 1; lane < LANES; lane++)
            if (least ? lanes[lane] < extreme : lanes[lane] > extreme) extreme = lanes[lane];
        argument.fold->extreme = extreme;
    }
};
template <> struct Parameter<FoldMin> : ExtremeParameter<FoldMin, true> {};
template <> struct Parameter<FoldMax> : ExtremeParameter<FoldMax, false> {};
template <>
struct Parameter<FoldSum> {
    FN FoldSum taken(const caprock::lanes::Argument&, float* lanes) {
        return {reinterpret_cast<uint*>(lanes)};
    }
    FN void narrow(const caprock::lanes::Argument&, InnerColumns&) {}
    FN void begin(float* lanes) { __builtin_memset(lanes, 0, 4 * LANES); }
    /* Lanes count in 32 bits within a row, rows in 64. */
    FN void row_end(const caprock::lanes::Argument& argument, float* lanes) {
        uint counts[LANES];
        __builtin_memcpy(counts, lanes, sizeof counts);
        for (int lane = 0; lane < LANES; lane++) argument.fold->sum += counts[lane];
        __builtin_memset(lanes, 0, sizeof counts);
    }
    FN void end(const caprock::lanes::Argument&, float*) {}
};

template <>
struct Parameter<Along> : Parameter<float> {
    FN Along taken(const caprock::lanes::Argument&, float* lanes) {
        return {reinterpret_cast<unsigned long*>(lanes)};
    }
    FN void begin(float* lanes) { __builtin_memset(lanes, 0, 8); }
    FN void row_end(const caprock::lanes::Argument&, float* lanes) { __builtin_memset(lanes, 0, 8); }
};
/* Their room is taken by the runner, and only by kernels that have them. */
template <> struct Parameter<Down> : Parameter<float> {};
template <typename T> constexpr bool runs_down = false;
template <> constexpr bool runs_down<Down> = true;
template <typename T>
struct Taken {
    FN T from(const caprock::lanes::Argument& argument, float* lanes, uint*, int) {
        return Parameter<T>::taken(argument, lanes);
    }
};
template <>
struct Taken<Down> {
    FN Down from(const caprock::lanes::Argument&, float*, uint* sums, int left) { return {sums, left}; }
};

/* Numbers that may vary over the cells. Where none of a launch does, its rows are run with fields that are known to be
   absent while this is compiled. */
template <typename T> constexpr bool may_vary = false;
template <> constexpr bool may_vary<Varying> = true;
template <> constexpr bool may_vary<VaryingAround> = true;
template <typename T> FN T without_field(T parameter) {
    if constexpr (may_vary<T>) return T{};
    else return parameter;
}

template <int... index> struct Indices {};

template <auto cells> struct Runner;
template <typename... Parameters, void (*cells)(const Here&, Parameters...)>
struct Runner<cells> {
    typedef caprock::lanes::Strip Strip;
    typedef caprock::lanes::Argument Argument;

    /* At borders and row ends. Not inlined: the code is large, and the cells are few. */
    static __attribute__((noinline)) void edge(const Here& here, Parameters... parameters) {
        cells(here, parameters...);
    }
    /* The parameters are taken out once a row: read from memory at each cell they would have to be read again
       after each store. */
    FN void row(const Strip& strip, const InnerColumns& inner, int y, char* scratch, Parameters... parameters) {
        Here here = {strip.left, y, LANES, true, false, scratch};
        while (here.x < strip.right) {
            if (here.x >= inner.begin && here.x < inner.end) {
                here.inner = true;
                do {
                    cells(here, parameters...);
                    here.first = false;
                    here.x += LANES;
                } while (here.x < inner.end);
                here.inner = false;
            } else {
                here.count = strip.right - here.x < LANES ? strip.right - here.x : LANES;
                edge(here, parameters...);
                here.first = false;
                here.x += LANES;
            }
        }
    }
    template <int... index>
    FN void rows(const Strip& strip, Indices<index...>) {
        alignas(64) char scratch[caprock::lanes::scratch_bytes];
        alignas(64) float folds[sizeof...(Parameters) + 1][LANES];
        constexpr int sums_down = (runs_down<Parameters> || ...) ? 2 * caprock::lanes::most_columns_down : 1;
        alignas(64) uint sums[sums_down] = {};
        const Argument* given = strip.arguments;
        InnerColumns inner = {strip.left, strip.right - LANES + 1};
        (Parameter<Parameters>::narrow(given[index], inner), ...);
        (Parameter<Parameters>::begin(folds[index]), ...);
        const bool varies = ((may_vary<Parameters> && given[index].plane.data) || ...);
        for (int y = strip.top; y < strip.bottom; y++) {
            if ((may_vary<Parameters> || ...) && !varies)
                row(strip, inner, y, scratch,
                    without_field(
                        Taken<Parameters>::from(given[index], folds[index], sums, strip.left))...);
            else
                row(strip, inner, y, scratch,
                    Taken<Parameters>::from(given[index], folds[index], sums, strip.left)...);
            (Parameter<Parameters>::row_end(given[index], folds[index]), ...);
        }
        (Parameter<Parameters>::end(given[index], folds[index]), ...);
    }
    static void run(const Strip& strip) { rows(strip, Indices<__integer_pack(sizeof...(Parameters))...>()); }
};
