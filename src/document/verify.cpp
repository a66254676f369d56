#include "document/verify.h"

#include "base/text.h"
#include "document/document_text.h"
#include "document/project_file.h"
#include "graph/tile_codec.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>

namespace caprock {

namespace {

constexpr size_t most_told = 200;

std::string in_words(const TileIndex& index) { return fmt::format("tile ({}, {})", index.x, index.y); }

class Verification {
  public:
    Verification(ProjectFile& file, VerifyReport& report, Progress* progress)
        : file_(file), database_(file.database()), report_(report), progress_(progress) {}

    void run() {
        // One moment of a file that somebody else may be writing.
        database_.script("BEGIN");
        guarded("the structure of the file", [&] { check_structure(); });
        guarded("the sizes of the tables", [&] { measure(); });
        expect();
        check_document();
        if (!text_.empty()) guarded_history("the history", [&] { walk_texts(); });
        guarded_tiles("the list of tiles", [&] { check_tiles(); });
        guarded_history("the tiles of the history", [&] { check_chains(); });
        guarded("the remembered results", [&] { check_remembered(); });
        if (progress_) progress_->complete();
    }

  private:
    // ---- telling -----------------------------------------------------------------------------------------
    void tell(std::string problem) {
        if (report_.problems.size() < most_told) {
            report_.problems.push_back(std::move(problem));
        } else {
            report_.more_problems++;
        }
    }
    void tell_tile(std::string problem) {
        report_.tiles_sound = report_.history_sound = false;
        tell(std::move(problem));
    }
    void tell_history(std::string problem) {
        report_.history_sound = false;
        tell(std::move(problem));
    }
    // What the database itself cannot read.
    template <typename Action>
    bool guarded(const char* what, const Action& action) {
        try {
            action();
            return true;
        } catch (const Error& error) {
            tell(fmt::format("{}: {}", what, error.what()));
            return false;
        }
    }
    template <typename Action>
    void guarded_history(const char* what, const Action& action) {
        if (!guarded(what, action)) report_.history_sound = false;
    }
    template <typename Action>
    void guarded_tiles(const char* what, const Action& action) {
        if (!guarded(what, action)) report_.tiles_sound = report_.history_sound = false;
    }
    void advance() {
        if (progress_) progress_->advance(1);
    }

    std::string of_canvas(int64_t canvas) const {
        auto found = names_.find(int(canvas));
        return found != names_.end() ? found->second : fmt::format("canvas {}", canvas);
    }
    std::string entry_words(int64_t id) {
        Database::Query query = database_.query("SELECT title FROM history WHERE id = ?", id);
        if (!query.next()) return fmt::format("entry {} of the history, which there is not", id);
        return fmt::format("entry {} of the history ({})", id, one_line(query.text(0)));
    }

    // ---- the parts ---------------------------------------------------------------------------------------
    void check_structure() {
        if (database_.access() == Database::Access::lenient)
            tell("the structure of the file: it is shorter than it says");
        // Each row is one line or several; the first few tell enough.
        Database::Query query = database_.query("PRAGMA integrity_check(20)");
        while (query.next()) {
            std::string line = query.text(0);
            if (line != "ok") tell("the structure of the file: " + one_line(line));
        }
    }

    void measure() {
        struct Measured {
            const char* name;
            const char* bytes;
        };
        // Lengths are told by the heads of rows: nothing large is read.
        constexpr Measured all[] = {{"document", "length(CAST(text AS BLOB))"},
                                    {"canvases", "16"},
                                    {"tiles", "length(data)"},
                                    {"canvas_tiles", "length(content) + 16"},
                                    {"replaced_tiles", "8"},
                                    {"history", "length(title) + length(removed) + length(inserted)"},
                                    {"history_tiles", "length(difference) + 64"},
                                    {"cache", "length(data) + 16"},
                                    {"thumbnail", "length(png)"}};
        for (const Measured& table : all)
            guarded(table.name, [&] {
                Database::Query query = database_.query(
                    fmt::format("SELECT count(*), total({}) FROM {}", table.bytes, table.name));
                if (!query.next()) return;
                // Of a hostile table even the sum may be beyond all numbers.
                double bytes = std::clamp(query.number(1), 0.0, 1e18);
                report_.tables.push_back({table.name, query.integer(0), uint64_t(bytes)});
            });
    }

