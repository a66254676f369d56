// Land: what a chain of operations begins with, and the chain. It is computed when somebody asks for cells.
//
//     Land hills = noise({.seed = 7}).on({512, 512, 4_m});
//     Land valley = read("dem.tif") | fill_holes() | smooth({.radius = 20_m});
//     Land famous = preset("mesas");
//
//     Terrain all = hills.terrain();
//     Terrain part = hills.region(Rect::at(100, 100, 64, 64));   // the same bits, from what the part needs
#pragma once

#include <caprock/chain.h>
#include <caprock/export.h>
#include <caprock/grid.h>
#include <caprock/run.h>
#include <caprock/terrain.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {
inline namespace v1 {

// A value: computing it leaves it as it is, and any number of threads may do so at once.
class CAPROCK_API Land {
  public:
    // On what is there already. The cells are shared, not copied.
    explicit Land(const Terrain& terrain);

    // What computing gives: of a file, that is looked up there.
    Grid grid() const;

    // All of it. Throws Error, OutOfMemory or Cancelled.
    Terrain terrain(const Run& run = {}) const;
    // Some cells of it, computed from what these cells need: exactly those that terrain() has there.
    Terrain region(const Rect& cells, const Run& run = {}) const;

    // The same with another seed for every operation that takes one.
    Land seeded(std::uint32_t seed) const;
    // The same on another grid. Throws Error where it begins with a file or a terrain, which have their own.
    Land on(const Grid& grid) const;
    // The same at another size and resolution; the heights stay as they are. Throws Error like on().
    Land sized(int width, int height, Metres cell) const;

    // As JSON, for `caprock run` and for recipe(). Throws Error where it begins with a terrain, which no file holds.
    std::string recipe() const;

    // ---- for the library itself ----
    struct Inside;
    explicit Land(std::shared_ptr<const Inside> inside);
    const Inside& inside() const { return *inside_; }

  private:
    std::shared_ptr<const Inside> inside_;
};

CAPROCK_API Land operator|(const Land& land, const Chain& chain);
CAPROCK_API Land operator|(const Terrain& terrain, const Chain& chain);

// ---- presets and recipes ---------------------------------------------------------------------------------

// `tell` is told what a newer version has written that this one does not know.
using Tell = std::function<void(const std::string&)>;

CAPROCK_API std::vector<std::string> preset_names();
// Throws Error with the nearest name where there is none.
CAPROCK_API Land preset(std::string_view name, const Tell& tell = {});
CAPROCK_API Land recipe(const std::string& text, const Tell& tell = {});
CAPROCK_API Land recipe_file(const std::string& path, const Tell& tell = {});

}  // namespace v1
}  // namespace caprock
