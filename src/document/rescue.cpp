#include "document/rescue.h"

#include "base/text.h"
#include "document/document_text.h"
#include "document/project_file.h"
#include "document/tile_codec.h"
#include "document/verify.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unistd.h>

namespace caprock {

namespace {

namespace fs = std::filesystem;

// Between two commits, so that the log does not grow to the size of the file.
constexpr uint64_t batch_bytes = 64 << 20;
constexpr size_t most_named_tiles = 8;

// What a layer's canvas is called, for people.
using CanvasNames = std::map<int, std::string>;

void take_names(const std::vector<Layer>& layers, CanvasNames& names) {
    for (const Layer& layer : layers) {
        std::string words = fmt::format("layer {} ({})", layer.id, one_line(layer.name));
        for (const LayerCanvas& use : layer.canvases) names.emplace(use.canvas, words);
        if (layer.mask.kind == LayerMask::Kind::painted)
            names.emplace(layer.mask.canvas, "the mask of " + words);
        take_names(layer.layers, names);
    }
}

class Rescue {
  public:
    Rescue(ProjectFile& from, ProjectFile& to, RescueReport& report, Progress* progress)
        : from_(from.database()),
          to_(to.database()),
          most_rows_(from.most_rows()),
          report_(report),
          progress_(progress) {}

    // All canvases and the whole history: verified before.
    void carry_over_everything(int64_t position) {
        begin();
        copy("SELECT id, named FROM canvases LIMIT ?", [&](Database::Query& row) {
            to_.run("INSERT INTO canvases VALUES (?, ?)", row.integer(0), row.integer(1));
        });
        copy("SELECT id, title, time, at, removed, inserted, made_canvases FROM history LIMIT ?",
             [&](Database::Query& row) {
                 to_.run("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?)", row.integer(0), row.text(1),
                         row.integer(2), row.integer(3), row.text(4), row.text(5), row.text(6));
             });
        copy("SELECT id, entry, canvas, x, y, before, after, difference FROM history_tiles LIMIT ?",
             [&](Database::Query& row) {
                 auto key = [&](int column) {
                     return row.is_null(column) ? std::optional<Blob>() : Blob{row.bytes(column)};
                 };
                 to_.run("INSERT INTO history_tiles VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row.integer(0),
                         row.integer(1), row.integer(2), row.integer(3), row.integer(4), key(5), key(6),
                         Blob{row.bytes(7)});
                 count(row.bytes(7).size());
             });
        copy("SELECT canvas, y, x, tile, content FROM canvas_tiles LIMIT ?", [&](Database::Query& row) {
            put_tile(row.integer(0), row.integer(1), row.integer(2), row.integer(3), row.bytes(4));
        });
        to_.run("UPDATE document SET position = ?", position);
        end();
        report_.with_history = true;
    }

    void carry_over_canvas(int canvas, const std::string& words) {
        begin();
        to_.run("INSERT OR REPLACE INTO canvases VALUES (?, 1)", canvas);
        std::vector<std::string> bad;
        int64_t bad_count = 0;
        auto take = [&](Database::Query& row) {
            if (progress_) progress_->check();
            std::optional<TileIndex> index = ProjectFile::index_from(row.integer(0), row.integer(1));
            std::string reason = "it lies beyond every grid";
            if (index) reason = why_not(row.integer(2), row.bytes(3));
            if (!reason.empty()) {
                bad_count++;
                if (bad.size() < most_named_tiles)
                    bad.push_back(fmt::format("({}, {}): {}", row.integer(0), row.integer(1), reason));
                return;
            }
            put_tile(canvas, index->y, index->x, row.integer(2), row.bytes(3));
        };
        // From the front to where it cannot be read any longer, then from the back.
        std::optional<std::pair<int64_t, int64_t>> last;
        try {
            for_each("SELECT x, y, tile, content FROM canvas_tiles WHERE canvas = ? ORDER BY y, x LIMIT ?",
                     canvas, [&](Database::Query& row) {
                         std::pair<int64_t, int64_t> here{row.integer(1), row.integer(0)};
                         if (last && here <= *last)
                             throw DatabaseError("its rows are in no order", DatabaseError::Kind::damaged);
                         last = here;
                         take(row);
                     });
        } catch (const DatabaseError& error) {
            if (error.kind() == DatabaseError::Kind::full) throw;
            lose(fmt::format("tiles of {} whose places cannot be read ({})", words, error.what()));
            take_from_the_back(canvas, last, take);
        }
        end();
        if (bad_count == 0) return;
        if (bad_count > int64_t(bad.size()))
            bad.push_back(fmt::format("{} more", bad_count - int64_t(bad.size())));
        lose(fmt::format("{} tiles of {}: {}", bad_count, words, listed(bad)));
    }

