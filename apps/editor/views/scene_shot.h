// A scene as it was at one moment, to be drawn elsewhere and at any size.
#pragma once

#include "base/picture.h"
#include "base/progress.h"
#include "view/camera.h"
#include "view/line_drawing.h"
#include "view/scene.h"
#include "view/scene_look.h"
#include "views/shadows.h"

#include <vector>

namespace caprock::editor {

struct SceneShot {
    Terrain terrain;  // cells of its own: those of the board change
    SceneOptions options;
    SceneLook look;
    Camera camera;
    ShadowMapPointer shadows;  // null: none
    std::vector<DrawnLines> lines;
    Size shown;  // pixels in which it was seen: lines are as wide in a larger picture as they were there

    // Without a window, on any thread. Throws Error where OpenGL does not do it.
    Picture draw(Size size, Progress& progress) const;
};

}  // namespace caprock::editor
