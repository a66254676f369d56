#include "document/rescue.h"

#include "base/text.h"
#include "base/text_file.h"
#include "document/document_text.h"
#include "document/project_file.h"
#include "document/raw_pages.h"
#include "document/verify.h"
#include "graph/tile_codec.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
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

// What is left of a damaged file, by whatever way it can be had: through the database, from its second copies, from pages
// that nothing leads to any longer, and from what the history says of tiles.
class Remains {
  public:
    // `from` is null where the file cannot be read as a database.
    Remains(const std::string& path, ProjectFile* from, Progress* progress)
        : path_(path), from_(from), progress_(progress) {}

    // The layers, and the place in the history. Throws Error where there are none.
    FileContent content() {
        std::string reason = "no document is left in it";
        try {
            if (from_) return from_->content();
        } catch (const Error& error) {
            reason = error.what();
        }
        FileContent found;
        int best = 0;
        auto offer = [&](std::string_view text, int worth, int64_t position) {
            if (worth <= best || !is_document(text)) return;
            best = worth;
            found.text = std::string(text);
            found.position = position;
        };
        using Kind = RawPages::Value::Kind;
        pages().for_each_row(
            [](const RawPages::Kinds& kinds) {
                return kinds == RawPages::Kinds{Kind::null, Kind::text, Kind::integer} ||
                       kinds == RawPages::Kinds{Kind::text, Kind::integer};
            },
            [&](const RawPages::Row& row) {
                bool table = row.values.size() == 3;
                if (table != row.id.has_value()) return;
                int64_t id = table ? *row.id : row.values[1].integer;
                if (id == 1 || id == 2)
                    offer(row.values[table ? 1 : 0].bytes, id == 1 ? 3 : 2,
                          table ? row.values[2].integer : 0);
            },
            progress_);
        if (best == 0) pages().for_each_text([&](std::string_view text) { offer(text, 1, 0); }, progress_);
        if (best == 0) throw Error(reason);
        if (best < 3)
            found.lost.emplace_back("the layers as they were last; those of an earlier save are there");
        return found;
    }

    // Where tiles of these canvases lie. The first of several for a place is the likeliest.
    using Places = std::map<TileIndex, std::vector<TileSpot>>;
    std::map<int, Places> places(const std::vector<CanvasInfo>& canvases, int64_t position) {
        std::map<int, Places> all;
        for (const CanvasInfo& canvas : canvases) all[canvas.id];
        auto add = [&](const TileSpot& spot) {
            auto canvas = all.find(spot.canvas);
            if (canvas == all.end()) return;
            std::vector<TileSpot>& known = canvas->second[spot.index];
            if (std::ranges::find(known, spot.content, &TileSpot::content) == known.end())
                known.push_back(spot);
        };
        if (from_)
            for (const TileSpot& spot : from_->spots(std::nullopt)) add(spot);
        add_from_pages(add);
        if (from_)
            for (const TileSpot& spot : latest_in_history(position))
                if (auto canvas = all.find(spot.canvas);
                    canvas != all.end() && !canvas->second.contains(spot.index))
                    add(spot);
        return all;
    }

    // Cells as they are kept, which are those that the spot wants; nothing where they are not to be had. `reason` says why.
    std::optional<std::string> packed(const TileSpot& spot, std::string& reason) {
        if (progress_) progress_->check();
        if (from_) {
            try {
                Database::Query query =
                    from_->database().query("SELECT data FROM tiles WHERE id = ?", spot.row);
                if (!query.next()) throw Error("it is not in the file");
                unpack_cells(query.bytes(0), cells_);
                if (key_of_cells(cells_.data(), cells_.size()) == spot.content) return query.text(0);
                reason = "it holds other cells than it should";
            } catch (const Error& error) {
                reason = error.what();
            }
        }
        auto found = on_pages_.find(spot.content);
        return found != on_pages_.end() ? std::optional(found->second) : std::nullopt;
    }

