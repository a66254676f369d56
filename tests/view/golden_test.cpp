// Whole pictures against those in tests/view/goldens, which somebody has looked at. They were drawn by Mesa's llvmpipe; a
// driver may round otherwise, so that pictures are compared as the eye does: blurred a little, in OKLab.
//
// CAPROCK_WRITE_GOLDENS=1 writes them anew. Look at each before it is committed.
#include "compute/cpu_device.h"
#include "formats/formats.h"
#include "gl_pictures.h"
#include "operation/evaluate.h"
#include "operation/operation.h"
#include "support/places.h"
#include "view/camera_moves.h"
#include "view/colour.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gdal.h>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(test::source_folder) / "tests/view/goldens";
constexpr Size size = {320, 180};

std::optional<Picture> read_picture(const fs::path& path) {
    GDALAllRegister();
    GDALDatasetH file = GDALOpen(path.c_str(), GA_ReadOnly);
    if (!file) return std::nullopt;
    Picture picture{{GDALGetRasterXSize(file), GDALGetRasterYSize(file)}, {}};
    picture.rgb.resize(size_t(picture.size.cells()) * 3);
    CPLErr failed = GDALDatasetRasterIO(file, GF_Read, 0, 0, picture.size.width, picture.size.height,
                                        picture.rgb.data(), picture.size.width, picture.size.height, GDT_Byte,
                                        3, nullptr, 3, 3 * picture.size.width, 1);
    GDALClose(file);
    if (failed != CE_None) return std::nullopt;
    return picture;
}

// Means over 4 x 4 pixels.
std::vector<Lab> seen(const Picture& picture) {
    std::vector<Lab> blocks;
    for (int y = 0; y + 4 <= picture.size.height; y += 4)
        for (int x = 0; x + 4 <= picture.size.width; x += 4) {
            Light sum;
            for (int dy = 0; dy < 4; dy++)
                for (int dx = 0; dx < 4; dx++) {
                    const uint8_t* pixel = picture.rgb.data() +
                                           (size_t(y + dy) * size_t(picture.size.width) + size_t(x + dx)) * 3;
                    sum = sum + light_of(Bytes{pixel[0], pixel[1], pixel[2]}) * (1.0f / 16);
                }
            blocks.push_back(lab_of(sum));
        }
    return blocks;
}

void expect_like_golden(const Picture& picture, const std::string& name) {
    fs::path path = folder / (name + ".png");
    if (std::getenv("CAPROCK_WRITE_GOLDENS")) {
        fs::create_directories(folder);
        write_picture(picture, path.string());
        return;
    }
    std::optional<Picture> golden = read_picture(path);
    ASSERT_TRUE(golden) << path << " cannot be read";
    ASSERT_EQ(golden->size, picture.size);
    std::vector<Lab> a = seen(*golden);
    std::vector<Lab> b = seen(picture);
    std::vector<double> differences;
    double sum = 0;
    for (size_t i = 0; i < a.size(); i++) {
        differences.push_back(std::hypot(a[i].lightness - b[i].lightness, a[i].a - b[i].a, a[i].b - b[i].b));
        sum += differences.back();
    }
    std::ranges::sort(differences);
    bool alike = sum / double(a.size()) < 0.006 && differences[differences.size() * 99 / 100] < 0.04;
    EXPECT_TRUE(alike) << name << ": mean difference " << sum / double(a.size())
                       << ", of the worst hundredth " << differences[differences.size() * 99 / 100];
    if (!alike) {
        fs::path kept = fs::path(test::build_folder) / (name + "-drawn.png");
        write_picture(picture, kept.string());
        std::printf("drawn: %s\n", kept.c_str());
    }
}

class Goldens : public testing::Test {
  protected:
    static gl::HeadlessContext& context() { return gl_context(); }

    void TearDown() override {
        for (const std::string& complaint : context().complaints()) ADD_FAILURE() << complaint;
    }

