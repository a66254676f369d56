// Lists of pieces of rivers: nothing that has a part in the ground of a cell is left out.
#include "operations/rivers/river_ground.h"

#include "support/terrains.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace caprock::test {
namespace {

std::vector<RiverPiece> scattered_pieces() {
    std::vector<RiverPiece> pieces;
    for (int i = 0; i < 300; i++) {
        RiverPiece piece;
        piece.from = {2000.0 * scattered(i, 0, 1), 1500.0 * scattered(i, 0, 2)};
        const double angle = 6.28 * scattered(i, 0, 3);
        piece.ahead = {std::cos(angle), std::sin(angle)};
        piece.length = 30 * scattered(i, 0, 4);
        piece.high = 300.0 * scattered(i, 0, 5);
        piece.low = piece.high - 0.3 * piece.length * scattered(i, 0, 6);
        piece.rise.slope = 0.4 + 0.5 * scattered(i, 0, 7);
        piece.rise.floor = 1 + 40 * scattered(i, 0, 8);
        piece.rise.saved = 0.6 * piece.rise.slope * piece.rise.floor;
        pieces.push_back(piece);
    }
    return pieces;
}

TEST(RiverGround, ListsHoldWhateverIsLowestAndWhateverIsNearest) {
    const std::vector<RiverPiece> pieces = scattered_pieces();
    const RiverGround::Shape shape{
        .crest_away = 150, .moved_at_most = 40, .rounding = 3, .piece = 15, .cell = 8};
    const RiverGround ground(pieces, shape);
    const Rect rect{-3, 5, 230, 190};
    int blocks = 0;
    for (int top = rect.top; top < rect.bottom;) {
        const RiverGround::Lists lists = ground.lists_from(top, rect);
        const int rows = (lists.cells.height() + RiverGround::block_height - 1) / RiverGround::block_height;
        ASSERT_EQ(lists.begins.size(), size_t(rows * lists.columns) + 1);
        for (int block = 0; block < rows * lists.columns; block += 7, blocks++) {
            const double left = (rect.left + block % lists.columns * RiverGround::block_width) * 8.0;
            const double block_top = (top + block / lists.columns * RiverGround::block_height) * 8.0;
            std::set<std::pair<float, float>> listed;
            for (int entry = lists.begins[size_t(block)]; entry < lists.begins[size_t(block) + 1]; entry++)
                listed.emplace(lists.entries[RiverGround::entry_length * size_t(entry)],
                               lists.entries[RiverGround::entry_length * size_t(entry) + 1]);
            auto has = [&](const RiverPiece& piece) {
                return listed.contains({float(piece.from.x - left), float(piece.from.y - block_top)});
            };
            // Corners and middle of the block, moved anywhere.
            for (int i = 0; i < 9; i++) {
                const Place cell{left + (i % 3) * 60.0, block_top + (i / 3) * 28.0};
                auto away = [](const RiverPiece& piece, const Place& at) {
                    const double x = at.x - piece.from.x, y = at.y - piece.from.y;
                    const double foot = std::clamp(x * piece.ahead.x + y * piece.ahead.y, 0.0, piece.length);
                    return std::pair{std::hypot(x - foot * piece.ahead.x, y - foot * piece.ahead.y), foot};
                };
                const RiverPiece* nearest = &pieces[0];
                for (const RiverPiece& piece : pieces)
                    if (away(piece, cell).first < away(*nearest, cell).first) nearest = &piece;
                EXPECT_TRUE(has(*nearest));
                for (int turn = 0; turn < 4; turn++) {
                    const Place moved{cell.x + 40 * std::cos(turn * 1.57),
                                      cell.y + 40 * std::sin(turn * 1.57)};
                    auto says = [&](const RiverPiece& piece) {
                        const auto [far, foot] = away(piece, moved);
                        return piece.high + (piece.low - piece.high) * foot / piece.length +
                               piece.rise.at(far, shape.crest_away);
                    };
                    double lowest = 1e9;
                    for (const RiverPiece& piece : pieces) lowest = std::min(lowest, says(piece));
                    for (const RiverPiece& piece : pieces)
                        if (says(piece) < lowest + 8 * shape.rounding * piece.rise.slope) {
                            EXPECT_TRUE(has(piece));
                        }
                }
            }
        }
        top = lists.cells.bottom;
    }
    EXPECT_GT(blocks, 40);
}

TEST(RiverGround, ListsOfPartsAreThoseOfTheWhole) {
    const std::vector<RiverPiece> pieces = scattered_pieces();
    const RiverGround ground(pieces,
                             {.crest_away = 150, .moved_at_most = 40, .rounding = 0, .piece = 15, .cell = 8});
    const RiverGround::Lists all = ground.lists_from(0, {0, 0, 160, 96});
    const RiverGround::Lists below = ground.lists_from(48, {0, 0, 160, 96});
    const size_t first = size_t(all.begins[6 * size_t(all.columns)]);
    ASSERT_EQ(all.entries.size() - first * RiverGround::entry_length, below.entries.size());
    EXPECT_TRUE(std::equal(below.entries.begin(), below.entries.end(),
                           all.entries.begin() + long(first * RiverGround::entry_length)));
}

}  // namespace
}  // namespace caprock::test