    int64_t rows_of(std::string_view table) const {
        for (const VerifyReport::Table& measured : report_.tables)
            if (measured.name == table) return measured.rows;
        return 0;
    }

    void expect() {
        report_.entries = rows_of("history");
        report_.changed_tiles = rows_of("history_tiles");
        report_.remembered = rows_of("cache");
        if (progress_)
            progress_->expect(rows_of("canvas_tiles") + report_.entries + report_.changed_tiles +
                              report_.remembered);
    }

    void check_document() {
        try {
            FileContent content = file_.content();
            for (const std::string& lost : content.lost) {
                report_.document_sound = false;
                tell_history("lost: " + lost);
            }
            for (const std::string& damaged : content.damage) tell("damaged: " + damaged);
            text_ = content.text;
            position_ = report_.position = content.position;
            last_entry_ = content.last_entry;
            DocumentState state = parse_document(text_, {});
            take_names(state);
            report_.canvases = int64_t(state.canvases.size());
            count_layers(state.layers);
        } catch (const Error& error) {
            report_.document_sound = report_.history_sound = false;
            tell(fmt::format("the document: {}", error.what()));
        }
    }

    void count_layers(const std::vector<Layer>& layers) {
        report_.layers += int64_t(layers.size());
        for (const Layer& layer : layers) count_layers(layer.layers);
    }

    // Names of canvases, and the blank cells they have: of all states, since the history has canvases of its own.
    void take_names(const DocumentState& state) {
        for (const CanvasInfo& canvas : state.canvases) blanks_.emplace(canvas.id, canvas.blank);
        take_names(state.layers);
    }
    void take_names(const std::vector<Layer>& layers) {
        for (const Layer& layer : layers) {
            std::string words = fmt::format("layer {} ({})", layer.id, one_line(layer.name));
            for (const LayerCanvas& use : layer.canvases) names_.emplace(use.canvas, words);
            if (layer.mask.kind == LayerMask::Kind::painted)
                names_.emplace(layer.mask.canvas, "the mask of " + words);
            take_names(layer.layers);
        }
    }

    void walk_texts() {
        std::string text = text_;
        for (int64_t id = position_; id >= 1; id--)
            if (!step_text(id, Direction::backward, text)) break;
        text = text_;
        for (int64_t id = position_ + 1; id <= last_entry_; id++)
            if (!step_text(id, Direction::forward, text)) break;
    }

    bool step_text(int64_t id, Direction direction, std::string& text) {
        advance();
        try {
            std::optional<HistoryEntry> entry = file_.entry(id, false);
            if (!entry) throw Error("it is not there");
            // Most are strokes, which leave the text as it is.
            if (entry->text.removed.empty() && entry->text.inserted.empty()) return true;
            text = direction == Direction::forward ? entry->text.forward(text) : entry->text.backward(text);
            take_names(parse_document(text, {}));
            return true;
        } catch (const Error& error) {
            tell_history(fmt::format("{}: {}", entry_words(id), error.what()));
            return false;
        }
    }

    // ---- tiles -------------------------------------------------------------------------------------------
    // The cells of a row of the file; `reason` says why there are none.
    bool read_row(int64_t row, std::string& reason) {
        try {
            Database::Query query = database_.query("SELECT data FROM tiles WHERE id = ?", row);
            if (!query.next()) throw Error("it is not in the file");
            unpack_cells(query.bytes(0), cells_);
            return true;
        } catch (const Error& error) {
            reason = error.what();
            return false;
        }
    }

    ContentKey key_of_cells_now() const { return key_of_cells(cells_.data(), cells_.size()); }

    void check_tiles() {
        // By row: canvases that share one stand next to each other, and it is unpacked once.
        Database::Query query = database_.query(
            "SELECT tile, canvas, x, y, content FROM canvas_tiles ORDER BY tile LIMIT ?", file_.most_rows());
        std::optional<int64_t> row;
        int64_t different = 0;
        bool readable = false;
        std::string reason;
        ContentKey key;
        while (query.next()) {
            advance();
            report_.tiles++;
            if (row != query.integer(0)) {
                row = query.integer(0);
                different++;
                readable = read_row(*row, reason);
                if (readable) key = key_of_cells_now();
            }
            std::optional<TileIndex> index = ProjectFile::index_from(query.integer(2), query.integer(3));
            std::optional<ContentKey> content = ProjectFile::key_from(query.bytes(4));
            std::string where = of_canvas(query.integer(1));
            if (!index) {
                tell_tile(fmt::format("{}: a tile lies beyond every grid", where));
            } else if (!readable) {
                tell_tile(fmt::format("{}, {}: {}", where, in_words(*index), reason));
            } else if (!content || *content != key) {
                tell_tile(
                    fmt::format("{}, {}: it holds other cells than it should", where, in_words(*index)));
            }
        }
        report_.unreferenced = std::max<int64_t>(0, rows_of("tiles") - different);
    }

