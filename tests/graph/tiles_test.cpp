#include "base/error.h"
#include "graph/content_key.h"
#include "graph/tile.h"
#include "graph/tile_cache.h"
#include "graph/tile_codec.h"
#include "support/fields.h"
#include "support/terrains.h"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace caprock::test {
namespace {

std::vector<float> rough(size_t count, uint32_t seed) {
    std::vector<float> cells(count);
    for (size_t i = 0; i < count; i++) cells[i] = 100 + 30 * scattered(int(i), 7, seed);
    return cells;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(TileCodec, GivesBackEveryBit) {
    std::vector<float> odd = {0.0f,
                              -0.0f,
                              1e-45f,
                              -1e-45f,
                              3.4e38f,
                              std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity(),
                              missing,
                              1.0f,
                              std::bit_cast<float>(0xffc12345u)};
    for (const std::vector<float>& cells :
         {odd, rough(65536, 1), std::vector<float>(65536, 3.5f), std::vector<float>(65536, missing),
          std::vector<float>(1, 2.0f)}) {
        std::string packed = packed_cells(cells);
        std::vector<float> back(cells.size());
        unpack_cells(packed, back);
        EXPECT_TRUE(same_bits(cells, back));
    }
    EXPECT_LT(packed_cells(std::vector<float>(65536, missing)).size(), 32u) << "blank tiles cost nothing";
}

TEST(TileCodec, DifferencesGoBothWays) {
    std::vector<float> before = rough(65536, 1);
    std::vector<float> after = before;
    for (size_t i = 20000; i < 30000; i++) after[i] += 5;
    after[100] = missing;
    after[101] = -before[101];
    after[30] = std::numeric_limits<float>::infinity();
    std::string difference = packed_difference(before, after);
    EXPECT_LE(difference.capacity(), difference.size() + 64)
        << "kept by the thousand, with room for the worst case";
    std::vector<float> cells = before;
    apply_difference(difference, Direction::forward, cells);
    EXPECT_TRUE(same_bits(cells, after));
    apply_difference(difference, Direction::backward, cells);
    EXPECT_TRUE(same_bits(cells, before));
    // Only what has changed takes room.
    EXPECT_LT(difference.size(), 10000u * 4);
}

TEST(TileCodec, DamagedBytesAreRefusedAndNeverUnpackIntoMore) {
    std::vector<float> cells = rough(65536, 1);
    std::string packed = packed_cells(cells);
    std::vector<float> to(65536);
    std::mt19937 random(1);
    int refused = 0;
    for (int i = 0; i < 300; i++) {
        std::string damaged = packed;
        damaged[random() % damaged.size()] ^= char(1 + random() % 255);
        try {
            unpack_cells(damaged, to);
            // Zstandard frames have bits that mean nothing; then the cells must be right.
            EXPECT_TRUE(same_bits(cells, to));
        } catch (const Error&) {
            refused++;
        }
    }
    EXPECT_GT(refused, 280);
    for (size_t length : {size_t(0), size_t(5), size_t(13), size_t(100), packed.size() - 1})
        EXPECT_THROW(unpack_cells(packed.substr(0, length), to), Error);
    std::vector<float> other(100);
    EXPECT_THROW(unpack_cells(packed, other), Error);
}

TEST(ContentKeys, StandForTheContent) {
    std::vector<float> cells = rough(1000, 1);
    ContentKey key = key_of_cells(cells.data(), cells.size());
    EXPECT_EQ(ContentKey::from_bytes(key.bytes().data()), key);
    cells[999] = std::nextafter(cells[999], 1000.0f);
    EXPECT_NE(key_of_cells(cells.data(), cells.size()), key);
    // NaN is one value.
    cells[3] = missing;
    ContentKey with_hole = key_of_cells(cells.data(), cells.size());
    uint32_t other = 0xffc12345u;
    std::memcpy(&cells[3], &other, sizeof other);
    EXPECT_EQ(key_of_cells(cells.data(), cells.size()), with_hole);
    // Where one part ends counts.
    EXPECT_NE(KeyMaker().add("ab").add("c").key(), KeyMaker().add("a").add("bc").key());
}

TEST(Tiles, CoverRectanglesOnBothSidesOfZero) {
    EXPECT_EQ(tiles_over({-1, -1, 1, 1}).size(), 4u);
    EXPECT_EQ(tiles_over({0, 0, 256, 256}), (std::vector<TileIndex>{{0, 0}}));
    EXPECT_EQ(tiles_over({255, 0, 257, 1}), (std::vector<TileIndex>{{0, 0}, {1, 0}}));
    EXPECT_TRUE(tiles_over({}).empty());
    EXPECT_EQ(tile_at(-1, 300), (TileIndex{-1, 1}));
    EXPECT_EQ((TileIndex{-1, 1}).rect(), (Rect{-256, 256, 0, 512}));
}

ContentKey numbered(int number) { return KeyMaker().add(int64_t(number)).key(); }

TEST(TileCache, KeepsToItsBudgetAndLetsTheOldestGo) {
    TileCache cache(10 * (tile_bytes + 256));
    for (int i = 0; i < 20; i++) {
        cache.put(numbered(i), Field({0, 0, tile_side, tile_side}, float(i)), TileCache::Making::quick);
        cache.find(numbered(0));
    }
    EXPECT_LE(cache.bytes(), cache.budget());
    EXPECT_TRUE(cache.has(numbered(0))) << "asked for all the time";
    EXPECT_TRUE(cache.has(numbered(19)));
    EXPECT_FALSE(cache.has(numbered(5)));
    EXPECT_EQ(cache.find(numbered(19))->at(3, 3), 19);
}

TEST(TileCache, WhatTookLongStaysLongerButNotForEver) {
    TileCache cache(10 * (tile_bytes + 256));
    auto put = [&](int number, TileCache::Making making) {
        cache.put(numbered(number), Field({0, 0, tile_side, tile_side}, 1), making);
    };
    put(1000, TileCache::Making::slow);
    for (int i = 0; i < 25; i++) put(i, TileCache::Making::quick);
    EXPECT_TRUE(cache.has(numbered(1000)));
    for (int i = 100; i < 200; i++) put(i, TileCache::Making::quick);
    EXPECT_FALSE(cache.has(numbered(1000)));
}

}  // namespace
}  // namespace caprock::test
