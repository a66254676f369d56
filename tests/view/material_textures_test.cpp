// The textures that come with the house: that they go on seamlessly, are as bright as the ground they stand for, and that
// their parts agree with one another.
#include "view/material_textures.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <tbb/task_arena.h>

namespace caprock::test {
namespace {

constexpr int side = 256;

const std::vector<MaterialTexture>& textures() {
    static const std::vector<MaterialTexture> all = material_textures(side);
    return all;
}

double linear(uint8_t byte) {
    double value = byte / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

size_t texel(int x, int y) { return (size_t(y & (side - 1)) * side + size_t(x & (side - 1))) * 4; }

double luminance(const MaterialTexture& texture, int x, int y) {
    const uint8_t* colour = texture.albedo.data() + texel(x, y);
    return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

TEST(MaterialTextures, HaveNames) {
    std::set<std::string> names;
    for (MaterialKind kind : material_kinds) {
        names.insert(std::string(name_of(kind)));
        EXPECT_EQ(material_kind(name_of(kind)), kind);
    }
    EXPECT_EQ(names,
              (std::set<std::string>{"dirt", "grass", "gravel", "mud", "rock", "sand", "scree", "snow"}));
    EXPECT_FALSE(material_kind("wood"));
}

TEST(MaterialTextures, GoOnSeamlessly) {
    // The step from each column to the next, and from each row: the one across the border is one like the others.
    for (size_t kind = 0; kind < textures().size(); kind++) {
        const MaterialTexture& texture = textures()[kind];
        for (int channel : {1, 3, 4, 6})  // green and height; x of the normal and roughness
            for (bool rows : {false, true}) {
                auto byte = [&](int along, int across) {
                    size_t at = rows ? texel(across, along) : texel(along, across);
                    return int(channel < 4 ? texture.albedo[at + size_t(channel)]
                                           : texture.surface[at + size_t(channel) - 4]);
                };
                std::vector<double> steps;
                for (int along = 0; along < side; along++) {
                    double sum = 0;
                    for (int across = 0; across < side; across++)
                        sum += std::abs(byte(along + 1, across) - byte(along, across));
                    steps.push_back(sum / side);
                }
                double seam = steps.back();
                auto [least, most] = std::minmax_element(steps.begin(), steps.end() - 1);
                EXPECT_LE(seam, *most * 1.1) << name_of(material_kinds[kind]) << " " << channel << rows;
                EXPECT_GE(seam, *least * 0.9) << name_of(material_kinds[kind]) << " " << channel << rows;
            }
    }
}

TEST(MaterialTextures, AreAsBrightAsTheGround) {
    struct Expected {
        MaterialKind kind;
        double low;
        double high;
    };
    for (const Expected& expected :
         {Expected{MaterialKind::grass, 0.06, 0.12}, Expected{MaterialKind::rock, 0.17, 0.23},
          Expected{MaterialKind::sand, 0.3, 0.4}, Expected{MaterialKind::snow, 0.75, 0.88},
          Expected{MaterialKind::dirt, 0.09, 0.15}, Expected{MaterialKind::gravel, 0.16, 0.24},
          Expected{MaterialKind::scree, 0.2, 0.3}, Expected{MaterialKind::mud, 0.06, 0.1}}) {
        const MaterialTexture& texture = textures()[size_t(expected.kind)];
        double sum = 0, colours[3] = {};
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                sum += luminance(texture, x, y) / (side * side);
                for (size_t i = 0; i < 3; i++) colours[i] += linear(texture.albedo[texel(x, y) + i]);
            }
        EXPECT_GT(sum, expected.low) << name_of(expected.kind);
        EXPECT_LT(sum, expected.high) << name_of(expected.kind);
        if (expected.kind == MaterialKind::grass) {
            EXPECT_GT(colours[1], colours[0]);
        }
        // Snow alone is not warm.
        EXPECT_EQ(colours[0] > colours[2], expected.kind != MaterialKind::snow) << name_of(expected.kind);
    }
}

TEST(MaterialTextures, HaveNoSideThatIsDarkerThanTheOthers) {
    constexpr int squares = 4;
    for (size_t kind = 0; kind < textures().size(); kind++) {
        std::vector<double> means(squares * squares, 0.0);
        double mean = 0;
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                double light = luminance(textures()[kind], x, y);
                means[size_t(y * squares / side * squares + x * squares / side)] +=
                    light * squares * squares / (side * side);
                mean += light / (side * side);
            }
        for (double square : means) EXPECT_NEAR(square, mean, 0.08 * mean) << name_of(material_kinds[kind]);
    }
}

TEST(MaterialTextures, NormalsAreThoseOfTheHeights) {
    for (size_t kind = 0; kind < textures().size(); kind++) {
        const MaterialTexture& texture = textures()[kind];
        auto height = [&](int x, int y) {
            return texture.albedo[texel(x, y) + 3] / 255.0 * texture.relief * side;  // in texels
        };
        double error = 0, size = 0;
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                double dx = (height(x + 1, y) - height(x - 1, y)) / 2;
                double dy = (height(x, y + 1) - height(x, y - 1)) / 2;
                double length = std::sqrt(1 + dx * dx + dy * dy);
                double nx = texture.surface[texel(x, y)] / 127.5 - 1;
                double ny = texture.surface[texel(x, y) + 1] / 127.5 - 1;
                EXPECT_LE(nx * nx + ny * ny, 1.01);
                error += std::hypot(nx + dx / length, ny + dy / length);
                size += std::hypot(nx, ny);
            }
        // Heights are known to a 255th of the relief only.
        EXPECT_LT(error, 0.02 * side * side + 0.02 * size) << name_of(material_kinds[kind]);
        EXPECT_GT(size, 0.05 * side * side) << name_of(material_kinds[kind]) << " is flat";
    }
}

TEST(MaterialTextures, UseAllOfTheirHeight) {
    for (const MaterialTexture& texture : textures()) {
        int low = 255, high = 0;
        for (size_t i = 3; i < texture.albedo.size(); i += 4) {
            low = std::min(low, int(texture.albedo[i]));
            high = std::max(high, int(texture.albedo[i]));
        }
        EXPECT_EQ(low, 0);
        EXPECT_EQ(high, 255);
        EXPECT_GT(texture.relief, 0.005);
        EXPECT_LT(texture.relief, 0.1);
    }
}

TEST(MaterialTextures, SameBitsOnOneThread) {
    std::vector<MaterialTexture> alone;
    tbb::task_arena(1).execute([&] { alone = material_textures(64); });
    EXPECT_EQ(alone, material_textures(64));
    std::set<std::string> different;
    for (const MaterialTexture& texture : alone)
        different.emplace(texture.albedo.begin(), texture.albedo.end());
    EXPECT_EQ(different.size(), material_kinds.size());
}

TEST(MaterialTextures, AnyPowerOfTwo) {
    for (int wanted : {16, 32, 128}) {
        MaterialTexture texture = material_texture(MaterialKind::scree, wanted);
        EXPECT_EQ(texture.side, wanted);
        EXPECT_EQ(texture.albedo.size(), size_t(wanted * wanted * 4));
        EXPECT_EQ(texture.surface.size(), size_t(wanted * wanted * 4));
    }
    for (int wrong : {0, -64, 8, 100, 513, 8192})
        EXPECT_THROW(material_texture(MaterialKind::mud, wrong), Error);
}

}  // namespace
}  // namespace caprock::test
