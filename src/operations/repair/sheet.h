// An elastic sheet through known cells: the surface of least energy, which for a stretched skin (harmonic) is the sum
// of squared differences between neighbours, and for a bent plate (biharmonic) that of squared second differences,
// u_xx^2 + 2 u_xy^2 + u_yy^2. Both together are a plate under tension: a plate over short ways, a skin over ways longer
// than the square root of plate / skin, in cells. A difference counts where all its cells are inside the border: beyond it there is nothing
// that would hold the sheet.
//
// Conjugate gradients, preconditioned by one V-cycle over a pyramid aligned to the absolute grid. On the host: residuals
// of large plates drown in a float's rounding, so they are in doubles; the V-cycle, which need not be exact, is in
// floats. Sums are taken piece by piece and added in order: threads change no bit.
#pragma once

#include "base/rect.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <tbb/parallel_for.h>
#include <type_traits>
#include <vector>

namespace caprock {

struct SheetEnergy {
    double plate = 0;
    double skin = 0;
};

// One grid of the pyramid: cells are unknown, or held at zero.
class Sheet {
  public:
    template <typename Number>
    using Cells = std::vector<Number>;

    Sheet(const Rect& rect, const SheetEnergy& energy, const std::vector<uint8_t>& unknown)
        : rect_(rect),
          width_(rect.width()),
          height_(rect.height()),
          energy_(energy),
          inverse_(unknown.size()) {
        for (int y = 0; y < height_; y++)
            for (int x = 0; x < width_; x++) {
                if (unknown[index(x, y)] == 0) continue;
                double diagonal = energy.plate * bending(x, y) + energy.skin * stretching(x, y);
                // A grid of one cell has no differences.
                if (diagonal == 0) continue;
                inverse_[index(x, y)] = float(1 / diagonal);
                unknown_++;
            }
        find_pieces();
    }

    int64_t unknown() const { return unknown_; }
    size_t cells() const { return inverse_.size(); }

    // The next coarser grid, with the cells beyond the border that cells inside it have a share in. A coarse cell is
    // unknown where the four cells are that it covers; beyond the border, where all are that it has a share in. Coarse
    // grids that kept away from every known cell would leave a belt along the rim to the finer ones, and need twice
    // the cycles.
    Sheet coarser() const {
        Rect rect = rect_.expanded(1).halved();
        std::vector<uint8_t> unknown(size_t(rect.cells()));
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) {
                Rect share = Rect{2 * x, 2 * y, 2 * x + 2, 2 * y + 2}.intersected(rect_);
                if (share.empty())
                    share = Rect{2 * x - 1, 2 * y - 1, 2 * x + 3, 2 * y + 3}.intersected(rect_);
                bool all = true;
                for (int v = share.top; v < share.bottom; v++)
                    for (int u = share.left; u < share.right; u++)
                        all = all && inverse_[index(u - rect_.left, v - rect_.top)] > 0;
                unknown[size_t(y - rect.top) * size_t(rect.width()) + size_t(x - rect.left)] = all ? 1 : 0;
            }
        // Twice the cell: second differences are four times as large, and there are a quarter of them.
        return Sheet(rect, {energy_.plate / 4, energy_.skin}, unknown);
    }
    bool shrinks() const {
        Rect next = rect_.expanded(1).halved();
        return std::max(next.width(), next.height()) < std::max(width_, height_);
    }

    // How much of what holds a cell in its place is bending: 1 for a plate, 0 for a skin. Coarser grids bend less.
    float stiffness() const {
        double bending = 20 * energy_.plate;
        return float(bending / (bending + 4 * energy_.skin));
    }

    // from -= A of, where A is the energy's derivative. Forces on held cells are taken along and move nothing.
    template <typename Number>
    void subtract_forces(const Cells<Number>& of, Cells<Number>& from) const {
        for_pieces([&](const Piece& piece) {
            Forces<Number> forces(*this, of, piece);
            for (int y = piece.top; y < piece.bottom; y++) {
                const Number* force = forces.row(y);
                Number* row = &from[index(piece.begin, y)];
                for (int x = 0; x < piece.end - piece.begin; x++) row[x] -= force[x];
            }
        });
    }

