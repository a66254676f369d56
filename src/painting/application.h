// How the dabs of a stroke become cells. One application is one stroke: it is given the dabs as they come, in any
// portions, and has the tiles that the stroke has changed so far.
#pragma once

#include "graph/tile.h"
#include "operation/work.h"
#include "painting/brush.h"
#include "painting/dab.h"
#include "painting/surface.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace caprock {

// A tile of the canvas under a stroke. Fields lie where the tile lies; all but the first two are made when somebody
// wants them, and cover only what is inside the document.
struct StrokeTile {
    Field canvas;  // as it was
    Field result;  // as it is with the stroke; empty where it has changed nothing
    Field below;
    Field before;  // what was seen
    Field ground;  // what is seen now
    Field dose;
    Field target;
    int64_t changes = 0;  // how often the result was worked on
};

class Application {
  public:
    using Tiles = std::map<TileIndex, StrokeTile>;

    static std::unique_ptr<Application> of(const Brush& brush, PaintSurface& surface, RunContext& context,
                                           const PenSample& start, uint32_t seed);
    virtual ~Application() = default;

    // `line`: all of the stroke so far.
    virtual void apply(std::span<const Dab> dabs, const std::vector<PenSample>& line) = 0;
    const Tiles& tiles() const { return tiles_; }
    // Cells that may have changed since the last call.
    Rect take_changed();

  protected:
    Application(const Brush& brush, PaintSurface& surface, RunContext& context, const PenSample& start,
                uint32_t seed);

    // ---- tiles ----
    StrokeTile& tile(const TileIndex& index);
    Rect part(const TileIndex& index) const { return index.rect().intersected(surface_.extent()); }
    const Field& before(const TileIndex& index, StrokeTile& tile);
    const Field& below(const TileIndex& index, StrokeTile& tile);
    Field& dose(const TileIndex& index, StrokeTile& tile);
    // What is seen now, to be changed.
    Field& ground(const TileIndex& index, StrokeTile& tile);
    // To be worked on: it counts as changed from now on.
    Field& result(StrokeTile& tile);
    // Cells of its own, where they are: a field that only shares them would be fetched from a device to be parted.
    Field copied(const Field& field);
    Field blank(const Rect& cells, float value);
    // What is seen becomes what is painted.
    void show(const TileIndex& index, StrokeTile& tile, const Rect& cells);
    // Tiles that the dabs touch, each with those that do, in their order.
    struct Share {
        TileIndex index;
        Rect cells;
        std::vector<Dab> dabs;
    };
    std::vector<Share> shares(std::span<const Dab> dabs) const;
    void changed(const Rect& cells);

    // ---- dabs ----
    // What kernels with dabs are given of them (kernels/dab.h), beside the curve.
    struct LaidDabs {
        std::vector<float> table;
        const Field* tip;
        int origin_x;
        int origin_y;
    };
    LaidDabs laid_dabs(const Rect& cells, std::span<const Dab> dabs) const;
    int tip_side() const { return brush_.tip.rect().width(); }

    // ---- the operation ----
    // With the parameters that are bound, and the seeds that are drawn.
    std::unique_ptr<Operation> bound(const Dab* dab, const std::vector<PenSample>& line);
    bool differs_by_dab() const;
    // An operation on some cells of the ground, which sees `window` of it, the fields that pass with the stroke, and of the
    // document's whatever it asks for. What sees everything takes the window for everything.
    Terrain made(const Operation& operation, const Rect& cells, const Rect& window, const Field& ground,
                 const std::map<std::string, Field>& passing = {});
    // Of an operation that makes something of nothing.
    Field generated(const Operation& operation, const Rect& cells, const Interval& range, int origin_x,
                    int origin_y, const Rect& window);

    const Brush& brush_;
    PaintSurface& surface_;
    RunContext& context_;
    PenSample start_;
    uint32_t seed_;
    std::shared_ptr<const Operation> operation_;  // on the field that is painted
    std::vector<float> curve_;
    double rate_ = 1;     // of the dose: so that one pass takes `strength` of the way
    bool fills_ = false;  // ground that is missing, too
    Tiles tiles_;
    Terrain nothing_;
    Progress unwatched_;
    Work work_;

  private:
    // The ground before the stroke, between cells. Nothing where it is missing.
    std::optional<double> height_at(double x, double y);
    struct FittedPlane {
        double height, grade_x, grade_y;
    };
    std::optional<FittedPlane> plane_under(const Dab& dab);
    double value_of(BrushSource source, double own, const Dab* dab);

    Rect changed_;
    std::optional<std::pair<uint32_t, std::optional<FittedPlane>>> last_plane_;
    std::optional<FittedPlane> start_plane_;
};

// One for each way of applying. See the files of these names.
std::unique_ptr<Application> make_adding(const Brush& brush, PaintSurface& surface, RunContext& context,
                                         const PenSample& start, uint32_t seed);
std::unique_ptr<Application> make_covering(const Brush& brush, PaintSurface& surface, RunContext& context,
                                           const PenSample& start, uint32_t seed);
std::unique_ptr<Application> make_one_by_one(const Brush& brush, PaintSurface& surface, RunContext& context,
                                             const PenSample& start, uint32_t seed);

}  // namespace caprock