    // What the database does not give is looked for on all pages, for all of them at once.
    void look_for_missing(const std::vector<TileSpot>& spots) {
        std::set<ContentKey> wanted;
        std::string reason;
        for (const TileSpot& spot : spots)
            if (!packed(spot, reason)) wanted.insert(spot.content);
        if (wanted.empty()) return;
        auto offer = [&](std::string_view packed) {
            try {
                unpack_cells(packed, cells_);
            } catch (const Error&) {
                return;
            }
            ContentKey key = key_of_cells(cells_.data(), cells_.size());
            if (wanted.contains(key)) on_pages_.emplace(key, packed);
        };
        pages().for_each_packed(offer, progress_);
    }

    // From the first stroke to the last: what was painted on a blank tile is the sum of all changes.
    std::optional<std::string> painted_again(const TileSpot& spot, float blank, int64_t position) {
        if (!from_) return std::nullopt;
        try {
            std::ranges::fill(cells_, blank);
            std::optional<ContentKey> key;
            for (int64_t row : changes_of(spot, position)) {
                Database::Query query = from_->database().query(
                    "SELECT before, after, difference FROM history_tiles WHERE id = ?", row);
                if (!query.next()) return std::nullopt;
                auto key_at = [&](int column) {
                    return query.is_null(column) ? std::nullopt : ProjectFile::key_from(query.bytes(column));
                };
                if (key_at(0) != key) return std::nullopt;
                apply_difference(query.bytes(2), Direction::forward, cells_);
                key = key_at(1);
                if (key && key_of_cells(cells_.data(), cells_.size()) != *key) return std::nullopt;
            }
            if (key != spot.content) return std::nullopt;
            return packed_cells(cells_);
        } catch (const DatabaseError&) {
            return std::nullopt;
        } catch (const Error&) {
            return std::nullopt;
        }
    }

    std::optional<std::string> thumbnail() {
        try {
            return from_ ? from_->thumbnail() : std::nullopt;
        } catch (const DatabaseError&) {
            return std::nullopt;
        }
    }

  private:
    static bool is_document(std::string_view text) {
        try {
            parse_document(std::string(text), {});
            return true;
        } catch (const Error&) {
            return false;
        }
    }

    RawPages& pages() {
        if (!pages_) pages_ = std::make_unique<RawPages>(path_);
        return *pages_;
    }

    template <typename Add>
    void add_from_pages(const Add& add) {
        using Kind = RawPages::Value::Kind;
        const RawPages::Kinds in_table{Kind::integer, Kind::integer, Kind::integer, Kind::integer,
                                       Kind::blob};
        const RawPages::Kinds in_copy{Kind::integer, Kind::blob, Kind::integer, Kind::integer, Kind::integer};
        pages().for_each_row(
            [&](const RawPages::Kinds& kinds) { return kinds == in_table || kinds == in_copy; },
            [&](const RawPages::Row& row) {
                if (row.id) return;
                bool table = row.values[4].kind == Kind::blob;
                size_t place = table ? 0 : 2;
                int64_t canvas = row.values[place].integer;
                std::optional<TileIndex> index =
                    ProjectFile::index_from(row.values[place + 2].integer, row.values[place + 1].integer);
                std::optional<ContentKey> content = ProjectFile::key_from(row.values[table ? 4 : 1].bytes);
                if (index && content && canvas > 0 && canvas <= most_numbers)
                    add(TileSpot{int(canvas), *index, row.values[table ? 3 : 0].integer, *content});
            },
            progress_);
    }

    std::string from_copy() { return from_->has_copies() ? "INDEXED BY history_tiles_copy" : ""; }

    std::vector<TileSpot> latest_in_history(int64_t position) {
        std::map<std::pair<int, TileIndex>, std::pair<int64_t, std::optional<ContentKey>>> latest;
        try {
            Database::Query query = from_->database().query(
                fmt::format(
                    "SELECT entry, canvas, x, y, after FROM history_tiles {} WHERE entry <= ? LIMIT ?",
                    from_copy()),
                position, from_->most_rows());
            while (query.next()) {
                std::optional<TileIndex> index = ProjectFile::index_from(query.integer(2), query.integer(3));
                int64_t canvas = query.integer(1);
                if (!index || canvas < 1 || canvas > most_numbers) continue;
                auto& last = latest[{int(canvas), *index}];
                if (query.integer(0) < last.first) continue;
                last = {query.integer(0),
                        query.is_null(4) ? std::nullopt : ProjectFile::key_from(query.bytes(4))};
            }
        } catch (const DatabaseError&) {
            // So far as it goes.
        }
        std::vector<TileSpot> spots;
        for (const auto& [place, last] : latest)
            if (last.second) spots.push_back({place.first, place.second, -1, *last.second});
        return spots;
    }