    // direction = keep * direction + gain * residual / diagonal; at += direction.
    void step(Cells<float>& direction, const Cells<float>& residual, Cells<float>& at, float keep,
              float gain) const {
        for_rows([&](size_t begin, size_t end) {
            const float* inverse = inverse_.data();
            const float* pull = residual.data();
            float* to = direction.data();
            float* moved = at.data();
            for (size_t i = begin; i < end; i++) {
                to[i] = keep * to[i] + gain * (inverse[i] * pull[i]);
                moved[i] += to[i];
            }
        });
    }

    // What this grid's cells get from the coarser: quadratic B-splines, as in `smooth`; held cells get nothing. And the
    // same the other way.
    void get_from_coarser(const Sheet& coarse, const Cells<float>& from, Cells<float>& to) const {
        for_pieces([&](const Piece& piece) {
            const int first = beside_or_before(piece.begin + rect_.left) - coarse.rect_.left;
            std::vector<float> line(size_t((piece.end - piece.begin) / 2 + 3));
            const int count = std::min(int(line.size()), coarse.width_ - first);
            for (int y = piece.top; y < piece.bottom; y++) {
                const float* near = coarse.row_of(from, (y + rect_.top) >> 1) + first;
                const float* far = coarse.row_of(from, beside(y + rect_.top)) + first;
                for (int x = 0; x < count; x++) line[size_t(x)] = 0.75f * near[x] + 0.25f * far[x];
                const float* mixed = line.data() - (first + coarse.rect_.left);
                const float* inverse = &inverse_[index(0, y)];
                float* row = &to[index(0, y)];
                for (int x = piece.begin; x < piece.end; x++) {
                    float value =
                        0.75f * mixed[(x + rect_.left) >> 1] + 0.25f * mixed[beside(x + rect_.left)];
                    row[x] = inverse[x] > 0 ? value : 0.0f;
                }
            }
        });
    }
    void give_to_coarser(const Sheet& coarse, const Cells<float>& from, Cells<float>& to) const {
        coarse.for_pieces([&](const Piece& piece) {
            // The four rows that a coarse row has a share in, added up, with zeros where they leave the grid.
            const int left = 2 * (piece.begin + coarse.rect_.left) - 1 - rect_.left;
            const int right = 2 * (piece.end - 1 + coarse.rect_.left) + 3 - rect_.left;
            std::vector<float> line(size_t(right - left));
            for (int y = piece.top; y < piece.bottom; y++) {
                std::fill(line.begin(), line.end(), 0.0f);
                const int above = 2 * (y + coarse.rect_.top) - 1 - rect_.top;
                const int begin = std::max(left, 0);
                const int count = std::min(right, width_) - begin;
                float* sums = line.data() + (begin - left);
                for (int v = std::max(above, 0); v < std::min(above + 4, height_); v++) {
                    const float share = weight(v - above);
                    const float* row = &from[index(begin, v)];
                    const float* inverse = &inverse_[index(begin, v)];
                    for (int u = 0; u < count; u++) sums[u] += inverse[u] > 0 ? share * row[u] : 0.0f;
                }
                const float* inverse = &coarse.inverse_[coarse.index(piece.begin, y)];
                float* given = &to[coarse.index(piece.begin, y)];
                for (int x = 0; x < piece.end - piece.begin; x++) {
                    const float* sum = line.data() + 2 * x;
                    float value = 0.25f * (sum[0] + sum[3]) + 0.75f * (sum[1] + sum[2]);
                    given[x] = inverse[x] > 0 ? value : 0.0f;
                }
            }
        });
    }

    // Elements of the rows' unknown parts: known cells between them have zeros in all that is computed.
    template <typename Action>
    void for_rows(const Action& action) const {
        for_pieces([&](const Piece& piece) {
            for (int y = piece.top; y < piece.bottom; y++)
                action(index(0, y) + size_t(piece.begin), index(0, y) + size_t(piece.end));
        });
    }
    template <typename A, typename B>
    double product(const Cells<A>& a, const Cells<B>& b) const {
        std::vector<double> sums(pieces_.size());
        for_pieces([&](const Piece& piece) {
            double& sum = sums[size_t(&piece - pieces_.data())];
            for (int y = piece.top; y < piece.bottom; y++)
                for (int x = piece.begin; x < piece.end; x++) {
                    size_t i = index(x, y);
                    sum += double(a[i]) * double(b[i]);
                }
        });
        double total = 0;
        for (double sum : sums) total += sum;
        return total;
    }

