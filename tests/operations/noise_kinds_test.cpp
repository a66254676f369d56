// The noises that know slopes, distortion, stretch and parts of octaves, against the formulas in double precision.
#include "noise_reference.h"
#include "support/devices.h"
#include "support/terrains.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

const std::vector<std::string> all_kinds = {"sum", "billow", "ridged", "quilez", "erosive"};

Parameters typed(const ReferenceNoise& noise) {
    auto number = [](double value) { return fmt::format("{}", value); };
    return {{"kind", noise.kind},
            {"feature", number(noise.feature)},
            {"octaves", number(noise.octaves)},
            {"lacunarity", number(noise.lacunarity)},
            {"hurst", number(noise.hurst)},
            {"alpha", number(noise.alpha)},
            {"beta", number(noise.beta)},
            {"stretch", number(noise.stretch)},
            {"angle", number(noise.angle)},
            {"distortion", number(noise.distortion)},
            {"distortion-kind", noise.distortion_kind},
            {"distortion-size", number(noise.distortion_size)},
            {"distortion-octaves", number(noise.distortion_octaves)},
            {"distortion-lacunarity", number(noise.distortion_lacunarity)},
            {"distortion-hurst", number(noise.distortion_hurst)},
            {"seed", std::to_string(noise.seed)}};
}

// The largest difference from the reference on every so many cells.
double worst_difference(const Field& made, const ReferenceNoise& reference, int every = 3) {
    double worst = 0;
    Rect rect = made.rect();
    for (int y = rect.top; y < rect.bottom; y += every)
        for (int x = rect.left; x < rect.right; x++)
            worst = std::max(worst, std::fabs(double(made.at(x, y)) - reference.at(x, y)));
    return worst;
}

TEST(NoiseKinds, AreTheFormulasOfTheDissertation) {
    // Single precision: a place on the lattice, up to 40, is rounded to 2^-19, and slopes are below 4. Erosive
    // noise is 2 / 1.2 times as high as its formula, and a slope's error moves the octaves after it; quilez divides by
    // squares of slopes, which change by up to 10 a lattice cell.
    for (std::string kind : {"quilez", "erosive"}) {
        ReferenceNoise reference{.kind = kind};
        EXPECT_LT(worst_difference(noise(typed(reference), square(200)).height(), reference), 1e-4) << kind;
    }
}

TEST(NoiseKinds, DistortionAndStretchAreTheFormulasToo) {
    for (const std::string& kind : all_kinds) {
        ReferenceNoise stretched{.kind = kind, .stretch = 3, .angle = 30};
        EXPECT_LT(worst_difference(noise(typed(stretched), square(150)).height(), stretched), 2e-4) << kind;
        for (std::string by : {"sum", "billow", "ridged"}) {
            ReferenceNoise distorted{.kind = kind,
                                     .distortion = 0.7,
                                     .distortion_kind = by,
                                     .distortion_size = 1.5,
                                     .distortion_octaves = 2.5,
                                     .distortion_lacunarity = 2.1,
                                     .distortion_hurst = 0.9};
            EXPECT_LT(worst_difference(noise(typed(distorted), square(150)).height(), distorted, 7), 2e-4)
                << kind << " by " << by;
            distorted.stretch = 2.5;
            distorted.angle = -70;
            EXPECT_LT(worst_difference(noise(typed(distorted), square(150)).height(), distorted, 7), 2e-4)
                << kind << " by " << by << ", stretched";
        }
    }
}

TEST(NoiseKinds, AlphaAndBetaAreThoseOfTheFormula) {
    for (double alpha : {0.0, 0.5})
        for (double beta : {0.0, 0.6, 2.0}) {
            ReferenceNoise reference{.kind = "erosive", .alpha = alpha, .beta = beta};
            EXPECT_LT(worst_difference(noise(typed(reference), square(120)).height(), reference), 3e-4)
                << alpha << ", " << beta;
        }
}

