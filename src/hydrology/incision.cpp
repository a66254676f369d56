#include "hydrology/incision.h"

#include "base/mathematics.h"
#include "hydrology/rounds.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace caprock {

namespace {

// Of cells whose new height is not known yet: no height has these bits.
constexpr uint32_t not_cut_yet = 0xffffffffu;

// x of x + rate (x / run)^n = rest, for rest > 0: what is left of a height above the next cell.
double left_of(double rest, double rate, double run, double exponent) {
    if (!(rate > 0)) return rest;
    if (exponent == 1) return rest / (1 + rate / run);
    // Newton's steps, kept between two ends: they never pass the root for exponents from 1 on, and for others they might.
    double low = 0, high = rest;
    double x = rest / (1 + rate / run * power(rest / run, exponent - 1));
    for (int turn = 0; turn < 40; turn++) {
        const double cut = x > 0 ? rate * power(x / run, exponent) : 0;
        const double off = x + cut - rest;
        (off > 0 ? high : low) = x;
        if (std::abs(off) <= 1e-9 * rest) break;
        const double rise = 1 + (x > 0 ? exponent * cut / x : 0);
        double next = x - off / rise;
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (next == x) break;
        x = next;
    }
    return x;
}

}  // namespace

Field incised(const FlowGraph& graph, const Incision& incision, Progress& progress) {
    const Rect& rect = graph.rect();
    const size_t width = size_t(rect.width());
    const Field::Rows rates = incision.rate.rows();
    const Field::Rows held = incision.held ? incision.held->rows() : Field::Rows();
    const Field::Rows steepest = incision.steepest ? incision.steepest->rows() : Field::Rows();
    const Field::Rows ground = incision.ground ? incision.ground->rows() : Field::Rows();
    auto at = [&](const Field::Rows& rows, size_t cell) {
        return rows[rect.top + int(cell / width)][cell % width];
    };
    auto before = [&](size_t cell) { return incision.ground ? at(ground, cell) : graph.height(cell); };
    // The level at which a cell stays whatever becomes of others; missing where there is none.
    auto held_at = [&](size_t cell) {
        if (incision.held)
            if (const float level = at(held, cell); !is_missing(level)) return level;
        return graph.leaves(cell) ? before(cell) : missing;
    };
    const double across = incision.cell;
    const double aslant = incision.cell * std::sqrt(2.0);
    // The surface over a cell, of its ground or of the water that stands on it, where that of the next one is `below`.
    auto surface_over = [&](size_t cell, float below) {
        const double run = FlowGraph::is_diagonal(graph.way(cell)) ? aslant : across;
        const double rest = double(before(cell)) - double(below);
        if (!(rest > 0)) return below;
        const double stands = incision.steepest ? double(at(steepest, cell)) : double(incision.stands);
        const double left = left_of(rest, double(at(rates, cell)), run, incision.slope_exponent);
        return float(double(below) + std::min(left, stands * run));
    };
    // Down to the first cell whose surface is known, and up again. Whoever comes to a cell first makes it; others would make the
    // same.
    std::vector<uint32_t> surfaces(graph.size(), not_cut_yet);
    in_rounds(graph.size(), [&](size_t first, size_t last) {
        std::vector<size_t> path;
        auto known = [&](size_t cell) {
            return std::atomic_ref(surfaces[cell]).load(std::memory_order_relaxed);
        };
        auto settle = [&](size_t cell, float surface) {
            std::atomic_ref(surfaces[cell])
                .store(std::bit_cast<uint32_t>(surface), std::memory_order_relaxed);
            return surface;
        };
        for (size_t start = first; start < last; start++) {
            if (graph.is_missing(start)) continue;
            float below = missing;
            for (size_t cell = start; is_missing(below); cell = graph.receiver(cell)) {
                if (const uint32_t bits = known(cell); bits != not_cut_yet) {
                    below = std::bit_cast<float>(bits);
                } else if (const float level = held_at(cell); !is_missing(level)) {
                    below = settle(cell, level);
                } else {
                    path.push_back(cell);
                }
            }
            for (; !path.empty(); path.pop_back())
                below = settle(path.back(), surface_over(path.back(), below));
        }
        progress.advance(int64_t(last - first));
    });
    Field result(rect);
    const Field::WritableRows to = result.writable_rows();
    in_parallel(size_t(rect.height()), [&](size_t row) {
        float* into = to[rect.top + int(row)];
        for (size_t x = 0; x < width; x++) {
            const size_t cell = row * width + x;
            into[x] = missing;
            if (graph.is_missing(cell)) continue;
            // Ground under water is as it was.
            const float level = held_at(cell);
            into[x] =
                is_missing(level) ? std::min(before(cell), std::bit_cast<float>(surfaces[cell])) : level;
        }
    });
    return result;
}

