// Blending on several resolutions against its definition in double precision, and what it promises.
#include "base/mathematics.h"
#include "support/devices.h"
#include "support/terrains.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

using Surface = std::function<double(double x, double y)>;  // by metres

std::unique_ptr<Operation> multi_resolution(double width, Parameters settings = {}) {
    settings.emplace_back("mode", "multi-resolution");
    settings.emplace_back("width", std::to_string(width));
    return made_operation("blend", settings);
}

Field blended_over(const Terrain& input, double width, const Parameters& settings = {}) {
    RunContext context = on_cpu();
    return run(*multi_resolution(width, settings), input, context).height();
}

Terrain made_terrain(const Grid& grid, const Surface& below, const Surface& source, const Surface& mask) {
    auto sampled = [&](const Surface& surface) {
        return made_field(grid.extent,
                          [&](int x, int y) { return float(surface(x * grid.cell, y * grid.cell)); });
    };
    Terrain terrain(grid);
    terrain.set("height", sampled(below));
    terrain.set("source", sampled(source));
    terrain.set("mask", sampled(mask));
    return terrain;
}

// Rough ground, another one, and a mask of blocks of 0, 1 and in between.
Terrain rough_lands(Size size, Holes holes) {
    Terrain terrain = rough_terrain(size, holes, 1);
    terrain.set("source", made_field(terrain.rect(), [&](int x, int y) {
                    if (holes == Holes::some && scattered(x, y, 31) < 0.05f) return missing;
                    return 80 + 50 * std::sin(float(x + y) * 0.05f) + 90 * scattered(x / 3, y / 3, 32);
                }));
    terrain.set("mask", made_field(terrain.rect(), [](int x, int y) {
                    return std::clamp(2 * scattered(x / 16, y / 16, 33) - 0.5f, 0.0f, 1.0f);
                }));
    return terrain;
}

// ---- the definition ----

struct Sums {
    Rect rect;
    std::vector<double> cells;

    explicit Sums(const Rect& r) : rect(r), cells(size_t(r.cells()), 0.0) {}
    double& at(int x, int y) {
        return cells[size_t(y - rect.top) * size_t(rect.width()) + size_t(x - rect.left)];
    }
    double get(int x, int y) const { return rect.contains(x, y) ? const_cast<Sums*>(this)->at(x, y) : 0; }
};

// Coarse cell X covers the fine ones 2X - 1 .. 2X + 2 with weights 1 3 3 1.
Sums reduced(const Sums& fine) {
    Sums coarse(fine.rect.expanded(1).halved());
    for (int y = coarse.rect.top; y < coarse.rect.bottom; y++)
        for (int x = coarse.rect.left; x < coarse.rect.right; x++)
            for (int j = -1; j <= 2; j++)
                for (int i = -1; i <= 2; i++)
                    coarse.at(x, y) += (i == 0 || i == 1 ? 3 : 1) * (j == 0 || j == 1 ? 3 : 1) / 64.0 *
                                       fine.get(2 * x + i, 2 * y + j);
    return coarse;
}

double expanded_at(const Sums& coarse, int x, int y) {
    int beside_x = (x >> 1) + ((x & 1) ? 1 : -1);
    int beside_y = (y >> 1) + ((y & 1) ? 1 : -1);
    return (9 * coarse.get(x >> 1, y >> 1) + 3 * coarse.get(beside_x, y >> 1) +
            3 * coarse.get(x >> 1, beside_y) + coarse.get(beside_x, beside_y)) /
           16;
}

// For a width of 2^(levels + 1) cells: one weight a level, the finest first. NaN where a cell is missing on either
// side.
std::vector<double> reference(const Terrain& input, const std::vector<double>& weights) {
    const Rect& rect = input.rect();
    Sums difference(rect), known(rect), mask(rect);
    for (int y = 0; y < rect.bottom; y++)
        for (int x = 0; x < rect.right; x++) {
            float d = input.field("source").at(x, y) - input.height().at(x, y);
            if (is_missing(d)) continue;
            difference.at(x, y) = d;
            known.at(x, y) = 1;
            mask.at(x, y) = input.field("mask").at(x, y);
        }
    std::vector<Sums> d = {difference}, k = {known}, m = {mask};
    for (size_t level = 1; level < weights.size(); level++) {
        d.push_back(reduced(d.back()));
        k.push_back(reduced(k.back()));
        m.push_back(reduced(m.back()));
    }
    // Means from here on.
    auto mean = [](const Sums& sums, const Sums& weight, int x, int y) {
        return weight.get(x, y) > 0 ? sums.get(x, y) / weight.get(x, y) : 0;
    };
    Sums blend(d.back().rect);
    for (size_t level = weights.size(); level-- > 0;) {
        Sums next(d[level].rect);
        for (int y = next.rect.top; y < next.rect.bottom; y++)
            for (int x = next.rect.left; x < next.rect.right; x++) {
                double detail = mean(d[level], k[level], x, y);
                double coarser = 0;
                if (level + 1 < weights.size()) {
                    double weight = expanded_at(k[level + 1], x, y);
                    if (weight > 0) {
                        detail -= expanded_at(d[level + 1], x, y) / weight;
                        coarser = expanded_at(blend, x, y) / weight;
                    }
                }
                double value = coarser + weights[level] * mean(m[level], k[level], x, y) * detail;
                next.at(x, y) = value * k[level].get(x, y);
            }
        blend = next;
    }
    std::vector<double> result;
    for (int y = 0; y < rect.bottom; y++)
        for (int x = 0; x < rect.right; x++)
            result.push_back(known.at(x, y) > 0 ? input.height().at(x, y) + blend.at(x, y) : missing);
    return result;
}

