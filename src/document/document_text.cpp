#include "document/document_text.h"

#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "operation/recipe.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <set>

namespace caprock {

namespace {

using Json = nlohmann::ordered_json;
using Teller = std::function<void(const std::string&)>;

// More than anybody has, and few enough that a hostile file costs no hour.
constexpr size_t most_layers = 10000;
constexpr size_t most_operations = 1000;

// ---- writing ---------------------------------------------------------------------------------------------

Json kept_json(const std::string& text) { return text.empty() ? Json::object() : Json::parse(text); }

void add_kept(Json& to, const std::string& kept) {
    Json members = kept_json(kept);
    for (auto& [name, value] : members.items())
        if (!to.contains(name)) to[name] = value;
}

Json rect_json(const Rect& rect) { return {rect.left, rect.top, rect.width(), rect.height()}; }

Json operation_json(const LayerOperation& step) {
    if (!step.operation) return Json::parse(step.kept);
    Json made = Json::parse(operation_text(*step.operation));
    if (step.kept.empty()) return made;
    // What is not understood stays beside what is.
    Json kept = Json::parse(step.kept);
    if (kept.contains("parameters") && kept["parameters"].is_object())
        for (auto& [name, value] : kept["parameters"].items())
            if (!made["parameters"].contains(name)) made["parameters"][name] = value;
    for (auto& [name, value] : kept.items())
        if (!made.contains(name) || name == "version") made[name] = value;
    return made;
}

Json operations_json(const std::vector<LayerOperation>& steps) {
    Json list = Json::array();
    for (const LayerOperation& step : steps) list.push_back(operation_json(step));
    return list;
}

// The parameters alone: which operation it is, is known.
Json blend_json(const Operation& blend) {
    Json all = Json::parse(operation_text(blend))["parameters"];
    for (const char* named_by_evaluator : {"field", "source", "mask", "unit-source"})
        all.erase(named_by_evaluator);
    return all;
}

Json layers_json(const std::vector<Layer>& layers);

Json layer_json(const Layer& layer) {
    if (layer.kind == LayerKind::unknown) {
        Json all = Json::parse(layer.kept);
        all["id"] = layer.id;
        all["name"] = layer.name;
        all["visible"] = layer.visible;
        all["locked"] = layer.locked;
        return all;
    }
    Json json = {{"id", layer.id}, {"name", layer.name}, {"kind", kind_word(layer.kind)}};
    if (!layer.field.empty()) json["field"] = layer.field;
    json["visible"] = layer.visible;
    json["locked"] = layer.locked;
    json["blend"] = blend_json(*layer.blend);
    if (layer.mask.kind == LayerMask::Kind::painted)
        json["mask"] = {{"canvas", layer.mask.canvas}, {"inverted", layer.mask.inverted}};
    if (layer.mask.kind == LayerMask::Kind::generated)
        json["mask"] = {{"operations", operations_json(layer.mask.operations)},
                        {"inverted", layer.mask.inverted}};
    const Placement& at = layer.placement;
    if (at != Placement())
        json["placement"] = {{"move", {at.move_x, at.move_y}},
                             {"rotate", at.rotate},
                             {"scale", at.scale},
                             {"pivot", {at.pivot_x, at.pivot_y}}};
    if (layer.range) json["range"] = {layer.range->low, layer.range->high};
    if (!layer.operations.empty()) json["operations"] = operations_json(layer.operations);
    if (!layer.canvases.empty()) {
        Json list = Json::array();
        for (const LayerCanvas& canvas : layer.canvases)
            list.push_back({{"field", canvas.field}, {"canvas", canvas.canvas}});
        json["canvases"] = list;
    }
    if (!layer.file.empty()) json["file"] = layer.file;
    if (layer.kind == LayerKind::group) json["layers"] = layers_json(layer.layers);
    add_kept(json, layer.kept);
    return json;
}

Json layers_json(const std::vector<Layer>& layers) {
    Json list = Json::array();
    for (const Layer& layer : layers) list.push_back(layer_json(layer));
    return list;
}

Json canvas_json(const CanvasInfo& canvas) {
    Json json = {{"id", canvas.id}, {"cell", canvas.cell}, {"origin", {canvas.origin_x, canvas.origin_y}}};
    // JSON has no NaN.
    json["blank"] = is_missing(canvas.blank) ? Json() : Json(double(canvas.blank));
    if (canvas.bounds) json["bounds"] = rect_json(*canvas.bounds);
    return json;
}

Json georeference_json(const Georeference& georeference) {
    return {{"projection", georeference.projection},
            {"transform", georeference.transform},
            {"vertical-unit", georeference.vertical_unit},
            {"at-points", georeference.at_points}};
}

// ---- reading ---------------------------------------------------------------------------------------------

// Members of one object, each asked for by name; what nobody asked for is not understood.
class Members {
  public:
    Members(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
        if (!json.is_object()) throw Error(where_ + " must be an object");
    }

