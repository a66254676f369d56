// What a project file holds twice: whether both copies say the same, and what is there where they do not.
#include "base/text.h"
#include "document/document_text.h"
#include "document/project_file.h"
#include "graph/tile_codec.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

namespace caprock {

namespace {

constexpr int64_t most_tiles_of_canvas = 1 << 20;

// Of rows in any order.
class Digest {
  public:
    void begin_row() { row_.clear(); }
    void add(int64_t number) { row_.append(reinterpret_cast<const char*>(&number), sizeof number); }
    void add(std::string_view bytes) {
        add(int64_t(bytes.size()));
        row_ += bytes;
    }
    void end_row() {
        rows_++;
        sum_ += XXH3_64bits(row_.data(), row_.size());
    }
    bool operator==(const Digest& other) const { return rows_ == other.rows_ && sum_ == other.sum_; }

  private:
    std::string row_;
    int64_t rows_ = 0;
    uint64_t sum_ = 0;
};

// Columns as they are, numbers first.
Digest digest_of(Database& database, std::string_view statement, int numbers, int texts, int64_t most) {
    Digest digest;
    Database::Query query = database.query(statement, most);
    while (query.next()) {
        digest.begin_row();
        for (int i = 0; i < numbers; i++) digest.add(query.integer(i));
        for (int i = numbers; i < numbers + texts; i++) digest.add(query.bytes(i));
        digest.end_row();
    }
    return digest;
}

// One table and where its rows stand a second time.
struct Pair {
    const char* words;
    const char* table;
    const char* copy;
    int numbers;
    int texts;
};
constexpr Pair pairs[] = {
    {"one of the two lists of canvases", "SELECT id, named FROM canvases NOT INDEXED LIMIT ?",
     "SELECT id, named FROM canvases INDEXED BY canvases_copy LIMIT ?", 2, 0},
    {"one of the two lists of tiles",
     "SELECT canvas, y, x, tile, content FROM canvas_tiles INDEXED BY sqlite_autoindex_canvas_tiles_1 LIMIT "
     "?",
     "SELECT canvas, y, x, tile, content FROM canvas_tiles INDEXED BY canvas_tiles_copy LIMIT ?", 4, 1},
    {"a part of the history",
     "SELECT id, time, at, title, removed, inserted, made_canvases FROM history NOT INDEXED LIMIT ?",
     "SELECT id, time, at, title, removed, inserted, made_canvases FROM history INDEXED BY history_copy "
     "LIMIT ?",
     3, 4},
    {"a part of the history of tiles",
     "SELECT entry, id FROM history_tiles INDEXED BY history_tiles_of LIMIT ?",
     "SELECT entry, id FROM history_tiles INDEXED BY history_tiles_copy LIMIT ?", 2, 0},
};

constexpr const Pair& tiles_pair = pairs[1];
constexpr const Pair& history_pair = pairs[2];

uint32_t number_at(const unsigned char* at) {
    return uint32_t(at[0]) << 24 | uint32_t(at[1]) << 16 | uint32_t(at[2]) << 8 | uint32_t(at[3]);
}

}  // namespace

// ---- the document ----------------------------------------------------------------------------------------

std::vector<ProjectFile::Candidate> ProjectFile::texts() {
    struct Row {
        std::vector<std::string> texts;
        std::vector<int64_t> positions;
    };
    std::map<int64_t, Row> rows;
    auto guarded = [&](const auto& action) {
        try {
            action();
        } catch (const DatabaseError&) {
            // What one way does not show, another may.
        }
    };
    for (int id : {1, 2})
        guarded([&] {
            Database::Query query =
                database_->query("SELECT text, position FROM document NOT INDEXED WHERE id = ?", id);
            if (!query.next()) return;
            rows[id].texts.push_back(query.text(0));
            rows[id].positions.push_back(query.integer(1));
        });
    if (has_copies()) {
        guarded([&] {
            Database::Query query =
                database_->query("SELECT id, text FROM document INDEXED BY document_copy LIMIT 10");
            while (query.next()) rows[query.integer(0)].texts.push_back(query.text(1));
        });
        guarded([&] {
            Database::Query query =
                database_->query("SELECT id, position FROM document INDEXED BY document_positions LIMIT 10");
            while (query.next()) rows[query.integer(0)].positions.push_back(query.integer(1));
        });
    }
    size_t copies = has_copies() ? 2 : 1;
    std::vector<Candidate> all;
    for (int id : {1, 2}) {
        Row& row = rows[id];
        auto agree = [&](const auto& values) {
            return values.size() == copies && std::ranges::count(values, values.front()) == ptrdiff_t(copies);
        };
        bool agreed = agree(row.texts) && agree(row.positions);
        if (row.positions.empty()) row.positions.push_back(-1);
        for (const std::string& text : row.texts)
            for (int64_t position : row.positions) {
                Candidate made{text, position, id == 2, agreed};
                bool known = std::ranges::any_of(all, [&](const Candidate& other) {
                    return other.saved == made.saved && other.text == text && other.position == position;
                });
                if (!known) all.push_back(std::move(made));
            }
    }
    return all;
}

namespace {

bool is_document(const std::string& text, std::string& reason) {
    try {
        parse_document(text, {});
        return true;
    } catch (const Error& error) {
        reason = error.what();
        return false;
    }
}

}  // namespace

// Of texts that differ, the one that the last entries of the history lead to.
int64_t ProjectFile::fitting_entries(const Candidate& candidate) {
    constexpr int64_t enough = 50;
    std::string text = candidate.text;
    int64_t fitting = 0;
    try {
        for (int64_t id = candidate.position; id >= 1 && fitting < enough; id--) {
            std::optional<HistoryEntry> entry = this->entry(id, false);
            if (!entry) break;
            text = entry->text.backward(text);
            fitting++;
        }
    } catch (const Error&) {
        // So far and no farther.
    }
    return fitting;
}

FileContent ProjectFile::content() {
    FileContent content;
    std::string reason = "it has no document";
    std::optional<Candidate> best;
    bool unreadable = false;
    int64_t fitting = -1;
    for (const Candidate& candidate : texts()) {
        if (best && best->saved != candidate.saved) break;
        if (!is_document(candidate.text, reason)) {
            unreadable = true;
            continue;
        }
        if (!best && candidate.agreed) {
            best = candidate;
            break;
        }
        int64_t fits = fitting_entries(candidate);
        if (best && fits <= fitting) continue;
        best = candidate;
        fitting = fits;
    }
    if (!best) throw DatabaseError(reason, DatabaseError::Kind::damaged);
    content.text = best->text;
    content.position = best->position;
    if (best->saved) {
        content.lost.push_back("the layers as they were last; those of the last save are shown");
    } else if (!best->agreed || unreadable) {
        content.damage.emplace_back("one of the two copies of the layers");
    }
    auto number = [&](const char* statement, const char* what) -> int64_t {
        try {
            return database_->integer(statement).value_or(0);
        } catch (const DatabaseError& error) {
            content.lost.push_back(fmt::format("{} ({})", what, error.what()));
            return 0;
        }
    };
    auto last_of = [&](const char* statement, int64_t most, const char* what) {
        int64_t last = number(statement, what);
        if (last >= 0 && last <= most) return last;
        content.lost.emplace_back(what);
        return int64_t(0);
    };
    content.last_entry = last_of("SELECT max(id) FROM history", most_rows(), "the history");
    content.last_row = last_of("SELECT max(id) FROM tiles", INT64_MAX / 2, "the last tiles");
    content.last_canvas = last_of("SELECT max(id) FROM canvases", most_numbers, "the list of canvases");
    // Each has its number, from 1 on.
    if (content.last_entry > 0 &&
        number("SELECT count(*) FROM history NOT INDEXED WHERE id > 0", "the history") != content.last_entry)
        content.lost.emplace_back("entries of the history");
    if (content.position < 0 || content.position > content.last_entry)
        content.lost.emplace_back("the place in the history");
    content.position = std::clamp<int64_t>(content.position, 0, content.last_entry);
    // A number that is given twice would put one tile in the place of another.
    int64_t named = number("SELECT max(tile) FROM canvas_tiles", "the list of tiles");
    if (named > content.last_row) content.lost.emplace_back("the last tiles");
    compare_copies(content);
    if (lock_) check_free_pages(content);
    copies_differ_ = !content.sound();
    return content;
}

void ProjectFile::compare_copies(FileContent& content) {
    if (!has_copies()) return;
    for (const Pair& pair : pairs) {
        size_t before = content.damage.size();
        try {
            Digest table = digest_of(*database_, pair.table, pair.numbers, pair.texts, most_rows());
            Digest copy = digest_of(*database_, pair.copy, pair.numbers, pair.texts, most_rows());
            if (!(table == copy)) content.damage.emplace_back(pair.words);
        } catch (const DatabaseError& error) {
            content.damage.push_back(fmt::format("{} ({})", pair.words, error.what()));
        }
        if (&pair == &history_pair) content.history_differs = content.damage.size() > before;
    }
}

// Pages that are said to be free are written over: where the list of them is damaged, those of other things might be.
void ProjectFile::check_free_pages(FileContent& content) {
    try {
        if (!log_into_file()) return;  // somebody looks at it
    } catch (const DatabaseError& error) {
        if (error.kind() == DatabaseError::Kind::full) return;
        throw;
    }
    auto read = [&](uint64_t at, std::vector<unsigned char>& into) {
        return ::pread(lock_->descriptor(), into.data(), into.size(), off_t(at)) == ssize_t(into.size());
    };
    std::vector<unsigned char> head(100);
    bool sound = read(0, head);
    uint32_t page_bytes = uint32_t(head[16]) << 8 | head[17];
    if (page_bytes == 1) page_bytes = 65536;
    uint32_t pages = number_at(&head[28]);
    uint32_t next = number_at(&head[32]);
    uint32_t count = number_at(&head[36]);
    struct stat file {};
    sound = sound && page_bytes >= 512 && ::fstat(lock_->descriptor(), &file) == 0 &&
            uint64_t(pages) <= uint64_t(file.st_size) / page_bytes;
    if (!sound) pages = 0;
    std::vector<bool> seen(size_t(pages) + 1);
    auto take = [&](uint32_t page) {
        if (page < 2 || page > pages || seen[page]) return false;
        seen[page] = true;
        return true;
    };
    uint32_t found = 0;
    std::vector<unsigned char> trunk(page_bytes);
    while (sound && next != 0) {
        sound = take(next) && read(uint64_t(next - 1) * page_bytes, trunk);
        if (!sound) break;
        uint32_t leaves = number_at(&trunk[4]);
        sound = leaves <= page_bytes / 4 - 2;
        for (uint32_t i = 0; sound && i < leaves; i++) sound = take(number_at(&trunk[8 + 4 * size_t(i)]));
        found += leaves + 1;
        next = number_at(&trunk[0]);
    }
    if (!sound || found != count) content.damage.emplace_back("the list of free pages");
}

// ---- tiles -----------------------------------------------------------------------------------------------

namespace {

constexpr const char* tiles_from_the_end =
    "SELECT canvas, y, x, tile, content FROM canvas_tiles ORDER BY canvas DESC, y DESC, x DESC LIMIT ?";
constexpr const char* copy_from_the_end =
    "SELECT canvas, y, x, tile, content FROM canvas_tiles INDEXED BY canvas_tiles_copy ORDER BY tile DESC, "
    "content "
    "DESC LIMIT ?";

}  // namespace

// So far as it goes; other ways may go on from elsewhere. Says whether it came to the end without meeting nonsense.
bool ProjectFile::add_spots(const char* statement, std::set<TileSpot>& into) {
    bool sense = true;
    try {
        Database::Query query = database_->query(statement, most_rows());
        while (query.next()) {
            std::optional<TileIndex> index = index_from(query.integer(2), query.integer(1));
            std::optional<ContentKey> content = key_from(query.bytes(4));
            int64_t canvas = query.integer(0);
            if (index && content && canvas >= 1 && canvas <= most_numbers) {
                into.insert({int(canvas), *index, query.integer(3), *content});
            } else {
                sense = false;
            }
        }
    } catch (const DatabaseError&) {
        return false;
    }
    return sense;
}

std::set<TileSpot> ProjectFile::spots(std::optional<int> canvas) {
    std::set<TileSpot> all;
    for (const char* statement : {tiles_pair.table, tiles_from_the_end}) add_spots(statement, all);
    if (has_copies())
        for (const char* statement : {tiles_pair.copy, copy_from_the_end}) add_spots(statement, all);
    if (canvas) std::erase_if(all, [&](const TileSpot& spot) { return spot.canvas != *canvas; });
    return all;
}

bool ProjectFile::lists_every_tile() {
    const std::set<TileSpot> all = spots(std::nullopt);
    auto has_all = [&](const char* statement) {
        std::set<TileSpot> listed;
        return add_spots(statement, listed) && listed == all;
    };
    return has_all(tiles_pair.table) || (has_copies() && has_all(tiles_pair.copy));
}

bool ProjectFile::holds(const TileSpot& spot) {
    try {
        Database::Query query = database_->query("SELECT data FROM tiles WHERE id = ?", spot.row);
        if (!query.next()) return false;
        std::vector<float> cells(static_cast<size_t>(tile_cells));
        unpack_cells(query.bytes(0), cells);
        return key_of_cells(cells.data(), cells.size()) == spot.content;
    } catch (const Error&) {
        return false;
    }
}

CanvasTiles ProjectFile::tiles_of_damaged(
    int canvas, const std::function<TilePointer(int64_t, const ContentKey&)>& tile_of,
    std::vector<std::string>& lost) {
    std::map<TileIndex, std::vector<TileSpot>> places;
    for (const TileSpot& spot : spots(canvas)) places[spot.index].push_back(spot);
    CanvasTiles tiles;
    int64_t unreadable = 0;
    for (const auto& [index, candidates] : places) {
        auto sound = std::ranges::find_if(candidates, [&](const TileSpot& spot) { return holds(spot); });
        if (sound == candidates.end()) {
            unreadable++;
            continue;
        }
        tiles.append(index, tile_of(sound->row, sound->content));
    }
    if (unreadable > 0) lost.push_back(fmt::format("{} tiles of canvas {}", unreadable, canvas));
    return tiles;
}

CanvasTiles ProjectFile::tiles(int canvas,
                               const std::function<TilePointer(int64_t, const ContentKey&)>& tile_of,
                               std::vector<std::string>& lost) {
    if (copies_differ_ && !lock_) return tiles_of_damaged(canvas, tile_of, lost);
    CanvasTiles tiles;
    int64_t nonsense = 0;
    try {
        Database::Query query = database_->query(
            "SELECT x, y, tile, content FROM canvas_tiles WHERE canvas = ? ORDER BY y, x LIMIT ?", canvas,
            std::min(most_tiles_of_canvas, most_rows()));
        while (query.next()) {
            std::optional<ContentKey> content = key_from(query.bytes(3));
            std::optional<TileIndex> index = index_from(query.integer(0), query.integer(1));
            // In a damaged tree they may come in another order, or more than once.
            bool in_order = tiles.all().empty() || (index && tiles.all().back().first < *index);
            if (!content || !index || !in_order) {
                nonsense++;
                continue;
            }
            tiles.append(*index, tile_of(query.integer(2), *content));
        }
    } catch (const DatabaseError& error) {
        lost.push_back(fmt::format("a part of canvas {} ({})", canvas, error.what()));
    }
    if (nonsense > 0) lost.push_back(fmt::format("{} tiles of canvas {}", nonsense, canvas));
    return tiles;
}

void ProjectFile::require_readable_tiles() {
    std::vector<float> cells(static_cast<size_t>(tile_cells));
    Database::Query query = database_->query("SELECT DISTINCT tile FROM canvas_tiles ORDER BY tile");
    while (query.next()) {
        try {
            Database::Query row = database_->query("SELECT data FROM tiles WHERE id = ?", query.integer(0));
            if (!row.next()) throw Error("it is not in the file");
            unpack_cells(row.bytes(0), cells);
        } catch (const Error& error) {
            throw DatabaseError(fmt::format("tile {} is damaged: {}", query.integer(0), error.what()),
                                DatabaseError::Kind::damaged);
        }
    }
}

}  // namespace caprock
