#include "core/board.h"

#include "core/composer.h"

#include <algorithm>

namespace caprock::editor {

Board::Sheet::Sheet(const Composed& composed) : terrain(composed.grid, composed.window), pyramid(Terrain()) {
    for (const std::string& name : composed.fields) terrain.set(name, Field(composed.window, missing));
    // Without any there is still ground to look at: none.
    if (!terrain.has("height")) terrain.set("height", Field(composed.window, missing));
    pyramid = MapPyramid(terrain);
    ranges = RangePyramid(terrain.height());
}

Rect Board::Sheet::write(const Terrain& part) {
    Rect region = part.rect().intersected(terrain.rect());
    if (region.empty()) return region;
    for (const std::string& name : part.names()) {
        const Field* shown = terrain.find(name);
        if (!shown) continue;
        Field target = *shown;
        Field::WritableRows to = target.rows_in_place();
        Field::Rows from = part.field(name).rows();
        for (int y = region.top; y < region.bottom; y++)
            std::copy_n(from[y] + (region.left - part.rect().left), region.width(),
                        to[y] + (region.left - terrain.rect().left));
    }
    ranges.update(terrain.height(), region);
    pyramid.rewritten(region);
    return region;
}

void Board::take(const Composed& composed) {
    bool replaces = false;
    if (composed.coarse) {
        coarse_ = std::make_unique<Sheet>(composed);
        replaces = true;
    } else if (composed.fresh || !full_) {
        full_ = std::make_unique<Sheet>(composed);
        replaces = !coarse_;
    }
    Sheet& target = composed.coarse ? *coarse_ : *full_;
    Rect written;
    for (const Terrain& part : composed.parts) written = written.united(target.write(part));
    target.renewed = target.renewed.united(written);
    if (composed.complete || composed.coarse) {
        // Measures of the first cells that came would stay for all. Under a brush they do stay: a map does not change its
        // contrast there, and its levels are renewed where they have changed.
        if (target.renewed.contains(target.terrain.rect())) target.pyramid = MapPyramid(target.terrain);
        target.renewed = {};
    }
    if (!composed.coarse && composed.complete && coarse_) {
        coarse_.reset();
        replaces = true;
    }
    if (replaces)
        Q_EMIT replaced();
    else if (!composed.coarse && !coarse_ && !written.empty())
        Q_EMIT rewritten(written);
}

Terrain Board::copied() const {
    Terrain copy(terrain().grid(), terrain().rect());
    for (const std::string& name : terrain().names()) copy.set(name, terrain().field(name).copied());
    return copy;
}

void Board::take_lines(NamedLines lines) {
    lines_ = std::move(lines);
    Q_EMIT lines_replaced();
}

void Board::clear() {
    full_.reset();
    coarse_.reset();
    take_lines({});
    Q_EMIT replaced();
}

}  // namespace caprock::editor