    bool has(const char* name) {
        asked_.insert(name);
        return json_.contains(name);
    }
    const Json& member(const char* name) {
        if (!has(name)) throw Error(fmt::format("{} has no \"{}\"", where_, name));
        return json_[name];
    }
    [[noreturn]] void refuse(const char* name, const char* wanted) const {
        std::string text = json_[name].dump(-1, ' ', false, Json::error_handler_t::replace);
        throw Error(
            fmt::format("{}: \"{}\" must be {}, not {}", where_, name, wanted, shortened(one_line(text))));
    }
    double number(const char* name) { return finite(member(name), name, "a number"); }
    int whole(const char* name, int low, int high) {
        double value = number(name);
        if (value != std::floor(value) || value < low || value > high)
            refuse(name, "a whole number in range");
        return int(value);
    }
    bool flag(const char* name) {
        if (!member(name).is_boolean()) refuse(name, "true or false");
        return json_[name].get<bool>();
    }
    std::string text(const char* name) {
        if (!member(name).is_string()) refuse(name, "a text");
        return json_[name].get<std::string>();
    }
    std::vector<double> numbers(const char* name, size_t count) {
        const Json& list = member(name);
        if (!list.is_array() || list.size() != count) refuse(name, "a list of that many numbers");
        std::vector<double> all;
        for (const Json& entry : list) all.push_back(finite(entry, name, "a list of numbers"));
        return all;
    }
    Rect rect(const char* name) {
        std::vector<double> all = numbers(name, 4);
        constexpr double far = 1 << 24;
        for (double value : all)
            if (value != std::floor(value) || std::abs(value) > far)
                refuse(name, "left, top, width, height in cells");
        return {int(all[0]), int(all[1]), int(all[0] + all[2]), int(all[1] + all[3])};
    }
    const Json& list(const char* name, size_t most) {
        const Json& found = member(name);
        if (!found.is_array()) refuse(name, "a list");
        if (found.size() > most)
            throw Error(
                fmt::format("{}: \"{}\" has {} entries; {} are the most", where_, name, found.size(), most));
        return found;
    }

    // What nobody asked for, as JSON text; empty where there is nothing.
    std::string rest(std::vector<std::string>& not_understood) const {
        Json others = Json::object();
        for (const auto& [name, value] : json_.items()) {
            if (asked_.contains(name)) continue;
            others[name] = value;
            not_understood.push_back(fmt::format("\"{}\" of {}", one_line(name), where_));
        }
        return others.empty() ? "" : others.dump();
    }
    const std::string& where() const { return where_; }

  private:
    static std::string shortened(const std::string& text) {
        return text.size() > 60 ? text.substr(0, 57) + "..." : text;
    }
    double finite(const Json& json, const char* name, const char* wanted) const {
        if (!json.is_number() || !std::isfinite(json.get<double>())) refuse(name, wanted);
        return json.get<double>();
    }

    const Json& json_;
    std::string where_;
    std::set<std::string, std::less<>> asked_;
};

class Reader {
  public:
    explicit Reader(const Teller& tell) : tell_(tell) {}

    DocumentState read(const Json& json) {
        Members members(json, "the document");
        check_version(members);
        DocumentState state;
        read_grid(members, state);
        if (members.has("georeference")) state.georeference = georeference(members.member("georeference"));
        for (const Json& entry : members.list("canvases", most_layers)) read_canvas(entry, state);
        state.layers = layers(members.list("layers", most_layers), state);
        state.next_layer = std::max(members.whole("next-layer", 1, INT32_MAX), largest_layer_ + 1);
        state.next_canvas = std::max(members.whole("next-canvas", 1, INT32_MAX), largest_canvas_ + 1);
        state.minor = minor_;
        state.kept = members.rest(not_understood_);
        say_what_was_not_understood();
        return state;
    }

  private:
    void check_version(Members& members) {
        Members version(members.member("caprock-document"), "\"caprock-document\"");
        int major = version.whole("major", 0, INT32_MAX);
        minor_ = version.whole("minor", 0, INT32_MAX);
        if (major != format_major)
            throw Error(fmt::format(
                "the document is of format {}.{}; this version reads {}.x: it takes a newer caprock", major,
                minor_, format_major));
    }

