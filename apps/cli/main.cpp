// The command line. Exit codes: 0 done, 2 the request was wrong or could not be carried out, 130 cancelled.
#include "base/error.h"
#include "chain.h"
#include "commands.h"
#include "version.h"

#include <fmt/format.h>

#include <new>

namespace {

int dispatch(const std::vector<std::string>& words) {
    using namespace caprock::cli;
    if (words.empty() || words[0] == "--help" || words[0] == "-h") {
        fmt::print("{}", usage());
        return 0;
    }
    if (words[0] == "--version") {
        fmt::print("caprock {}\n", CAPROCK_VERSION);
        return 0;
    }
    std::vector<std::string> rest(words.begin() + 1, words.end());
    bool asks_help = !rest.empty() && (rest.back() == "--help" || rest.back() == "-h");
    for (const Command& command : commands()) {
        if (words[0] != command.name) continue;
        if (asks_help) return dispatch({"help", words[0]});
        return command.run(rest);
    }
    if (asks_help) return dispatch({"help", words[0]});
    return run_chain_command(words);
}

}  // namespace

int main(int count, char** values) {
    try {
        return dispatch(std::vector<std::string>(values + 1, values + count));
    } catch (const caprock::Cancelled&) {
        fmt::print(stderr, "caprock: cancelled; nothing was written\n");
        return 130;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "caprock: out of memory\n");
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "caprock: {}\n", error.what());
        return 2;
    }
}
