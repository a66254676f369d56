#include "scene_picture.h"

#include "base/error.h"
#include "view/camera_moves.h"
#include "view/gl/headless.h"
#include "view/gl/terrain_renderer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

MaterialSet materials_named(const std::string& word) {
    // What looks like a file is one; what does not is the name of a set.
    bool is_file =
        word.find('/') != std::string::npos || word.ends_with(".json") || std::filesystem::exists(word);
    return is_file ? read_material_set(word) : material_set(word);
}

Camera camera_for(const SceneSettings& settings, const Box& bounds, Size size) {
    if (!settings.camera.empty()) {
        const std::vector<double>& c = settings.camera;
        return {{c[0], c[1], c[2]}, c[3], c[4], c.size() > 5 ? c[5] : 45};
    }
    double azimuth = settings.orbit[0];
    double elevation = settings.orbit[1];
    double distance = settings.orbit.size() > 2 ? settings.orbit[2] : 0;
    if (distance > 0) return orbiting(bounds.middle(), azimuth, elevation, distance);
    return framed_all(bounds, size, azimuth + 180, -elevation);
}

}  // namespace

std::vector<std::string> SceneSettings::names() {
    SceneSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    return declaration.schema().parameter_names();
}

void SceneSettings::describe(Declaration& d) {
    d.table("orbit", orbit)
        .help(
            "3d: where the camera stands: degrees clockwise from north, degrees up, metres from the middle; "
            "0 metres: "
            "all is seen");
    d.table("camera", camera)
        .help("3d: instead of that: x,y,z in metres, heading, pitch and field of view in degrees");
    d.text("bookmark", bookmark).help("3d: instead of that: from a bookmark of the document, by its name");
    d.text("materials", materials)
        .help("3d: the ground: " + fmt::format("{}", fmt::join(material_set_names(), ", ")) +
              ", or a file of your own (.json)");
    d.number("error", error)
        .range(0.1, 100)
        .slider(0.5, 8)
        .unit("pixels")
        .help("3d: how far the drawn surface may be off the full grid");
    d.number("visibility", visibility)
        .range(0, 1e7)
        .unit("m")
        .help("3d: distance at which half of what is seen is haze; 0: as suits the picture");
    d.number("lighting", lighting)
        .range(0, 100)
        .slider(1, 10)
        .help("3d: slopes are lit as if so many times as steep");
    d.number("clear-water", clear_water)
        .range(0.01, 1000)
        .unit("m")
        .help("3d: depth of water through which a third of the light comes back");
    d.flag("sea", sea).help("3d: water lies wherever the ground is below --sea-level");
    d.flag("shadows", shadows).help("3d: the sun throws shadows, and hollows get less of the sky");
    d.flag("walls", walls).help("3d: the terrain stands there as a block");
    d.interval("slope-limits", slope_limits)
        .unit("degrees")
        .help("3d: ground that is flatter or steeper is marked red; 0:0: none");
    d.flag("wire", wire).help("3d: the triangles' edges alone");
    d.integer("samples", samples).range(1, 8).help("3d: looks at each pixel, against jagged edges");
    d.integer("turntable", turntable)
        .range(0, 10000)
        .help("3d: so many pictures once around, NAME-0001.png and so on; 0: one");
}

void SceneSettings::prepare() {
    auto finite = [](const std::vector<double>& numbers) {
        return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
    };
    if ((orbit.size() != 2 && orbit.size() != 3) || !finite(orbit) || std::fabs(orbit[1]) > 90 ||
        (orbit.size() > 2 && orbit[2] < 0))
        throw Error(fmt::format(
            "render: orbit {}: must be AZIMUTH,ELEVATION or AZIMUTH,ELEVATION,METRES, such as 200,30,0: "
            "the elevation -90 to 90",
            fmt::join(orbit, ",")));
    if (!camera.empty()) {
        bool right = (camera.size() == 5 || camera.size() == 6) && finite(camera) &&
                     std::fabs(camera[4]) <= 90 &&
                     (camera.size() < 6 || (camera[5] >= 1 && camera[5] <= 150));
        if (!right)
            throw Error(
                fmt::format("render: camera {}: must be X,Y,Z,HEADING,PITCH or with FIELD-OF-VIEW, such as "
                            "4000,9000,1500,0,-15,45: the pitch -90 to 90, the field of view 1 to 150",
                            fmt::join(camera, ",")));
    }
    if (slope_limits != Interval{0, 0} && !(slope_limits.low < slope_limits.high))
        throw Error(fmt::format("render: slope-limits {}:{}: must be LOW:HIGH in degrees, such as 0:35",
                                slope_limits.low, slope_limits.high));
    if (!bookmark.empty() && !camera.empty())
        throw Error("render: --camera and --bookmark both say where the camera stands: leave one out");
    if (turntable > 0 && !(camera.empty() && bookmark.empty()))
        throw Error(fmt::format("render: a turntable goes around the terrain: with --orbit, not --{}",
                                bookmark.empty() ? "camera" : "bookmark"));
    ground = materials_named(materials);
}

void draw_scene(const Terrain& terrain, const SceneSettings& settings, const SceneRequest& request,
                const std::function<void(const Picture& picture)>& take) {
    Scene scene = scene_of(terrain, request.scene);
    SceneLook look;
    look.detail.error = settings.error;
    look.detail.exaggeration = request.exaggeration;
    look.lighting_exaggeration = settings.lighting;
    look.sun = {request.sun_azimuth, request.sun_elevation};
    look.contours = request.contours;
    look.grid = request.grid;
    look.clear_water = settings.clear_water;
    look.walls = settings.walls && !settings.wire;
    look.wire_frame = settings.wire;
    if (settings.slope_limits != Interval{0, 0}) look.slope_limits = settings.slope_limits;
    look.paint = GroundPaint::materials;
    look.materials = settings.ground;
    if (!request.scene.scheme.empty()) look.paint = GroundPaint::colours;

    gl::HeadlessContext context;
    gl::TerrainRenderer renderer(context.functions());
    renderer.set_scene(scene);
    renderer.set_lines(request.lines);
    if (settings.shadows)
        renderer.set_light_map({terrain.height(), scene.grid.cell, request.exaggeration, look.sun});
    gl::Canvas canvas(context.functions(), request.size, settings.samples);
    Box bounds = renderer.bounds(look);
    int count = std::max(settings.turntable, 1);
    for (int i = 0; i < count; i++) {
        SceneSettings turned = settings;
        turned.orbit[0] += 360.0 * i / count;
        Camera camera = request.camera ? *request.camera : camera_for(turned, bounds, request.size);
        double away = length(bounds.middle() - camera.position);
        look.visibility = settings.visibility > 0
                              ? settings.visibility
                              : 4.5 * std::max(away, length(bounds.most - bounds.least) / 2);
        renderer.draw(canvas.framebuffer(), request.size, camera, look);
        Picture picture{request.size, canvas.colours()};
        renderer.check();
        if (request.legend && !scene.legend.empty()) print_legend(picture, scene.legend, request.lettering);
        take(picture);
    }
}

}  // namespace caprock::cli
