#include "library/inside.h"

#include <cstring>
#include <limits>
#include <stdexcept>

namespace caprock {
inline namespace v1 {

// ---- from one side to the other --------------------------------------------------------------------------

core::Grid core_of(const Grid& grid) {
    core::Grid made{{0, 0, grid.width, grid.height}, grid.cell, core_of(grid.range)};
    made.check();
    return made;
}

Grid public_of(const core::Grid& grid) {
    return {grid.extent.width(), grid.extent.height(), grid.cell, public_of(grid.range)};
}

Field public_of(core::Field field) {
    return Field(std::make_shared<const Field::Inside>(Field::Inside{std::move(field)}));
}

Terrain public_of(core::Terrain terrain) {
    return Terrain(std::make_shared<const Terrain::Inside>(Terrain::Inside{std::move(terrain)}));
}

core::LineSet core_of(const LineSet& lines) {
    std::vector<core::Line> made;
    for (const Line& line : lines) {
        core::Line& one = made.emplace_back(core::Line{{}, line.closed, line.attributes});
        for (const LinePoint& point : line.points) one.points.emplace_back(point.x, point.y, point.height);
    }
    return core::LineSet(std::move(made));
}

LineSet public_of(const core::LineSet& lines) {
    LineSet made;
    for (const core::Line& line : lines.lines()) {
        Line& one = made.emplace_back(Line{{}, line.closed, line.attributes});
        for (const core::LinePoint& point : line.points) one.points.push_back({point.x, point.y, point.z});
    }
    return made;
}

// ---- fields ----------------------------------------------------------------------------------------------

Field::Field() : inside_(std::make_shared<const Inside>()) {}

Field::Field(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}

namespace {

void check_size(int width, int height) {
    if (width < 1 || height < 1 || width > largest_side || height > largest_side)
        throw Error(
            fmt::format("a field has 1 to {} cells each way, not {} x {}", largest_side, width, height));
}

}  // namespace

Field Field::over(const float* cells, int width, int height, std::ptrdiff_t stride,
                  std::shared_ptr<const void> owner) {
    check_size(width, height);
    if (!cells) throw Error("a field over memory needs the address of its first cell");
    if (stride == 0) stride = width;
    if (stride < width || stride > std::numeric_limits<int>::max())
        throw Error(fmt::format("rows of {} cells cannot begin {} cells after each other", width, stride));
    return public_of(core::Field::over({0, 0, width, height}, cells, int(stride), std::move(owner)));
}

Field Field::of(std::span<const float> cells, int width, int height) {
    check_size(width, height);
    if (cells.size() != size_t(width) * size_t(height))
        throw Error(fmt::format("{} x {} cells are not {}", width, height, cells.size()));
    return translated([&] {
        // Nobody else has it while it is copied.
        return public_of(core::Field::over({0, 0, width, height}, cells.data(), width).copied());
    });
}

Rect Field::rect() const { return public_of(inside_->field.rect()); }

std::span<const float> Field::row(int y) const {
    const Rect all = rect();
    if (y < all.top || y >= all.bottom)
        throw std::out_of_range(
            fmt::format("there is no row {}: they go from {} to {}", y, all.top, all.bottom - 1));
    return translated([&] { return std::span<const float>(inside_->field.rows()[y], size_t(all.width())); });
}

float Field::at(int x, int y) const {
    const Rect all = rect();
    if (x < all.left || x >= all.right)
        throw std::out_of_range(
            fmt::format("there is no column {}: they go from {} to {}", x, all.left, all.right - 1));
    return row(y)[size_t(x - all.left)];
}

void Field::copy_to(float* cells, std::ptrdiff_t stride) const {
    const Rect all = rect();
    if (stride == 0) stride = all.width();
    for (int y = all.top; y < all.bottom; y++) {
        const std::span<const float> from = row(y);
        std::memcpy(cells + (y - all.top) * stride, from.data(), from.size_bytes());
    }
}

Field Field::cropped(const Rect& part) const {
    if (part.empty() || !rect().contains(part))
        throw Error(fmt::format("cells {}, {} to {}, {} do not lie inside the field", part.left, part.top,
                                part.right, part.bottom));
    return public_of(inside_->field.cropped(core_of(part)));
}

std::string Field::fingerprint() const {
    return translated([&] { return fingerprint_text(core::fingerprint(inside_->field)); });
}

FieldStatistics Field::statistics() const {
    return translated([&] {
        const core::FieldStatistics found = core::statistics(inside_->field);
        return FieldStatistics{found.cells, found.missing, found.low,
                               found.high,  found.mean,    found.deviation};
    });
}

// ---- terrains --------------------------------------------------------------------------------------------

Terrain::Terrain(const Grid& grid)
    : inside_(
          translated([&] { return std::make_shared<const Inside>(Inside{core::Terrain(core_of(grid))}); })) {}

Terrain::Terrain(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}

Grid Terrain::grid() const { return public_of(inside_->terrain.grid()); }

Rect Terrain::rect() const { return public_of(inside_->terrain.rect()); }

std::vector<std::string> Terrain::names() const { return inside_->terrain.names(); }

bool Terrain::has(std::string_view name) const { return inside_->terrain.has(name); }

Field Terrain::field(std::string_view name) const {
    return translated([&] { return public_of(inside_->terrain.field(name)); });
}

void Terrain::set(std::string_view name, const Field& field) {
    core::Terrain changed = inside_->terrain;
    const core::Rect& all = changed.rect();
    const core::Field& cells = field.inside().field;
    if (name.empty()) throw Error("a field needs a name");
    if (cells.rect().size() != all.size())
        throw Error(fmt::format("{}: it has {} x {} cells, and the terrain {} x {}", name, field.width(),
                                field.height(), all.width(), all.height()));
    translated(
        [&] { changed.set(name, cells.moved(all.left - cells.rect().left, all.top - cells.rect().top)); });
    *this = public_of(std::move(changed));
}

void Terrain::remove(std::string_view name) {
    core::Terrain changed = inside_->terrain;
    changed.remove(name);
    *this = public_of(std::move(changed));
}

std::vector<std::string> Terrain::line_names() const { return inside_->terrain.line_names(); }

LineSet Terrain::lines(std::string_view name) const {
    return translated([&] { return public_of(inside_->terrain.lines(name)); });
}

void Terrain::set_lines(std::string_view name, const LineSet& lines) {
    core::Terrain changed = inside_->terrain;
    translated([&] {
        caprock::check_line_name(std::string(name));
        core::LineSet made = core_of(lines);
        made.check();
        changed.set_lines(name, std::move(made));
    });
    *this = public_of(std::move(changed));
}

void Terrain::remove_lines(std::string_view name) {
    core::Terrain changed = inside_->terrain;
    changed.remove_lines(name);
    *this = public_of(std::move(changed));
}

Terrain Terrain::cropped(const Rect& part) const {
    if (part.empty() || !rect().contains(part))
        throw Error(fmt::format("cells {}, {} to {}, {} do not lie inside the terrain", part.left, part.top,
                                part.right, part.bottom));
    return public_of(inside_->terrain.cropped(core_of(part)));
}

std::optional<Georeference> Terrain::georeference() const {
    const core::Georeference* found = inside_->terrain.georeference();
    if (!found) return std::nullopt;
    return Georeference{found->projection, found->transform};
}

void Terrain::set_georeference(const Georeference& georeference) {
    core::Terrain changed = inside_->terrain;
    core::Georeference made;
    // What else it knows of its place, and users do not.
    if (changed.georeference()) made = *changed.georeference();
    made.projection = georeference.coordinate_system;
    made.transform = georeference.transform;
    changed.set_georeference(made);
    *this = public_of(std::move(changed));
}

}  // namespace v1
}  // namespace caprock
