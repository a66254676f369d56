// Pictures of terrains in three dimensions, for caprock render --view 3d.
#pragma once

#include "base/picture.h"
#include "operation/parameter.h"
#include "terrain/terrain.h"
#include "view/camera.h"
#include "view/line_drawing.h"
#include "view/material_set.h"
#include "view/scene.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace caprock::cli {

// What only this view has.
struct SceneSettings {
    std::vector<double> orbit = {200, 30,
                                 0};  // azimuth, elevation and distance of the camera from the middle
    std::vector<double> camera;       // x, y, z, heading, pitch and, if given, field of view
    std::string bookmark;             // of a document; empty: none
    std::string materials = "temperate";
    double error = 1;
    double visibility = 0;
    double lighting = 1;
    double clear_water = 6;
    bool sea = false;
    bool shadows = true;
    bool walls = true;
    bool wire = false;
    Interval slope_limits = {0, 0};
    int samples = 4;
    int turntable = 0;

    static std::vector<std::string> names();
    void describe(Declaration& d);
    // Finds the materials. Throws Error for them and for what cannot be meant.
    void prepare();

    MaterialSet ground;  // what `materials` names
};

// What it shares with the map.
struct SceneRequest {
    SceneOptions scene;            // by materials unless it names a scheme
    std::optional<Camera> camera;  // where a bookmark stands; none: as the settings say
    Size size = {1280, 720};
    double sun_azimuth = 315;
    double sun_elevation = 40;
    double exaggeration = 1;
    double contours = 0;  // metres; 0: none
    double grid = 0;
    std::vector<DrawnLines> lines;
    bool legend = false;
    double lettering = 1;
};

// The pictures one after another: one, or those of a turntable. Throws gl::GlError where there is no OpenGL.
void draw_scene(const Terrain& terrain, const SceneSettings& settings, const SceneRequest& request,
                const std::function<void(const Picture& picture)>& take);

}  // namespace caprock::cli
