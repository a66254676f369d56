#include "document_command.h"

#include "base/error.h"
#include "base/telling.h"
#include "base/text.h"
#include "document_access.h"

#include <fmt/format.h>

namespace caprock::cli {

const std::vector<DocumentCommands>& document_commands() {
    static const std::vector<DocumentCommands> all = {
        {"looking at it", document_listing_commands()},
        {"making it, and its file", document_file_commands()},
        {"layers and masks", document_layer_commands()},
        {"the order of layers, and several as one", document_order_commands()},
        {"lines", document_line_commands()},
        {"the grid", document_grid_commands()},
        {"history", document_history_commands()},
        {"damage", document_rescue_commands()},
    };
    return all;
}

const Command* document_command_named(const std::string& name) {
    for (const DocumentCommands& group : document_commands())
        for (const Command& command : group.commands)
            if (name == command.name) return &command;
    return nullptr;
}

std::vector<std::string> document_command_names() {
    std::vector<std::string> names;
    for (const DocumentCommands& group : document_commands())
        for (const Command& command : group.commands) names.emplace_back(command.name);
    return names;
}

std::string document_help() {
    std::string text =
        "caprock document SUBCOMMAND P.caprock ...\n\n"
        "  layers over a grid, kept in a project file with all that was ever done to them\n\n"
        "  P.caprock is the project, LAYER a layer's number or its name. 'caprock run P.caprock -o FILE' "
        "computes it;\n"
        "  info, render and convert take it like any file. For example\n"
        "    caprock document new land.caprock --size 1024 --cell 8\n"
        "    caprock document add land.caprock noise --kind ridged then normalise --name Ridges\n"
        "    caprock document add land.caprock thermal-erosion --steps 40 --opacity 0.7\n"
        "    caprock run land.caprock -o land.tif\n";
    for (const DocumentCommands& group : document_commands()) {
        text += fmt::format("\n{}\n", group.about);
        for (const Command& command : group.commands)
            text += fmt::format("  {:<15} {}\n", command.name, command.summary);
    }
    return text + "\nOne of them: caprock help document add\n";
}

namespace {

[[noreturn]] void refuse_command(const std::string& name, const char* where) {
    std::string nearest = suggestion(name, document_command_names());
    throw Error(fmt::format("{}: no command '{}'{}", where, one_line(name),
                            nearest.empty() ? "; 'caprock help document' lists them" : nearest));
}

}  // namespace

std::string document_help(const std::string& name) {
    const Command* command = document_command_named(name);
    if (!command) refuse_command(name, "help document");
    std::string text =
        fmt::format("caprock document {} {}\n\n  {}\n", command->name, command->arguments, command->summary);
    if (*command->remark) text += fmt::format("\n{}", command->remark);
    if (command->options) text += fmt::format("\noptions\n{}", command->options());
    return text;
}

int document_command(const std::vector<std::string>& words) {
    if (words.empty())
        throw Error(
            "document: takes what to do and a project: caprock document list P.caprock; 'caprock help "
            "document' "
            "lists all");
    if (words[0] == "help") {
        if (words.size() > 2) throw Error("document help: takes one command: caprock document help add");
        say("{}", words.size() == 1 ? document_help() : document_help(words[1]));
        return 0;
    }
    if (const Command* command = document_command_named(words[0]))
        return command->run({words.begin() + 1, words.end()});
    if (is_project_name(words[0])) {
        bool known = words.size() > 1 && document_command_named(words[1]);
        throw Error(fmt::format("document: what to do comes before the project: caprock document {} {}",
                                known ? words[1] : "list", one_line(words[0])));
    }
    refuse_command(words[0], "document");
}

}  // namespace caprock::cli