  private:
    // Where there are unknown cells: some rows of neighbouring columns, a task for a thread.
    struct Piece {
        int top;
        int bottom;
        int begin;
        int end;
    };
    void find_pieces() {
        constexpr int rows = 16;
        constexpr int columns = 64;
        for (int top = 0; top < height_; top += rows) {
            int bottom = std::min(top + rows, height_);
            for (int begin = 0; begin < width_; begin += columns) {
                int end = std::min(begin + columns, width_);
                bool any = false;
                for (int y = top; y < bottom && !any; y++)
                    any = std::any_of(&inverse_[index(0, y)] + begin, &inverse_[index(0, y)] + end,
                                      [](float inverse) { return inverse > 0; });
                if (!any) continue;
                if (!pieces_.empty() && pieces_.back().top == top && pieces_.back().end == begin) {
                    pieces_.back().end = end;
                } else {
                    pieces_.push_back({top, bottom, begin, end});
                }
            }
        }
    }

    size_t index(int x, int y) const { return size_t(y) * size_t(width_) + size_t(x); }
    const float* row_of(const Cells<float>& cells, int y) const { return &cells[index(0, y - rect_.top)]; }
    static int beside(int x) { return (x >> 1) + ((x & 1) != 0 ? 1 : -1); }
    static int beside_or_before(int x) { return std::min(x >> 1, beside(x)); }
    static float weight(int i) { return i == 0 || i == 3 ? 0.25f : 0.75f; }

    template <typename Action>
    void for_pieces(const Action& action) const {
        // A task costs as much as some thousand cells.
        if (cells() < 8192) {
            for (const Piece& piece : pieces_) action(piece);
        } else {
            tbb::parallel_for(size_t(0), pieces_.size(), [&](size_t i) { action(pieces_[i]); });
        }
    }

    // How often a cell counts in squared differences, each by its factor's square.
    double bending(int x, int y) const {
        auto along = [](int i, int count) {
            auto there = [&](int middle) { return middle >= 1 && middle <= count - 2 ? 1 : 0; };
            return there(i - 1) + 4 * there(i) + there(i + 1);
        };
        return along(x, width_) + along(y, height_) + 2 * sides(x, width_) * sides(y, height_);
    }
    double stretching(int x, int y) const { return sides(x, width_) + sides(y, height_); }
    static int sides(int i, int count) { return (i > 0 ? 1 : 0) + (i < count - 1 ? 1 : 0); }

    // The energy's derivative along the rows of a piece, going down; x counts from the piece's first column. Differences
    // are taken once and kept as long as they are needed; those that would reach over the border are zero.
    template <typename Number>
    class Forces {
      public:
        Forces(const Sheet& sheet, const Cells<Number>& of, const Piece& piece)
            : sheet_(sheet), of_(of), begin_(piece.begin), count_(piece.end - piece.begin) {
            for (Line* line :
                 {&across_, &down_[0], &down_[1], &down_[2], &twist_[0], &twist_[1], &slope_, &force_})
                line->resize(size_t(count_) + 2);
        }

        const Number* row(int y) {
            Number* force = at(force_);
            std::fill(force, force + count_, Number(0));
            if (sheet_.energy_.plate > 0) bend(y, force);
            // A skin that is too weak to matter to floats costs time only.
            bool matters =
                std::is_same_v<Number, double> || sheet_.energy_.skin > 1e-6 * sheet_.energy_.plate;
            if (sheet_.energy_.skin > 0 && matters) stretch(y, force);
            return force;
        }

      private:
        using Line = std::vector<Number>;
        // With a cell to spare on each side.
        static Number* at(Line& line) { return line.data() + 1; }
        const Number* cells(int y) const { return &of_[sheet_.index(begin_, y)]; }
        // From the cell before the piece, or the first one that may be; to that after it, or the last.
        int from(int first) const { return std::max(-1, first - begin_); }
        int to(int end, int last) const { return std::min(end, last - begin_); }

