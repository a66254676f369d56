// Every setting of a layer with what is declared of it, for pages that show them.
#pragma once

#include "document/layer.h"

#include <string>
#include <vector>

namespace caprock {

struct LayerSetting {
    std::string name;   // by which set_by_name() means this one and no other
    std::string owner;  // "layer", "blending", or the operation, "noise" or "mask-slope" of the mask
    int step = 0;       // of the operations of the layer or the mask, which one; 0: none of them
    bool of_mask = false;
    ParameterType type = ParameterType::text;
    std::string text;  // its value, as it would be typed
    std::string unit;
    std::string help;
    std::string range;  // "1 to 32", "sum, billow or ridged"; empty where any text will do
};

// In the order: the layer's own, those of its blending, of its operations, of its mask's.
std::vector<LayerSetting> settings_of(const Layer& layer);

// The one that set_by_name() means by a name as it is typed; null where there is none.
const LayerSetting* find_setting(const std::vector<LayerSetting>& settings, const std::string& name);

}  // namespace caprock
