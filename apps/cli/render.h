// caprock render FILE[:FIELD] ... -o PICTURE.png
#pragma once

#include "files.h"
#include "scene_picture.h"
#include "view/contact_sheet.h"
#include "view/map.h"

#include <set>
#include <string>
#include <vector>

namespace caprock::cli {

enum class PictureView { map, scene };

struct RenderSettings {
    std::string output;
    PictureView view = PictureView::map;
    SceneSettings scene;
    std::string size;    // empty: by the terrain's cells
    std::string field;   // empty: the relief
    std::string scheme;  // empty: earth, or grey for a field
    Interval values = {0, 0};
    Hillshade hillshade = Hillshade::single;
    std::vector<double> sun = {315, 40};  // azimuth and elevation, degrees
    double exaggeration = 1;
    std::string contours = "0";
    std::string grid = "0";
    double sea_level = 0;
    bool water = false;
    bool legend = false;
    std::vector<std::string> lines;
    std::vector<std::string> line_colours;
    double line_width = 2;
    bool crisp = false;
    double lettering = 1;
    int longest_side = 2048;
    int enlarge = 1;
    bool sheet = false;
    int columns = 0;
    FileSettings file;
    DocumentReading document;
    QuietSettings quiet;

    void describe(Declaration& d);
};

int render_command(const std::vector<std::string>& words);

}  // namespace caprock::cli
