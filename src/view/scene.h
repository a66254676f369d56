// What a terrain shows of itself in three dimensions: its surface, its colours, what lies on it.
#pragma once

#include "terrain/terrain.h"
#include "view/cell_source.h"
#include "view/map_furniture.h"

#include <memory>
#include <optional>
#include <string>

namespace caprock {

// Colours of cells, wherever they come from.
class ColourSource {
  public:
    virtual ~ColourSource() = default;

    virtual Rect rect() const = 0;
    // As CellSource::read does; colours as sRGB stores them.
    virtual void read(const Rect& region, int stride, Bytes* to) const = 0;
};

// Fields besides the heights; those that are not there are left out.
struct SurfaceFields {
    std::shared_ptr<const CellSource> flow;      // 0..1
    std::shared_ptr<const CellSource> mask;      // 0..1
    std::shared_ptr<const CellSource> material;  // index of a rock
    std::shared_ptr<const CellSource> depth;     // metres of water under the surface
    std::shared_ptr<const ColourSource> colours;
};

struct SceneOptions {
    std::string scheme;              // colours by a scheme; empty: none
    std::string field;               // that it shows; empty: the scheme's own
    std::optional<Interval> values;  // where its colours begin and end
    double sea_level = 0;            // of schemes, and of the sea
    bool water = false;              // the surface of the field `water` lies over the ground
    bool sea = false;                // and that of a sea
    std::string mask;                // the field that materials ask for; empty: `mask`
};

struct Scene {
    Rect rect;
    Grid grid;
    std::shared_ptr<const CellSource> heights;  // of the ground, or of the water over it
    SurfaceFields fields;
    std::vector<LegendBar> legend;  // of the scheme
};

// Throws Error when there is no height, no such field or no such scheme.
Scene scene_of(const Terrain& terrain, const SceneOptions& options = {});

}  // namespace caprock