TEST(NoiseKinds, WithoutPullsErosiveNoiseFollowsTheSameCrests) {
    // The first octave is that of ridged noise; with one octave there is nothing else.
    Terrain ridged = noise({{"kind", "ridged"}, {"octaves", "1"}, {"feature", "30"}}, square(128));
    Terrain erosive = noise({{"kind", "erosive"}, {"octaves", "1"}, {"feature", "30"}}, square(128));
    for (int y = 0; y < 128; y++)
        for (int x = 0; x < 128; x++) ASSERT_NEAR(ridged.height().at(x, y), erosive.height().at(x, y), 1e-6);
}

TEST(NoiseKinds, FarFromTheOriginNothingTrembles) {
    // At 65,536 a float's steps are 1/128: a place is off by no more than that of a cell, for every octave, so a height
    // by a few hundredths of what lies between neighbouring cells.
    for (Rect rect : {Rect{-65536, -65536, -65446, -65476}, Rect{65476, -65536, 65536, -65476},
                      Rect{-30, 65476, 60, 65536}, Rect{-45, -30, 45, 30}}) {
        for (const std::string& kind : all_kinds) {
            for (bool bent : {false, true}) {
                ReferenceNoise reference{.kind = kind};
                if (bent) {
                    reference.stretch = 2;
                    reference.angle = 60;
                    reference.distortion = 0.4;
                    reference.distortion_octaves = 3;
                }
                const Field height = noise(typed(reference), {rect, 1, {-1, 1}}).height();
                double step = 0;
                for (int y = rect.top; y < rect.bottom; y++)
                    for (int x = rect.left + 1; x < rect.right; x++)
                        step = std::max(step, std::fabs(double(height.at(x, y)) - height.at(x - 1, y)));
                EXPECT_LT(worst_difference(height, reference), 0.05 * step)
                    << kind << (bent ? ", bent" : "") << " at " << rect.left << ", " << rect.top;
            }
        }
    }
}

TEST(NoiseKinds, PartsOfOctavesJoinWithoutAJump) {
    for (const std::string& kind : all_kinds) {
        for (const char* distortion : {"0", "0.5"}) {
            auto with = [&](const char* octaves) {
                return noise(
                    {{"kind", kind}, {"octaves", octaves}, {"feature", "60"}, {"distortion", distortion}},
                    square(96));
            };
            auto apart = [](const Terrain& one, const Terrain& two) {
                double worst = 0;
                for (int y = 0; y < 96; y++)
                    for (int x = 0; x < 96; x++)
                        worst =
                            std::max(worst, std::fabs(double(one.height().at(x, y)) - two.height().at(x, y)));
                return worst;
            };
            Terrain three = with("3");
            Terrain four = with("4");
            double whole = apart(three, four);
            EXPECT_GT(whole, 0.01) << kind;
            // A thousandth of an octave is about a thousandth of its difference, at both ends.
            EXPECT_LT(apart(three, with("3.001")), 0.003 * whole) << kind;
            EXPECT_LT(apart(with("3.999"), four), 0.003 * whole) << kind;
            EXPECT_LT(apart(with("3.5"), with("3.501")), 0.003 * whole) << kind;
            // Half an octave is between.
            EXPECT_LT(apart(three, with("3.5")), 0.8 * whole) << kind;
            EXPECT_LT(apart(with("3.5"), four), 0.8 * whole) << kind;
        }
    }
    ReferenceNoise reference{.kind = "ridged", .octaves = 2.25};
    EXPECT_LT(worst_difference(noise(typed(reference), square(100)).height(), reference), 3e-5);
}

