// What an operation reads for one cell of its output. Regions, tiles and invalidation follow from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace caprock {

class Reach {
  public:
    enum class Kind { point, area, whole, steps, fold };

    static Reach point() { return Reach(Kind::point, 0, 1); }
    static Reach area(int cells) { return Reach(Kind::area, cells, 1); }
    static Reach whole() { return Reach(Kind::whole, 0, 1); }
    // Itself, and a few numbers of all cells (Operation::fold).
    static Reach fold() { return Reach(Kind::fold, 0, 1); }
    // A simulation: each of so many steps reads so many cells around.
    static Reach steps(int cells_per_step, int steps) { return Reach(Kind::steps, cells_per_step, steps); }

    Kind kind() const { return kind_; }
    // Whether any cell may decide any other.
    bool of_everything() const { return kind_ == Kind::whole || kind_ == Kind::fold; }
    // How many cells around a region decide it; nothing where that is all of them.
    std::optional<int> halo() const {
        if (of_everything()) return std::nullopt;
        // No grid is wider than 65,536 cells: more than that is everything.
        return int(std::clamp<int64_t>(int64_t(radius_) * steps_, 0, 1 << 17));
    }

    // What is read for one cell of `next` when its input is made by this: the cells around the cells around.
    Reach then(const Reach& next) const {
        if (next.kind_ == Kind::point) return *this;
        if (kind_ == Kind::point) return next;
        if (of_everything() || next.of_everything()) return whole();
        // Steps of two kinds are steps of neither.
        return area(*halo() + *next.halo());
    }

  private:
    Reach(Kind kind, int radius, int steps) : kind_(kind), radius_(radius), steps_(steps) {}

    Kind kind_;
    int radius_;
    int steps_;
};

}  // namespace caprock