        void bend(int y, Number* force) {
            if (next_ != y) {
                for (int i = 0; i < 3; i++) second_differences_down(y - 1 + i, at(down_[i]));
                for (int i = 0; i < 2; i++) twists(y - 1 + i, at(twist_[i]));
            } else {
                std::rotate(down_, down_ + 1, down_ + 3);
                std::swap(twist_[0], twist_[1]);
                second_differences_down(y + 1, at(down_[2]));
                twists(y, at(twist_[1]));
            }
            next_ = y + 1;
            Number* across = at(across_);
            const Number* here = cells(y);
            for (int x = from(1); x < to(count_ + 1, sheet_.width_ - 1); x++)
                across[x] = (here[x - 1] + here[x + 1]) - 2 * here[x];
            const Number* above = at(down_[0]);
            const Number* down = at(down_[1]);
            const Number* below = at(down_[2]);
            const Number* upper = at(twist_[0]);
            const Number* lower = at(twist_[1]);
            const Number plate = Number(sheet_.energy_.plate);
            for (int x = 0; x < count_; x++) {
                Number along = (across[x - 1] + across[x + 1]) - 2 * across[x];
                Number beside = (above[x] + below[x]) - 2 * down[x];
                Number twist = (lower[x] - lower[x - 1]) - (upper[x] - upper[x - 1]);
                force[x] = plate * (along + beside + 2 * twist);
            }
        }

        void second_differences_down(int y, Number* line) const {
            if (y < 1 || y > sheet_.height_ - 2) return std::fill(line, line + count_, Number(0));
            const Number* above = cells(y - 1);
            const Number* here = cells(y);
            const Number* below = cells(y + 1);
            for (int x = 0; x < count_; x++) line[x] = (above[x] + below[x]) - 2 * here[x];
        }

        void twists(int y, Number* line) const {
            if (y < 0 || y > sheet_.height_ - 2) return std::fill(line - 1, line + count_, Number(0));
            const Number* here = cells(y);
            const Number* below = cells(y + 1);
            for (int x = from(0); x < to(count_, sheet_.width_ - 1); x++)
                line[x] = (here[x] - here[x + 1]) - (below[x] - below[x + 1]);
        }

        void stretch(int y, Number* force) {
            const Number* here = cells(y);
            const Number skin = Number(sheet_.energy_.skin);
            Number* slope = at(slope_);
            for (int x = from(0); x < to(count_, sheet_.width_ - 1); x++) slope[x] = here[x] - here[x + 1];
            for (int x = 0; x < count_; x++) force[x] += skin * (slope[x] - slope[x - 1]);
            for (int beside : {y - 1, y + 1}) {
                if (beside < 0 || beside >= sheet_.height_) continue;
                const Number* there = cells(beside);
                for (int x = 0; x < count_; x++) force[x] += skin * (here[x] - there[x]);
            }
        }

        const Sheet& sheet_;
        const Cells<Number>& of_;
        const int begin_;
        const int count_;
        int next_ = -1;
        Line across_, down_[3], twist_[2], slope_, force_;
    };

    Rect rect_;
    int width_;
    int height_;
    SheetEnergy energy_;
    std::vector<float> inverse_;  // of the diagonal; 0 where a cell is held
    std::vector<Piece> pieces_;
    int64_t unknown_ = 0;
};

// The pyramid, and one V-cycle over it.
class SheetPyramid {
  public:
    // `check` may throw, to stop it: a cycle over a large sheet takes seconds.
    SheetPyramid(const Rect& rect, const SheetEnergy& energy, const std::vector<uint8_t>& unknown,
                 const std::function<void()>& check)
        : check_(check) {
        levels_.emplace_back(Sheet(rect, energy, unknown));
        while (levels_.back().sheet.shrinks()) {
            check_();
            Sheet next = levels_.back().sheet.coarser();
            if (next.unknown() == 0) break;
            levels_.emplace_back(std::move(next));
        }
    }

    const Sheet& finest() const { return levels_[0].sheet; }