TEST(NoiseKinds, WithoutDistortionTheirParametersDoNothing) {
    for (const std::string& kind : all_kinds) {
        Terrain plain = noise({{"kind", kind}, {"feature", "40"}}, square(100));
        Terrain same = noise({{"kind", kind},
                              {"feature", "40"},
                              {"distortion", "0"},
                              {"distortion-kind", "ridged"},
                              {"distortion-octaves", "7"},
                              {"distortion-size", "3"},
                              {"stretch", "1"},
                              {"angle", "77"}},
                             square(100));
        EXPECT_TRUE(identical(plain.height(), same.height())) << kind;
        // What is hardly distorted or stretched at all goes another way through the kernels to the same land.
        Terrain hardly = noise({{"kind", kind}, {"feature", "40"}, {"distortion", "1e-7"}}, square(100));
        Terrain barely = noise({{"kind", kind}, {"feature", "40"}, {"stretch", "1.0000001"}}, square(100));
        for (int y = 0; y < 100; y++)
            for (int x = 0; x < 100; x++) {
                ASSERT_NEAR(plain.height().at(x, y), hardly.height().at(x, y), 2e-4) << kind;
                ASSERT_NEAR(plain.height().at(x, y), barely.height().at(x, y), 2e-4) << kind;
            }
    }
}

TEST(NoiseKinds, DistortionMovesNoFurtherThanItSays) {
    // One octave, whose slope is at most 4 a feature: a place that is moved by a share of the feature has another height
    // by that share of the slope at most. Both ways are moved.
    Terrain plain = noise({{"octaves", "1"}, {"feature", "50"}}, square(256));
    for (double distortion : {0.01, 0.05}) {
        Terrain moved =
            noise({{"octaves", "1"}, {"feature", "50"}, {"distortion", fmt::format("{}", distortion)}},
                  square(256));
        double worst = 0;
        for (int y = 0; y < 256; y++)
            for (int x = 0; x < 256; x++)
                worst = std::max(worst, std::fabs(double(plain.height().at(x, y)) - moved.height().at(x, y)));
        EXPECT_LT(worst, 4 * distortion * std::sqrt(2.0));
        EXPECT_GT(worst, 0.5 * distortion);
    }
}

// Over how many cells the land along a direction (clockwise from north) loses half of its likeness to itself.
double likeness_length(const Field& field, double degrees) {
    Rect rect = field.rect();
    double east = std::sin(degrees * pi_ / 180);
    double south = -std::cos(degrees * pi_ / 180);
    Field::Rows rows = field.rows();
    auto between = [&](double x, double y) {
        int column = int(std::floor(x));
        int row = int(std::floor(y));
        double fx = x - column;
        double fy = y - row;
        double above = rows[row][column] * (1 - fx) + rows[row][column + 1] * fx;
        double below = rows[row + 1][column] * (1 - fx) + rows[row + 1][column + 1] * fx;
        return above * (1 - fy) + below * fy;
    };
    double before = 1;
    for (int lag = 1; lag < 100; lag++) {
        double products = 0, squares = 0;
        for (int y = rect.top + 101; y < rect.bottom - 101; y += 5)
            for (int x = rect.left + 101; x < rect.right - 101; x += 5) {
                double here = rows[y][x];
                products += here * between(x + lag * east, y + lag * south);
                squares += here * here;
            }
        double likeness = products / squares;
        if (likeness < 0.5) return lag - 1 + (before - 0.5) / (before - likeness);
        before = likeness;
    }
    return 100;
}

// How far a table of counts is from what chance makes of it, in standard deviations.
double beyond_chance(const std::vector<int>& counts, int freedom) {
    double total = 0;
    for (int count : counts) total += count;
    double expected = total / double(counts.size());
    double squares = 0;
    for (int count : counts) squares += (count - expected) * (count - expected) / expected;
    return (squares - freedom) / std::sqrt(2.0 * freedom);
}

