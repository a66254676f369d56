// Material sets as JSON.
#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/text_file.h"
#include "view/material_set.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

constexpr int newest_version = 1;
constexpr const char* version_key = "caprock-materials";
constexpr size_t largest_file = size_t(1) << 20;

struct NamedBand {
    const char* name;
    std::optional<MaterialBand> MaterialLayer::*band;
};
constexpr NamedBand bands[] = {{"height", &MaterialLayer::height},       {"slope", &MaterialLayer::slope},
                               {"curvature", &MaterialLayer::curvature}, {"flow", &MaterialLayer::flow},
                               {"material", &MaterialLayer::material},   {"mask", &MaterialLayer::mask}};

// An object of which every member is to be understood. `where` stands before every message.
class Members {
  public:
    Members(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
        if (!json.is_object()) throw Error(fmt::format("{}: must be an object, {{...}}", where_));
    }

    const Json* find(const char* name) {
        known_.push_back(name);
        auto found = json_.find(name);
        return found == json_.end() ? nullptr : &*found;
    }
    void read(const char* name, double& value) {
        if (const Json* json = find(name)) value = number(*json, name);
    }
    void read(const char* name, std::string& value) {
        if (const Json* json = find(name)) value = text(*json, name);
    }
    void read(const char* name, bool& value) {
        const Json* json = find(name);
        if (!json) return;
        if (!json->is_boolean()) refuse(name, "must be true or false");
        value = json->get<bool>();
    }
    double number(const Json& json, const char* name) const {
        if (!json.is_number()) refuse(name, "must be a number");
        return json.get<double>();
    }
    std::string text(const Json& json, const char* name) const {
        if (!json.is_string()) refuse(name, "must be a text");
        return json.get<std::string>();
    }
    [[noreturn]] void refuse(const char* name, const std::string& why) const {
        throw Error(fmt::format("{}: \"{}\" {}", where_, name, why));
    }
    std::string where(const char* name) const { return fmt::format("{}: \"{}\"", where_, name); }

    // After everything has been asked for: what is left is a mistake.
    void no_others() const {
        for (const auto& [name, value] : json_.items())
            if (std::find(known_.begin(), known_.end(), name) == known_.end())
                throw Error(
                    fmt::format("{}: unknown \"{}\"{}", where_, one_line(name), suggestion(name, known_)));
    }

  private:
    const Json& json_;
    std::string where_;
    std::vector<std::string> known_;
};

MaterialBand band_from(const Json& json, const std::string& where, bool of_heights) {
    Members members(json, where);
    MaterialBand band;
    members.read("from", band.from);
    members.read("to", band.to);
    members.read("fade", band.fade);
    if (of_heights) members.read("metres", band.metres);
    members.no_others();
    return band;
}

MaterialLayer layer_from(const Json& json, size_t index) {
    MaterialLayer layer;
    std::string where = fmt::format("layer {}", index + 1);
    if (json.is_object() && json.contains("name") && json["name"].is_string())
        where = fmt::format("layer '{}'", one_line(json["name"].get<std::string>()));
    Members members(json, where);
    members.read("name", layer.name);
    const Json* texture = members.find("texture");
    if (!texture) throw Error(fmt::format("{}: no \"texture\"", where));
    std::string kind = members.text(*texture, "texture");
    if (std::optional<MaterialKind> known = material_kind(kind))
        layer.texture = *known;
    else
        members.refuse("texture", fmt::format("is '{}', but must be {}", one_line(kind),
                                              listed(material_kind_names(), "or")));
    members.read("parent", layer.parent);
    if (const Json* tint = members.find("tint")) {
        if (!tint->is_array() || tint->size() != 3)
            members.refuse("tint", "must be three numbers: red, green and blue");
        for (size_t i = 0; i < 3; i++) layer.tint[i] = members.number((*tint)[i], "tint");
    }
    members.read("tile", layer.tile);
    for (const NamedBand& named : bands) {
        const Json* band = members.find(named.name);
        if (!band) continue;
        layer.*named.band = band_from(*band, members.where(named.name), named.band == &MaterialLayer::height);
    }
    if (const Json* noise = members.find("noise")) {
        Members parts(*noise, members.where("noise"));
        parts.read("feature", layer.noise.feature);
        parts.read("amount", layer.noise.amount);
        parts.no_others();
    }
    members.read("opacity", layer.opacity);
    members.no_others();
    return layer;
}

