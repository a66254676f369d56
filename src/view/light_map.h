// How much light reaches each place of a terrain: the part of the sky that is seen, and the part of the sun.
//
// Both are made from the heights alone, once, and again only around what has changed. The sun is swept along parallel
// lines with a running horizon, so that its cost is that of a few passes over the cells however long shadows are; the
// sky is asked in 16 directions at distances that grow, on heights that are the smoother the further away they are.
#pragma once

#include "base/rect.h"
#include "field/field.h"

#include <cstdint>
#include <vector>

namespace caprock {

struct Sun {
    double azimuth = 315;   // where it stands, degrees clockwise from north (up)
    double elevation = 40;  // above the horizon, degrees; below it nothing is lit

    bool operator==(const Sun&) const = default;
};

struct LightMapOptions {
    int longest_side = 2048;  // texels; larger terrains are averaged down by a whole number of cells
    double sun_width =
        1;  // degrees across: the edges of shadows are as soft as that. The real one has half of it
};

class LightMap {
  public:
    // Cells are `cell` metres wide and heights are multiplied by `exaggeration`. Missing cells cast no shadow and are
    // lit. Throws Error unless there are cells, the numbers are finite, and cell, exaggeration and the sun's width
    // positive.
    LightMap(const Field& height, double cell, double exaggeration, const Sun& sun,
             const LightMapOptions& options = {});

    Size size() const { return size_; }
    // Texel (i, j) covers this many cells each way, from (i, j) times that on; fewer at the right and the lower border.
    int cells_per_texel() const { return cells_per_texel_; }
    // Two bytes a texel, row by row: openness, 255 where nothing hides the sky, and sunlight, 255 in the full sun.
    const std::vector<uint8_t>& texels() const { return texels_; }
    uint8_t openness(int x, int y) const { return texels_[index(x, y)]; }
    uint8_t sunlight(int x, int y) const { return texels_[index(x, y) + 1]; }

    // After the cells of a rectangle have changed: the same texels as from scratch, for the price of those the change
    // can reach. The field has the rectangle it had. Returns the texels that may have changed.
    Rect update(const Field& height, const Rect& changed);
    // Leaves the openness as it is.
    void set_sun(const Sun& sun);
    const Sun& sun() const { return sun_; }

  private:
    // Heights with a frame that casts nothing, so that no loop has to ask for the border.
    struct Framed {
        Size size;
        size_t stride = 0;
        std::vector<float> values;

        explicit Framed(Size size);
        float* row(int y) { return values.data() + size_t(y) * stride + frame; }
        const float* row(int y) const { return values.data() + size_t(y) * stride + frame; }
        static constexpr int frame = 5;
    };
    struct Sweep;
    struct Target;

    size_t index(int x, int y) const { return (size_t(y) * size_t(size_.width) + size_t(x)) * 2; }
    void average(const Field& height, const Rect& texels);
    void open(const Rect& texels);
    Sweep sweep() const;
    void cast(const Sweep& sweep, const Target& target, int first_line, int last_line, int first_step,
              int first_lit, int end) const;
    void cast_all();
    Rect cast_around(const Rect& changed);

    Rect cells_;
    Size size_;
    int cells_per_texel_ = 1;
    double texel_ = 1;  // metres
    double exaggeration_ = 1;
    Sun sun_;
    double sun_width_ = 1;
    Framed heights_;
    Framed across_;  // columns of the heights as rows
    // Of all heights there ever were: those that have gone threw shadows too.
    float lowest_ = 0;
    float highest_ = 0;
    std::vector<uint8_t> texels_;
};

}  // namespace caprock
