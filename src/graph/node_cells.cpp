#include "graph/node_cells.h"

#include "compute/in_parallel.h"

namespace caprock {

namespace {

// What a field is made on that there was not: nothing is known where nothing comes.
Field zero_where_known(const Field& source) {
    const Rect& rect = source.rect();
    Field made(rect, 0);
    Field::Rows from = source.rows();
    Field::WritableRows to = made.writable_rows();
    in_parallel(size_t(rect.height()), [&](size_t row) {
        int y = rect.top + int(row);
        for (int x = 0; x < rect.width(); x++)
            if (is_missing(from[y][x])) to[y][x] = missing;
    });
    return made;
}

// What is an index stays one under any name, and what becomes one is taken as it is.
const Quantity& quantity_placed(const Node& node) {
    const std::string& from = node.inputs[0].from.field;
    return quantity_of(is_index(from) ? from : node.makes.front());
}

}  // namespace

Field cells_from(const Node& node, const Field& input, const Rect& region) {
    if (input.empty()) return Field(region, missing);
    switch (node.kind) {
        case Node::Kind::thin:
            return thinned(input, region);
        case Node::Kind::halve:
            return halved(input, region);
        case Node::Kind::zero:
            return zero_where_known(input);
        default:
            return placed(input, node.map, region, quantity_placed(node));
    }
}

}  // namespace caprock
