// The command line. Exit codes: 0 done, 2 the request was wrong or could not be carried out, 130 cancelled.
#include "base/error.h"
#include "chain.h"
#include "commands.h"
#include "kernel_command.h"
#include "version.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <system_error>

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
        fmt::print("caprock {}\n", CAPROCK_VERSION);
        return 0;
    }
    if (const Command* command = find_command(words[0]))
        return command->run({words.begin() + 1, words.end()});
    return run_chain_command(words);
}

// Names that users give may hold anything; a message is one line all the same.
std::string in_one_line(std::string text) {
    for (char& letter : text)
        if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = '?';
    return text;
}

}  // namespace

int main(int count, char** values) {
    // A file that grows too large is reported like a full disk, instead of ending the program half way.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        int code = dispatch(std::vector<std::string>(values + 1, values + count));
        if (std::fflush(stdout) != 0)
            throw caprock::Error(
                fmt::format("cannot write to the standard output: {}", std::strerror(errno)));
        return code;
    } catch (const caprock::Cancelled&) {
        fmt::print(stderr, "caprock: cancelled; no partial file was left\n");
        return 130;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "caprock: out of memory\n");
        return 2;
    } catch (const std::system_error& error) {
        // Printing more than fits into its buffer finds out at once.
        std::string reason = error.code().message();
        bool printing = std::ferror(stdout) != 0;
        fmt::print(stderr, "caprock: {}\n",
                   in_one_line(printing ? "cannot write to the standard output: " + reason : error.what()));
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "caprock: {}\n", in_one_line(error.what()));
        return 2;
    }
}
