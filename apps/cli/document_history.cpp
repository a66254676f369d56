// Commands of documents: undo, redo, history.
#include "base/error.h"
#include "base/json_text.h"
#include "base/telling.h"
#include "base/text.h"
#include "document_access.h"
#include "document_command.h"

#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

enum class Way { undo, redo };

int step_command(Way way, const std::vector<std::string>& words) {
    const char* name = way == Way::undo ? "undo" : "redo";
    ChangeSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words(name, declaration, words, 0, 1);
    int64_t count = 1;
    if (!given.others.empty()) {
        std::optional<int64_t> number = parse_integer(given.others[0]);
        if (!number || *number < 1)
            throw Error(fmt::format("document {}: '{}' must be how many steps, 1 or more", name,
                                    one_line(given.others[0])));
        count = *number;
    }
    DocumentSession session(given.path, settings);
    Document& document = session.document();
    int64_t there = way == Way::undo ? document.position() : document.entries() - document.position();
    if (there == 0) throw Error(fmt::format("'{}': there is nothing to {}", given.path, name));
    if (count > there)
        throw Error(fmt::format("'{}': {} {} can be {}", given.path, there, there == 1 ? "step" : "steps",
                                way == Way::undo ? "undone" : "redone"));
    std::string said;
    for (int64_t i = 0; i < count; i++) {
        int64_t entry = way == Way::undo ? document.position() : document.position() + 1;
        std::string title = document.history_line(entry).title;
        way == Way::undo ? document.undo() : document.redo();
        said += fmt::format("{}: {}\n", way == Way::undo ? "undone" : "redone", one_line(title));
    }
    int code = session.finish();
    say("{}", said);
    return code;
}

int undo_command(const std::vector<std::string>& words) { return step_command(Way::undo, words); }
int redo_command(const std::vector<std::string>& words) { return step_command(Way::redo, words); }

struct HistorySettings {
    int last = 0;
    bool json = false;
    MemorySettings memory;
    QuietSettings quiet;
    void describe(Declaration& d) {
        d.integer("last", last).range(0, 1e9).help("only so many of the newest steps; 0: all");
        d.flag("json", json).help("machine-readable");
        memory.describe(d);
        quiet.describe(d);
    }
};

std::string time_text(int64_t seconds) {
    std::time_t time = std::time_t(seconds);
    std::tm local{};
    localtime_r(&time, &local);
    return fmt::format("{:%Y-%m-%d %H:%M:%S}", local);
}

int history_command(const std::vector<std::string>& words) {
    HistorySettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("history", declaration, words, 0, 0);
    Terminal terminal(settings.quiet.loudness());
    DocumentOptions options = document_options(settings.memory, terminal);
    options.read_only = true;
    std::unique_ptr<Document> document = Document::open(given.path, options);
    int64_t first = settings.last > 0 ? std::max<int64_t>(document->entries() - settings.last, 0) + 1 : 1;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::string text;
    for (int64_t id = document->entries(); id >= first; id--) {
        HistoryLine line = document->history_line(id);
        bool undone = id > document->position();
        list.push_back({{"step", id}, {"title", line.title}, {"time", line.time}, {"undone", undone}});
        text += fmt::format("{:>6}  {}  {}{}\n", id, time_text(line.time), one_line(line.title),
                            undone ? "  (undone)" : "");
    }
    if (settings.json) {
        say("{}\n", list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else {
        say("{}", text);
    }
    return 0;
}

}  // namespace

std::vector<Command> document_history_commands() {
    return {
        {"undo", "P.caprock [COUNT]", "takes back the last step, or so many", undo_command,
         settings_help<ChangeSettings>, settings_names<ChangeSettings>},
        {"redo", "P.caprock [COUNT]", "does again what was taken back", redo_command,
         settings_help<ChangeSettings>, settings_names<ChangeSettings>},
        {"history", "P.caprock", "every step there is, the newest first", history_command,
         settings_help<HistorySettings>, settings_names<HistorySettings>},
    };
}

}  // namespace caprock::cli
