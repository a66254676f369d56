#include "terrain/terrain.h"

#include "base/error.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace caprock {

void Grid::check() const {
    if (extent.width() < 1 || extent.height() < 1 || extent.width() > largest_side ||
        extent.height() > largest_side)
        throw Error(fmt::format("size {}x{}: each side must be 1 to {} cells", extent.width(), extent.height(),
                                largest_side));
    if (!(cell > 0) || !std::isfinite(cell))
        throw Error(fmt::format("cell size {}: must be more than 0 metres", cell));
    if (!(range.high > range.low))
        throw Error(fmt::format("height range {}: the low end must be below the high end",
                                interval_text(range)));
}

const Field* Terrain::find(std::string_view name) const {
    for (const auto& [known, field] : fields_)
        if (known == name) return &field;
    return nullptr;
}

const Field& Terrain::field(std::string_view name) const {
    if (const Field* found = find(name)) return *found;
    if (fields_.empty()) throw Error(fmt::format("there is no field '{}': the terrain is still empty", name));
    throw Error(fmt::format("there is no field '{}'; the terrain has {}", name, listed(names())));
}

void Terrain::set(std::string_view name, Field field) {
    if (field.rect() != window_) throw std::logic_error("a field must cover its terrain");
    for (auto& [known, old] : fields_) {
        if (known == name) {
            old = std::move(field);
            return;
        }
    }
    fields_.emplace_back(name, std::move(field));
}

void Terrain::remove(std::string_view name) {
    std::erase_if(fields_, [&](const auto& entry) { return entry.first == name; });
}

std::vector<std::string> Terrain::names() const {
    std::vector<std::string> all;
    for (const auto& [name, field] : fields_) all.push_back(name);
    return all;
}

Interval Terrain::range_of(std::string_view name) const {
    return name == "height" ? grid_.range : Interval{0, 1};
}

Terrain Terrain::cropped(const Rect& part) const {
    Terrain result = *this;
    result.window_ = part;
    for (auto& [name, field] : result.fields_) field = field.cropped(part);
    return result;
}

}  // namespace caprock