    // About what the unknown cells of the finest grid must move by for the residual to vanish.
    const std::vector<float>& correction(const std::vector<double>& residual) {
        Level& finest = levels_[0];
        finest.sheet.for_rows([&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) finest.residual[i] = float(residual[i]);
        });
        cycle(0);
        return finest.at;
    }

  private:
    struct Level {
        explicit Level(Sheet&& made)
            : sheet(std::move(made)), at(sheet.cells()), residual(sheet.cells()), direction(sheet.cells()) {}
        Sheet sheet;
        std::vector<float> at;
        std::vector<float> residual;
        std::vector<float> direction;
    };

    void cycle(size_t number) {
        Level& level = levels_[number];
        level.sheet.for_rows([&](size_t begin, size_t end) {
            std::fill(level.at.begin() + ptrdiff_t(begin), level.at.begin() + ptrdiff_t(end), 0.0f);
        });
        if (number + 1 == levels_.size()) return smooth(level, 24, false);
        smooth(level, sweeps(level), true);
        Level& coarse = levels_[number + 1];
        level.sheet.give_to_coarser(coarse.sheet, level.residual, coarse.residual);
        cycle(number + 1);
        level.sheet.get_from_coarser(coarse.sheet, coarse.at, level.direction);
        level.sheet.for_rows([&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) level.at[i] += level.direction[i];
        });
        level.sheet.subtract_forces(level.direction, level.residual);
        smooth(level, sweeps(level), false);
    }

    // A squared difference of n cells is at most n times the sum of its terms' squares. So the eigenvalues of
    // A / diagonal are at most 2 for a skin and 4 for a plate, and Chebyshev's polynomials damp what lies between that
    // and the part of it that the coarser grid cannot show. Where both act, the bounds mix as
    // their shares of the diagonal do.
    static int sweeps(const Level& level) { return level.sheet.stiffness() > 0.2f ? 4 : 2; }
    void smooth(Level& level, int count, bool keep_residual) const {
        const float stiffness = level.sheet.stiffness();
        const float high = 2.0f + 2.0f * stiffness;
        const float low = 0.4f - 0.34f * stiffness;
        const float middle = (high + low) / 2;
        const float half = (high - low) / 2;
        float ratio = half / middle;
        for (int i = 0; i < count; i++) {
            check_();
            float keep = 0;
            float gain = 1 / middle;
            if (i > 0) {
                float next = 1 / (2 * middle / half - ratio);
                keep = next * ratio;
                gain = 2 * next / half;
                ratio = next;
            }
            level.sheet.step(level.direction, level.residual, level.at, keep, gain);
            if (i + 1 < count || keep_residual) level.sheet.subtract_forces(level.direction, level.residual);
        }
    }

    std::function<void()> check_;
    std::vector<Level> levels_;
};

// Moves the unknown cells of `at` to where the energy is least; the others hold it. `advance` is told after each of at
// most so many cycles, `check` is asked several times in each. Returns how many there were.
inline int settle_sheet(const Rect& rect, const SheetEnergy& energy, const std::vector<uint8_t>& unknown,
                        std::vector<double>& at, int most_cycles, double tolerance,
                        const std::function<void()>& advance, const std::function<void()>& check) {
    SheetPyramid pyramid(rect, energy, unknown, check);
    const Sheet& sheet = pyramid.finest();
    std::vector<double> residual(at.size());
    std::vector<double> direction(at.size());
    std::vector<double> forces(at.size());
    sheet.subtract_forces(at, residual);
    double first = 0;
    double before = 0;
    for (int cycle = 0; cycle < most_cycles; cycle++) {
        const std::vector<float>& correction = pyramid.correction(residual);
        double error = sheet.product(residual, correction);
        if (cycle == 0) first = error;
        if (!(error > tolerance * tolerance * first)) return cycle;
        double keep = cycle == 0 ? 0 : error / before;
        before = error;
        sheet.for_rows([&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) {
                direction[i] = keep * direction[i] + double(correction[i]);
                forces[i] = 0;
            }
        });
        sheet.subtract_forces(direction, forces);
        double length = -error / sheet.product(direction, forces);
        sheet.for_rows([&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) {
                at[i] += length * direction[i];
                residual[i] += length * forces[i];
            }
        });
        advance();
    }
    return most_cycles;
}

}  // namespace caprock
