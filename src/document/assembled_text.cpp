#include "document/assembled_text.h"

#include "base/error.h"
#include "document/document_text.h"

#include <algorithm>

namespace caprock {

namespace {

// Layers stand in a list of an object.
constexpr int depth_of_layers = 2;
constexpr const char* no_layers = "\"layers\": []";

bool same(const LayerOperation& one, const LayerOperation& other) {
    // Operations are never changed: another one has another place.
    return one.operation == other.operation && one.kept == other.kept;
}

bool same(const LayerCanvas& one, const LayerCanvas& other) {
    return one.field == other.field && one.canvas == other.canvas && one.kept == other.kept;
}

template <typename Part>
bool same(const std::vector<Part>& one, const std::vector<Part>& other) {
    return std::ranges::equal(one, other, [](const Part& a, const Part& b) { return same(a, b); });
}

bool same(const LayerMask& one, const LayerMask& other) {
    return one.kind == other.kind && one.canvas == other.canvas && one.inverted == other.inverted &&
           same(one.operations, other.operations);
}

// Whether both have the same text, but for the layers within them. False where that is not seen at once.
bool same(const Layer& one, const Layer& other) {
    return one.id == other.id && one.name == other.name && one.kind == other.kind &&
           one.field == other.field && one.visible == other.visible && one.locked == other.locked &&
           one.blend == other.blend && same(one.mask, other.mask) && one.placement == other.placement &&
           one.range == other.range && one.takes == other.takes && same(one.operations, other.operations) &&
           same(one.canvases, other.canvases) && one.file == other.file && one.kept == other.kept &&
           one.placement_kept == other.placement_kept;
}

Layer by_itself(const Layer& layer) {
    Layer own;
    own.id = layer.id;
    own.name = layer.name;
    own.kind = layer.kind;
    own.field = layer.field;
    own.visible = layer.visible;
    own.locked = layer.locked;
    own.blend = layer.blend;
    own.mask = layer.mask;
    own.placement = layer.placement;
    own.range = layer.range;
    own.takes = layer.takes;
    own.operations = layer.operations;
    own.canvases = layer.canvases;
    own.file = layer.file;
    own.kept = layer.kept;
    own.placement_kept = layer.placement_kept;
    return own;
}

DocumentState without_layers(const DocumentState& state) {
    DocumentState frame;
    frame.grid = state.grid;
    frame.window = state.window;
    frame.georeference = state.georeference;
    frame.lines = state.lines;
    frame.canvases = state.canvases;
    frame.next_layer = state.next_layer;
    frame.next_canvas = state.next_canvas;
    frame.minor = state.minor;
    frame.kept = state.kept;
    return frame;
}

// Every line is one space to the right for each level; within texts there are no lines.
std::string moved_in(const std::string& text, int depth) {
    std::string moved;
    moved.reserve(text.size() * 5 / 4);
    const std::string space(size_t(depth), ' ');
    for (char letter : text) {
        moved += letter;
        if (letter == '\n') moved += space;
    }
    return moved;
}

// Behind the bracket of the empty list that is a member of an object at this depth: only that begins a line so.
size_t place_inside(const std::string& text, int depth) {
    size_t line = text.find("\n" + std::string(size_t(depth) + 1, ' ') + no_layers);
    if (line == std::string::npos) throw Error("the text of a document has no place for its layers");
    return text.find('[', line) + 1;
}

}  // namespace

const AssembledText::Piece& AssembledText::piece_of(const Layer& layer, int depth, Draft& draft) {
    Piece& piece = pieces_[layer.id];
    bool kept = !piece.text.empty() && piece.depth == depth && same(piece.layer, layer);
    if (!kept) {
        draft.changed.push_back(layer.id);
        piece = {};
        piece.layer = by_itself(layer);
        std::string text = layer_text(piece.layer);
        piece.values = values_in(text);
        piece.text = moved_in(text, depth);
        piece.depth = depth;
        if (layer.kind == LayerKind::group) piece.inside = place_inside(piece.text, depth);
        layers_written_++;
    }
    piece.used = true;
    return piece;
}

// Into the empty list that the text ends within; `depth` is that of the layers.
void AssembledText::append(const std::vector<Layer>& layers, int depth, Draft& draft) {
    if (layers.empty()) return;
    const std::string line = "\n" + std::string(size_t(depth), ' ');
    for (size_t i = 0; i < layers.size(); i++) {
        draft.text += i > 0 ? "," + line : line;
        draft.values += i > 0 ? 1 : 0;
        draft.places.push_back({layers[i].id, depth});
        const Piece& piece = piece_of(layers[i], depth, draft);
        draft.values += piece.values;
        if (layers[i].kind != LayerKind::group || layers[i].layers.empty()) {
            draft.text += piece.text;
            continue;
        }
        draft.text.append(piece.text, 0, piece.inside);
        append(layers[i].layers, depth + depth_of_layers, draft);
        draft.text.append(piece.text, piece.inside);
    }
    draft.text += "\n" + std::string(size_t(depth) - 1, ' ');
}

// What could not be read again is refused now, and not when the file is opened next. Where only layers by themselves have
// changed, only they have to be looked at.
void AssembledText::check(const DocumentState& state, const std::string& frame, const Draft& draft) {
    require_readable_size(draft.text, draft.values);
    if (!frame_.empty() && frame == frame_ && draft.places == places_) {
        const DocumentState around = without_layers(state);
        for (int id : draft.changed) {
            const Piece& piece = pieces_.at(id);
            check_layer_text(piece.text, piece.depth, around);
        }
        return;
    }
    parse_document(draft.text, {});
    documents_read_++;
    frame_ = frame;
    places_ = draft.places;
}

std::string AssembledText::text_of(const DocumentState& state) {
    for (auto& [id, piece] : pieces_) piece.used = false;
    const std::string frame = document_text(without_layers(state));
    const size_t inside = place_inside(frame, 0);
    Draft draft;
    try {
        draft.values = values_in(frame);
        draft.text.assign(frame, 0, inside);
        append(state.layers, depth_of_layers, draft);
        draft.text.append(frame, inside);
        check(state, frame, draft);
    } catch (...) {
        // Nobody has found these to be readable.
        for (int id : draft.changed) pieces_.erase(id);
        throw;
    }
    std::erase_if(pieces_, [](const auto& entry) { return !entry.second.used; });
    return std::move(draft.text);
}

}  // namespace caprock