TEST(MultiResolution, IsWhatTheDefinitionSays) {
    for (Size size : {Size{97, 61}, Size{64, 64}, Size{1, 53}, Size{31, 1}, Size{3, 2}})
        for (Holes holes : {Holes::none, Holes::some}) {
            Terrain input = rough_lands(size, holes);
            struct Case {
                double width;
                const char* weights;
                std::vector<double> by_level;
            };
            for (const Case& one :
                 {Case{4, "", {1, 1}}, Case{32, "", {1, 1, 1, 1, 1}},
                  Case{64, "0,0.5,1", {1, 1, 1, 1, 0.5, 0}}, Case{16, "1,0.25", {0.25, 0.25, 0.25, 1}}}) {
                std::vector<double> wanted = reference(input, one.by_level);
                const Field made = blended_over(input, one.width, {{"weights", one.weights}});
                size_t next = 0;
                for (int y = 0; y < size.height; y++)
                    for (int x = 0; x < size.width; x++, next++) {
                        if (std::isnan(wanted[next])) continue;
                        ASSERT_NEAR(made.at(x, y), wanted[next], 2e-4)
                            << "width " << one.width << " at " << x << "," << y << " of " << size.width;
                    }
            }
        }
}

TEST(MultiResolution, BetweenTwoLevelsLiesBetweenThem) {
    Terrain input = rough_lands({90, 70}, Holes::none);
    for (const char* weights : {"", "0.1,0.8,0.3,1"}) {
        const Field fewer = blended_over(input, 32, {{"weights", weights}});
        const Field more = blended_over(input, 64, {{"weights", weights}});
        const Field between = blended_over(input, 40, {{"weights", weights}});
        for (int y = 0; y < 70; y++)
            for (int x = 0; x < 90; x++)
                ASSERT_NEAR(between.at(x, y), 0.75 * fewer.at(x, y) + 0.25 * more.at(x, y), 2e-4);
    }
}

TEST(MultiResolution, IsTheSourceWhereTheMaskIsOne) {
    for (Size size :
         {Size{1, 1}, Size{1, 37}, Size{53, 1}, Size{2, 2}, Size{67, 41}, Size{127, 131}, Size{256, 64}})
        for (Holes holes : {Holes::none, Holes::some})
            for (double width : {3.0, 20.0, 500.0, 100000.0}) {
                Terrain input = rough_lands(size, holes);
                input.set("mask", Field(input.rect(), 1.0f));
                const Field made = blended_over(input, width);
                for (int y = 0; y < size.height; y++)
                    for (int x = 0; x < size.width; x++) {
                        float below = input.height().at(x, y);
                        float source = input.field("source").at(x, y);
                        if (is_missing(source)) {
                            ASSERT_TRUE(made.at(x, y) == below || is_missing(below)) << x << "," << y;
                        } else if (is_missing(below)) {
                            ASSERT_EQ(made.at(x, y), source) << x << "," << y;
                        } else {
                            ASSERT_NEAR(made.at(x, y), source, 300e-6) << width << " at " << x << "," << y;
                        }
                    }
            }
}