    void carry_over_thumbnail(ProjectFile& from) {
        try {
            if (std::optional<std::string> png = from.thumbnail())
                to_.run("INSERT INTO thumbnail VALUES (1, ?)", Blob{*png});
        } catch (const DatabaseError& error) {
            if (error.kind() == DatabaseError::Kind::full) throw;
            lose("the thumbnail");
        }
    }

    void lose(const std::string& what) { report_.lost.push_back(what); }

  private:
    template <typename Take>
    void take_from_the_back(int canvas, std::optional<std::pair<int64_t, int64_t>> last, const Take& take) {
        std::optional<std::pair<int64_t, int64_t>> before;
        try {
            for_each(
                "SELECT x, y, tile, content FROM canvas_tiles WHERE canvas = ? ORDER BY y DESC, x DESC "
                "LIMIT ?",
                canvas, [&](Database::Query& row) {
                    std::pair<int64_t, int64_t> here{row.integer(1), row.integer(0)};
                    bool met = last && here <= *last;
                    if (met || (before && here >= *before))
                        throw DatabaseError("there are no more", DatabaseError::Kind::damaged);
                    before = here;
                    take(row);
                });
        } catch (const DatabaseError& error) {
            // What lies between the two is lost, and was told.
            if (error.kind() == DatabaseError::Kind::full) throw;
        }
    }

    template <typename Take>
    void for_each(std::string_view statement, int canvas, const Take& take) {
        Database::Query query = from_.query(statement, canvas, most_rows_);
        while (query.next()) take(query);
    }
    template <typename Take>
    void copy(std::string_view statement, const Take& take) {
        Database::Query query = from_.query(statement, most_rows_);
        while (query.next()) take(query);
    }

    // Empty where the row holds the cells that it should.
    std::string why_not(int64_t row, std::string_view content) {
        std::optional<ContentKey> key = ProjectFile::key_from(content);
        if (!key) return "its key is damaged";
        auto known = looked_at_.find(row);
        if (known == looked_at_.end()) known = looked_at_.emplace(row, look_at(row)).first;
        if (!known->second.reason.empty()) return known->second.reason;
        return known->second.key == *key ? "" : "it holds other cells than it should";
    }

    struct Look {
        ContentKey key;
        std::string reason;  // why there is none
    };
    Look look_at(int64_t row) {
        try {
            Database::Query query = from_.query("SELECT data FROM tiles WHERE id = ?", row);
            if (!query.next()) return {{}, "it is not in the file"};
            unpack_cells(query.bytes(0), cells_);
            return {key_of_cells(cells_.data(), cells_.size()), ""};
        } catch (const Error& error) {
            return {{}, error.what()};
        }
    }

    void put_tile(int64_t canvas, int64_t y, int64_t x, int64_t row, std::string_view content) {
        to_.run("INSERT OR REPLACE INTO canvas_tiles VALUES (?, ?, ?, ?, ?)", canvas, y, x, row,
                Blob{content});
        report_.tiles++;
        if (progress_) progress_->check();
        if (!rows_.insert(row).second) return;
        Database::Query query = from_.query("SELECT data FROM tiles WHERE id = ?", row);
        if (!query.next()) throw Error(fmt::format("tile {} is not in the file", row));
        to_.run("INSERT INTO tiles VALUES (?, ?)", row, Blob{query.bytes(0)});
        count(query.bytes(0).size());
    }

