// Cells of a source, in windows of which a few fit in memory.
#pragma once

#include "formats/formats.h"

#include <functional>
#include <string>

namespace caprock {

// The cells of one field that are held at a time: 64 MB.
constexpr int64_t most_cells_held = int64_t(1) << 24;
// How many rows (or columns) of so many cells are asked for at a time: 256, the side of a tile, or a part of that where
// so many would be too large. `fields` of them are held.
int lines_at_a_time(int64_t cells_per_line, int64_t fields = 1);

// Throws Error where the source gives other cells than those asked for.
Field read_window(TerrainSource& source, const std::string& name, const Rect& window);

// All cells of a field, in windows of whole rows from the top; each counts as progress when it has been used.
void each_window(TerrainSource& source, const std::string& name, const FileContext& context,
                 const std::function<void(const Field&)>& use);

// What the cells seen so far are.
struct SeenCells {
    int64_t cells = 0;
    int64_t missing = 0;
    float low = 0;  // of those that are not missing; 0 where there are none
    float high = 0;

    void add(const Field& field);
    bool all_missing() const { return missing == cells; }
};

// The rows of a field one by one.
class FieldRows {
  public:
    // `beside`: how many fields are read at the same time.
    FieldRows(TerrainSource& source, std::string name, int64_t beside = 1);
    // Good until the next one is asked for.
    const float* operator[](int y);

  private:
    TerrainSource& source_;
    std::string name_;
    Rect extent_;
    int rows_;
    Field window_;
};

}  // namespace caprock