TEST(MultiResolution, AnEvenMaskIsAnOpacityWhateverIsMissing) {
    Terrain input = rough_lands({90, 70}, Holes::some);
    input.set("mask", Field(input.rect(), 0.25f));
    const Field made = blended_over(input, 60);
    Terrain unmasked = input;
    unmasked.remove("mask");
    const Field opaque = blended_over(unmasked, 60, {{"opacity", "0.25"}});
    // Weights of all the same, too.
    input.set("mask", Field(input.rect(), 0.5f));
    const Field weighted = blended_over(input, 60, {{"weights", "0.5"}});
    for (int y = 0; y < 70; y++)
        for (int x = 0; x < 90; x++) {
            double a = input.height().at(x, y);
            double b = input.field("source").at(x, y);
            if (std::isnan(a + b)) continue;
            ASSERT_NEAR(made.at(x, y), a + 0.25 * (b - a), 300e-6);
            ASSERT_NEAR(opaque.at(x, y), a + 0.25 * (b - a), 300e-6);
            ASSERT_NEAR(weighted.at(x, y), a + 0.25 * (b - a), 300e-6);
        }
}

TEST(MultiResolution, HolesDoNotPullOnTheirSurroundings) {
    // A step up by 50 m, however torn, is a step up by 50 m in the middle of a mask.
    Terrain input = rough_lands({160, 120}, Holes::some);
    const Field& height = input.height();
    input.set("source", made_field(input.rect(), [&](int x, int y) {
                  return scattered(x / 9, y / 9, 5) < 0.4f ? missing : height.at(x, y) + 50;
              }));
    input.set("mask", Field(input.rect(), 1.0f));
    const Field made = blended_over(input, 200, {{"weights", "1,0"}});
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 160; x++)
            if (!is_missing(input.field("source").at(x, y))) {
                ASSERT_NEAR(made.at(x, y), height.at(x, y) + 50, 1e-3) << x << "," << y;
            }
}

TEST(MultiResolution, IsLinear) {
    Terrain input = rough_lands({120, 90}, Holes::some);
    auto change = [&](const Field& source, const Field& mask) {
        Terrain terrain = input;
        terrain.set("source", source);
        terrain.set("mask", mask);
        const Field made = blended_over(terrain, 50, {{"weights", "0.3,0.6,1"}});
        return made_field(input.rect(),
                          [&](int x, int y) { return made.at(x, y) - input.height().at(x, y); });
    };
    auto sum = [&](const Field& a, const Field& b, float times) {
        return made_field(input.rect(), [&](int x, int y) { return a.at(x, y) + times * b.at(x, y); });
    };
    const Field& height = input.height();
    const Field& source = input.field("source");
    const Field one = sum(input.field("mask"), Field(input.rect(), 0.0f), 0);
    const Field half = made_field(input.rect(), [&](int x, int y) { return one.at(x, y) / 2; });
    const Field other = made_field(input.rect(), [](int x, int y) { return scattered(x, y, 8) / 2; });
    const Field twice =
        made_field(input.rect(), [&](int x, int y) { return 2 * source.at(x, y) - height.at(x, y); });

    const Field once_changed = change(source, half);
    const Field other_changed = change(source, other);
    const Field twice_changed = change(twice, half);
    const Field both_changed = change(source, sum(half, other, 1));
    for (int y = 0; y < 90; y++)
        for (int x = 0; x < 120; x++) {
            if (is_missing(once_changed.at(x, y))) continue;
            ASSERT_NEAR(twice_changed.at(x, y), 2 * once_changed.at(x, y), 1e-3);
            ASSERT_NEAR(both_changed.at(x, y), once_changed.at(x, y) + other_changed.at(x, y), 1e-3);
        }
}

TEST(MultiResolution, FarFromTheMaskAndFromAnyDifferenceNothingChanges) {
    Terrain input = rough_lands({400, 60}, Holes::none);
    int reach = *multi_resolution(32)->reach(input.grid()).halo();
    EXPECT_EQ(reach, 3 * 15);
    input.set("mask", made_field(input.rect(), [](int x, int) { return x < 100 ? 1.0f : 0.0f; }));
    Rect far = {100 + reach, 0, 400, 60};
    EXPECT_TRUE(identical(blended_over(input, 32).cropped(far), input.height().cropped(far)));
    Rect near = {100, 0, 110, 60};
    EXPECT_FALSE(identical(blended_over(input, 32).cropped(near), input.height().cropped(near)));

    const Field& height = input.height();
    input.set("source",
              made_field(input.rect(), [&](int x, int y) { return height.at(x, y) + (x < 100 ? 20 : 0); }));
    input.set("mask", Field(input.rect(), 0.7f));
    EXPECT_TRUE(identical(blended_over(input, 32).cropped(far), input.height().cropped(far)));
}

// ---- what it is for ----

