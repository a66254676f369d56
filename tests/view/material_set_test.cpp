// Material sets: which layer is seen where, the bytes the GPU gets, and the JSON they are kept as.
#include "view/material_set.h"

#include "base/error.h"
#include "support/folder.h"
#include "support/refusals.h"
#include "surface_points.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace caprock::test {
namespace {

MaterialLayer layer(const std::string& name, const std::string& parent = "") {
    MaterialLayer made;
    made.name = name;
    made.parent = parent;
    return made;
}

MaterialSet set_of(std::vector<MaterialLayer> layers) {
    MaterialSet set;
    set.layers = std::move(layers);
    set.check();
    return set;
}

std::string set_refusal(const std::string& text) {
    return refusal([&] { parse_material_set(text); });
}

std::string set_text(const std::string& layers) {
    return R"({"caprock-materials": 1, "layers": [)" + layers + "]}";
}

TEST(MaterialSet, ALayerIsSeenWithinItsBandsAndHalfOfItAtTheirEdges) {
    MaterialLayer rock = layer("rock");
    rock.slope = MaterialBand{30, 60, 10};
    MaterialSet set = set_of({layer("grass"), rock});
    auto rock_at = [&](float slope) {
        SurfacePoint point;
        point.slope = slope;
        MaterialWeights weights = material_weights(set, heights, point);
        EXPECT_NEAR(weights[0] + weights[1], 1, 1e-6);
        return weights[1];
    };
    EXPECT_EQ(rock_at(24.9f), 0);
    EXPECT_NEAR(rock_at(30), 0.5, 1e-6);
    EXPECT_NEAR(rock_at(32.5f), 0.84375, 1e-6);  // 3 t^2 - 2 t^3 at three quarters
    EXPECT_EQ(rock_at(40), 1);
    EXPECT_NEAR(rock_at(60), 0.5, 1e-6);
    EXPECT_EQ(rock_at(65.1f), 0);
}

TEST(MaterialSet, HeightsAreSharesOfTheRangeOrMetres) {
    MaterialLayer share = layer("share");
    share.height = MaterialBand{0.5, INFINITY, 0.1};
    MaterialLayer metres = share;
    metres.height = MaterialBand{600, INFINITY, 100, true};
    for (const MaterialLayer& snow : {share, metres})
        for (auto [height, expected] : {std::pair{549.0f, 0.0}, {600.0f, 0.5}, {651.0f, 1.0}, {9e4f, 1.0}}) {
            SurfacePoint point;
            point.height = height;
            EXPECT_NEAR(material_weights(set_of({layer("grass"), snow}), heights, point)[1], expected, 1e-6)
                << height;
        }
}

TEST(MaterialSet, ABandOfRocksHasBothItsEnds) {
    MaterialLayer granite = layer("granite");
    granite.material = MaterialBand{2, 3, 0};
    granite.noise = {10, 1};  // must not turn one rock into another
    MaterialSet set = set_of({layer("grass"), granite});
    for (int index = 0; index < 6; index++)
        for (float x : {0.0f, 13.0f, 77.7f}) {
            SurfacePoint point;
            point.x = x;
            point.material = float(index);
            EXPECT_EQ(material_weights(set, heights, point)[1], index == 2 || index == 3 ? 1 : 0) << index;
        }
}

TEST(MaterialSet, WeightsOfShippedSetsAddUpToOne) {
    for (const std::string& name : material_set_names()) {
        MaterialSet set = material_set(name);
        MaterialWeights most{};
        for (const SurfacePoint& point : random_points(4000, 7, 9000)) {
            MaterialWeights weights = material_weights(set, heights, point);
            double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
            EXPECT_NEAR(sum, 1, 1e-6) << name;
            for (size_t i = 0; i < weights.size(); i++) {
                EXPECT_GE(weights[i], 0) << name;
                most[i] = std::max(most[i], weights[i]);
                if (i >= set.layers.size()) {
                    EXPECT_EQ(weights[i], 0) << name;
                }
            }
        }
        for (size_t i = 0; i < set.layers.size(); i++)
            EXPECT_GT(most[i], 0.3f) << name << ": '" << set.layers[i].name << "' is hardly ever seen";
    }
}

// A child takes from its parent and the parent's other children, and from nobody else: the family together weighs
// what the parent weighs in a set without children.
TEST(MaterialSet, AFamilyWeighsWhatTheParentWeighsAlone) {
    MaterialLayer grass = layer("grass");
    MaterialLayer meadow = layer("meadow");
    meadow.slope = MaterialBand{0, 40, 30};
    MaterialLayer flowers = layer("flowers", "meadow");
    flowers.flow = MaterialBand{0.2, 0.6, 0.3};
    flowers.opacity = 0.8;
    MaterialLayer snow = layer("snow");
    snow.height = MaterialBand{0.5, INFINITY, 0.3};
    MaterialLayer path = layer("path", "meadow");
    path.mask = MaterialBand{0.5, 1, 0.5};
    MaterialLayer puddles = layer("puddles", "path");
    puddles.curvature = MaterialBand{-1, 0, 1};
    MaterialSet with = set_of({grass, meadow, flowers, snow, path, puddles});
    MaterialSet without = set_of({grass, meadow, snow});
    int nowhere = 0;
    for (const SurfacePoint& point : random_points(5000, 7, 9000)) {
        MaterialWeights all = material_weights(with, heights, point);
        MaterialWeights alone = material_weights(without, heights, point);
        EXPECT_NEAR(all[1] + all[2] + all[4] + all[5], alone[1], 1e-6);
        EXPECT_NEAR(all[0], alone[0], 1e-6);
        EXPECT_NEAR(all[3], alone[2], 1e-6);
        if (alone[1] > 0) continue;
        nowhere++;
        EXPECT_EQ(all[2] + all[4] + all[5], 0);
    }
    EXPECT_GT(nowhere, 500);
}

TEST(MaterialSet, LaterLayersLieOnEarlierOnes) {
    MaterialLayer full = layer("full");
    MaterialLayer half = layer("half");
    half.opacity = 0.5;
    MaterialWeights weights = material_weights(set_of({layer("ground"), full, half}), heights, {});
    EXPECT_EQ(weights[0], 0);
    EXPECT_EQ(weights[1], 0.5f);
    EXPECT_EQ(weights[2], 0.5f);
    // The first layer covers everything, whatever it says.
    MaterialLayer ground = half;
    ground.slope = MaterialBand{80, 90, 0};
    EXPECT_EQ(material_weights(set_of({ground}), heights, {})[0], 1);
}

TEST(MaterialSet, NoiseMovesEdgesByNoMoreThanItsAmount) {
    MaterialLayer rock = layer("rock");
    rock.slope = MaterialBand{40, INFINITY, 0};
    rock.noise = {30, 0.1};  // 9 degrees
    MaterialSet set = set_of({layer("grass"), rock});
    int below = 0, above = 0;
    for (SurfacePoint point : random_points(4000, 7, 9000)) {
        float seen = material_weights(set, heights, point)[1];
        if (point.slope < 31) {
            EXPECT_EQ(seen, 0) << point.slope;
        }
        if (point.slope > 49) {
            EXPECT_EQ(seen, 1) << point.slope;
        }
        below += point.slope > 31 && point.slope < 39 && seen == 1;
        above += point.slope > 41 && point.slope < 49 && seen == 0;
    }
    EXPECT_GT(below, 20);
    EXPECT_GT(above, 20);
}

TEST(MaterialSet, NoiseIsSmoothAndHasTheSizeOfItsFeatures) {
    double sum = 0, squares = 0, largest_step = 0;
    constexpr int count = 20000;
    for (int i = 0; i < count; i++) {
        float x = float(i) * 0.37f - 2000;
        float here = material_noise(x, 0.7f * x, 1.0f / 40, 5);
        ASSERT_LE(std::fabs(here), 1);
        sum += here;
        squares += double(here) * here;
        float there = material_noise(x + 0.1f, 0.7f * x, 1.0f / 40, 5);
        largest_step = std::max(largest_step, double(std::fabs(there - here)));
    }
    EXPECT_NEAR(sum / count, 0, 0.05);
    EXPECT_NEAR(std::sqrt(squares / count), 0.27, 0.08);
    EXPECT_LT(largest_step, 0.03);  // a tenth of a metre of features of 10 and more
    EXPECT_NE(material_noise(3, 4, 0.1f, 1), material_noise(3, 4, 0.1f, 2));
}

// The bands that reach the shader, read back with arithmetic of their own.
TEST(MaterialSet, PackedAsTheShaderReadsIt) {
    MaterialLayer snow = layer("snow");
    snow.texture = MaterialKind::snow;
    snow.height = MaterialBand{0.5, INFINITY, 0.25};
    snow.noise = {20, 0.1};
    snow.tint = {1, 0.5, 0};
    snow.tile = 8;
    snow.opacity = 0.75;
    MaterialLayer ice = layer("ice", "snow");
    MaterialSet set = set_of({layer("grass"), layer("rock"), snow, ice});
    set.projection = TextureProjection::vertical;
    PackedMaterialSet bytes = packed(set, heights);
    std::array<float, 4> floats;
    auto at = [&](size_t offset) {
        std::memcpy(floats.data(), reinterpret_cast<const char*>(&bytes) + offset, 16);
        return floats;
    };
    EXPECT_EQ(at(2 * 144), (std::array<float, 4>{600, 1e20f, 1 / 250.0f, 100}));
    EXPECT_NEAR(at(2 * 144 + 96)[1], 0.21404, 1e-5);  // half of sRGB, as light
    EXPECT_EQ(floats[3], 0.125f);
    EXPECT_EQ(at(2 * 144 + 112), (std::array<float, 4>{0.05f, 0.75f, 0, 0}));
    EXPECT_EQ(bytes.layers[2].links[0], 3);
    EXPECT_EQ(bytes.layers[2].links[1], 0b011);
    EXPECT_EQ(bytes.layers[3].links[1], 0b100);
    EXPECT_EQ(bytes.use, (std::array<int32_t, 4>{4, 0, 0, 0}));
}

TEST(MaterialSet, WhatWasWrittenReadsBackTheSame) {
    Folder folder;
    MaterialSet odd = material_set("alpine");
    odd.title = "Ödland \"x\"";
    odd.projection = TextureProjection::vertical;
    odd.macro = {0.1, 1.0 / 3};
    odd.layers[1].tint = {0.1, 2.0 / 3, 1};
    odd.layers[2].material = MaterialBand{1, 4, 0.7};
    odd.layers[3].mask = MaterialBand{-INFINITY, 0.3, 1e-9};
    odd.layers[4].height = MaterialBand{-1234.5678901234567, INFINITY, 3, true};
    std::vector<MaterialSet> sets = {odd};
    for (const std::string& name : material_set_names()) sets.push_back(material_set(name));
    for (const MaterialSet& set : sets) {
        write_material_set(set, folder / "set.json");
        EXPECT_EQ(read_material_set(folder / "set.json"), set);
        EXPECT_EQ(folder.names(), std::set<std::string>{"set.json"});
    }
    EXPECT_THROW(write_material_set(odd, folder / "no/such/set.json"), Error);
}

TEST(MaterialSet, OnlyHeightsAreInMetres) {
    MaterialSet set = material_set("alpine");
    set.layers[4].slope->metres = true;
    try {
        set.check();
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "layer 'rock': slope is not measured in metres");
    }
    set.layers[4].slope->metres = false;
    set.layers[4].slope->to = -INFINITY;
    EXPECT_THROW(set.check(), Error);
}

