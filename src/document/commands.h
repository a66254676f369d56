// What can be done to a document. Each is one command: one entry of the history, all or nothing. They throw Error where
// they cannot be done, and leave the document as it was.
#pragma once

#include "document/document.h"
#include "operation/run_context.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

// Where a layer goes: on top of another, at the bottom or the top of a group, or on top of all.
struct LayerSpot {
    int above = 0;   // a layer
    int inside = 0;  // a group: on top of those in it
    bool bottom = false;
};

// ---- layers ----------------------------------------------------------------------------------------------
// Each returns the number of the new layer. An empty name becomes one that says what it is.

// Generated where the first operation makes something of nothing, an adjustment otherwise. One that makes something of
// nothing, but goes on with what is there (interpolate; a kernel whose fields are optional), is an adjustment where other
// layers than `layer` have something for it.
LayerKind kind_of_operations(const std::vector<LayerOperation>& operations, const DocumentState& state,
                             int layer = 0);
int add_operations(Document& document, std::vector<LayerOperation> operations, Layer settings,
                   LayerSpot spot = {});
// Level ground at the low end of the document's range: what it stands on where it did not begin with a file.
int add_ground(Document& document);
// Empty, for painting. Cells that nobody painted leave what is below as it is, whatever the mode.
int add_painted(Document& document, const std::string& field, Layer settings, LayerSpot spot = {});
// The same as a part of another command.
int add_operations(Edit& edit, std::vector<LayerOperation> operations, Layer settings, LayerSpot spot = {});
int add_painted(Edit& edit, const std::string& field, Layer settings, LayerSpot spot = {});
int add_group(Document& document, const std::string& name, const std::vector<int>& layers);
int duplicate_layer(Document& document, int layer);
// A copy on top of each.
std::vector<int> duplicate_layers(Document& document, const std::vector<int>& layers);

// A file's cells, window by window: they are kept in the document.
struct ImportSource {
    std::string file;
    Terrain shape;  // grid and place, no fields
    std::vector<std::string> fields;
    std::function<Terrain(const Rect& window)> read;
};
// `missing_heights` becomes the number of cells that the file has no height for.
int import_layer(Document& document, const ImportSource& source, Layer settings, LayerSpot spot = {},
                 Progress* progress = nullptr, int64_t* missing_heights = nullptr);
// A layer above another one that fills what is missing there.
int fill_holes(Document& document, int layer);

void remove_layers(Document& document, const std::vector<int>& layers);
void move_layer(Document& document, int layer, LayerSpot spot);
// To one place, where they lie in the order in which they are given, the first on top.
void move_layers(Document& document, const std::vector<int>& layers, LayerSpot spot);
void ungroup(Document& document, int group);
// Those that are no groups stay as they are.
void ungroup_layers(Document& document, const std::vector<int>& layers);
// Several settings in one command, by name and as text. `drag`: as for Document::change.
using LayerTexts = std::vector<std::pair<std::string, std::string>>;
void set_layer(Document& document, int layer, const LayerTexts& settings, const std::string& drag = {});
void set_layers(Document& document, const std::vector<int>& layers, const LayerTexts& settings,
                const std::string& drag = {});
// The operation of that name, a simulation of the layer, ends after so many steps. Throws Error where it is a part of another
// operation, or there are several.
void stop_simulation_after(Document& document, int layer, const std::string& operation, int steps);
// `takes`: what they take from other layers, where that is to change as well.
void set_operations(Document& document, int layer, std::vector<LayerOperation> operations,
                    const std::optional<std::vector<LayerTake>>& takes = {});

// ---- masks -----------------------------------------------------------------------------------------------
void set_mask(Document& document, int layer, std::vector<LayerOperation> operations);
// Everywhere the same to begin with.
void paint_mask(Document& document, int layer, float value);
void remove_mask(Document& document, int layer);

// ---- painting --------------------------------------------------------------------------------------------
// The canvas that a painted layer's field, or a layer's mask, is painted on.
int canvas_of(const DocumentState& state, int layer, const std::string& field);
int mask_canvas_of(const DocumentState& state, int layer);
// Cells of a region take the place of those there are.
int64_t paint(Document& document, int layer, int canvas, const Field& cells, const std::string& title);

// ---- flattening ------------------------------------------------------------------------------------------
// The layer's content becomes painted cells; mask, mode and opacity stay.
void rasterise_layer(Document& document, int layer, RunContext& context);
// Layers next to each other become one painted layer that gives the same result. Returns its number.
int collapse_layers(Document& document, const std::vector<int>& layers, RunContext& context);
int merge_down(Document& document, int layer, RunContext& context);

// ---- the grid --------------------------------------------------------------------------------------------
// More or fewer cells; painted cells keep their places, also those that are outside.
void resize_document(Document& document, const Rect& extent);
// Only this is shown and exported. All else stays and is computed with: the terrain inside does not change. `trim`
// takes what is outside out of the computation as well.
void crop_document(Document& document, const Rect& window, bool trim = false);
// Another distance between cells. What is painted is sampled anew; what is generated or imported is not.
void resample_document(Document& document, double cell, Progress* progress = nullptr);
void set_height_range(Document& document, const Interval& range);

// All layers from a text that document_text() has made, of this document or another. Canvases that this document does
// not have are left blank, and `tell` is told.
void replace_layers(Document& document, const std::string& text,
                    const std::function<void(const std::string&)>& tell);

}  // namespace caprock