    // Hills of 256 x 256 cells of 16 m, with hardness.
    static Terrain hills() {
        static const Terrain made = [] {
            Grid grid{Rect::of({256, 256}), 16, {0, 900}};
            RunContext context{make_cpu_device(CpuLevel::portable), nullptr, {}};
            Terrain terrain(grid);
            terrain = run(*operation_with("noise", {{"kind", "ridged"}, {"seed", 3}}), terrain, context);
            terrain = run(*operation_with("normalise"), terrain, context);
            return run(*operation_with("noise", {{"field", "hardness"}, {"feature", 500.0}}), terrain,
                       context);
        }();
        return made;
    }

    Picture drawn(const Terrain& terrain, const SceneOptions& options, const SceneLook& look,
                  std::optional<Camera> camera = std::nullopt, bool shadows = true) {
        Scene scene = scene_of(terrain, options);
        gl::TerrainRenderer renderer(context().functions());
        renderer.set_scene(scene);
        if (shadows)
            renderer.set_light_map(
                LightMap(terrain.height(), scene.grid.cell, look.detail.exaggeration, look.sun));
        gl::Canvas canvas(context().functions(), size, 4);
        if (!camera) camera = framed_all(renderer.bounds(look), size, 25, -28);
        renderer.draw(canvas.framebuffer(), size, *camera, look);
        renderer.check();
        return {size, canvas.colours()};
    }
};

SceneLook of_materials(const std::string& set) {
    SceneLook look;
    look.paint = GroundPaint::materials;
    look.materials = material_set(set);
    look.walls = true;
    look.visibility = 20000;
    return look;
}

TEST_F(Goldens, Plain) { expect_like_golden(drawn(hills(), {}, {}), "plain"); }

TEST_F(Goldens, Temperate) { expect_like_golden(drawn(hills(), {}, of_materials("temperate")), "temperate"); }

TEST_F(Goldens, DesertFromTheGroundUnderALowSun) {
    SceneLook look = of_materials("desert");
    look.sun = {120, 12};
    Camera camera;
    camera.position = {2048, 3300, 1000};
    camera.pitch = -8;
    expect_like_golden(drawn(hills(), {}, look, camera), "desert");
}

TEST_F(Goldens, EarthWithContours) {
    SceneOptions options;
    options.scheme = "earth";
    SceneLook look;
    look.paint = GroundPaint::colours;
    look.contours = 50;
    look.walls = true;
    expect_like_golden(drawn(hills(), options, look), "earth");
}

TEST_F(Goldens, HardnessFromAboveWithAGridAndARing) {
    SceneOptions options;
    options.scheme = "verdant";
    options.field = "hardness";
    SceneLook look;
    look.paint = GroundPaint::colours;
    look.grid = 500;
    look.ring = BrushRing{2300, 1800, 600, 300};
    Box box = {{0, 0, 0}, {4096, 4096, 900}};
    expect_like_golden(drawn(hills(), options, look, top_view(box, size)), "hardness");
}

TEST_F(Goldens, Sea) {
    SceneOptions options;
    options.sea = true;
    options.sea_level = 420;
    expect_like_golden(drawn(hills(), options, of_materials("alpine")), "sea");
}

TEST_F(Goldens, Holes) {
    Terrain terrain = hills();
    Field height = terrain.height().copied();
    for (int y = 90; y < 170; y++)
        for (int x = 60; x < 200; x++)
            if ((x - 130) * (x - 130) + 3 * (y - 130) * (y - 130) < 3600) height.set(x, y, missing);
    terrain.set("height", height);
    SceneLook look;
    look.slope_limits = Interval{0, 40};
    look.walls = true;
    expect_like_golden(drawn(terrain, {}, look), "holes");
}

TEST_F(Goldens, WireFrame) {
    SceneLook look;
    look.wire_frame = true;
    look.detail.error = 4;
    look.sky = false;
    expect_like_golden(drawn(hills(), {}, look, std::nullopt, false), "wire");
}

}  // namespace
}  // namespace caprock::test
