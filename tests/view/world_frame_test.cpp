// One world frame: what is drawn, picked and said of a place is that of the sample which lies there.
#include "gl_pictures.h"
#include "support/fields.h"
#include "view/inspector.h"
#include "view/map.h"
#include "view/pictures.h"

#include <cmath>

namespace caprock::test {
namespace {

constexpr double metres = 5;  // from cell to cell
const Rect framed_cells{-3, 4, 30, 31};
// At the border too; and some in whose light it has no part.
const std::vector<std::pair<int, int>> any_cells = {{0, 4}, {7, 11}, {-3, 30}, {20, 20}};
const std::vector<std::pair<int, int>> inner_cells = {{0, 9}, {7, 11}, {1, 26}, {20, 20}};

Terrain framed_terrain(const std::function<float(int, int)>& height, Interval range = {0, 100}) {
    Terrain terrain(Grid{framed_cells, metres, range});
    terrain.set("height", made_field(framed_cells, height));
    return terrain;
}

// Level ground from which one sample stands out.
Terrain lone_peak(int cell_x, int cell_y) {
    return framed_terrain([=](int x, int y) { return x == cell_x && y == cell_y ? 100.0f : 0.0f; });
}

float uneven(int x, int y) { return float((x * 37 + y * 101) % 64); }

// Where the light of a picture lies, in its pixels; what is as dark as the ground around counts for nothing.
PixelPoint middle_of_light(const Picture& picture, double ground) {
    double sum = 0, x_sum = 0, y_sum = 0;
    for (int y = 0; y < picture.size.height; y++)
        for (int x = 0; x < picture.size.width; x++) {
            double more = std::max(brightness(picture, x, y) - ground, 0.0);
            sum += more;
            x_sum += more * (x + 0.5);
            y_sum += more * (y + 0.5);
        }
    return {x_sum / sum, y_sum / sum};
}

TEST(WorldFrame, TheGroundOverASampleIsThatSample) {
    Terrain terrain = framed_terrain(uneven);
    const Field& heights = terrain.height();
    RangePyramid ranges(heights);
    for (auto [x, y] : any_cells) {
        WorldPoint place = terrain.grid().place_of(x, y);
        Ray down{{place.x, place.y, 1000}, {0, 0, -1}};
        std::optional<Hit> hit = pick(heights, terrain.grid(), ranges, down);
        ASSERT_TRUE(hit) << x << ' ' << y;
        EXPECT_EQ(hit->position.x, place.x);
        EXPECT_EQ(hit->position.y, place.y);
        EXPECT_EQ(hit->position.z, double(heights.at(x, y)));
        EXPECT_EQ(hit->cell_x, x);
        EXPECT_EQ(hit->cell_y, y);
        EXPECT_EQ(height_at(heights, terrain.grid(), place.x, place.y), double(heights.at(x, y)));
        // The nearest sample, as far as half a cell to every side.
        for (double off : {-0.49, 0.49}) {
            down.from = {place.x + off * metres, place.y, 1000};
            if (std::optional<Hit> beside = pick(heights, terrain.grid(), ranges, down)) {
                EXPECT_EQ(beside->cell_x, x) << off;
            }
        }
    }
}

TEST(WorldFrame, APlaceIsInspectedWhereItsSampleLies) {
    Terrain terrain = framed_terrain(uneven);
    for (auto [x, y] : any_cells) {
        WorldPoint place = terrain.grid().place_of(x, y);
        for (double off : {-0.49, 0.0, 0.49}) {
            std::optional<Inspection> found =
                inspect(terrain, {place.x + off * metres, place.y + off * metres});
            ASSERT_TRUE(found) << x << ' ' << y << ' ' << off;
            EXPECT_EQ(found->column, x);
            EXPECT_EQ(found->row, y);
            EXPECT_EQ(found->point, place);
            EXPECT_EQ(found->values[0].value, terrain.height().at(x, y));
        }
    }
}

TEST(WorldFrame, AMapShowsASampleAtItsPlace) {
    MapOptions options;
    options.scheme = "grey";
    options.hillshade = Hillshade::none;
    options.values = Interval{0, 100};
    options.paper.sheet = {0, 0, 0};
    for (auto [x, y] : inner_cells) {
        Terrain terrain = lone_peak(x, y);
        WorldPoint place = terrain.grid().place_of(x, y);
        Size size{260, 220};
        // In the middle of the picture, and beside it; magnified, and crisp.
        for (double beside : {0.0, 13.0})
            for (bool crisp : {false, true}) {
                options.crisp = crisp;
                MapView view{{place.x + beside, place.y - beside}, metres / 16};
                PixelPoint expected = pixel_at(view, size, place);
                PixelPoint found = middle_of_light(draw_map(terrain, view, size, options), 20);
                EXPECT_NEAR(found.x, expected.x, 0.6) << x << ' ' << y << (crisp ? " crisp" : "");
                EXPECT_NEAR(found.y, expected.y, 0.6) << x << ' ' << y << (crisp ? " crisp" : "");
            }
    }
}

// Seen from afar a map is drawn from means of many cells, which must not move the land either.
TEST(WorldFrame, AMapOfMeansShowsARampWhereItRises) {
    Rect cells{-30, 10, 482, 522};
    Terrain terrain(Grid{cells, metres, {0, 5000}});
    terrain.set("height", made_field(cells, [](int x, int) { return float(x) * float(metres); }));
    MapPyramid pyramid(terrain);
    Size size{64, 48};
    for (double per_pixel : {0.2, 1.0, 5.0, 7.3, 10.0, 20.0, 33.0}) {
        MapView view{{1200, 1300}, per_pixel};
        Surface heights = pyramid.sampled("height", view, size);
        for (int x = 0; x < size.width; x++)
            ASSERT_NEAR(heights.row(20)[x], point_at(view, size, {x + 0.5, 20.5}).x, 0.02)
                << x << " at " << per_pixel;
    }
}

TEST(WorldFrame, AContourLiesWhereTheRampHasItsHeight) {
    // As high as it is far to the east, in metres.
    Terrain terrain = framed_terrain([](int x, int) { return float(x) * float(metres); });
    Size size{400, 120};
    MapView view{{62, 80}, 0.25};
    MapOptions options;
    options.scheme = "plain";
    options.hillshade = Hillshade::none;
    Picture without = draw_map(terrain, view, size, options);
    options.contours = 40;
    Picture with = draw_map(terrain, view, size, options);
    for (double height : {40.0, 80.0}) {
        double expected = pixel_at(view, size, {height, 0}).x;
        double dark = 0, sum = 0;
        for (int x = int(expected) - 20; x < int(expected) + 20; x++) {
            double darker = brightness(without, x, 90) - brightness(with, x, 90);
            dark += darker;
            sum += darker * (x + 0.5);
        }
        ASSERT_GT(dark, 10);
        EXPECT_NEAR(sum / dark, expected, 0.3) << height;
    }
}

TEST(WorldFrame, LinesOfAMapLieAtTheCoordinatesThatAreWrittenBesideThem) {
    Terrain terrain = framed_terrain([](int, int) { return 1.0f; });
    Georeference place;
    place.transform = {700012, metres, 0, 5200018, 0, -metres};
    terrain.set_georeference(place);
    Size size{500, 400};
    MapView view{{60, 80}, 0.4};
    MapOptions options;
    options.scheme = "plain";
    options.hillshade = Hillshade::none;
    Picture without = draw_map(terrain, view, size, options);
    options.grid = 50;
    Picture with = draw_map(terrain, view, size, options);
    // Column 8 of the grid's columns has the middle of its pixel at 700054.5: cell (5, y).
    double metres_east = 5 * metres + (700050 - 700054.5);
    double expected = pixel_at(view, size, {metres_east, 0}).x;
    double dark = 0, sum = 0;
    for (int x = int(expected) - 8; x < int(expected) + 8; x++) {
        double darker = brightness(without, x, 203) - brightness(with, x, 203);
        dark += darker;
        sum += darker * (x + 0.5);
    }
    ASSERT_GT(dark, 10);
    EXPECT_NEAR(sum / dark, expected, 0.1);
}

class WorldFrameInScenes : public GlPictures {};

TEST_F(WorldFrameInScenes, ASampleIsDrawnAtItsPlace) {
    Size size{300, 300};
    gl::TerrainRenderer renderer(functions());
    gl::Canvas canvas(functions(), size, 1);
    for (auto [x, y] : inner_cells) {
        Terrain terrain = lone_peak(x, y);
        SceneOptions options;
        options.scheme = "grey";
        options.values = Interval{0, 100};
        renderer.set_scene(scene_of(terrain, options));
        SceneLook look = exact();
        look.paint = GroundPaint::colours;
        look.background = {0, 0, 0};
        // Flat, and lit from straight above: nothing but the colours is seen.
        look.detail.exaggeration = 1e-3;
        look.sun = {0, 90};
        WorldPoint place = terrain.grid().place_of(x, y);
        Camera above;
        above.position = {place.x, place.y, 40};
        above.pitch = -90;
        renderer.draw(canvas.framebuffer(), size, above, look);
        Picture picture{size, canvas.colours()};
        PixelPoint found = middle_of_light(picture, 20);
        EXPECT_NEAR(found.x, 150, 1) << x << ' ' << y;
        EXPECT_NEAR(found.y, 150, 1) << x << ' ' << y;
        // All that is drawn goes from the first sample to the last.
        WorldArea span = terrain.grid().span_of(framed_cells);
        Box bounds = renderer.bounds(look);
        EXPECT_EQ(bounds.least.x, span.left);
        EXPECT_EQ(bounds.least.y, span.top);
        EXPECT_EQ(bounds.most.x, span.right);
        EXPECT_EQ(bounds.most.y, span.bottom);
    }
}

}  // namespace
}  // namespace caprock::test
