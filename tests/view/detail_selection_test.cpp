#include "view/detail_selection.h"

#include "support/grids.h"
#include "view/horizon.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace caprock::test {
namespace {

Field hilly_field(int side) {
    Field field(Rect::of({side, side}));
    Field::WritableRows rows = field.writable_rows();
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            rows[y][x] =
                float(60 * std::sin(x * 0.021) * std::cos(y * 0.017) + 8 * std::sin(x * 0.4 + y * 0.3));
    return field;
}

Camera random_camera(std::mt19937& random, double side, double height) {
    auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    Camera camera;
    camera.position = {between(-0.2, 1.2) * side, between(-0.2, 1.2) * side, height + between(5, 400)};
    camera.heading = between(0, 360);
    camera.pitch = between(-80, 5);
    return camera;
}

// Side of a tile in cells.
int span(const DetailTile& tile) { return 32 << tile.level; }

int64_t quads_of(const DetailPyramid& pyramid, const Camera& camera, const DetailSettings& settings) {
    DetailSelection selection;
    int64_t count = 0;
    for (const DetailTile& tile : selection.select(pyramid, grid_of(2), camera, {1280, 720}, settings))
        count += int64_t(tile.quads) * tile.quads;
    return count;
}

TEST(DetailSelection, TilesDoNotOverlapAndNeighboursDifferByOneLevelAtMost) {
    Field field = hilly_field(700);
    DetailPyramid pyramid(source_of(field));
    std::mt19937 random(1);
    DetailSelection selection;
    for (int i = 0; i < 40; i++) {
        DetailSettings settings;
        settings.error = 0.5 + i % 4;
        settings.behind_horizons = true;
        std::vector<DetailTile> tiles =
            selection.select(pyramid, grid_of(2), random_camera(random, 1400, 60), {640, 360}, settings);
        std::map<std::pair<int, int>, int> level_at;  // of each smallest tile
        for (const DetailTile& tile : tiles)
            for (int y = 0; y < 1 << tile.level; y++)
                for (int x = 0; x < 1 << tile.level; x++) {
                    auto [place, fresh] = level_at.emplace(
                        std::pair{(tile.x << tile.level) + x, (tile.y << tile.level) + y}, tile.level);
                    EXPECT_TRUE(fresh);
                }
        for (const auto& [place, level] : level_at)
            for (auto [dx, dy] : {std::pair{1, 0}, {0, 1}}) {
                auto beside = level_at.find({place.first + dx, place.second + dy});
                if (beside != level_at.end()) {
                    EXPECT_LE(std::abs(beside->second - level), 1);
                }
            }
    }
}

TEST(DetailSelection, BothSidesOfAnEdgeUseTheSameLadder) {
    Field field = hilly_field(700);
    DetailPyramid pyramid(source_of(field));
    std::mt19937 random(2);
    DetailSelection selection;
    int compared = 0;
    for (int i = 0; i < 20; i++) {
        DetailSettings settings;
        settings.behind_horizons = true;
        std::vector<DetailTile> tiles =
            selection.select(pyramid, grid_of(2), random_camera(random, 1400, 60), {640, 360}, settings);
        for (const DetailTile& west : tiles)
            for (const DetailTile& east : tiles) {
                if ((west.x + 1) * span(west) != east.x * span(east)) continue;
                int top = std::max(west.y * span(west), east.y * span(east));
                int bottom = std::min((west.y + 1) * span(west), (east.y + 1) * span(east));
                if (top >= bottom) continue;
                auto half = [&](const DetailTile& tile) {
                    return size_t(2 * (top - tile.y * span(tile)) >= span(tile));
                };
                const DetailLadder& a = west.edges[6 + half(west)];
                const DetailLadder& b = east.edges[4 + half(east)];
                EXPECT_EQ(a.first, b.first);
                EXPECT_EQ(a.errors, b.errors);
                compared++;
            }
    }
    EXPECT_GT(compared, 300);
}

TEST(DetailSelection, NearGroundHasMoreDetailAndATighterBoundToo) {
    Field field = hilly_field(1000);
    DetailPyramid pyramid(source_of(field));
    Camera camera;
    camera.position = {1000, 1900, 150};
    camera.pitch = -15;
    auto quads = [&](double error) {
        DetailSettings settings;
        settings.error = error;
        return quads_of(pyramid, camera, settings);
    };
    EXPECT_GT(quads(1), quads(2));
    EXPECT_GT(quads(2), quads(4));
    EXPECT_GT(quads(4), 0);
}

TEST(DetailSelection, ABiasSavesDetailInTheDistance) {
    Field field = hilly_field(1000);
    DetailPyramid pyramid(source_of(field));
    Camera camera;
    camera.position = {1000, 1990, 90};
    camera.pitch = -5;
    auto quads = [&](double bias) {
        DetailSettings settings;
        settings.distance_bias = bias;
        return quads_of(pyramid, camera, settings);
    };
    EXPECT_LT(quads(0.5), quads(0));
}

TEST(DetailSelection, ASmallStepBackDoesNotMergeWhatASmallStepForwardSplit) {
    Field field = hilly_field(1000);
    DetailPyramid pyramid(source_of(field));
    DetailSettings settings;
    settings.behind_horizons = true;
    Camera camera;
    camera.position = {1000, 1000, 400};
    camera.pitch = -60;
    auto levels = [&](DetailSelection& selection, double height) {
        camera.position.z = height;
        std::vector<std::array<int, 3>> found;
        for (const DetailTile& tile : selection.select(pyramid, grid_of(2), camera, {640, 360}, settings))
            found.push_back({tile.level, tile.x, tile.y});
        return found;
    };
    int changes_with = 0;
    int changes_without = 0;
    for (double height = 300; height < 600; height += 10) {
        for (double hysteresis : {0.2, 0.0}) {
            settings.hysteresis = hysteresis;
            DetailSelection selection;
            levels(selection, height);
            levels(selection, height * 0.99);
            auto near = levels(selection, height * 0.99);
            bool changed = levels(selection, height) != near;
            (hysteresis > 0 ? changes_with : changes_without) += changed;
        }
    }
    EXPECT_LT(changes_with, changes_without);
}

TEST(Horizon, HidesWhatLiesBehindAndBelow) {
    Horizon horizon({0, 0, 10});
    horizon.add({{100, -50, 50}, {110, 50, 80}});
    EXPECT_TRUE(horizon.hides({{200, -20, 0}, {220, 20, 60}}));
    EXPECT_FALSE(horizon.hides({{200, -20, 0}, {220, 20, 400}})) << "it stands above the ridge";
    EXPECT_FALSE(horizon.hides({{200, -200, 0}, {220, 20, 60}})) << "it reaches beyond the ridge";
    EXPECT_FALSE(horizon.hides({{-220, -20, 0}, {-200, 20, 60}})) << "it lies the other way";
    EXPECT_FALSE(horizon.hides({{-5, -5, 0}, {5, 5, 60}})) << "the eye is over it";
}

TEST(Horizon, HidesNothingThatARayReaches) {
    // Boxes of ground in a row, each ray against each: whatever is hidden must be met by no free ray.
    std::mt19937 random(4);
    auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    for (int round = 0; round < 200; round++) {
        Vector3 eye = {0, 0, between(20, 100)};
        std::vector<Box> boxes;
        Horizon horizon(eye);
        for (int i = 1; i < 8; i++) {
            double low = between(0, 60);
            Box box = {{i * 50.0, -60, low}, {i * 50.0 + 50, 60, low + between(0, 50)}};
            if (horizon.hides(box)) {
                for (int tries = 0; tries < 200; tries++) {
                    Vector3 to = {between(box.least.x, box.most.x), between(box.least.y, box.most.y),
                                  box.most.z};
                    bool blocked = false;
                    for (const Box& nearer : boxes)
                        for (double share = 0; share <= 1 && !blocked; share += 0.002) {
                            Vector3 at = eye + (to - eye) * share;
                            blocked = at.x >= nearer.least.x && at.x <= nearer.most.x &&
                                      at.y >= nearer.least.y && at.y <= nearer.most.y &&
                                      at.z <= nearer.least.z + 1e-6;
                        }
                    EXPECT_TRUE(blocked);
                }
            } else {
                horizon.add(box);
                boxes.push_back(box);
            }
        }
    }
}

}  // namespace
}  // namespace caprock::test
