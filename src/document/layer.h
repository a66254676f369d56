// What a document is made of, as plain values: a stack of layers over a grid. Painted cells are not in here but on
// canvases, which layers name by number.
#pragma once

#include "document/document_lines.h"
#include "operation/operation.h"
#include "terrain/terrain.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

enum class LayerKind {
    generated,   // operations that make fields out of nothing
    painted,     // a canvas
    imported,    // canvases with the cells of a file, at the file's own resolution
    adjustment,  // operations on what is composed below
    group,       // other layers
    unknown,     // of a newer version: kept, and without effect
};
std::string_view kind_word(LayerKind kind);

// An operation of a layer. Where the file has one that this version does not know, there is only the text.
struct LayerOperation {
    std::shared_ptr<const Operation> operation;
    std::string kept;  // its JSON as it was read, where not all of it is understood here

    LayerOperation() = default;
    LayerOperation(std::unique_ptr<Operation> made) : operation(std::move(made)) {}
};

struct LayerMask {
    enum class Kind { none, painted, generated };
    Kind kind = Kind::none;
    int canvas = 0;                          // of a painted one
    std::vector<LayerOperation> operations;  // of a generated one: they see what is composed below
    bool inverted = false;
};

// Where the content of a layer goes. Turned about the pivot and scaled from it, then moved.
struct Placement {
    double move_x = 0;  // metres, to the east
    double move_y = 0;  // to the south
    double rotate = 0;  // degrees, clockwise as seen from above
    double scale = 1;
    double pivot_x = 0;  // metres
    double pivot_y = 0;

    bool moves() const { return move_x != 0 || move_y != 0 || rotate != 0 || scale != 1; }
    bool operator==(const Placement&) const = default;
};

struct LayerCanvas {
    std::string field;  // what its cells are of
    int canvas = 0;
    std::string kept = {};  // JSON of members that are not understood here
};

// A field of what another layer makes, under the name by which the operations of this one know it.
struct LayerTake {
    std::string field;
    int layer = 0;          // that lies below, hidden or not
    std::string of = {};    // its field; empty: the one of that name, the only one, or the ground
    std::string kept = {};  // JSON of members that are not understood here

    bool operator==(const LayerTake&) const = default;
};

struct Layer {
    int id = 0;  // given once, never again
    std::string name;
    LayerKind kind = LayerKind::generated;
    std::string field;  // the one it acts on; empty: all that it makes
    bool visible = true;
    bool locked = false;
    // The operation "blend", with mode, opacity and what else the mode asks for.
    std::shared_ptr<const Operation> blend;
    LayerMask mask;
    Placement placement;
    std::optional<Interval> range;           // that operations of a generated layer take for the document's
    std::vector<LayerTake> takes;            // besides what the operations, and those of the mask, see anyway
    std::vector<LayerOperation> operations;  // of generated and adjustment layers
    std::vector<LayerCanvas> canvases;       // of painted and imported ones
    std::vector<Layer> layers;               // of groups, from the lowest
    std::string file;                        // that was imported, as it was named
    std::string kept;  // JSON of members that are not understood here; of an unknown layer all of it
    std::string placement_kept;

    bool has_effect() const;  // is to be seen at all
    // By its mode, the content comes in the place of what lies below. Layers of such a group work on what lies below it, as if
    // they stood in the stack themselves; those of another one stand by themselves, on nothing.
    bool puts_in_place() const;
    // By its mode, the content is an amount: there is 0 of it where nothing was put.
    bool is_amount() const;
};

// Level ground as a layer like any other: what a document stands on that did not begin with a file.
Layer level_ground(double height);

// Of the operation "blend".
std::shared_ptr<const Operation> make_blend(std::string_view mode = "lerp", double opacity = 1);
// Throws Error where one of its numbers is by a map: what varies over a layer is its mask.
void require_even(const Operation& blend);
// Its parameters that are said by whoever composes layers, and by no layer.
const std::vector<std::string>& blend_parameters_of_evaluator();
std::string blend_mode(const Layer& layer);
double layer_opacity(const Layer& layer);
std::shared_ptr<const Operation> with_parameter(const Operation& operation, std::string_view name,
                                                const ParameterValue& value);

// An unbounded grid of tiles: its cell (0, 0) lies at the origin.
struct CanvasInfo {
    int id = 0;
    double cell = 8;
    double origin_x = 0;  // metres
    double origin_y = 0;
    float blank = 0;  // of the cells nobody painted; NaN: nothing is there
    // The cells of what was imported; beyond them there is nothing. Painted canvases have no bounds.
    std::optional<Rect> bounds;
    // Its cells were computed: one that is missing is not known, rather than not painted.
    bool computed = false;
    std::string kept;  // JSON of members that are not understood here
};

struct DocumentState {
    Grid grid;                                 // of all that is computed
    Rect window;                               // of that, what is shown and exported
    std::optional<Georeference> georeference;  // of cell (0, 0)
    std::vector<Layer> layers;                 // from the lowest
    std::vector<DocumentLines> lines;          // that layers may name
    std::vector<CanvasInfo> canvases;
    int next_layer = 1;
    int next_canvas = 1;
    int minor = 0;     // of the format it was written in, where that is newer than this version's
    std::string kept;  // members that are not understood here

    const CanvasInfo* canvas(int id) const;
};

// The layer of that number anywhere in the stack; null where there is none.
const Layer* find_layer(const std::vector<Layer>& layers, int id);
Layer* find_layer(std::vector<Layer>& layers, int id);
// Throws Error naming those there are.
const Layer& layer_of(const DocumentState& state, int id);
Layer& layer_of(DocumentState& state, int id);
// The list a layer is in, and its place there.
struct LayerPlace {
    std::vector<Layer>* list = nullptr;
    size_t index = 0;
};
LayerPlace place_of(DocumentState& state, int id);
// Canvases that some layer names.
std::vector<int> canvases_in_use(const std::vector<Layer>& layers);

}  // namespace caprock
