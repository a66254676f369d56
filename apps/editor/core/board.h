// What is on the screen: the composed terrain as dense cells, which are written where they lie. It belongs to the window's
// thread.
#pragma once

#include "terrain/terrain.h"
#include "view/map_pyramid.h"
#include "view/range_pyramid.h"

#include <QObject>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

struct Composed;

}  // namespace caprock

namespace caprock::editor {

class Board : public QObject {
    Q_OBJECT

  public:
    explicit Board(QObject* parent = nullptr) : QObject(parent) {}

    bool empty() const { return !sheet(); }
    // Whether it shows every n-th cell for now, because all of them take longer.
    bool coarse() const { return coarse_ != nullptr; }
    const Terrain& terrain() const { return sheet()->terrain; }
    MapPyramid& pyramid() { return sheet()->pyramid; }
    const RangePyramid& ranges() const { return sheet()->ranges; }
    // As it is now, with cells that stay so.
    Terrain copied() const;

    // Line sets over it, by name.
    const NamedLines& lines() const { return lines_; }

    void take(const Composed& composed);
    void take_lines(NamedLines lines);
    void clear();

  Q_SIGNALS:
    // Another grid, other fields, or another resolution: nothing is as it was.
    void replaced();
    // Only these cells have changed.
    void rewritten(const caprock::Rect& cells);
    void lines_replaced();

  private:
    struct Sheet {
        explicit Sheet(const Composed& composed);
        // Returns the cells that were written.
        Rect write(const Terrain& part);

        Terrain terrain;
        MapPyramid pyramid;
        RangePyramid ranges;
        Rect renewed;  // cells that have come since all was there
    };
    Sheet* sheet() const { return coarse_ ? coarse_.get() : full_.get(); }

    std::unique_ptr<Sheet> full_;
    std::unique_ptr<Sheet> coarse_;
    NamedLines lines_;
};

}  // namespace caprock::editor