    // ---- the history of one tile after another -----------------------------------------------------------
    struct Link {
        int64_t entry;
        int64_t row;
    };

    void check_chains() {
        Database::Query query = database_.query(
            "SELECT canvas, y, x, entry, id FROM history_tiles ORDER BY canvas, y, x, entry LIMIT ?",
            file_.most_rows());
        std::vector<Link> links;
        int64_t canvas = 0;
        int64_t x = 0;
        int64_t y = 0;
        while (query.next()) {
            if (query.integer(0) != canvas || query.integer(1) != y || query.integer(2) != x) {
                check_chain(canvas, x, y, links);
                links.clear();
                canvas = query.integer(0);
                y = query.integer(1);
                x = query.integer(2);
            }
            links.push_back({query.integer(3), query.integer(4)});
        }
        check_chain(canvas, x, y, links);
    }

    void check_chain(int64_t canvas, int64_t x, int64_t y, const std::vector<Link>& links) {
        if (links.empty()) return;
        std::optional<TileIndex> index = ProjectFile::index_from(x, y);
        if (!index || canvas < 1 || canvas > most_numbers) {
            tell_history(fmt::format("{}: a tile lies beyond every grid, or on no canvas",
                                     entry_words(links.front().entry)));
            return;
        }
        std::string where = fmt::format("{}, {}", of_canvas(canvas), in_words(*index));
        for (size_t i = 0; i < links.size(); i++) {
            if (links[i].entry < 1 || links[i].entry > last_entry_)
                tell_history(fmt::format("{}: it has {}", entry_words(links[i].entry), where));
            if (i > 0 && links[i].entry == links[i - 1].entry)
                tell_history(fmt::format("{}: it has {} twice", entry_words(links[i].entry), where));
        }
        auto beyond = std::ranges::find_if(links, [&](const Link& link) { return link.entry > position_; });
        if (begin_chain(canvas, *index)) {
            std::vector<Link> undone(links.begin(), beyond);
            std::ranges::reverse(undone);
            walk(undone, Direction::backward, canvas, where);
        } else {
            only_unpack({links.begin(), beyond}, where);
        }
        if (beyond == links.end()) return;
        if (begin_chain(canvas, *index)) {
            walk({beyond, links.end()}, Direction::forward, canvas, where);
        } else {
            only_unpack({beyond, links.end()}, where);
        }
    }

    void make_blank(int64_t canvas) {
        auto blank = blanks_.find(int(canvas));
        std::ranges::fill(cells_, blank != blanks_.end() ? blank->second : missing);
    }

    // The tile as it is now. False where it cannot be had, which was told before.
    bool begin_chain(int64_t canvas, const TileIndex& index) {
        Database::Query query =
            database_.query("SELECT tile, content FROM canvas_tiles WHERE canvas = ? AND y = ? AND x = ?",
                            canvas, index.y, index.x);
        if (!query.next()) {
            make_blank(canvas);
            key_.reset();
            return true;
        }
        std::string reason;
        if (!read_row(query.integer(0), reason)) return false;
        key_ = key_of_cells_now();
        return key_ == ProjectFile::key_from(query.bytes(1));
    }

    void walk(std::span<const Link> links, Direction direction, int64_t canvas, const std::string& where) {
        for (size_t i = 0; i < links.size(); i++) {
            advance();
            try {
                step(links[i], direction, canvas);
            } catch (const Error& error) {
                tell_history(fmt::format("{}: {}: {}", entry_words(links[i].entry), where, error.what()));
                return only_unpack(links.subspan(i + 1), where);
            }
        }
    }

