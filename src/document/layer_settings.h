// What can be set of a layer, by name and as text: its own settings, those of its blending, and the parameters of its
// operations. The command line, the editor's panels and the documents' own pages read the same declarations.
#pragma once

#include "document/layer.h"

#include <string>
#include <vector>

namespace caprock {

struct LayerSettings {
    std::string name;
    std::string field;
    bool visible = true;
    bool locked = false;
    bool invert_mask = false;
    Interval range = {0, 0};
    std::vector<double> move = {0, 0};
    double rotate = 0;
    double scale = 1;

    LayerSettings() = default;
    explicit LayerSettings(const Layer& layer);
    void describe(Declaration& d);
    // `pivot_x`, `pivot_y`: what a layer is turned about that was not placed before.
    void apply_to(Layer& layer, double pivot_x, double pivot_y) const;
};

// The names that a layer understands.
std::vector<std::string> setting_names(const Layer& layer);
// Throws Error where there is no such setting, with the nearest one, or the text is refused. A parameter that several
// operations of the layer have is meant of the first; 2.octaves is that of the second operation, mask.octaves that of
// the mask's.
void set_by_name(Layer& layer, const std::string& name, const std::string& text, double pivot_x,
                 double pivot_y);
// As it would be typed.
std::string setting_text(const Layer& layer, const std::string& name);

}  // namespace caprock