    void say_what_was_not_understood() {
        if (not_understood_.empty()) return;
        if (not_understood_.size() > 10) {
            size_t more = not_understood_.size() - 10;
            not_understood_.resize(10);
            not_understood_.push_back(fmt::format("{} more", more));
        }
        if (tell_)
            tell_(fmt::format(
                "the document is of format {}.{}, newer than {}.{}: {} not understood here, kept as "
                "it is, and has no effect",
                format_major, minor_, format_major, format_minor,
                listed(not_understood_) + (not_understood_.size() == 1 ? " is" : " are")));
    }

    static void read_grid(Members& members, DocumentState& state) {
        Members grid(members.member("grid"), "\"grid\"");
        state.grid.extent = grid.rect("extent");
        state.grid.cell = grid.number("cell");
        std::vector<double> range = grid.numbers("range", 2);
        state.grid.range = {range[0], range[1]};
        state.grid.check();
        state.window = grid.rect("window");
        if (state.window.empty() || !state.grid.extent.contains(state.window))
            grid.refuse("window", "a part of the extent");
    }

    static Georeference georeference(const Json& json) {
        Members members(json, "\"georeference\"");
        Georeference georeference;
        georeference.projection = members.text("projection");
        std::vector<double> transform = members.numbers("transform", 6);
        std::ranges::copy(transform, georeference.transform.begin());
        georeference.vertical_unit = members.text("vertical-unit");
        georeference.at_points = members.flag("at-points");
        return georeference;
    }

    void read_canvas(const Json& json, DocumentState& state) {
        Members members(json, "a canvas");
        CanvasInfo canvas;
        canvas.id = members.whole("id", 1, INT32_MAX - 1);
        if (state.canvas(canvas.id)) throw Error(fmt::format("there are two canvases {}", canvas.id));
        largest_canvas_ = std::max(largest_canvas_, canvas.id);
        canvas.cell = members.number("cell");
        if (!(canvas.cell > 0)) members.refuse("cell", "a length in metres");
        std::vector<double> origin = members.numbers("origin", 2);
        canvas.origin_x = origin[0];
        canvas.origin_y = origin[1];
        canvas.blank = members.member("blank").is_null() ? missing : float(members.number("blank"));
        if (members.has("bounds")) canvas.bounds = members.rect("bounds");
        state.canvases.push_back(canvas);
    }

    std::vector<Layer> layers(const Json& list, const DocumentState& state) {
        std::vector<Layer> all;
        for (const Json& entry : list) all.push_back(layer(entry, state));
        return all;
    }

    Layer layer(const Json& json, const DocumentState& state) {
        if (++layers_ > most_layers)
            throw Error(fmt::format("the document has more than {} layers", most_layers));
        Members members(json, "a layer");
        Layer layer;
        layer.id = members.whole("id", 1, INT32_MAX - 1);
        if (!ids_.insert(layer.id).second) throw Error(fmt::format("there are two layers {}", layer.id));
        largest_layer_ = std::max(largest_layer_, layer.id);
        layer.name = members.text("name");
        layer.visible = members.flag("visible");
        layer.locked = members.flag("locked");
        std::string kind = members.text("kind");
        std::string where = fmt::format("layer {} ({})", layer.id, one_line(layer.name));
        Members own(json, where);
        for (const char* read : {"id", "name", "visible", "locked", "kind"}) own.has(read);
        layer.kind = LayerKind::unknown;
        for (LayerKind known : {LayerKind::generated, LayerKind::painted, LayerKind::imported,
                                LayerKind::adjustment, LayerKind::group})
            if (kind == kind_word(known)) layer.kind = known;
        if (layer.kind == LayerKind::unknown) {
            not_understood_.push_back(fmt::format("the kind \"{}\" of {}", one_line(kind), where));
            layer.kept = json.dump();
            layer.blend = make_blend();
            return layer;
        }
        if (own.has("field")) layer.field = own.text("field");
        layer.blend = blend(own.member("blend"), where);
        if (own.has("mask")) layer.mask = mask(own.member("mask"), where, state);
        if (own.has("placement")) layer.placement = placement(own.member("placement"), where);
        if (own.has("range")) {
            std::vector<double> range = own.numbers("range", 2);
            layer.range = Interval{range[0], range[1]};
            if (!(range[0] < range[1])) own.refuse("range", "two heights, the lower one first");
        }
        if (own.has("operations"))
            layer.operations = operations(own.list("operations", most_operations), where);
        if (own.has("canvases"))
            for (const Json& entry : own.list("canvases", most_operations)) {
                Members use(entry, "a canvas of " + where);
                layer.canvases.push_back({use.text("field"), canvas_number(use, state)});
            }
        if (own.has("file")) layer.file = own.text("file");
        if (layer.kind == LayerKind::group) layer.layers = layers(own.list("layers", most_layers), state);
        layer.kept = own.rest(not_understood_);
        check_content(layer, where);
        return layer;
    }