TEST(MultiResolution, BringsDetailAcrossAndLeavesTheMeanWhereItIs) {
    // As in the document's figures 6-21 and 6-23: a square wave low down, a triangular one high up, a mask in the middle.
    Grid grid{Rect::of({768, 9}), 1, {0, 100}};
    auto square = [](double x, double) { return std::fmod(x, 24) < 12 ? 15.0 : 25.0; };
    auto triangle = [](double x, double) { return 75 + 20 * std::fabs(std::fmod(x, 16) / 8 - 1); };
    auto middle = [](double x, double) { return x >= 256 && x < 512 ? 1.0 : 0.0; };
    Terrain input = made_terrain(grid, square, triangle, middle);
    auto mean = [](const Field& field, int from, int to) {
        double sum = 0;
        for (int x = from; x < to; x++) sum += field.at(x, 4);
        return sum / (to - from);
    };
    // Away from their means, how far two waves are apart.
    auto apart = [&](const Field& a, const Field& b, int from, int to) {
        double a_mean = mean(a, from, to), b_mean = mean(b, from, to), sum = 0;
        for (int x = from; x < to; x++) sum += std::pow(a.at(x, 4) - a_mean - b.at(x, 4) + b_mean, 2);
        return std::sqrt(sum / (to - from));
    };
    const Field& below = input.height();
    const Field& source = input.field("source");
    // 336 to 432 is seven times the one and four times the other wavelength.
    const Field everything = blended_over(input, 64);
    EXPECT_NEAR(mean(everything, 336, 432), mean(source, 336, 432), 0.5);
    EXPECT_LT(apart(everything, source, 336, 432), 0.5);

    const Field detail = blended_over(input, 64, {{"weights", "0,1"}});
    EXPECT_NEAR(mean(detail, 336, 432), mean(below, 336, 432), 1);
    EXPECT_LT(apart(detail, source, 336, 432), 0.2 * apart(below, source, 336, 432));
    EXPECT_NEAR(mean(detail, 0, 768), mean(below, 0, 768), 1);

    // The other way round only the height comes across, and the square wave stays.
    const Field height = blended_over(input, 64, {{"weights", "1,0"}});
    EXPECT_NEAR(mean(height, 336, 432), mean(source, 336, 432), 1);
    EXPECT_LT(apart(height, below, 336, 432), 0.2 * apart(below, source, 336, 432));
}

// Metres over which a wave of the source comes in from a tenth to nine tenths, across a hard edge of the mask.
double crossing(double wavelength, double width, double cell = 1) {
    Grid grid{Rect::of({int(256 / cell), int(1024 / cell)}), cell, {0, 1}};
    Terrain input = made_terrain(
        grid, [](double, double) { return 0; },
        [&](double x, double) { return wavelength > 0 ? std::cos(2 * pi * x / wavelength) : 1; },
        [](double, double y) { return y >= 512 ? 1.0 : 0.0; });
    const Field made = blended_over(input, width);
    // How much of the wave there is in a row.
    auto share = [&](int y) {
        double sum = 0, whole = 0;
        for (int x = 0; x < grid.extent.right; x++) {
            double wave = input.field("source").at(x, y);
            sum += wave * made.at(x, y);
            whole += wave * wave;
        }
        return sum / whole;
    };
    int from = 0, to = 0;
    for (int y = 0; y < grid.extent.bottom; y++) {
        if (share(y) < 0.1) from = y;
        if (share(y) < 0.9) to = y;
    }
    return (to - from) * cell;
}

TEST(MultiResolution, FeaturesCrossOverWithinTheirOwnSize) {
    double last = 0;
    for (double wavelength : {4.0, 8.0, 16.0, 32.0, 64.0, 128.0}) {
        double distance = crossing(wavelength, 128);
        EXPECT_GE(distance, 0.15 * wavelength - 1) << wavelength;
        EXPECT_LE(distance, 0.75 * wavelength) << wavelength;
        EXPECT_GE(distance, 1.4 * last) << wavelength;
        last = distance;
    }
    // What is larger crosses over about the width.
    for (double width : {16.0, 40.0, 64.0, 100.0, 128.0})
        EXPECT_NEAR(crossing(0, width) / width, 0.9, 0.2) << width;
}

TEST(MultiResolution, NoWidthIsLerp) {
    Terrain input = rough_lands({60, 50}, Holes::some);
    RunContext context = on_cpu();
    const Field lerp = run(*made_operation("blend"), input, context).height();
    for (double width : {0.0, 1.0, 2.0}) {
        EXPECT_TRUE(identical(blended_over(input, width), lerp));
        EXPECT_EQ(multi_resolution(width)->reach(input.grid()).kind(), Reach::Kind::point);
    }
}

