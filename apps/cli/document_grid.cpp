// Commands of documents: size, window, resolution and height range.
#include "base/error.h"
#include "base/telling.h"
#include "base/text.h"
#include "document_access.h"
#include "document_command.h"
#include "files.h"

#include <cmath>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

// X,Y in whole cells.
std::pair<int, int> corner_of(const std::vector<double>& at) {
    constexpr double far = 1 << 24;
    bool right = at.size() == 2;
    for (double value : at) right = right && value == std::floor(value) && std::abs(value) < far;
    if (!right)
        throw Error(fmt::format("at {}: must be X,Y in whole cells, such as 128,-64", fmt::join(at, ",")));
    return {int(at[0]), int(at[1])};
}

Rect rect_of(const std::vector<double>& at, const std::string& size) {
    auto [x, y] = corner_of(at);
    Size cells = requested_size(size);
    return {x, y, x + cells.width, y + cells.height};
}

std::string rect_text(const Rect& rect) {
    return fmt::format("{} x {} cells from {},{}", rect.width(), rect.height(), rect.left, rect.top);
}

struct ResizeSettings {
    std::string size;
    std::vector<double> at = {0, 0};
    ChangeSettings change;
    void describe(Declaration& d) {
        d.text("size", size).help("cells of the document, WIDTHxHEIGHT or one number for a square");
        d.table("at", at).unit("cells").help("where its first cell lies, counted from what is cell 0,0 now");
        change.describe(d);
    }
};

int resize_command(const std::vector<std::string>& words) {
    ResizeSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("resize", declaration, words, 0, 0);
    if (settings.size.empty()) refuse_usage("resize");
    DocumentSession session(given.path, settings.change);
    Rect extent = rect_of(settings.at, settings.size);
    if (!given.given.contains("at")) {
        const Rect& now = session.state().grid.extent;
        Size cells = requested_size(settings.size);
        extent = {now.left, now.top, now.left + cells.width, now.top + cells.height};
    }
    resize_document(session.document(), extent);
    int code = session.finish();
    say("{}\n", rect_text(session.state().grid.extent));
    return code;
}

struct CropSettings {
    std::string size;
    std::vector<double> at = {0, 0};
    bool trim = false;
    ChangeSettings change;
    void describe(Declaration& d) {
        d.text("size", size).help("cells that are shown and written, WIDTHxHEIGHT; all of them unless given");
        d.table("at", at).unit("cells").help("the first of them");
        d.flag("trim", trim).help("what is outside takes no part in the computation any longer, either");
        change.describe(d);
    }
};

int crop_command(const std::vector<std::string>& words) {
    CropSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("crop", declaration, words, 0, 0);
    DocumentSession session(given.path, settings.change);
    bool all = settings.size.empty();
    if (all && given.given.contains("at")) throw Error("document crop: --at takes --size, too: WIDTHxHEIGHT");
    crop_document(session.document(), all ? session.state().grid.extent : rect_of(settings.at, settings.size),
                  settings.trim);
    int code = session.finish();
    say("{}\n", rect_text(session.state().window));
    return code;
}

struct ResampleSettings {
    double cell = 0;
    ChangeSettings change;
    void describe(Declaration& d) {
        d.number("cell", cell).range(0, 1e6).unit("m").help("the new distance between cells");
        change.describe(d);
    }
};

int resample_command(const std::vector<std::string>& words) {
    ResampleSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("resample", declaration, words, 0, 0);
    if (!given.given.contains("cell")) refuse_usage("resample");
    DocumentSession session(given.path, settings.change);
    session.terminal().begin("resampling " + given.path);
    resample_document(session.document(), settings.cell, &session.terminal().progress());
    session.terminal().end();
    int code = session.finish();
    say("{} of {} m\n", rect_text(session.state().window), number_text(session.state().grid.cell));
    return code;
}

int range_command(const std::vector<std::string>& words) {
    ChangeSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("range", declaration, words, 1, 1);
    std::optional<Interval> range = parse_interval(given.others[0]);
    if (!range)
        throw Error(fmt::format("document range: '{}' must be LOW:HIGH in metres, such as 0:1000",
                                one_line(given.others[0])));
    DocumentSession session(given.path, settings);
    set_height_range(session.document(), *range);
    return session.finish();
}

constexpr const char* crop_remark =
    "  All else stays and is computed with, so that the terrain inside does not change: rivers still come "
    "from "
    "where they\n"
    "  came from. Without --size all is shown again.\n";

}  // namespace

std::vector<Command> document_grid_commands() {
    return {
        {"resize", "P.caprock --size WIDTHxHEIGHT [--at X,Y]",
         "more or fewer cells; what is painted keeps its place", resize_command,
         settings_help<ResizeSettings>, settings_names<ResizeSettings>},
        {"crop", "P.caprock [--size WIDTHxHEIGHT --at X,Y]", "only a part is shown and written", crop_command,
         settings_help<CropSettings>, settings_names<CropSettings>, crop_remark},
        {"resample", "P.caprock --cell METRES", "another distance between cells, the same land",
         resample_command, settings_help<ResampleSettings>, settings_names<ResampleSettings>},
        {"range", "P.caprock LOW:HIGH", "heights that 0 and 1 stand for, in metres", range_command,
         settings_help<ChangeSettings>, settings_names<ChangeSettings>},
    };
}

}  // namespace caprock::cli