TEST(NoiseKinds, TheGradientsOfErosiveNoiseHaveNoPattern) {
    constexpr int size = 160;
    constexpr int reach = 34;
    std::vector<std::pair<int, int>> lags;
    for (int dy = 0; dy < reach; dy++)
        for (int dx = -reach + 1; dx < reach; dx++) {
            bool near = std::abs(dx) < 9 && dy < 9;
            bool straight = dx == 0 || dy == 0 || std::abs(dx) == dy;
            if ((near || straight) && (dy > 0 || dx > 0)) lags.push_back({dx, dy});
        }
    auto lattice = [](uint32_t seed) {
        std::vector<uint32_t> made;
        for (int row = 0; row < size; row++)
            for (int column = 0; column < size; column++)
                made.push_back(light_hash(column - size / 2, row - size / 2, seed));
        return made;
    };
    std::vector<double> alike(lags.size());
    std::vector<int> blocks(4096);
    constexpr int seeds = 24;
    for (int seed = 0; seed < seeds; seed++) {
        std::vector<uint32_t> one = lattice(hashed(uint32_t(seed), 3, 0));
        std::vector<uint32_t> other = lattice(hashed(uint32_t(seed), 4, 0));
        std::vector<int> each(8);
        std::vector<int> octaves(64);
        for (size_t i = 0; i < one.size(); i++) {
            each[one[i]]++;
            octaves[one[i] * 8 + other[i]]++;
        }
        EXPECT_LT(beyond_chance(each, 7), 6) << seed;
        EXPECT_LT(beyond_chance(octaves, 63), 5) << seed;
        for (size_t i = 0; i < lags.size(); i++) {
            auto [dx, dy] = lags[i];
            std::vector<int> pairs(64);
            for (int row = 0; row + dy < size; row++)
                for (int column = std::max(0, -dx); column + std::max(0, dx) < size; column++)
                    pairs[one[size_t(row * size + column)] * 8 +
                          one[size_t((row + dy) * size + column + dx)]]++;
            double beyond = beyond_chance(pairs, 63);
            EXPECT_LT(beyond, 7) << seed << ": " << dx << ", " << dy;
            alike[i] += beyond / std::sqrt(double(seeds));
        }
        for (int row = 0; row + 1 < size; row++)
            for (int column = 0; column + 1 < size; column++) {
                size_t at = size_t(row * size + column);
                blocks[((one[at] * 8 + one[at + 1]) * 8 + one[at + size]) * 8 + one[at + size + 1]]++;
            }
    }
    // What is too little to be seen for one seed would add up over many.
    for (size_t i = 0; i < lags.size(); i++)
        EXPECT_LT(std::fabs(alike[i]), 5) << lags[i].first << ", " << lags[i].second;
    EXPECT_LT(beyond_chance(blocks, 4095), 5);
}

TEST(NoiseKinds, StretchedFeaturesAreSoManyTimesLonger) {
    for (double angle : {0.0, 30.0, 90.0, 135.0}) {
        for (double stretch : {2.0, 4.0}) {
            Terrain made = noise({{"octaves", "1"},
                                  {"feature", "12"},
                                  {"stretch", fmt::format("{}", stretch)},
                                  {"angle", fmt::format("{}", angle)}},
                                 square(1500));
            double along = likeness_length(made.height(), angle);
            double across = likeness_length(made.height(), angle + 90);
            EXPECT_NEAR(along / across, stretch, 0.15 * stretch) << angle << " degrees";
        }
    }
    Terrain plain = noise({{"octaves", "1"}, {"feature", "12"}}, square(1500));
    EXPECT_NEAR(likeness_length(plain.height(), 30) / likeness_length(plain.height(), 120), 1, 0.15);
    // Across the direction the size is what it was.
    Terrain stretched =
        noise({{"octaves", "1"}, {"feature", "12"}, {"stretch", "4"}, {"angle", "0"}}, square(1500));
    EXPECT_NEAR(likeness_length(stretched.height(), 90) / likeness_length(plain.height(), 90), 1, 0.15);
}

