// caprock document SUBCOMMAND P.caprock ...
#pragma once

#include "commands.h"

#include <string>
#include <vector>

namespace caprock::cli {

// Commands of documents, by what they are about. Their names stand after 'document'.
struct DocumentCommands {
    const char* about;
    std::vector<Command> commands;
};
const std::vector<DocumentCommands>& document_commands();
const Command* document_command_named(const std::string& name);
std::vector<std::string> document_command_names();

// Those of each file.
std::vector<Command> document_file_commands();
std::vector<Command> document_layer_commands();
std::vector<Command> document_order_commands();
std::vector<Command> document_grid_commands();
std::vector<Command> document_line_commands();
std::vector<Command> document_history_commands();
std::vector<Command> document_listing_commands();
std::vector<Command> document_rescue_commands();

int document_command(const std::vector<std::string>& words);
// The list of them all, or the page of one.
std::string document_help();
std::string document_help(const std::string& name);

}  // namespace caprock::cli