    void step(const Link& link, Direction direction, int64_t canvas) {
        Database::Query query =
            database_.query("SELECT before, after, difference FROM history_tiles WHERE id = ?", link.row);
        if (!query.next()) throw Error("it is not there");
        auto key_at = [&](int column) -> std::optional<ContentKey> {
            if (query.is_null(column)) return std::nullopt;
            std::optional<ContentKey> key = ProjectFile::key_from(query.bytes(column));
            if (!key) throw Error("a key is damaged");
            return key;
        };
        bool forward = direction == Direction::forward;
        std::optional<ContentKey> from = key_at(forward ? 0 : 1);
        std::optional<ContentKey> to = key_at(forward ? 1 : 0);
        if (from != key_) throw Error("it was made of other cells");
        apply_difference(query.bytes(2), direction, cells_);
        ContentKey made = key_of_cells_now();
        if (to) {
            if (made != *to) throw Error("it makes other cells than it should");
        } else {
            make_blank(canvas);
            if (made != key_of_cells_now()) throw Error("it leaves cells where there should be none");
        }
        key_ = to;
    }

    // Where the cells are not to be had, at least what was kept of them is looked at.
    void only_unpack(std::span<const Link> links, const std::string& where) {
        for (const Link& link : links) {
            advance();
            try {
                Database::Query query =
                    database_.query("SELECT difference FROM history_tiles WHERE id = ?", link.row);
                if (query.next()) check_packed(query.bytes(0), size_t(tile_cells));
            } catch (const Error& error) {
                tell_history(fmt::format("{}: {}: {}", entry_words(link.entry), where, error.what()));
            }
        }
        report_.history_sound = report_.history_sound && links.empty();
    }

    void check_remembered() {
        Database::Query query =
            database_.query("SELECT id, key, data FROM cache ORDER BY id LIMIT ?", file_.most_rows());
        while (query.next()) {
            advance();
            try {
                std::optional<ContentKey> key = ProjectFile::key_from(query.bytes(1));
                if (!key) throw Error("its key is damaged");
                std::optional<std::string> packed = unsealed(*key, query.text(2));
                if (!packed && file_.has_copies()) throw Error("wrong checksum");
                // Those of earlier versions had no seal.
                check_packed(packed ? *packed : query.text(2), size_t(tile_cells));
            } catch (const Error& error) {
                tell(fmt::format("remembered result {}, which would be computed again: {}", query.integer(0),
                                 error.what()));
            }
        }
    }

    ProjectFile& file_;
    Database& database_;
    VerifyReport& report_;
    Progress* progress_;
    std::string text_;
    int64_t position_ = 0;
    int64_t last_entry_ = 0;
    std::map<int, std::string> names_;
    std::map<int, float> blanks_;
    std::vector<float> cells_ = std::vector<float>(size_t(tile_cells));
    std::optional<ContentKey> key_;  // of the cells of the chain; nothing: there is no tile
};

}  // namespace

std::string VerifyReport::summary() const {
    std::string text = fmt::format(
        "{} layers, {} canvases with {} tiles ({} rows unreferenced), at {} of {} entries that changed {} "
        "tiles, {} "
        "remembered results, {}",
        layers, canvases, tiles, unreferenced, position, entries, changed_tiles, remembered,
        bytes_text(file_bytes));
    for (const Table& table : tables)
        text += fmt::format("\n{}: {} rows, {}", table.name, table.rows, bytes_text(table.bytes));
    return text;
}

VerifyReport verify_project(const std::string& path, Progress* progress) {
    VerifyReport report;
    std::error_code unknown;
    for (const char* ending : {"", "-wal"}) {
        auto size = std::filesystem::file_size(path + ending, unknown);
        if (!unknown) report.file_bytes += size;
    }
    try {
        std::unique_ptr<ProjectFile> file = ProjectFile::open(path, ProjectFile::Access::read);
        Verification(*file, report, progress).run();
    } catch (const DatabaseError& error) {
        if (error.kind() != DatabaseError::Kind::damaged)
            throw DatabaseError(fmt::format("'{}': {}", path, error.what()), error.kind());
        report.problems.push_back(fmt::format("the file: {}", error.what()));
        report.document_sound = report.tiles_sound = report.history_sound = false;
    } catch (const Error& error) {
        throw Error(fmt::format("'{}': {}", path, error.what()));
    }
    return report;
}

}  // namespace caprock