    std::vector<int64_t> changes_of(const TileSpot& spot, int64_t position) {
        Database::Query query =
            from_->database().query(fmt::format("SELECT id FROM history_tiles {} WHERE entry <= ? AND canvas "
                                                "= ? AND y = ? AND x = ? ORDER BY "
                                                "entry LIMIT ?",
                                                from_copy()),
                                    position, spot.canvas, spot.index.y, spot.index.x, from_->most_rows());
        std::vector<int64_t> rows;
        while (query.next()) rows.push_back(query.integer(0));
        return rows;
    }

    std::string path_;
    ProjectFile* from_;
    Progress* progress_;
    std::unique_ptr<RawPages> pages_;
    std::map<ContentKey, std::string> on_pages_;
    std::vector<float> cells_ = std::vector<float>(size_t(tile_cells));
};

// A new file, filled in portions.
class NewFile {
  public:
    NewFile(const std::string& path, const std::string& text)
        : file_(ProjectFile::create(path, text)), database_(file_->database()) {
        file_->trust();
        transaction_.emplace(database_);
    }
    ProjectFile& file() { return *file_; }
    Database& database() { return database_; }
    void count(uint64_t bytes) {
        waiting_ += bytes;
        if (waiting_ < batch_bytes) return;
        transaction_->commit();
        transaction_.reset();
        transaction_.emplace(database_);
        waiting_ = 0;
    }
    void finish(const std::optional<std::string>& thumbnail) {
        if (thumbnail) database_.run("INSERT INTO thumbnail VALUES (1, ?)", Blob{*thumbnail});
        transaction_->commit();
        transaction_.reset();
        file_->checkpoint();
    }

  private:
    std::unique_ptr<ProjectFile> file_;
    Database& database_;
    std::optional<Database::Transaction> transaction_;
    uint64_t waiting_ = 0;
};

// ---- with the history ------------------------------------------------------------------------------------

