// The command line. Exit codes are those of outcome.h.
#include "base/interrupt.h"
#include "base/telling.h"
#include "chain.h"
#include "commands.h"
#include "kernel_command.h"
#include "outcome.h"
#include "version.h"

#include <algorithm>

namespace {

using namespace caprock::cli;

const Command* find_command(const std::string& name) {
    for (const Command& command : commands())
        if (name == command.name) return &command;
    return nullptr;
}

// The page of what was being typed when help was asked for.
int help_about(const std::vector<std::string>& words) {
    // Names of documents' commands are names of others, too: list.
    if (!words.empty() && words[0] == "document") {
        for (auto word = words.rbegin(); word != words.rend() - std::min<ptrdiff_t>(3, std::ssize(words));
             ++word)
            if (means_operation(*word)) return find_command("help")->run({*word});
        return find_command("help")->run(
            {words.begin(), words.begin() + std::min<ptrdiff_t>(2, std::ssize(words))});
    }
    for (auto word = words.rbegin(); word != words.rend(); ++word)
        if (find_command(*word) || means_operation(*word)) return find_command("help")->run({*word});
    return find_command("help")->run({});
}

int dispatch(const std::vector<std::string>& words) {
    auto asked =
        std::ranges::find_if(words, [](const std::string& word) { return word == "--help" || word == "-h"; });
    if (words.empty() || asked != words.end()) return help_about({words.begin(), asked});
    if (words[0] == "--version") {
        caprock::say("caprock {}\n", CAPROCK_VERSION);
        return 0;
    }
    if (const Command* command = find_command(words[0]))
        return command->run({words.begin() + 1, words.end()});
    return run_chain_command(words);
}

}  // namespace

int main(int count, char** values) {
    caprock::secure_standard_streams();
    caprock::answer_interrupts();
    return concluded([&] { return dispatch(std::vector<std::string>(values + 1, values + count)); });
}
