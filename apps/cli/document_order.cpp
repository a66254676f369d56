// Commands of documents: the order of layers, groups, and layers that become painted cells.
#include "base/error.h"
#include "base/telling.h"
#include "base/text.h"
#include "document_access.h"
#include "document_command.h"
#include "layer_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

constexpr size_t any_number = 100000;

int said(DocumentSession& session, int layer) {
    std::string text = layer_text(layer_of(session.state(), layer));
    int code = session.finish();
    say("{}\n", text);
    return code;
}

int remove_command(const std::vector<std::string>& words) {
    ChangeSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("remove", declaration, words, 1, any_number);
    DocumentSession session(given.path, settings);
    std::vector<int> layers = layers_named(session.state(), given.others);
    // What is in a group goes with it.
    std::vector<int> outer;
    for (int id : layers) {
        bool inside = std::ranges::any_of(layers, [&](int other) {
            return find_layer(layer_of(session.state(), other).layers, id) != nullptr;
        });
        if (!inside && !std::ranges::count(outer, id)) outer.push_back(id);
    }
    remove_layers(session.document(), outer);
    return session.finish();
}

struct MoveSettings {
    PlaceSettings place;
    bool top = false;
    ChangeSettings change;
    void describe(Declaration& d) {
        place.describe(d);
        d.adjust("above").help("the layer on top of which it goes");
        d.flag("top", top).help("on top of all");
        change.describe(d);
    }
};

int move_command(const std::vector<std::string>& words) {
    MoveSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("move", declaration, words, 1, 1);
    const PlaceSettings& place = settings.place;
    bool somewhere = !place.above.empty() || !place.inside.empty() || place.bottom;
    if (somewhere == settings.top)
        throw Error("document move: say where: --above LAYER, --inside GROUP, --bottom or --top");
    DocumentSession session(given.path, settings.change);
    move_layer(session.document(), session.layer(given.others[0]), place.spot(session.state()));
    return session.finish();
}

struct GroupSettings {
    std::string name = "Group";
    ChangeSettings change;
    void describe(Declaration& d) {
        d.text("name", name).help("what the group is called");
        change.describe(d);
    }
};

int group_command(const std::vector<std::string>& words) {
    GroupSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("group", declaration, words, 0, any_number);
    DocumentSession session(given.path, settings.change);
    return said(session,
                add_group(session.document(), settings.name, layers_named(session.state(), given.others)));
}

int ungroup_command(const std::vector<std::string>& words) {
    ChangeSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("ungroup", declaration, words, 1, 1);
    DocumentSession session(given.path, settings);
    ungroup(session.document(), session.layer(given.others[0]));
    return session.finish();
}

int duplicate_command(const std::vector<std::string>& words) {
    ChangeSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("duplicate", declaration, words, 1, 1);
    DocumentSession session(given.path, settings);
    return said(session, duplicate_layer(session.document(), session.layer(given.others[0])));
}

// ---- several as one --------------------------------------------------------------------------------------

struct FlattenSettings {
    ComputeSettings compute;
    ChangeSettings change;
    void describe(Declaration& d) {
        compute.describe(d);
        change.describe(d);
    }
};

// Opens the document and hands over what computes it.
template <typename Action>
int flattened(const char* command, const std::vector<std::string>& words, size_t most, const Action& action) {
    FlattenSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words(command, declaration, words, 1, most);
    DocumentSession session(given.path, settings.change);
    RunContext context = settings.compute.context(session.terminal(), session.state().grid.extent.cells());
    session.terminal().begin(fmt::format("{} {}", command, given.path));
    int layer = action(session, given.others, context);
    session.terminal().end();
    return said(session, layer);
}

int rasterise_command(const std::vector<std::string>& all) {
    return flattened("rasterise", all, 1,
                     [](DocumentSession& session, const auto& words, RunContext& context) {
                         int layer = session.layer(words[0]);
                         rasterise_layer(session.document(), layer, context);
                         return layer;
                     });
}

int merge_command(const std::vector<std::string>& all) {
    return flattened("merge", all, 1, [](DocumentSession& session, const auto& words, RunContext& context) {
        return merge_down(session.document(), session.layer(words[0]), context);
    });
}

int collapse_command(const std::vector<std::string>& all) {
    return flattened("collapse", all, any_number,
                     [](DocumentSession& session, const auto& words, RunContext& context) {
                         std::vector<int> layers;
                         bool everything = words.size() == 1 && words[0] == "all";
                         if (everything) {
                             for (const Layer& layer : session.state().layers) layers.push_back(layer.id);
                             if (layers.empty()) throw Error("document collapse: the document has no layers");
                         } else {
                             layers = layers_named(session.state(), words);
                         }
                         return collapse_layers(session.document(), layers, context);
                     });
}

}  // namespace

std::vector<Command> document_order_commands() {
    return {
        {"move", "P.caprock LAYER --above LAYER|--inside GROUP|--bottom|--top", "a layer to another place",
         move_command, settings_help<MoveSettings>, settings_names<MoveSettings>},
        {"group", "P.caprock [LAYER ...] --name NAME", "layers into a group; or a new group with none in it",
         group_command, settings_help<GroupSettings>, settings_names<GroupSettings>},
        {"ungroup", "P.caprock GROUP", "the layers of a group into its place", ungroup_command,
         settings_help<ChangeSettings>, settings_names<ChangeSettings>},
        {"duplicate", "P.caprock LAYER", "a copy of a layer above it", duplicate_command,
         settings_help<ChangeSettings>, settings_names<ChangeSettings>},
        {"remove", "P.caprock LAYER ...", "layers, with all in them", remove_command,
         settings_help<ChangeSettings>, settings_names<ChangeSettings>},
        {"rasterise", "P.caprock LAYER", "a layer's content into cells to paint on; mask and mode stay",
         rasterise_command, settings_help<FlattenSettings>, settings_names<FlattenSettings>},
        {"merge", "P.caprock LAYER", "a layer and the one below it into one painted layer", merge_command,
         settings_help<FlattenSettings>, settings_names<FlattenSettings>},
        {"collapse", "P.caprock LAYER ...|all",
         "layers next to each other into one painted layer that gives the same", collapse_command,
         settings_help<FlattenSettings>, settings_names<FlattenSettings>},
    };
}

}  // namespace caprock::cli
