#include "operations/rivers/river_ground.h"

#include "compute/in_parallel.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// Lists of so many blocks are made and used at once.
constexpr int blocks_at_once = 8192;
// So many times the rounding, a piece that says more than the lowest counts no more.
constexpr double rounding_ends = 8;
// A river is taken to fall no more than this part of the slope beside it, when it comes to where that leads.
constexpr double most_aslant = 0.8;

double away_from(const RiverPiece& piece, const Place& place) {
    const double x = place.x - piece.from.x, y = place.y - piece.from.y;
    const double foot = std::clamp(x * piece.ahead.x + y * piece.ahead.y, 0.0, piece.length);
    return distance({x, y}, {foot * piece.ahead.x, foot * piece.ahead.y});
}

PlacePyramid::Bounds bounds_of(const RiverPiece& piece) {
    const double x = piece.from.x + piece.length * piece.ahead.x;
    const double y = piece.from.y + piece.length * piece.ahead.y;
    return {std::min(piece.from.x, x), std::min(piece.from.y, y),       std::max(piece.from.x, x),
            std::max(piece.from.y, y), std::min(piece.low, piece.high), std::max(piece.low, piece.high)};
}

}  // namespace

RiverGround::RiverGround(const std::vector<RiverPiece>& pieces, const Shape& shape)
    : pieces_(pieces),
      shape_(shape),
      pyramid_(pieces.size(), shape.crest_away / 3, [&](size_t i) { return bounds_of(pieces[i]); }) {
    gentlest_ = pieces.front().rise.slope;
    for (const RiverPiece& piece : pieces) {
        longest_ = std::max(longest_, piece.length);
        gentlest_ = std::min(gentlest_, piece.rise.slope);
        steepest_ = std::max(steepest_, piece.rise.slope);
        saved_ = std::max(saved_, piece.rise.saved);
    }
}

RiverGround::Lists RiverGround::lists_from(int top, const Rect& rect) const {
    Lists lists;
    lists.columns = (rect.width() + block_width - 1) / block_width;
    const int below = (rect.bottom - top + block_height - 1) / block_height;
    const int rows = std::clamp(blocks_at_once / lists.columns, 1, below);
    // Each row of blocks by itself, whoever makes it.
    std::vector<Lists> parts(static_cast<size_t>(rows));
    in_parallel(size_t(rows), [&](size_t row) {
        for (int column = 0; column < lists.columns; column++)
            add_block(parts[row], (rect.left + column * block_width) * shape_.cell,
                      (top + int(row) * block_height) * shape_.cell);
    });
    lists.begins.push_back(0);
    for (const Lists& part : parts) {
        const int before = lists.begins.back();
        for (int begin : part.begins) lists.begins.push_back(before + begin);
        lists.entries.insert(lists.entries.end(), part.entries.begin(), part.entries.end());
    }
    lists.cells = {rect.left, top, rect.right, std::min(top + rows * block_height, rect.bottom)};
    return lists;
}

void RiverGround::add_block(Lists& lists, double left, double top) const {
    const double half_width = (block_width - 1) * shape_.cell / 2,
                 half_height = (block_height - 1) * shape_.cell / 2;
    const Place middle{left + half_width, top + half_height};
    // From the middle to where ground is looked at for a cell of the block.
    const double corner = std::sqrt(half_width * half_width + half_height * half_height);
    const double around = corner + shape_.moved_at_most;
    // No piece says less than this at so many metres from the middle, and some piece no more than that.
    const Rise gentle{gentlest_, saved_, 1e-3};
    auto least = [&](const Rise& rise, double away, double low) {
        return low + std::max(rise.at(std::max(away - around - bed(), 0.0), shape_.crest_away), 0.0);
    };
    double lowest = std::numeric_limits<double>::infinity();
    double nearest = std::numeric_limits<double>::infinity();
    pyramid_.search(
        middle,
        [&](double away, double low, double) { return away < nearest || least(gentle, away, low) < lowest; },
        [&](size_t i) {
            const RiverPiece& piece = pieces_[i];
            const double away = away_from(piece, middle);
            nearest = std::min(nearest, away);
            lowest = std::min(lowest, std::max(piece.high, piece.low) +
                                          piece.rise.at(away + around + piece.length, shape_.crest_away));
        });
    // The nearest of every cell, and those that say no more than counts.
    const double near = nearest + 2 * corner;
    const double counts = rounding_ends * shape_.rounding;
    std::vector<size_t> part;
    pyramid_.look_through(
        middle,
        [&](double away, double low, double) {
            return away <= near || least(gentle, away, low) <= lowest + counts * steepest_;
        },
        [&](size_t i) {
            const RiverPiece& piece = pieces_[i];
            const double away = away_from(piece, middle);
            if (away <= near || least(piece.rise, away, std::min(piece.high, piece.low)) <=
                                    lowest + counts * piece.rise.slope)
                part.push_back(i);
        });
    std::sort(part.begin(), part.end());
    for (size_t i : part) {
        const RiverPiece& piece = pieces_[i];
        const double rises = piece.length > 0 ? (piece.low - piece.high) / piece.length : 0;
        const double aslant =
            std::min(std::max(-rises, 0.0) / (piece.rise.slope * (1 - Rise::eased / 2)), most_aslant);
        const double entry[entry_length] = {piece.from.x - left,
                                            piece.from.y - top,
                                            piece.ahead.x,
                                            piece.ahead.y,
                                            piece.length,
                                            piece.high,
                                            rises,
                                            aslant / std::sqrt(1 - aslant * aslant),
                                            piece.rise.slope,
                                            piece.rise.saved,
                                            piece.rise.floor,
                                            piece.length > 0 ? piece.length / shape_.piece : 1.0};
        for (double number : entry) lists.entries.push_back(float(number));
    }
    lists.begins.push_back(int(lists.entries.size() / entry_length));
}

}  // namespace caprock
