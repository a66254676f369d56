// Layers as they are typed: their operations, what is set of a new one, and where it goes.
#pragma once

#include "chain_words.h"
#include "document/commands.h"
#include "document/layer_settings.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace caprock::cli {

// ---- operations ------------------------------------------------------------------------------------------

struct TypedOperations {
    // LAYER or LAYER.FIELD, and the name the field has here.
    struct Take {
        std::string from;
        std::string field;
    };
    std::vector<Take> takes;
    std::vector<LayerOperation> operations;
    std::string title;              // of the preset or recipe they come from
    std::optional<Interval> range;  // that it was made for
};

enum class Heads { operations, presets_too };

// OPERATION options then OPERATION options; where presets may be typed, too, the first may be a preset or a recipe. Before
// them may stand what is taken from other layers: take LAYER.FIELD as FIELD then ...
// `command`: for messages, "document add". Options that no operation has are `others`.
TypedOperations read_operations(const std::vector<std::string>& words, Heads heads,
                                const std::string& command, Declaration& others, std::set<std::string>& given,
                                const std::function<void(const std::string&)>& tell);

// The layers that were meant. Throws Error where there is none of the name.
std::vector<LayerTake> takes_of(const TypedOperations& typed, const DocumentState& state);

// Throws Error where parameters do not go together, or a file is not what it should be. In a document such a layer has no
// effect; whoever types one is better told at once.
void check_typed(const TypedOperations& typed, const Grid& grid);

// ---- places ----------------------------------------------------------------------------------------------

struct PlaceSettings {
    std::string above;
    std::string inside;
    bool bottom = false;

    void describe(Declaration& d);
    LayerSpot spot(const DocumentState& state) const;
};

// ---- settings of a new layer -----------------------------------------------------------------------------

class NewLayerSettings {
  public:
    NewLayerSettings();
    // Settings that mean nothing for a kind of layer are left out.
    void describe(Declaration& d, const std::set<std::string>& left_out = {});
    // Throws Error for what a layer of that kind cannot have.
    Layer layer(LayerKind kind, const DocumentState& state) const;

    LayerSettings own;
    std::shared_ptr<Operation> blend;
    PlaceSettings place;
};

}  // namespace caprock::cli
