// Commands of documents: whether a file is sound, and what is left of one that is not.
#include "base/error.h"
#include "base/telling.h"
#include "base/text.h"
#include "base/text_file.h"
#include "document/rescue.h"
#include "document/verify.h"
#include "document_access.h"
#include "document_command.h"
#include "outcome.h"

#include <fmt/format.h>

namespace caprock::cli {

namespace {

int verify_command(const std::vector<std::string>& words) {
    QuietSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("verify", declaration, words, 0, 0);
    Terminal terminal(settings.loudness());
    terminal.begin("verifying " + given.path);
    VerifyReport report = verify_project(given.path, &terminal.progress());
    terminal.end();
    std::string text = fmt::format("{} is {}\n{}", shown_path(given.path),
                                   report.sound() ? "sound" : "damaged", report.summary());
    if (!text.ends_with("\n")) text += "\n";
    for (const std::string& problem : report.problems) text += fmt::format("  {}\n", one_line(problem));
    if (report.more_problems > 0) text += fmt::format("  and {} more\n", report.more_problems);
    say("{}", text);
    if (report.sound()) return 0;
    throw Error(
        fmt::format("'{0}' is damaged; 'caprock document rescue {0} OTHER.caprock' makes a sound project of "
                    "what is left",
                    shown_path(given.path)));
}

int rescue_command(const std::vector<std::string>& words) {
    QuietSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("rescue", declaration, words, 1, 1);
    const std::string& to = given.others[0];
    check_project_name(to);
    Terminal terminal(settings.loudness());
    terminal.begin("rescuing " + given.path);
    RescueReport report = rescue_project(
        given.path, to, [&](const std::string& message) { terminal.warn(message); }, &terminal.progress());
    terminal.end();
    note_written(to);
    say("{}: {} tiles, {}\n", to, report.tiles,
        report.with_history ? "with the history" : "without the history");
    return 0;
}

}  // namespace

std::vector<Command> document_rescue_commands() {
    return {
        {"verify", "P.caprock",
         "looks at every tile and every step of the history: whether the file is sound", verify_command,
         settings_help<QuietSettings>, settings_names<QuietSettings>},
        {"rescue", "P.caprock OTHER.caprock", "a sound project of what is left of a damaged one",
         rescue_command, settings_help<QuietSettings>, settings_names<QuietSettings>},
    };
}

}  // namespace caprock::cli