// All canvases and the whole history: verified before, and again afterwards.
RescueReport carry_over_everything(ProjectFile& from_file, Remains& remains, const FileContent& content,
                                   NewFile& made, Progress* progress) {
    RescueReport report;
    const DocumentState state = parse_document(content.text, {});
    Database& from = from_file.database();
    Database& to = made.database();
    auto copy = [&](std::string_view statement, const auto& take) {
        Database::Query query = from.query(statement, from_file.most_rows());
        while (query.next()) {
            if (progress) progress->check();
            take(query);
        }
    };
    // Of lists that are there twice, one may have lost what the other has.
    auto refuse = [](const char* what) { throw DatabaseError(what, DatabaseError::Kind::damaged); };
    std::map<int64_t, int64_t> named;
    std::set<int64_t> changes;
    auto take_both = [&](std::string_view table, std::string_view second, const auto& take) {
        for (std::string_view statement : {table, second}) {
            try {
                if (!statement.empty()) copy(statement, take);
            } catch (const DatabaseError&) {
                // The other one.
            }
        }
    };
    bool twice = from_file.has_copies();
    take_both("SELECT id, named FROM canvases NOT INDEXED LIMIT ?",
              twice ? "SELECT id, named FROM canvases INDEXED BY canvases_copy LIMIT ?" : "",
              [&](Database::Query& row) {
                  int64_t& known = named[row.integer(0)];
                  known = std::max(known, row.integer(1));
              });
    take_both(
        "SELECT id FROM history_tiles INDEXED BY history_tiles_of WHERE entry > 0 LIMIT ?",
        twice ? "SELECT id FROM history_tiles INDEXED BY history_tiles_copy WHERE entry > 0 LIMIT ?" : "",
        [&](Database::Query& row) { changes.insert(row.integer(0)); });
    copy("SELECT id, title, time, at, removed, inserted, made_canvases FROM history NOT INDEXED LIMIT ?",
         [&](Database::Query& row) {
             to.run("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?)", row.integer(0), row.text(1),
                    row.integer(2), row.integer(3), row.text(4), row.text(5), row.text(6));
         });
    copy("SELECT id, entry, canvas, x, y, before, after, difference FROM history_tiles NOT INDEXED LIMIT ?",
         [&](Database::Query& row) {
             auto key = [&](int column) {
                 return row.is_null(column) ? std::optional<Blob>() : Blob{row.bytes(column)};
             };
             to.run("INSERT INTO history_tiles VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row.integer(0),
                    row.integer(1), row.integer(2), row.integer(3), row.integer(4), key(5), key(6),
                    Blob{row.bytes(7)});
             made.count(row.bytes(7).size());
             changes.erase(row.integer(0));
         });
    if (!changes.empty()) refuse("changes of tiles are not there");
    std::set<int64_t> rows;
    const TileSpot* before = nullptr;
    std::set<TileSpot> spots = from_file.spots(std::nullopt);
    remains.look_for_missing({spots.begin(), spots.end()});
    for (const TileSpot& spot : spots) {
        if (progress) progress->check();
        if (before && before->canvas == spot.canvas && before->index == spot.index)
            refuse("a place has two tiles");
        before = &spot;
        auto key = spot.content.bytes();
        to.run("INSERT INTO canvas_tiles VALUES (?, ?, ?, ?, ?)", spot.canvas, spot.index.y, spot.index.x,
               spot.row, Blob{{reinterpret_cast<const char*>(key.data()), key.size()}});
        named.emplace(spot.canvas, 1);
        report.tiles++;
        if (!rows.insert(spot.row).second) continue;
        std::string reason;
        std::optional<std::string> packed = remains.packed(spot, reason);
        const CanvasInfo* canvas = state.canvas(spot.canvas);
        if (!packed && canvas) packed = remains.painted_again(spot, canvas->blank, content.position);
        if (!packed) refuse("a tile is not there");
        to.run("INSERT INTO tiles VALUES (?, ?)", spot.row, Blob{*packed});
        made.count(packed->size());
    }
    for (const auto& [canvas, is_named] : named)
        if (canvas > 0) to.run("INSERT INTO canvases VALUES (?, ?)", canvas, is_named);
    to.run("UPDATE document SET position = ?", content.position);
    report.with_history = true;
    return report;
}

// ---- without it ------------------------------------------------------------------------------------------

class TileRescue {
  public:
    TileRescue(Remains& remains, NewFile& made, RescueReport& report)
        : remains_(remains), made_(made), report_(report) {}

    void run(const DocumentState& state, int64_t position) {
        CanvasNames names;
        take_names(state.layers, names);
        std::map<int, Remains::Places> all = remains_.places(state.canvases, position);
        std::vector<TileSpot> spots;
        for (const auto& [canvas, places] : all)
            for (const auto& [index, candidates] : places)
                spots.insert(spots.end(), candidates.begin(), candidates.end());
        remains_.look_for_missing(spots);
        for (const CanvasInfo& canvas : state.canvases) {
            auto words = names.find(canvas.id);
            carry_over(canvas, all[canvas.id], position,
                       words != names.end() ? words->second : fmt::format("canvas {}", canvas.id));
        }
    }

