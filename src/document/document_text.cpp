#include "document/document_text.h"

#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "operation/kernel_program.h"
#include "operation/recipe.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <set>
#include <tuple>
#include <utility>

namespace caprock {

namespace {

using Json = nlohmann::ordered_json;
using Teller = std::function<void(const std::string&)>;

// More than anybody has, and few enough that a hostile file costs no hour.
constexpr size_t most_layers = 10000;
constexpr size_t most_operations = 1000;
constexpr size_t most_text = 64 << 20;
// In memory a value takes ten times what "0," does.
constexpr int64_t most_values = 4'000'000;
constexpr int64_t most_members = 1000;
// Metres: more than the way around the world, and cells can still be counted.
constexpr double farthest = 1e9;
constexpr double smallest_cell = 1e-9;
constexpr const char* too_deep = "not a document: lists within lists, far too deep";

// ---- writing ---------------------------------------------------------------------------------------------

// What was not understood goes back where it was: beside what is there, and within it. The parts that are understood
// come only from the state; one that is gone does not come back for the sake of what is not understood in it.
const std::set<std::string, std::less<>> known_parts = {"caprock-document", "grid", "georeference", "blend",
                                                        "mask"};

void add_kept(Json& to, const std::string& kept) {
    if (kept.empty()) return;
    Json members = Json::parse(kept);
    for (auto& [name, value] : members.items()) {
        if (known_parts.contains(name) && value.is_object()) {
            if (!to.contains(name) || !to[name].is_object()) continue;
            for (auto& [inner_name, inner] : value.items())
                if (!to[name].contains(inner_name)) to[name][inner_name] = inner;
        } else if (!to.contains(name)) {
            to[name] = value;
        }
    }
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
    for (const std::string& name : blend_parameters_of_evaluator()) all.erase(name);
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
    if (at != Placement() || !layer.placement_kept.empty()) {
        json["placement"] = {{"move", {at.move_x, at.move_y}},
                             {"rotate", at.rotate},
                             {"scale", at.scale},
                             {"pivot", {at.pivot_x, at.pivot_y}}};
        add_kept(json["placement"], layer.placement_kept);
    }
    if (layer.range) json["range"] = {layer.range->low, layer.range->high};
    for (const LayerTake& taken : layer.takes) {
        Json entry = {{"field", taken.field}, {"layer", taken.layer}};
        if (!taken.of.empty()) entry["of"] = taken.of;
        add_kept(entry, taken.kept);
        json["take"].push_back(std::move(entry));
    }
    if (!layer.operations.empty()) json["operations"] = operations_json(layer.operations);
    if (!layer.canvases.empty()) {
        Json list = Json::array();
        for (const LayerCanvas& canvas : layer.canvases) {
            list.push_back({{"field", canvas.field}, {"canvas", canvas.canvas}});
            add_kept(list.back(), canvas.kept);
        }
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
    if (canvas.computed) json["computed"] = true;
    add_kept(json, canvas.kept);
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
    double length(const char* name) {
        double value = number(name);
        if (std::abs(value) > farthest) refuse(name, "a length in metres");
        return value;
    }
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
    std::pair<double, double> place(const char* name) {
        std::vector<double> all = numbers(name, 2);
        if (std::abs(all[0]) > farthest || std::abs(all[1]) > farthest) refuse(name, "a place in metres");
        return {all[0], all[1]};
    }
    Rect rect(const char* name) {
        std::vector<double> all = numbers(name, 4);
        constexpr double far = 1 << 24;
        for (double value : all)
            if (value != std::floor(value) || std::abs(value) > far)
                refuse(name, "left, top, width, height in cells");
        if (all[2] < 0 || all[3] < 0) refuse(name, "left, top, width, height in cells");
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
        Json others = parts_;
        for (const auto& [name, value] : json_.items()) {
            if (asked_.contains(name)) continue;
            others[name] = value;
            if (not_understood.size() < most_told)
                not_understood.push_back(fmt::format("\"{}\" of {}", one_line(name), where_));
        }
        return others.empty() ? "" : others.dump();
    }
    // That of a member of this one goes with it.
    void add_rest(const char* part, const Members& members, std::vector<std::string>& not_understood) {
        std::string inner = members.rest(not_understood);
        if (!inner.empty()) parts_[part] = Json::parse(inner);
    }
    const std::string& where() const { return where_; }
    void call(std::string where) { where_ = std::move(where); }

  private:
    static std::string shortened(const std::string& text) {
        return text.size() > 60 ? text.substr(0, 57) + "..." : text;
    }
    double finite(const Json& json, const char* name, const char* wanted) const {
        if (!json.is_number() || !std::isfinite(json.get<double>())) refuse(name, wanted);
        return json.get<double>();
    }

    static constexpr size_t most_told = 1000;
    const Json& json_;
    std::string where_;
    std::set<std::string, std::less<>> asked_;
    Json parts_ = Json::object();  // of members: what is not understood in them
};

// ---- documents of earlier versions -----------------------------------------------------------------------

// Before, a document stood on the low end of its range, and so did what was missing in it. In a group that worked by
// itself, layers stood on 0 m.
constexpr int first_minor_on_nothing = 1;

bool makes_height(const Layer& layer) {
    if (!layer.field.empty()) return is_ground(layer.field);
    auto makes = [](const LayerOperation& step) {
        if (!step.operation) return false;
        const FieldUse use = step.operation->fields();
        return use.every_field || std::ranges::any_of(use.outputs, is_ground);
    };
    return std::ranges::any_of(layer.operations, makes) ||
           std::ranges::any_of(layer.canvases, [](const LayerCanvas& use) { return is_ground(use.field); }) ||
           std::ranges::any_of(layer.layers, makes_height);
}

// Whether nothing of what lies below it can be seen.
bool covers_all(const Layer& layer) {
    std::string mode = blend_mode(layer);
    return layer.kind == LayerKind::generated && layer.has_effect() &&
           (mode == "lerp" || mode == "replace") && layer_opacity(layer) == 1 &&
           layer.mask.kind == LayerMask::Kind::none && !layer.placement.moves() && makes_height(layer);
}

void put_groups_on_ground(std::vector<Layer>& layers, int& next_layer) {
    for (Layer& layer : layers) {
        put_groups_on_ground(layer.layers, next_layer);
        bool by_itself = layer.kind == LayerKind::group && !layer.puts_in_place() && !layer.is_amount();
        if (!by_itself || !std::ranges::any_of(layer.layers, makes_height) ||
            covers_all(layer.layers.front()))
            continue;
        Layer ground = level_ground(0);
        ground.id = next_layer++;
        ground.visible = std::ranges::any_of(
            layer.layers, [](const Layer& inside) { return inside.has_effect() && makes_height(inside); });
        layer.layers.insert(layer.layers.begin(), std::move(ground));
    }
}

bool has_file(const std::vector<Layer>& layers) {
    return std::ranges::any_of(layers, [](const Layer& layer) {
        return layer.kind == LayerKind::imported || has_file(layer.layers);
    });
}

// They look as they did: what they stood on is a layer now, which can be seen and removed.
void put_on_ground(DocumentState& state, const Teller& tell) {
    put_groups_on_ground(state.layers, state.next_layer);
    if (!state.layers.empty() && covers_all(state.layers.front())) return;
    Layer ground = level_ground(state.grid.range.low);
    ground.id = state.next_layer++;
    if (tell && has_file(state.layers))
        tell(fmt::format(
            "an earlier version made this document, and filled what is missing in it with {} m; its layer {} "
            "({}) does so now: without it, what is missing is missing",
            number_text(state.grid.range.low), ground.id, ground.name));
    state.layers.insert(state.layers.begin(), std::move(ground));
}

class Reader {
  public:
    explicit Reader(const Teller& tell) : tell_(tell) {}

    // As one of a document that has all but layers.
    void check_layer(const Json& json, const DocumentState& around) {
        minor_ = std::max(around.minor, format_minor);
        layer(json, around);
    }

    DocumentState read(const Json& json) {
        Members members(json, "the document");
        check_version(members);
        DocumentState state;
        read_grid(members, state);
        if (members.has("georeference")) state.georeference = georeference(members);
        if (members.has("lines")) read_lines(members, state);
        for (const Json& entry : members.list("canvases", most_layers)) read_canvas(entry, state);
        state.layers = layers(members.list("layers", most_layers), state);
        state.next_layer = std::max(members.whole("next-layer", 1, most_numbers), largest_layer_ + 1);
        state.next_canvas = std::max(members.whole("next-canvas", 1, most_numbers), largest_canvas_ + 1);
        state.minor = minor_;
        if (minor_ < first_minor_on_nothing) put_on_ground(state, tell_);
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
        members.add_rest("caprock-document", version, not_understood_);
    }

    void say_what_was_not_understood() {
        if (not_understood_.empty()) return;
        if (not_understood_.size() > 20) {
            size_t more = not_understood_.size() - 20;
            not_understood_.resize(20);
            not_understood_.push_back(fmt::format("{} more", more));
        }
        std::string newer;
        if (minor_ > format_minor)
            newer = fmt::format("the document is of format {}.{}, newer than {}.{}: ", format_major, minor_,
                                format_major, format_minor);
        bool one = not_understood_.size() == 1;
        if (tell_)
            tell_(fmt::format("{}{} {} not understood here, kept, and without effect", newer,
                              listed(not_understood_), one ? "is" : "are"));
    }

    void read_grid(Members& members, DocumentState& state) {
        Members grid(members.member("grid"), "\"grid\"");
        state.grid.extent = grid.rect("extent");
        state.grid.cell = grid.number("cell");
        std::vector<double> range = grid.numbers("range", 2);
        state.grid.range = {range[0], range[1]};
        state.grid.check();
        state.window = grid.rect("window");
        if (state.window.empty() || !state.grid.extent.contains(state.window))
            grid.refuse("window", "a part of the extent");
        members.add_rest("grid", grid, not_understood_);
    }

    Georeference georeference(Members& document) {
        Members members(document.member("georeference"), "\"georeference\"");
        Georeference georeference;
        georeference.projection = members.text("projection");
        std::vector<double> transform = members.numbers("transform", 6);
        std::ranges::copy(transform, georeference.transform.begin());
        georeference.vertical_unit = members.text("vertical-unit");
        georeference.at_points = members.flag("at-points");
        document.add_rest("georeference", members, not_understood_);
        return georeference;
    }

    void read_lines(Members& document, DocumentState& state) {
        const Json& all = document.member("lines");
        if (!all.is_object()) document.refuse("lines", "an object of names and texts");
        for (const auto& [name, text] : all.items()) {
            if (!text.is_string()) document.refuse("lines", "an object of names and texts");
            try {
                state.lines.push_back(document_lines_from(name, text.get<std::string>()));
            } catch (const Error& error) {
                throw Error(fmt::format("the lines '{}': {}", one_line(name), error.what()));
            }
        }
    }

    void read_canvas(const Json& json, DocumentState& state) {
        Members members(json, "a canvas");
        CanvasInfo canvas;
        canvas.id = members.whole("id", 1, most_numbers - 1);
        members.call(fmt::format("canvas {}", canvas.id));
        if (state.canvas(canvas.id)) throw Error(fmt::format("there are two canvases {}", canvas.id));
        largest_canvas_ = std::max(largest_canvas_, canvas.id);
        canvas.cell = members.number("cell");
        if (!(canvas.cell >= smallest_cell && canvas.cell <= farthest))
            members.refuse("cell", "a length in metres");
        std::tie(canvas.origin_x, canvas.origin_y) = members.place("origin");
        if (!members.member("blank").is_null()) {
            double blank = members.number("blank");
            if (std::abs(blank) > double(FLT_MAX)) members.refuse("blank", "a number that fits in a float");
            canvas.blank = float(blank);
        } else {
            canvas.blank = missing;
        }
        if (members.has("bounds")) canvas.bounds = members.rect("bounds");
        if (members.has("computed")) canvas.computed = members.flag("computed");
        canvas.kept = members.rest(not_understood_);
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
        layer.id = members.whole("id", 1, most_numbers - 1);
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
        auto not_understood = [&](std::string what) {
            not_understood_.push_back(std::move(what));
            layer.kind = LayerKind::unknown;
            layer.kept = json.dump();
            layer.blend = make_blend();
            return layer;
        };
        if (layer.kind == LayerKind::unknown)
            return not_understood(fmt::format("the kind \"{}\" of {}", one_line(kind), where));
        try {
            layer.blend = blend(own, where);
        } catch (const Error& error) {
            if (minor_ <= format_minor) throw;
            return not_understood(error.what());  // a new mode, say
        }
        if (own.has("field")) layer.field = own.text("field");
        if (own.has("mask")) layer.mask = mask(own, where, state);
        if (own.has("placement")) read_placement(own, where, layer);
        if (own.has("range")) {
            std::vector<double> range = own.numbers("range", 2);
            layer.range = Interval{range[0], range[1]};
            if (!(range[0] < range[1])) own.refuse("range", "two heights, the lower one first");
        }
        if (own.has("take"))
            for (const Json& entry : own.list("take", most_operations)) {
                Members take(entry, "what is taken by " + where);
                LayerTake taken;
                taken.field = take.text("field");
                if (taken.field.empty()) take.refuse("field", "the name of a field");
                taken.layer = take.whole("layer", 1, most_numbers - 1);
                if (take.has("of")) taken.of = take.text("of");
                taken.kept = take.rest(not_understood_);
                layer.takes.push_back(std::move(taken));
            }
        if (own.has("operations"))
            layer.operations = operations(own.list("operations", most_operations), where);
        if (own.has("canvases"))
            for (const Json& entry : own.list("canvases", most_operations)) {
                Members use(entry, "a canvas of " + where);
                std::string field = use.text("field");
                int canvas = canvas_number(use, state);
                layer.canvases.push_back({field, canvas, use.rest(not_understood_)});
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
        int id = members.whole("canvas", 1, most_numbers - 1);
        if (!state.canvas(id))
            throw Error(fmt::format("{} names canvas {}, which there is not", members.where(), id));
        return id;
    }

    std::shared_ptr<const Operation> blend(Members& layer, const std::string& where) {
        const Json& json = layer.member("blend");
        Members members(json, "the blend of " + where);
        Json all = {{"operation", "blend"}, {"parameters", json}};
        std::shared_ptr<const Operation> made;
        try {
            made = parse_operation(all.dump(), {});
            require_even(*made);
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", where, error.what()));
        }
        for (const Parameter& parameter : made->schema().parameters()) members.has(parameter.name().c_str());
        layer.add_rest("blend", members, not_understood_);
        return made;
    }

    LayerMask mask(Members& layer, const std::string& where, const DocumentState& state) {
        Members members(layer.member("mask"), "the mask of " + where);
        LayerMask mask;
        mask.inverted = members.flag("inverted");
        if (members.has("canvas")) {
            mask.kind = LayerMask::Kind::painted;
            mask.canvas = canvas_number(members, state);
        } else {
            mask.kind = LayerMask::Kind::generated;
            mask.operations = operations(members.list("operations", most_operations), where);
        }
        layer.add_rest("mask", members, not_understood_);
        return mask;
    }

    void read_placement(Members& own, const std::string& where, Layer& layer) {
        Members members(own.member("placement"), "the placement of " + where);
        Placement& placement = layer.placement;
        std::tie(placement.move_x, placement.move_y) = members.place("move");
        std::tie(placement.pivot_x, placement.pivot_y) = members.place("pivot");
        placement.rotate = members.number("rotate");
        placement.scale = members.number("scale");
        if (!(placement.scale > 0)) members.refuse("scale", "more than 0");
        layer.placement_kept = members.rest(not_understood_);
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
        if (!is_operation(name) && !is_kernel_name(name)) {
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
            std::string words = fmt::format("{}: {}", where, error.what());
            if (minor_ <= format_minor && !is_kernel_name(name)) throw Error(words);
            // A new choice of a parameter, or more than was allowed; or a user's kernel that is not taken any more.
            not_understood_.push_back(words);
            step.operation = nullptr;
            all_understood = false;
        }
        if (!all_understood) step.kept = json.dump();
        return step;
    }

    Teller tell_;
    int minor_ = 0;
    size_t layers_ = 0;
    int largest_layer_ = 0;
    int largest_canvas_ = 0;
    std::set<int> ids_;
    std::vector<std::string> not_understood_;
};

}  // namespace

void require_readable_size(const std::string& text, int64_t values) {
    if (text.size() > most_text)
        throw Error(fmt::format("the text of the document has {}; {} are the most", bytes_text(text.size()),
                                bytes_text(most_text)));
    if (values > most_values) throw Error("the text of the document has more values than any document needs");
}

// Whatever is written has to be UTF-8.
static std::string dumped(const Json& json) {
    try {
        return json.dump(1);
    } catch (const Json::exception&) {
        throw Error("a name is not UTF-8 and cannot be kept in the document");
    }
}

std::string document_text(const DocumentState& state) {
    Json json;
    json["caprock-document"] = {{"major", format_major}, {"minor", std::max(state.minor, format_minor)}};
    json["grid"] = {{"extent", rect_json(state.grid.extent)},
                    {"cell", state.grid.cell},
                    {"range", {state.grid.range.low, state.grid.range.high}},
                    {"window", rect_json(state.window)}};
    if (state.georeference) json["georeference"] = georeference_json(*state.georeference);
    for (const DocumentLines& lines : state.lines) json["lines"][lines.name] = *lines.text;
    json["layers"] = layers_json(state.layers);
    Json canvases = Json::array();
    for (const CanvasInfo& canvas : state.canvases) canvases.push_back(canvas_json(canvas));
    json["canvases"] = canvases;
    json["next-layer"] = state.next_layer;
    json["next-canvas"] = state.next_canvas;
    add_kept(json, state.kept);
    std::string text = dumped(json) + "\n";
    // It would not be read again.
    require_readable_size(text, 0);
    return text;
}

std::string layer_text(const Layer& layer) { return dumped(layer_json(layer)); }

int64_t values_in(const std::string& text) {
    int64_t values = 0;
    std::vector<int64_t> members;  // of the lists and objects that are open
    for_each_mark(text, [&](char c) {
        if (c == '[' || c == '{') {
            values++;
            // Whoever reads it refuses what is deeper.
            if (members.size() > 1000) return false;
            members.push_back(0);
        } else if (c == ']' || c == '}') {
            if (members.empty()) return false;
            members.pop_back();
        } else if (c == ',') {
            values++;
        } else if (c == ':' && !members.empty() && ++members.back() > most_members) {
            // Each member of an object is looked for among those before it.
            throw Error(fmt::format("an object of the document has more than {} members", most_members));
        }
        return values <= most_values;
    });
    return values;
}

void check_layer_text(const std::string& text, int depth, const DocumentState& around) {
    const std::string open(size_t(depth), '[');
    const std::string close(size_t(depth), ']');
    Json json = parsed_json(open + text + close, too_deep);
    const Json* layer = &json;
    for (int i = 0; i < depth; i++) layer = &layer->at(0);
    try {
        Reader({}).check_layer(*layer, around);
    } catch (const Json::exception& error) {
        throw Error(fmt::format("not a document: {}", error.what()));
    }
}

DocumentState parse_document(const std::string& text, const Teller& tell) {
    // Before anything is made of it: in memory values take ten times the room of their text.
    require_readable_size(text, 0);
    require_readable_size(text, values_in(text));
    Json json = parsed_json(text, too_deep);
    try {
        return Reader(tell).read(json);
    } catch (const Json::exception& error) {
        throw Error(fmt::format("not a document: {}", error.what()));
    }
}

}  // namespace caprock