TEST(MultiResolution, GrowsWithItsWidthWithoutJumps) {
    Terrain input = rough_lands({150, 110}, Holes::none);
    const Parameters weights = {{"weights", "0.2,0.9,0.4,1"}};
    for (double width : {2.0, 4.0, 16.0, 64.0}) {
        const Field before = blended_over(input, width * 0.9999, weights);
        const Field at = blended_over(input, width, weights);
        const Field after = blended_over(input, width * 1.0001, weights);
        for (int y = 0; y < 110; y++)
            for (int x = 0; x < 150; x++) {
                ASSERT_NEAR(before.at(x, y), at.at(x, y), 0.05) << width;
                ASSERT_NEAR(after.at(x, y), at.at(x, y), 0.05) << width;
            }
    }
}

TEST(MultiResolution, TwiceTheResolutionIsTheSameLand) {
    auto below = [](double x, double y) { return 100 + 40 * std::sin(x / 31) * std::cos(y / 45); };
    auto source = [](double x, double y) {
        return 180 + 30 * std::cos(x / 17 + y / 60) + 12 * std::sin(y / 9);
    };
    auto mask = [](double x, double y) { return std::hypot(x - 260, y - 240) < 130 ? 1.0 : 0.0; };
    for (double width : {80.0, 128.0, 200.0})
        for (const char* weights : {"", "0,0.5,1"}) {
            const Field coarse =
                blended_over(made_terrain({Rect::of({256, 256}), 2, {0, 300}}, below, source, mask), width,
                             {{"weights", weights}});
            const Field fine =
                blended_over(made_terrain({Rect::of({512, 512}), 1, {0, 300}}, below, source, mask), width,
                             {{"weights", weights}});
            double squares = 0;
            for (int y = 0; y < 256; y++)
                for (int x = 0; x < 256; x++) squares += std::pow(fine.at(2 * x, 2 * y) - coarse.at(x, y), 2);
            // The two lands are 80 m apart, and the edge of the mask can lie a cell off.
            EXPECT_LT(std::sqrt(squares / (256 * 256)), 1.0) << width << " " << weights;
        }
}

// ---- everywhere the same ----

TEST(MultiResolution, ATileEqualsTheWholeAtEveryLevel) {
    std::shared_ptr<Device> device = make_cpu_device(supported_cpu_levels().back(), 1);
    RunContext context = on(device);
    for (Holes holes : {Holes::none, Holes::some}) {
        Terrain input = rough_lands({263, 219}, holes);
        for (double width : {3.0, 4.0, 9.0, 16.0, 33.0, 70.0, 128.0}) {
            auto operation = multi_resolution(width, {{"weights", "0.5,0.75,1"}});
            Terrain whole = run(*operation, input, context);
            for (const Rect& region : {Rect{0, 0, 1, 1}, Rect{131, 100, 138, 113}, Rect{128, 128, 129, 129},
                                       Rect{127, 127, 128, 128}, Rect{255, 211, 263, 219},
                                       Rect{37, 0, 38, 219}, Rect{64, 64, 128, 128}}) {
                Terrain part = evaluate(*operation, input, region, context);
                EXPECT_TRUE(identical(part.height(), whole.height().cropped(region)))
                    << "width " << width << " at " << region.left << "," << region.top;
            }
        }
    }
}

TEST(MultiResolution, BandsAndThreadsChangeNoBit) {
    Terrain input = rough_lands({256, 300}, Holes::some);
    auto operation = multi_resolution(40, {{"weights", "0.5,1"}});
    RunContext plain = on(make_cpu_device(CpuLevel::portable, 1));
    const Field wanted = run(*operation, input, plain).height();
    std::shared_ptr<Device> small = open_opencl_device(0, {uint64_t(256 * 1024)});
    for (const std::shared_ptr<Device>& device :
         {small, std::shared_ptr<Device>(make_cpu_device(supported_cpu_levels().back(), 7))}) {
        RunContext context = on(device);
        EXPECT_TRUE(identical(run(*operation, input, context).height(), wanted)) << device->name();
        EXPECT_EQ(context.device, device) << "fell back to the CPU";
    }
    EXPECT_GT(opencl_traffic(*small).bands, 1);
}

TEST(MultiResolution, ProgressEndsWhereItShould) {
    Terrain input = rough_lands({900, 700}, Holes::none);
    double last = 0;
    Progress progress([&](double share) {
        EXPECT_GE(share, last);
        last = share;
    });
    RunContext context{make_cpu_device(supported_cpu_levels().back(), 1), &progress, {}};
    run(*multi_resolution(300), input, context);
    EXPECT_GT(last, 0.9);
}

}  // namespace
}  // namespace caprock::test