Field incised_and_filled(const FlowGraph& graph, const Incision& incision, double deposition,
                         std::span<const uint32_t> areas, Progress& progress) {
    if (deposition <= 0) return incised(graph, incision, progress);
    // What is lost is counted in parts of a metre, so that no order matters. Of lost ground, sums wrap around, and back again.
    constexpr double parts = 1 << 20;
    constexpr int most_turns = 40;
    constexpr double close_enough = 0.001;
    const Rect& rect = graph.rect();
    const size_t width = size_t(rect.width());
    auto at = [&](auto& rows, size_t cell) -> auto& {
        return rows[rect.top + int(cell / width)][cell % width];
    };
    // Of each lake how much there is room for, and how much of that is full.
    std::vector<double> room(graph.basins().size(), 0), full(graph.basins().size(), 0);
    for (size_t cell = 0; cell < graph.size(); cell++)
        if (!graph.is_missing(cell))
            room[graph.basin(cell)] += double(graph.level(cell)) - double(graph.height(cell));
    Field ground(rect);
    const Field::WritableRows laid = ground.writable_rows();
    for (size_t cell = 0; cell < graph.size(); cell++)
        at(laid, cell) = graph.is_missing(cell) ? missing : graph.height(cell);
    Incision turn = incision;
    turn.ground = &ground;
    // The more is laid down, the less a turn may change, or it would go to and fro.
    const double step = 1 / (1 + deposition / 2);
    Field made = incised(graph, turn, progress);
    std::vector<uint64_t> lost(graph.size());
    for (int i = 0; i < most_turns; i++) {
        const Field::Rows rows = made.rows();
        auto own = [&](size_t cell) {
            return std::llround((double(graph.height(cell)) - double(at(rows, cell))) * parts);
        };
        for (size_t cell = 0; cell < graph.size(); cell++)
            lost[cell] = graph.is_missing(cell) ? 0 : uint64_t(own(cell));
        graph.accumulate(lost, progress);
        for (size_t basin = 1; basin < room.size(); basin++) {
            if (room[basin] <= 0) continue;
            const size_t pass = graph.basins()[basin].pass;
            const bool dry = !(graph.height(pass) < graph.level(pass));
            const double comes = double(int64_t(lost[pass]) - (dry ? own(pass) : 0)) / parts;
            const double filled = std::clamp((comes + full[basin] * room[basin]) / room[basin], 0.0, 1.0);
            full[basin] += step * (filled - full[basin]);
        }
        double changed = 0;
        for (size_t cell = 0; cell < graph.size(); cell++) {
            if (graph.is_missing(cell)) continue;
            const double before = graph.height(cell);
            const double level = graph.level(cell);
            const double was = at(laid, cell);
            double is;
            if (before < level) {
                is = before + full[graph.basin(cell)] * (level - before);
            } else {
                const double comes = double(int64_t(lost[cell]) - own(cell)) / parts;
                is = was + step * (before + std::max(deposition * comes / areas[cell], 0.0) - was);
            }
            at(laid, cell) = float(is);
            changed = std::max(changed, std::abs(is - was));
        }
        made = incised(graph, turn, progress);
        if (changed < close_enough) break;
    }
    return made;
}

}  // namespace caprock