    void begin() { transaction_.emplace(to_); }
    void end() {
        transaction_->commit();
        transaction_.reset();
        waiting_ = 0;
    }
    void count(uint64_t bytes) {
        waiting_ += bytes;
        if (waiting_ < batch_bytes) return;
        end();
        begin();
    }

    Database& from_;
    Database& to_;
    int64_t most_rows_;
    RescueReport& report_;
    Progress* progress_;
    std::optional<Database::Transaction> transaction_;
    uint64_t waiting_ = 0;
    std::set<int64_t> rows_;             // that are in the new file
    std::map<int64_t, Look> looked_at_;  // rows, which several canvases or places may share
    std::vector<float> cells_ = std::vector<float>(size_t(tile_cells));
};

// One attempt at a file of its own, which is given its name when it is complete.
RescueReport rescued(ProjectFile& from, const FileContent& content, bool with_history,
                     const std::string& part, Progress* progress) {
    RescueReport report;
    std::unique_ptr<ProjectFile> to = ProjectFile::create(part, content.text);
    to->trust();
    Rescue rescue(from, *to, report, progress);
    if (with_history) {
        rescue.carry_over_everything(content.position);
    } else {
        DocumentState state = parse_document(content.text, {});
        CanvasNames names;
        take_names(state.layers, names);
        for (const CanvasInfo& canvas : state.canvases) {
            auto words = names.find(canvas.id);
            rescue.carry_over_canvas(
                canvas.id, words != names.end() ? words->second : fmt::format("canvas {}", canvas.id));
        }
    }
    rescue.carry_over_thumbnail(from);
    to->checkpoint();
    return report;
}

void remove_part(const std::string& part) {
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) std::remove((part + ending).c_str());
}

}  // namespace

RescueReport rescue_project(const std::string& damaged, const std::string& to,
                            const std::function<void(const std::string&)>& tell, Progress* progress) {
    std::error_code unknown;
    if (fs::exists(to, unknown)) throw Error(fmt::format("'{}': it is already there", to));
    VerifyReport found = verify_project(damaged, progress);
    std::unique_ptr<ProjectFile> from;
    FileContent content;
    try {
        from = ProjectFile::open(damaged, ProjectFile::Access::read);
        from->database().script("BEGIN");
        content = from->content();
    } catch (const Error& error) {
        throw Error(fmt::format("'{}': nothing can be made of it: {}", damaged, error.what()));
    }
    std::string part = fmt::format("{}.rescue{}", to, ::getpid());
    remove_part(part);
    RescueReport report;
    bool with_history = found.document_sound && found.history_sound && content.lost.empty();
    try {
        try {
            report = rescued(*from, content, with_history, part, progress);
        } catch (const DatabaseError& error) {
            if (!with_history || error.kind() != DatabaseError::Kind::damaged) throw;
            remove_part(part);
            report = rescued(*from, content, false, part, progress);
        }
        ProjectFile::put_in_place(part, to);
    } catch (const DatabaseError& error) {
        remove_part(part);
        throw DatabaseError(fmt::format("'{}': {}", to, error.what()), error.kind());
    } catch (const Error& error) {
        remove_part(part);
        throw Error(fmt::format("'{}': {}", to, error.what()));
    } catch (const fs::filesystem_error& error) {
        remove_part(part);
        throw Error(fmt::format("'{}': {}", to, error.code().message()));
    } catch (...) {
        remove_part(part);
        throw;
    }
    std::vector<std::string> lost = content.lost;
    for (const std::string& what : report.lost) lost.push_back(what);
    if (!report.with_history && (found.entries > 0 || content.last_entry > 0))
        lost.push_back(fmt::format("the history of {} entries", std::max(found.entries, content.last_entry)));
    report.lost = lost;
    if (tell)
        for (const std::string& what : report.lost) tell("lost: " + what);
    return report;
}

}  // namespace caprock