Json band_json(const MaterialBand& band) {
    Json json = Json::object();
    if (std::isfinite(band.from)) json["from"] = band.from;
    if (std::isfinite(band.to)) json["to"] = band.to;
    json["fade"] = band.fade;
    if (band.metres) json["metres"] = true;
    return json;
}

Json layer_json(const MaterialLayer& layer) {
    Json json = {{"name", layer.name}, {"texture", name_of(layer.texture)}};
    if (!layer.parent.empty()) json["parent"] = layer.parent;
    json["tint"] = layer.tint;
    json["tile"] = layer.tile;
    for (const NamedBand& named : bands)
        if (layer.*named.band) json[named.name] = band_json(*(layer.*named.band));
    json["noise"] = {{"feature", layer.noise.feature}, {"amount", layer.noise.amount}};
    json["opacity"] = layer.opacity;
    return json;
}

}  // namespace

MaterialSet parse_material_set(const std::string& text) {
    Json json = parsed_json(text, "not a material set: lists within lists, far too deep");
    if (!json.is_object() || !json.contains(version_key))
        throw Error(fmt::format("not a material set: it has no \"{}\"", version_key));
    Members members(json, "material set");
    double version = 0;
    members.read(version_key, version);
    if (version != newest_version)
        members.refuse(version_key, fmt::format("is {}, but this version of Caprock reads {}",
                                                number_text(version), newest_version));
    MaterialSet set;
    members.read("title", set.title);
    if (const Json* projection = members.find("projection")) {
        std::string name = members.text(*projection, "projection");
        if (name != "vertical" && name != "triplanar")
            members.refuse("projection",
                           fmt::format("is '{}', but must be vertical or triplanar", one_line(name)));
        set.projection = name == "vertical" ? TextureProjection::vertical : TextureProjection::triplanar;
    }
    if (const Json* macro = members.find("macro")) {
        Members parts(*macro, members.where("macro"));
        parts.read("amount", set.macro.amount);
        parts.read("size", set.macro.size);
        parts.no_others();
    }
    if (const Json* layers = members.find("layers")) {
        if (!layers->is_array()) members.refuse("layers", "must be a list, [...]");
        if (layers->size() > size_t(most_material_layers))
            throw Error(fmt::format("{} layers: a material set has {} at most", layers->size(),
                                    most_material_layers));
        for (size_t i = 0; i < layers->size(); i++) set.layers.push_back(layer_from((*layers)[i], i));
    }
    members.no_others();
    set.check();
    return set;
}

std::string material_set_text(const MaterialSet& set) {
    set.check();
    Json json = {{version_key, newest_version}};
    if (!set.title.empty()) json["title"] = set.title;
    json["projection"] = set.projection == TextureProjection::vertical ? "vertical" : "triplanar";
    json["macro"] = {{"amount", set.macro.amount}, {"size", set.macro.size}};
    json["layers"] = Json::array();
    for (const MaterialLayer& layer : set.layers) json["layers"].push_back(layer_json(layer));
    try {
        return json.dump(2) + "\n";
    } catch (const Json::exception&) {
        throw Error("a name or title is not UTF-8 and cannot be kept in JSON");
    }
}

MaterialSet read_material_set(const std::string& path) {
    try {
        return parse_material_set(text_of_file(path, largest_file, "that is no material set"));
    } catch (const Error& error) {
        throw Error(fmt::format("{}: {}", shown_path(path), error.what()));
    }
}

void write_material_set(const MaterialSet& set, const std::string& path) {
    write_text_file(material_set_text(set), path);
}

}  // namespace caprock