  private:
    void carry_over(const CanvasInfo& canvas, const Remains::Places& places, int64_t position,
                    const std::string& words) {
        made_.database().run("INSERT OR REPLACE INTO canvases VALUES (?, 1)", canvas.id);
        std::vector<std::string> bad;
        int64_t bad_count = 0;
        for (const auto& [index, spots] : places) {
            std::string reason = "its place is not known";
            std::optional<std::string> packed;
            const TileSpot* found = nullptr;
            for (const TileSpot& spot : spots) {
                packed = remains_.packed(spot, reason);
                if (!packed) packed = remains_.painted_again(spot, canvas.blank, position);
                found = &spot;
                if (packed) break;
            }
            if (packed) {
                put(*found, *packed);
                continue;
            }
            bad_count++;
            if (bad.size() < most_named_tiles)
                bad.push_back(fmt::format("({}, {}): {}", index.x, index.y, reason));
        }
        if (bad_count == 0) return;
        if (bad_count > int64_t(bad.size()))
            bad.push_back(fmt::format("{} more", bad_count - int64_t(bad.size())));
        report_.lost.push_back(fmt::format("{} tiles of {}: {}", bad_count, words, listed(bad)));
    }

    void put(const TileSpot& spot, const std::string& packed) {
        auto [row, is_new] = rows_.emplace(spot.content, int64_t(rows_.size()) + 1);
        if (is_new) made_.database().run("INSERT INTO tiles VALUES (?, ?)", row->second, Blob{packed});
        auto key = spot.content.bytes();
        made_.database().run("INSERT INTO canvas_tiles VALUES (?, ?, ?, ?, ?)", spot.canvas, spot.index.y,
                             spot.index.x, row->second,
                             Blob{{reinterpret_cast<const char*>(key.data()), key.size()}});
        report_.tiles++;
        made_.count(packed.size());
    }

    Remains& remains_;
    NewFile& made_;
    RescueReport& report_;
    std::map<ContentKey, int64_t> rows_;
};

void remove_part(const std::string& part) {
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) std::remove((part + ending).c_str());
}

}  // namespace

std::string rescue_hint(const std::string& path) {
    return fmt::format("'caprock document rescue {} OTHER.caprock' makes a sound project of what is left",
                       shown_path(path));
}

RescueReport rescue_project(const std::string& damaged, const std::string& to,
                            const std::function<void(const std::string&)>& tell, Progress* progress) {
    std::error_code unknown;
    if (fs::exists(to, unknown)) throw Error(fmt::format("'{}': it is already there", to));
    VerifyReport found = verify_project(damaged, progress);
    std::unique_ptr<ProjectFile> from;
    try {
        from = ProjectFile::open(damaged, ProjectFile::Access::read);
        if (from->database().access() == Database::Access::beside) from->database().script("BEGIN");
    } catch (const DatabaseError& error) {
        if (error.kind() != DatabaseError::Kind::damaged)
            throw DatabaseError(fmt::format("'{}': {}", damaged, error.what()), error.kind());
    }
    Remains remains(damaged, from.get(), progress);
    FileContent content;
    try {
        content = remains.content();
    } catch (const Error& error) {
        throw Error(fmt::format("'{}': nothing can be made of it: {}", damaged, error.what()));
    }
    std::string part = fmt::format("{}.rescue{}", to, ::getpid());
    remove_part(part);
    RescueReport report;
    try {
        if (from && content.lost.empty() && !content.history_differs) {
            try {
                NewFile made(part, content.text);
                report = carry_over_everything(*from, remains, content, made, progress);
                made.finish(remains.thumbnail());
            } catch (const DatabaseError& error) {
                // Rows of nonsense are refused in many ways.
                if (error.kind() == DatabaseError::Kind::full) throw;
                report = {};
            }
            if (report.with_history && !found.sound() && !verify_project(part, progress).sound()) report = {};
            if (!report.with_history) remove_part(part);
        }
        if (!report.with_history) {
            NewFile made(part, content.text);
            TileRescue(remains, made, report).run(parse_document(content.text, {}), content.position);
            made.finish(remains.thumbnail());
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
    if (!from || !from->lists_every_tile())
        lost.emplace_back("perhaps tiles of which nothing says any longer where they belong");
    if (!report.with_history && (found.entries > 0 || content.last_entry > 0))
        lost.push_back(fmt::format("the history of {} entries", std::max(found.entries, content.last_entry)));
    report.lost = lost;
    if (tell)
        for (const std::string& what : report.lost) tell("lost: " + what);
    return report;
}

}  // namespace caprock