TEST(NoiseKinds, TwiceTheResolutionIsTheSameLandscapeFiner) {
    for (const std::string& kind : all_kinds) {
        Parameters parameters = {{"kind", kind},        {"feature", "300"}, {"octaves", "6"},
                                 {"distortion", "0.5"}, {"stretch", "2"},   {"angle", "20"}};
        Terrain coarse = noise(parameters, square(100, 4));
        Terrain fine = noise(parameters, square(200, 2));
        for (int y = 0; y < 100; y++)
            for (int x = 0; x < 100; x++)
                ASSERT_EQ(coarse.height().at(x, y), fine.height().at(2 * x, 2 * y)) << kind << x << "," << y;
    }
}

TEST(NoiseKinds, StayInsideTheirRangeWhateverIsAsked) {
    for (const std::string& kind : all_kinds)
        for (const Parameters& more : std::vector<Parameters>{{{"beta", "4"}},
                                                              {{"beta", "0"}},
                                                              {{"alpha", "2"}},
                                                              {{"octaves", "2.3"}},
                                                              {{"hurst", "0"}, {"octaves", "32"}},
                                                              {{"distortion", "3"}, {"stretch", "8"}}}) {
            Parameters parameters = {{"kind", kind}, {"feature", "40"}};
            parameters.insert(parameters.end(), more.begin(), more.end());
            FieldStatistics s = statistics(noise(parameters, square(300, 1, {100, 500})).height());
            // One octave alone may be 1.2 % beyond.
            EXPECT_GE(s.low, 100 - 5) << kind << " " << more[0].first;
            EXPECT_LE(s.high, 500 + 5) << kind << " " << more[0].first;
            EXPECT_EQ(s.missing, 0) << kind << " " << more[0].first;
        }
}

TEST(NoiseKinds, TheSameBitsOnEveryDeviceAndInTiles) {
    const Grid grid{{-70, -41, 133, 92}, 2, {0, 100}};
    for (const std::string& kind : all_kinds)
        for (const Parameters& more : std::vector<Parameters>{
                 {},
                 {{"stretch", "3"}, {"angle", "25"}},
                 {{"distortion", "0.8"}, {"distortion-kind", "ridged"}, {"distortion-octaves", "16"}},
                 {{"distortion", "0.3"}, {"stretch", "6"}, {"octaves", "4.5"}},
                 // Numbers that leave the lattice altogether.
                 {{"feature", "0.001"}, {"distortion", "10"}},
                 {{"feature", "1e7"},
                  {"octaves", "32"},
                  {"lacunarity", "8"},
                  {"hurst", "0"},
                  {"alpha", "2"},
                  {"beta", "4"},
                  {"distortion", "10"}}}) {
            Parameters parameters = {{"kind", kind}, {"feature", "60"}};
            parameters.insert(parameters.end(), more.begin(), more.end());
            std::unique_ptr<Operation> operation = made_operation("noise", parameters);
            std::string what = kind + (more.empty() ? "" : " " + more[0].first + " " + more[0].second);
            RunContext first = on(make_cpu_device(CpuLevel::portable, 1));
            Terrain expected = run(*operation, Terrain(grid), first);
            EXPECT_EQ(statistics(expected.height()).missing, 0) << what;
            for (const NamedDevice& device : all_devices()) {
                RunContext context = on(device.device);
                Terrain made = run(*operation, Terrain(grid), context);
                EXPECT_TRUE(identical(expected.height(), made.height())) << what << " on " << device.name;
                for (Rect tile : {Rect{-70, -41, -33, 0}, Rect{-1, -1, 63, 20}, Rect{10, 10, 11, 11},
                                  Rect{50, 3, 133, 92}}) {
                    Terrain part = evaluate(*operation, Terrain(grid), tile, context);
                    EXPECT_TRUE(identical(expected.cropped(tile).height(), part.height()))
                        << what << " on " << device.name << ", tile at " << tile.left << ", " << tile.top;
                }
            }
        }
}

}  // namespace
}  // namespace caprock::test
