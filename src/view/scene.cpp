#include "view/scene.h"

#include "base/error.h"
#include "view/colour_scheme.h"
#include "view/map_pyramid.h"
#include "view/surface.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace caprock {

namespace {

// Ground with water on it. Where the ground is missing, so is the water.
class WaterSurface : public CellSource {
  public:
    WaterSurface(const Field& ground, const Field* water, std::optional<double> sea_level, bool depth)
        : ground_(source_of(ground)), sea_level_(sea_level), depth_(depth) {
        if (water) water_ = source_of(*water);
    }

    Rect rect() const override { return ground_->rect(); }

    void read(const Rect& region, int stride, float* to) const override {
        ground_->read(region, stride, to);
        size_t count =
            size_t((region.width() + stride - 1) / stride) * size_t((region.height() + stride - 1) / stride);
        std::vector<float> water;
        if (water_) {
            water.resize(count);
            water_->read(region, stride, water.data());
        }
        for (size_t i = 0; i < count; i++) {
            float ground = to[i];
            float surface = ground;
            if (is_drawn(ground)) {
                if (water_ && water[i] > 0) surface += water[i];
                if (sea_level_ && surface < float(*sea_level_)) surface = float(*sea_level_);
            }
            to[i] = depth_ ? (is_drawn(ground) ? surface - ground : 0.0f) : surface;
        }
    }

  private:
    std::shared_ptr<const CellSource> ground_;
    std::shared_ptr<const CellSource> water_;
    std::optional<double> sea_level_;
    bool depth_;
};

class SchemeColours : public ColourSource {
  public:
    struct Part {
        std::shared_ptr<const CellSource> cells;
        ColourLayer layer;
        ColourRange range;
    };

    explicit SchemeColours(std::vector<Part> parts) : parts_(std::move(parts)) {}

    Rect rect() const override { return parts_.front().cells->rect(); }

    void read(const Rect& region, int stride, Bytes* to) const override {
        size_t count =
            size_t((region.width() + stride - 1) / stride) * size_t((region.height() + stride - 1) / stride);
        std::vector<Light> sum(count);
        std::vector<float> values(count);
        for (const Part& part : parts_) {
            part.cells->read(region, stride, values.data());
            for (size_t i = 0; i < count; i++)
                if (is_drawn(values[i])) sum[i] = sum[i] + part.layer.at(part.range.share(double(values[i])));
        }
        std::ranges::transform(sum, to, [](const Light& light) { return bytes_of(light); });
    }

  private:
    std::vector<Part> parts_;
};

std::shared_ptr<const ColourSource> scheme_colours(const Terrain& terrain, const SceneOptions& options,
                                                   std::vector<LegendBar>& legend) {
    const ColourScheme& scheme = colour_scheme(options.scheme);
    MapPyramid measures(terrain);
    std::vector<SchemeColours::Part> parts;
    for (const ColourLayer& layer : scheme.layers) {
        std::string name = scheme.field_of(layer, options.field);
        ColourRange range = options.values ? colour_range(*options.values)
                                           : colour_range(layer, measures.extent(name), options.sea_level);
        parts.push_back({source_of(terrain.field(name)), layer, range});
        legend.push_back({field_title(name), &layer, range, {range.low, range.high}});
    }
    return std::make_shared<SchemeColours>(std::move(parts));
}

}  // namespace

Scene scene_of(const Terrain& terrain, const SceneOptions& options) {
    Scene scene;
    scene.rect = terrain.rect();
    scene.grid = terrain.grid();
    const Field& ground = terrain.height();
    scene.heights = source_of(ground);
    const Field* water = options.water ? &terrain.field("water") : nullptr;
    if (water || options.sea) {
        std::optional<double> sea;
        if (options.sea) sea = options.sea_level;
        scene.heights = std::make_shared<WaterSurface>(ground, water, sea, false);
        scene.fields.depth = std::make_shared<WaterSurface>(ground, water, sea, true);
    }
    auto source = [&](const char* name) -> std::shared_ptr<const CellSource> {
        const Field* field = terrain.find(name);
        return field ? source_of(*field) : nullptr;
    };
    scene.fields.flow = source("flow");
    scene.fields.material = source("material");
    scene.fields.mask = options.mask.empty() ? source("mask") : source_of(terrain.field(options.mask));
    if (!options.scheme.empty()) scene.fields.colours = scheme_colours(terrain, options, scene.legend);
    return scene;
}

}  // namespace caprock