    static void check_content(const Layer& layer, const std::string& where) {
        bool painted = layer.kind == LayerKind::painted || layer.kind == LayerKind::imported;
        if (painted && layer.canvases.empty()) throw Error(where + " has no canvas");
        if (layer.kind == LayerKind::painted && layer.canvases.size() > 64)
            throw Error(where + " has more than 64 canvases");
    }

    static int canvas_number(Members& members, const DocumentState& state) {
        int id = members.whole("canvas", 1, INT32_MAX - 1);
        if (!state.canvas(id))
            throw Error(fmt::format("{} names canvas {}, which there is not", members.where(), id));
        return id;
    }

    std::shared_ptr<const Operation> blend(const Json& json, const std::string& where) {
        if (!json.is_object()) throw Error(where + ": \"blend\" must be an object");
        Json all = {{"operation", "blend"}, {"parameters", json}};
        try {
            return parse_operation(all.dump(), {});
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", where, error.what()));
        }
    }

    LayerMask mask(const Json& json, const std::string& where, const DocumentState& state) {
        Members members(json, "the mask of " + where);
        LayerMask mask;
        mask.inverted = members.flag("inverted");
        if (members.has("canvas")) {
            mask.kind = LayerMask::Kind::painted;
            mask.canvas = canvas_number(members, state);
        } else {
            mask.kind = LayerMask::Kind::generated;
            mask.operations = operations(members.list("operations", most_operations), where);
        }
        return mask;
    }

    static Placement placement(const Json& json, const std::string& where) {
        Members members(json, "the placement of " + where);
        Placement placement;
        std::vector<double> move = members.numbers("move", 2);
        std::vector<double> pivot = members.numbers("pivot", 2);
        placement.move_x = move[0];
        placement.move_y = move[1];
        placement.pivot_x = pivot[0];
        placement.pivot_y = pivot[1];
        placement.rotate = members.number("rotate");
        placement.scale = members.number("scale");
        if (!(placement.scale > 0)) members.refuse("scale", "more than 0");
        return placement;
    }

    std::vector<LayerOperation> operations(const Json& list, const std::string& where) {
        std::vector<LayerOperation> steps;
        for (const Json& entry : list) steps.push_back(operation(entry, where));
        return steps;
    }

    LayerOperation operation(const Json& json, const std::string& where) {
        LayerOperation step;
        if (!json.is_object() || !json.contains("operation") || !json["operation"].is_string())
            throw Error(where + " has an operation without \"operation\", its name");
        std::string name = json["operation"].get<std::string>();
        if (!is_operation(name)) {
            not_understood_.push_back(fmt::format("the operation \"{}\" of {}", one_line(name), where));
            step.kept = json.dump();
            return step;
        }
        bool all_understood = true;
        try {
            step.operation = parse_operation(json.dump(), [&](const std::string& message) {
                // Parameters that are new since the file was written have their defaults: nothing is lost by that.
                if (message.find("not given") != std::string::npos) return;
                all_understood = false;
                not_understood_.push_back(fmt::format("\"{}\" of {}", message, where));
            });
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", where, error.what()));
        }
        if (!all_understood) step.kept = json.dump();
        return step;
    }

    const Teller& tell_;
    int minor_ = 0;
    size_t layers_ = 0;
    int largest_layer_ = 0;
    int largest_canvas_ = 0;
    std::set<int> ids_;
    std::vector<std::string> not_understood_;
};

}  // namespace

std::string document_text(const DocumentState& state) {
    Json json;
    json["caprock-document"] = {{"major", format_major}, {"minor", std::max(state.minor, format_minor)}};
    json["grid"] = {{"extent", rect_json(state.grid.extent)},
                    {"cell", state.grid.cell},
                    {"range", {state.grid.range.low, state.grid.range.high}},
                    {"window", rect_json(state.window)}};
    if (state.georeference) json["georeference"] = georeference_json(*state.georeference);
    json["layers"] = layers_json(state.layers);
    Json canvases = Json::array();
    for (const CanvasInfo& canvas : state.canvases) canvases.push_back(canvas_json(canvas));
    json["canvases"] = canvases;
    json["next-layer"] = state.next_layer;
    json["next-canvas"] = state.next_canvas;
    add_kept(json, state.kept);
    try {
        return json.dump(1) + "\n";
    } catch (const Json::exception&) {
        throw Error("a name is not UTF-8 and cannot be kept in the document");
    }
}

DocumentState parse_document(const std::string& text, const Teller& tell) {
    Json json = parsed_json(text, "not a document: lists within lists, far too deep");
    try {
        return Reader(tell).read(json);
    } catch (const Json::exception& error) {
        throw Error(fmt::format("not a document: {}", error.what()));
    }
}

}  // namespace caprock