TEST(MaterialSet, ComesWithTheLibrary) {
    EXPECT_GE(material_set_names().size(), 4u);
    EXPECT_FALSE(material_set(default_material_set).title.empty());
    try {
        material_set("temprate");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "no material set 'temprate'; did you mean 'temperate'?");
    }
}

TEST(MaterialSet, MistakesAreNamed) {
    const std::string grass = R"({"name": "grass", "texture": "grass"})";
    auto second = [&](const std::string& members) {
        return set_refusal(set_text(grass + R"(, {"name": "b", "texture": "rock", )" + members + "}"));
    };
    EXPECT_EQ(set_refusal(set_text(grass)), "");
    EXPECT_EQ(set_refusal("{"), "not JSON: error in line 1, at byte 2");
    EXPECT_EQ(set_refusal("{}"), "not a material set: it has no \"caprock-materials\"");
    EXPECT_EQ(set_refusal(R"({"caprock-materials": 2})"),
              "material set: \"caprock-materials\" is 2, but this version of Caprock reads 1");
    EXPECT_EQ(set_refusal(set_text("")), "a material set needs a layer");
    EXPECT_EQ(second(R"("slop": {})"), "layer 'b': unknown \"slop\"; did you mean 'slope'?");
    EXPECT_EQ(second(R"("slope": {"form": 1})"),
              "layer 'b': \"slope\": unknown \"form\"; did you mean 'from'?");
    EXPECT_EQ(second(R"("slope": {"metres": true})"), "layer 'b': \"slope\": unknown \"metres\"");
    EXPECT_EQ(second(R"("slope": {"from": 50, "to": 40})"),
              "layer 'b': slope goes from 50 to 40: it must not end before it begins");
    EXPECT_EQ(second(R"("slope": {"fade": -1})"),
              "layer 'b': the fade of slope is -1, but must be 0 or more");
    EXPECT_EQ(second(R"("slope": 3)"), "layer 'b': \"slope\": must be an object, {...}");
    EXPECT_EQ(second(R"("tile": "x")"), "layer 'b': \"tile\" must be a number");
    EXPECT_EQ(second(R"("tile": 0)"), "layer 'b': tile is 0, but must be 0.01 to 100000");
    EXPECT_EQ(second(R"("tint": [1, 2])"), "layer 'b': \"tint\" must be three numbers: red, green and blue");
    EXPECT_EQ(second(R"("tint": [1, 2, 0])"), "layer 'b': a part of the tint is 2, but must be 0 to 1");
    EXPECT_EQ(second(R"("opacity": 1.5)"), "layer 'b': opacity is 1.5, but must be 0 to 1");
    EXPECT_EQ(second(R"("parent": "gras")"),
              "layer 'b': no layer 'gras' that could be its parent; did you mean 'grass'?");
    EXPECT_EQ(second(R"("parent": "b")"), "layer 'b': its parent 'b' must come before it");
    EXPECT_EQ(second(R"("noise": {"amount": 2})"), "layer 'b': the noise's amount is 2, but must be 0 to 1");
    EXPECT_EQ(set_refusal(set_text(grass + "," + grass)),
              "layer 'grass': the name is taken by an earlier layer");
    EXPECT_EQ(set_refusal(set_text(R"({"texture": "grass"})")), "layer 1 has no name");
    EXPECT_EQ(
        set_refusal(set_text(R"({"name": "a", "texture": "wood"})")),
        "layer 'a': \"texture\" is 'wood', but must be grass, rock, sand, snow, dirt, gravel, scree or mud");
    std::string nine;
    for (int i = 0; i < 9; i++)
        nine += std::string(i ? "," : "") + R"({"texture": "mud", "name": ")" + std::to_string(i) + "\"}";
    EXPECT_EQ(set_refusal(set_text(nine)), "9 layers: a material set has 8 at most");
    try {
        read_material_set("/no/such/file.json");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "/no/such/file.json: there is no such file");
    }
}

}  // namespace
}  // namespace caprock::test
