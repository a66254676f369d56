#include "document/setting_list.h"

#include "document/layer_settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace caprock {

namespace {

LayerSetting setting_of(const Configurable& values, const Parameter& parameter, const std::string& owner,
                        const std::string& prefix) {
    LayerSetting setting;
    setting.name = prefix + parameter.name();
    setting.owner = owner;
    setting.type = parameter.type();
    setting.text = values.value_text(parameter);
    setting.unit = parameter.unit();
    setting.help = parameter.help();
    bool has_range = parameter.hard_range() || !parameter.choices().empty() ||
                     parameter.type() == ParameterType::flag || parameter.type() == ParameterType::seed;
    if (has_range) setting.range = parameter.range_text();
    return setting;
}

void add_operations(const std::vector<LayerOperation>& steps, const std::string& before,
                    std::vector<LayerSetting>& into) {
    for (size_t i = 0; i < steps.size(); i++) {
        if (!steps[i].operation) continue;
        const Operation& operation = *steps[i].operation;
        std::string number = steps.size() > 1 || before.empty() ? std::to_string(i + 1) : "";
        for (const Parameter& parameter : operation.schema().parameters()) {
            LayerSetting setting =
                setting_of(operation, parameter, std::string(operation.name()), before + number + ".");
            setting.step = int(i) + 1;
            setting.of_mask = !before.empty();
            into.push_back(std::move(setting));
        }
    }
}

}  // namespace

std::vector<LayerSetting> settings_of(const Layer& layer) {
    std::vector<LayerSetting> all;
    LayerSettings own(layer);
    Declaration declaration;
    own.describe(declaration);
    for (const Parameter& parameter : declaration.schema().parameters())
        all.push_back(setting_of(declaration, parameter, "layer", ""));
    // The fields that a blending works on are those of the layer.
    const std::vector<std::string>& of_evaluator = blend_parameters_of_evaluator();
    for (const Parameter& parameter : layer.blend->schema().parameters())
        if (std::ranges::find(of_evaluator, parameter.name()) == of_evaluator.end())
            all.push_back(setting_of(*layer.blend, parameter, "blending", ""));
    std::set<std::string> taken;
    for (const LayerSetting& setting : all) taken.insert(setting.name);
    size_t first = all.size();
    add_operations(layer.operations, "", all);
    // 1.octaves is octaves, unless the layer, its blending or an earlier operation has one of that name.
    for (size_t i = first; i < all.size(); i++) {
        std::string plain = all[i].name.substr(all[i].name.find('.') + 1);
        if (taken.insert(plain).second) all[i].name = plain;
    }
    add_operations(layer.mask.operations, "mask", all);
    return all;
}

const LayerSetting* find_setting(const std::vector<LayerSetting>& settings, const std::string& name) {
    auto find = [&](const auto& fits) -> const LayerSetting* {
        auto found = std::ranges::find_if(settings, fits);
        return found == settings.end() ? nullptr : &*found;
    };
    if (const LayerSetting* same = find([&](const LayerSetting& setting) { return setting.name == name; }))
        return same;
    size_t dot = name.find('.');
    if (dot == std::string::npos) return nullptr;
    std::string owner = name.substr(0, dot);
    std::string wanted = name.substr(dot + 1);
    auto ends_so = [&](const LayerSetting& setting) {
        return setting.name == wanted || setting.name.ends_with("." + wanted);
    };
    // mask.octaves is that of the first of the mask's operations that has it, whatever its number.
    if (owner == "mask")
        return find([&](const LayerSetting& setting) { return setting.of_mask && ends_so(setting); });
    // A number that need not have been typed: there is a setting of that name, and its type is that of all its kind.
    return find([&](const LayerSetting& setting) {
        return setting.owner != "layer" && setting.owner != "blending" && ends_so(setting) &&
               setting.of_mask == owner.starts_with("mask");
    });
}

}  // namespace caprock
