#include "document/project_file.h"

#include "base/file_place.h"
#include "base/text.h"
#include "compute/in_parallel.h"
#include "document/document_text.h"
#include "document/rescue.h"
#include "graph/tile_codec.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace caprock {

namespace {

namespace fs = std::filesystem;

constexpr int64_t application = 0x43505243;  // "CPRC", for file(1)
// Since then a file has second copies.
constexpr int version_with_copies = 1001;
constexpr int file_version = std::max(format_major * 1000 + format_minor, version_with_copies);
// More than the largest grid has, four times over.
constexpr int64_t most_tiles = 1 << 20;
constexpr int64_t farthest_tile = 1 << 16;
// Cells that do not compress take little more than themselves.
constexpr size_t most_difference_bytes = 2 * tile_bytes;
// No row takes fewer bytes: a table that has more of them than that has no end.
constexpr int64_t row_bytes = 8;
// What one row takes to be found, looked at and deleted is far below.
constexpr uint64_t steps_per_row = 40;
// Beyond that the log goes into the file.
constexpr uintmax_t largest_log = 32 << 20;

// Blobs of a hundred kilobytes: larger pages make shorter chains of them.
constexpr const char* schema = R"(
PRAGMA page_size = 16384;
PRAGMA journal_mode = WAL;
BEGIN;
CREATE TABLE document (id INTEGER PRIMARY KEY, text TEXT NOT NULL, position INTEGER NOT NULL);
CREATE TABLE canvases (id INTEGER PRIMARY KEY, named INTEGER NOT NULL);
CREATE TABLE tiles (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE canvas_tiles (canvas INTEGER, y INTEGER, x INTEGER, tile INTEGER NOT NULL, content BLOB NOT NULL,
                           PRIMARY KEY (canvas, y, x)) WITHOUT ROWID;
CREATE TABLE replaced_tiles (tile INTEGER PRIMARY KEY);
CREATE TABLE history (id INTEGER PRIMARY KEY, title TEXT NOT NULL, time INTEGER NOT NULL, at INTEGER NOT NULL,
                      removed TEXT NOT NULL, inserted TEXT NOT NULL, made_canvases TEXT NOT NULL);
CREATE TABLE history_tiles (id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, canvas INTEGER NOT NULL,
                            x INTEGER NOT NULL, y INTEGER NOT NULL, before BLOB, after BLOB,
                            difference BLOB NOT NULL);
CREATE INDEX history_tiles_of ON history_tiles (entry);
CREATE TABLE cache (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, data BLOB NOT NULL);
CREATE TABLE thumbnail (id INTEGER PRIMARY KEY, png BLOB NOT NULL);
COMMIT;
)";

// What nobody can make again is there twice, on pages of its own: an index holds all that it is made of, and SQLite keeps
// it in step with its table, whichever version of the program writes. What differs is damaged, and what one has lost
// the other has.
constexpr const char* copies = R"(
DROP INDEX IF EXISTS canvas_tiles_of;
CREATE INDEX IF NOT EXISTS document_copy ON document (text);
CREATE INDEX IF NOT EXISTS document_positions ON document (position);
CREATE INDEX IF NOT EXISTS canvases_copy ON canvases (named);
CREATE INDEX IF NOT EXISTS canvas_tiles_copy ON canvas_tiles (tile, content);
CREATE INDEX IF NOT EXISTS history_copy ON history (title, time, at, removed, inserted, made_canvases);
CREATE INDEX IF NOT EXISTS history_tiles_copy ON history_tiles (entry, canvas, y, x, before, after);
)";

// The row of the document as it is, and of its copy from the last save: should the one be damaged, there is the other.
constexpr int current_text = 1;
constexpr int saved_text = 2;

Blob blob(const std::array<unsigned char, 16>& bytes) {
    return {{reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}

std::string numbers_text(const std::vector<int>& numbers) {
    return fmt::format("{}", fmt::join(numbers, ","));
}

std::vector<int> numbers_from(const std::string& text) {
    std::vector<int> numbers;
    const char* at = text.c_str();
    while (*at) {
        char* end = nullptr;
        long number = std::strtol(at, &end, 10);
        if (end == at) break;
        numbers.push_back(int(number));
        at = *end == ',' ? end + 1 : end;
    }
    return numbers;
}

void sync_folder_of(const std::string& path) {
    std::string folder = fs::path(path).parent_path().string();
    int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

void sync_file(const std::string& path) {
    int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    int reason = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    if (reason == ENOSPC || reason == EDQUOT)
        throw DatabaseError("the disk is full", DatabaseError::Kind::full);
    if (reason) throw Error(fmt::format("it cannot be brought to the disk: {}", std::strerror(reason)));
}

// Beside the file, not a link to it.
std::string log_of(const std::string& path) {
    std::error_code none;
    return fs::weakly_canonical(path, none).string() + "-wal";
}

// A name beside the file for what is not complete yet.
std::string beside(const std::string& path) { return fmt::format("{}.part{}", path, ::getpid()); }

// What programs that were killed have left half done. On a disk that is shared a number may be of another machine: what
// has changed of late is somebody's work.
void remove_abandoned_parts(const std::string& path) {
    std::error_code none;
    fs::path folder = fs::path(path).parent_path();
    std::string begin = fs::path(path).filename().string() + ".part";
    std::vector<std::string> abandoned;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, none)) {
        std::string name = entry.path().filename().string();
        if (!name.starts_with(begin)) continue;
        std::string digits = name.substr(begin.size(), name.find('-', begin.size()) - begin.size());
        if (digits.empty() || digits.size() > 9 ||
            digits.find_first_not_of("0123456789") != std::string::npos)
            continue;
        bool alive = ::kill(std::stoi(digits), 0) == 0 || errno != ESRCH;
        auto age = fs::file_time_type::clock::now() - entry.last_write_time(none);
        if (!alive && !none && age > std::chrono::hours(1)) abandoned.push_back(entry.path().string());
    }
    for (const std::string& part : abandoned) std::remove(part.c_str());
}

void remove_logs(const std::string& path) {
    for (const char* ending : {"-wal", "-shm", "-journal"}) std::remove((path + ending).c_str());
}

void remove_database(const std::string& path) {
    std::remove(path.c_str());
    remove_logs(path);
}

}  // namespace

std::optional<ContentKey> ProjectFile::key_from(std::string_view bytes) {
    if (bytes.size() != 16) return std::nullopt;
    return ContentKey::from_bytes(reinterpret_cast<const unsigned char*>(bytes.data()));
}

std::optional<TileIndex> ProjectFile::index_from(int64_t x, int64_t y) {
    if (x < -farthest_tile || x > farthest_tile || y < -farthest_tile || y > farthest_tile)
        return std::nullopt;
    return TileIndex{int(x), int(y)};
}

// ---- differences of texts --------------------------------------------------------------------------------

TextSplice TextSplice::between(const std::string& before, const std::string& after) {
    size_t most = std::min(before.size(), after.size());
    size_t front =
        size_t(std::mismatch(before.begin(), before.begin() + ptrdiff_t(most), after.begin()).first -
               before.begin());
    size_t back = 0;
    while (back < most - front && before[before.size() - 1 - back] == after[after.size() - 1 - back]) back++;
    return {int64_t(front), before.substr(front, before.size() - front - back),
            after.substr(front, after.size() - front - back)};
}

namespace {

std::string spliced(const std::string& text, int64_t at, const std::string& old_part,
                    const std::string& new_part) {
    if (at < 0 || size_t(at) > text.size() || text.compare(size_t(at), old_part.size(), old_part) != 0)
        throw Error("an entry of the history does not fit the document: the file is damaged");
    return text.substr(0, size_t(at)) + new_part + text.substr(size_t(at) + old_part.size());
}

}  // namespace

std::string TextSplice::forward(const std::string& before) const {
    return spliced(before, at, removed, inserted);
}
std::string TextSplice::backward(const std::string& after) const {
    return spliced(after, at, inserted, removed);
}

uint64_t HistoryEntry::bytes() const {
    uint64_t sum = title.size() + text.removed.size() + text.inserted.size() + 64;
    for (const TileChange& tile : tiles) sum += tile.bytes();
    return sum;
}

uint64_t FileChange::bytes() const {
    uint64_t sum = 0;
    for (const TilePut& put : tiles) sum += put.tile && put.tile->waits() ? tile_bytes : 64;
    if (entry) sum += entry->bytes();
    for (const Remembered& result : remembered) sum += result.data->size();
    return sum;
}

// ---- opening ---------------------------------------------------------------------------------------------

std::unique_ptr<ProjectFile> ProjectFile::create(const std::string& name, const std::string& document_text) {
    if (fs::exists(name)) throw Error("it is already there");
    std::string path = place_of_output(name);  // behind a link that points to nothing yet
    // The log of a file that somebody took away would be read as this one's.
    remove_logs(path);
    // Beside its place first: a file that is only half a project must not be found there.
    fs::path folder = fs::path(path).parent_path();
    if (!folder.empty() && !fs::is_directory(folder)) throw Error("its folder is not there");
    std::string part = beside(path);
    remove_abandoned_parts(path);
    remove_database(part);
    try {
        Database database(part, Database::Access::create);
        database.script(schema);
        database.script(copies);
        database.script(
            fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", application, file_version));
        for (int id : {current_text, saved_text})
            database.run("INSERT INTO document VALUES (?, ?, 0)", id, document_text);
        // The log stays behind, and to close the file tells nobody that it did not have the room.
        database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (const Error&) {
        remove_database(part);
        throw;
    }
    try {
        sync_file(part);
    } catch (const Error&) {
        remove_database(part);
        throw;
    }
    put_in_place(part, path);
    try {
        return open(path, Access::write);
    } catch (const DatabaseError&) {
        // Nobody else has it: then it would have been the lock that refused.
        remove_database(path);
        throw;
    }
}

void ProjectFile::put_in_place(const std::string& part, const std::string& name) {
    std::string path = place_of_output(name);
    // Not over a file that somebody else has made in the meantime.
    if (::link(part.c_str(), path.c_str()) != 0 && fs::exists(path)) {
        remove_database(part);
        throw Error("it is already there");
    }
    if (!fs::exists(path)) fs::rename(part, path);  // a file system without links
    remove_database(part);
    sync_folder_of(path);
}

std::unique_ptr<ProjectFile> ProjectFile::open(const std::string& path, Access access,
                                               std::chrono::milliseconds patience) {
    require_plain_file(path);
    std::unique_ptr<ProjectFile> file(new ProjectFile(path));
    if (access == Access::write) file->lock_ = std::make_unique<FileLock>(path, patience);
    try {
        file->database_ = access == Access::write ? std::make_unique<Database>(path, Database::Access::write)
                                                  : Database::for_reading(path);
        file->check_format();
    } catch (const DatabaseError& error) {
        std::string folder = fs::absolute(path).parent_path().string();
        if (access == Access::write && error.kind() == DatabaseError::Kind::other &&
            ::access(folder.c_str(), W_OK) != 0)
            throw Error(
                "its folder may not be written, and changes are kept there; open it for reading only");
        throw;
    }
    // Beside a document of this process, the name is all that is known.
    file->identity_ = file->lock_ ? file->lock_->identity() : file->database_->identity();
    if (file->identity_.empty()) file->identity_ = file_identity(path);
    file->database_->limit_steps(uint64_t(file->most_rows()) * steps_per_row);
    if (access == Access::write) {
        file->check_tables();
        // FULL: what was told to be on disk is there even when the power goes. When the log goes into the file is decided
        // here: readers look at the file as it is.
        file->database_->leave_log(true);
        file->database_->script(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000;"
            "PRAGMA wal_autocheckpoint = 0;");
        file->log_identity_ = file_identity(log_of(path));  // if there is one before the first change
    }
    return file;
}

bool ProjectFile::has_own_log(const std::string& path) {
    struct stat file {};
    struct stat log {};
    return ::stat(path.c_str(), &file) == 0 && file.st_uid == ::geteuid() &&
           ::stat(log_of(path).c_str(), &log) == 0;
}

ProjectFile::~ProjectFile() {
    if (!lock_ || !database_) return;
    try {
        if (!lock_->in_place()) remove_own_log();
        // Of what is damaged nothing is moved. SQLite takes the log away with the last connection, while readers are
        // still locked out.
        std::error_code none;
        bool movable = trusted_ || fs::file_size(log_of(path_), none) == 0;
        if (lock_->in_place() && movable && log_into_file(Afterwards::readers_wait))
            database_->leave_log(false);
    } catch (const std::exception&) {
        // What is written is safe in the log, and nobody is left to be told.
    }
    database_.reset();
}

void ProjectFile::trust() {
    database_->limit_steps(0);
    trusted_ = true;
}

void ProjectFile::check_format() {
    database_->script("PRAGMA cell_size_check = ON");
    std::optional<int64_t> mark = database_->integer("PRAGMA application_id");
    if (mark != application) throw Error("it is no project of Caprock");
    int64_t version = database_->integer("PRAGMA user_version").value_or(0);
    if (version / 1000 != format_major)
        throw Error(
            fmt::format("it is of format {}.{}, and this version reads {}.x: it takes a newer caprock",
                        version / 1000, version % 1000, format_major));
}

void ProjectFile::check_tables() {
    std::set<std::string> there;
    Database::Query query = database_->query("SELECT name FROM sqlite_master LIMIT 1000");
    while (query.next()) there.insert(query.text(0));
    std::vector<std::string> wanted = {"document", "canvases", "tiles",         "canvas_tiles",
                                       "history",  "cache",    "history_tiles", "replaced_tiles"};
    if (has_copies())
        for (const char* copy : {"document_copy", "document_positions", "canvases_copy", "canvas_tiles_copy",
                                 "history_copy", "history_tiles_copy"})
            wanted.emplace_back(copy);
    for (const std::string& name : wanted)
        if (!there.contains(name))
            throw DatabaseError(fmt::format("its table '{}' is not there", name),
                                DatabaseError::Kind::damaged);
}

bool ProjectFile::has_copies() {
    return database_->integer("PRAGMA user_version").value_or(0) >= version_with_copies;
}

void ProjectFile::add_copies() {
    if (has_copies()) return;
    Database::Transaction transaction(*database_);
    database_->script(copies);
    // Results had no checksum of their own.
    database_->run("DELETE FROM cache");
    database_->script(fmt::format("PRAGMA user_version = {}", file_version));
    transaction.commit();
}

int64_t ProjectFile::most_rows() const {
    int64_t bytes = 0;
    for (const char* ending : {"", "-wal"}) {
        std::error_code none;
        auto size = fs::file_size(path_ + ending, none);
        if (!none) bytes += int64_t(size);
    }
    return std::max<int64_t>(bytes / row_bytes, 10000);
}

void ProjectFile::clear_up_after_crash() {
    Database::Transaction transaction(*database_);
    // Tiles that were replaced while somebody still looked at them, and canvases that no command ever named. Several
    // canvases may share a tile.
    database_->run(
        "INSERT OR IGNORE INTO replaced_tiles SELECT tile FROM canvas_tiles WHERE canvas IN "
        "(SELECT id FROM canvases WHERE named = 0)");
    database_->run("DELETE FROM canvas_tiles WHERE canvas IN (SELECT id FROM canvases WHERE named = 0)");
    database_->run("DELETE FROM canvases WHERE named = 0");
    database_->run(
        "DELETE FROM tiles WHERE id IN (SELECT tile FROM replaced_tiles) AND NOT EXISTS "
        "(SELECT 1 FROM canvas_tiles WHERE canvas_tiles.tile = tiles.id)");
    database_->run("DELETE FROM replaced_tiles");
    transaction.commit();
}

// ---- reading ---------------------------------------------------------------------------------------------

std::optional<HistoryEntry> ProjectFile::entry(int64_t id, bool with_tiles) {
    HistoryEntry entry;
    {
        Database::Query query = database_->query(
            "SELECT title, time, at, removed, inserted, made_canvases FROM history WHERE id = ?", id);
        if (!query.next()) return std::nullopt;
        entry.id = id;
        entry.title = query.text(0);
        entry.time = query.integer(1);
        entry.text = {query.integer(2), query.text(3), query.text(4)};
        entry.made_canvases = numbers_from(query.text(5));
    }
    if (!with_tiles) return entry;
    Database::Query query = database_->query(
        "SELECT canvas, x, y, before, after, difference FROM history_tiles WHERE entry = ? ORDER BY canvas, "
        "y, x LIMIT ?",
        id, std::min(most_tiles, most_rows()));
    while (query.next()) {
        TileChange change;
        std::optional<TileIndex> index = index_from(query.integer(1), query.integer(2));
        int64_t canvas = query.integer(0);
        auto key = [&](int column, std::optional<ContentKey>& to) {
            if (query.is_null(column)) return true;
            to = key_from(query.bytes(column));
            return to.has_value();
        };
        bool in_order = entry.tiles.empty() || !index || entry.tiles.back().canvas < canvas ||
                        (entry.tiles.back().canvas == canvas && entry.tiles.back().index < *index);
        if (!index || canvas < 1 || canvas > most_numbers || !key(3, change.before) ||
            !key(4, change.after) || !in_order || query.bytes(5).size() > most_difference_bytes)
            throw Error(fmt::format("entry {} of the history ({}) is damaged", id, one_line(entry.title)));
        change.canvas = int(canvas);
        change.index = *index;
        change.difference = query.text(5);
        entry.tiles.push_back(std::move(change));
    }
    if (has_copies()) compare_with_copy(entry);
    return entry;
}

// Without it, what one index does not name any longer would be left out.
void ProjectFile::compare_with_copy(const HistoryEntry& entry) {
    auto same = [&] {
        Database::Query line = database_->query(
            "SELECT count(*) FROM history INDEXED BY history_copy WHERE title = ? AND time = ? AND at = ? "
            "AND removed = ? "
            "AND inserted = ? AND made_canvases = ? AND +id = ?",
            entry.title, entry.time, entry.text.at, entry.text.removed, entry.text.inserted,
            numbers_text(entry.made_canvases), entry.id);
        if (!line.next() || line.integer(0) != 1) return false;
        Database::Query query = database_->query(
            "SELECT canvas, y, x, before, after FROM history_tiles INDEXED BY history_tiles_copy WHERE entry "
            "= ? "
            "ORDER BY canvas, y, x LIMIT ?",
            entry.id, std::min(most_tiles, most_rows()));
        auto key = [&](int column) {
            return query.is_null(column) ? std::optional<ContentKey>() : key_from(query.bytes(column));
        };
        for (const TileChange& tile : entry.tiles)
            if (!query.next() || query.integer(0) != tile.canvas || query.integer(1) != tile.index.y ||
                query.integer(2) != tile.index.x || key(3) != tile.before || key(4) != tile.after)
                return false;
        return !query.next();
    };
    if (!same())
        throw DatabaseError(
            fmt::format("entry {} of the history ({}) is damaged", entry.id, one_line(entry.title)),
            DatabaseError::Kind::damaged);
}

std::optional<std::string> ProjectFile::thumbnail() {
    Database::Query query = database_->query("SELECT png FROM thumbnail WHERE id = 1");
    if (!query.next()) return std::nullopt;
    return query.text(0);
}

// ---- writing ---------------------------------------------------------------------------------------------

// Whatever takes the place of the file, a log that was left would be read as its own.
void ProjectFile::remove_own_log() const {
    if (!log_identity_.empty() && file_identity(log_of(path_)) == log_identity_) remove_logs(path_);
}

void ProjectFile::require_in_place() const {
    if (lock_->in_place()) return;
    remove_own_log();
    throw Error(
        "it was deleted, moved or replaced while it was open, and nothing can be written to it any longer; "
        "save the "
        "document under another name");
}

void ProjectFile::write(const FileChange& change) {
    write(std::vector{std::make_shared<const FileChange>(change)});
}

void ProjectFile::write(const std::vector<std::shared_ptr<const FileChange>>& changes) {
    require_in_place();
    try {
        Database::Transaction transaction(*database_);
        for (const auto& change : changes) put(*change);
        transaction.commit();
    } catch (const DatabaseError& error) {
        if (error.kind() != DatabaseError::Kind::damaged) throw;
        throw DatabaseError(fmt::format("it is damaged ({}); {}", error.what(), rescue_hint(path_)),
                            error.kind());
    }
    // Into a file that has no name any longer everything can be written, and nobody finds it.
    require_in_place();
    limit_log();
}

void ProjectFile::put(const FileChange& change) {
    for (int canvas : change.new_canvases)
        database_->run("INSERT OR REPLACE INTO canvases VALUES (?, 0)", canvas);
    for (int canvas : change.kept_canvases)
        database_->run("INSERT OR REPLACE INTO canvases VALUES (?, 1)", canvas);
    if (change.forget_after) {
        database_->run("DELETE FROM history_tiles WHERE entry > ?", *change.forget_after);
        database_->run("DELETE FROM history WHERE id > ?", *change.forget_after);
    }
    for (int canvas : change.dropped_canvases) {
        // Other canvases may share its tiles: those that nobody needs are found when the next program opens the file.
        database_->run("INSERT OR IGNORE INTO replaced_tiles SELECT tile FROM canvas_tiles WHERE canvas = ?",
                       canvas);
        database_->run("DELETE FROM canvas_tiles WHERE canvas = ?", canvas);
        database_->run("DELETE FROM canvases WHERE id = ?", canvas);
    }
    put_tiles(change);
    if (change.entry) put_entry(*change.entry);
    for (int64_t row : change.replaced_rows)
        database_->run("INSERT OR IGNORE INTO replaced_tiles VALUES (?)", row);
    drop_rows(change.dead_rows);
    // Most commands are strokes, which leave it as it is; and it is written twice.
    if (change.text)
        database_->run("UPDATE document SET text = ?1 WHERE id = ?2 AND text <> ?1", *change.text,
                       current_text);
    if (change.position)
        database_->run("UPDATE document SET position = ? WHERE id = ?", *change.position, current_text);
    for (const FileChange::Remembered& result : change.remembered)
        database_->run("INSERT OR REPLACE INTO cache (key, data) VALUES (?, ?)", blob(result.key.bytes()),
                       Blob{sealed(result.key, *result.data)});
    if (change.thumbnail)
        database_->run("INSERT OR REPLACE INTO thumbnail VALUES (1, ?)", Blob{*change.thumbnail});
}

void ProjectFile::put_tiles(const FileChange& change) {
    // So many at a time that the cores have something to share, and that memory does not notice.
    constexpr size_t batch = 64;
    std::vector<std::string> packed(std::min(batch, change.tiles.size()));
    for (size_t from = 0; from < change.tiles.size(); from += batch) {
        size_t count = std::min(batch, change.tiles.size() - from);
        in_parallel(count, [&](size_t i) {
            const FileChange::TilePut& put = change.tiles[from + i];
            if (!put.tile || !put.tile->waits()) return;
            const Field cells = put.tile->cells();
            packed[i] = packed_cells({cells.rows()[0], size_t(tile_cells)});
        });
        for (size_t i = 0; i < count; i++) {
            const FileChange::TilePut& put = change.tiles[from + i];
            if (!put.tile) {
                database_->run("DELETE FROM canvas_tiles WHERE canvas = ? AND y = ? AND x = ?", put.canvas,
                               put.index.y, put.index.x);
                continue;
            }
            if (!packed[i].empty())
                database_->run("INSERT OR REPLACE INTO tiles VALUES (?, ?)", put.tile->row(),
                               Blob{packed[i]});
            packed[i].clear();
            database_->run("INSERT OR REPLACE INTO canvas_tiles VALUES (?, ?, ?, ?, ?)", put.canvas,
                           put.index.y, put.index.x, put.tile->row(), blob(put.tile->content().bytes()));
        }
    }
}

void ProjectFile::put_entry(const HistoryEntry& entry) {
    database_->run("DELETE FROM history_tiles WHERE entry = ?", entry.id);
    database_->run("INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?, ?)", entry.id, entry.title,
                   entry.time, entry.text.at, entry.text.removed, entry.text.inserted,
                   numbers_text(entry.made_canvases));
    for (const TileChange& tile : entry.tiles) {
        std::array<unsigned char, 16> before{};
        std::array<unsigned char, 16> after{};
        std::optional<Blob> before_key;
        std::optional<Blob> after_key;
        if (tile.before) {
            before = tile.before->bytes();
            before_key = blob(before);
        }
        if (tile.after) {
            after = tile.after->bytes();
            after_key = blob(after);
        }
        database_->run(
            "INSERT INTO history_tiles (entry, canvas, x, y, before, after, difference) VALUES (?, ?, ?, ?, "
            "?, ?, ?)",
            entry.id, tile.canvas, tile.index.x, tile.index.y, before_key, after_key, Blob{tile.difference});
    }
}

void ProjectFile::drop_rows(const std::vector<int64_t>& rows) {
    for (int64_t row : rows) {
        // A canvas that only the history names, and that nobody has looked at, may share it.
        database_->run(
            "DELETE FROM tiles WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM canvas_tiles WHERE tile = ?1)",
            row);
        database_->run("DELETE FROM replaced_tiles WHERE tile = ?", row);
    }
}

void ProjectFile::limit_log() {
    std::error_code none;
    uintmax_t size = fs::file_size(log_of(path_), none);
    if (!none && size > largest_log) log_into_file();
}

// Wholly or not at all: a log that is in the file and not empty would be begun anew while somebody still reads it.
bool ProjectFile::log_into_file(Afterwards afterwards) {
    if (!lock_->lock_out_readers()) return false;
    Database::Query query = database_->query("PRAGMA wal_checkpoint(TRUNCATE)");
    // Until it succeeds, nobody may begin to read.
    if (query.next() && query.integer(0) != 0) return false;
    if (afterwards == Afterwards::readers_come) lock_->let_readers_in();
    return true;
}

bool ProjectFile::checkpoint() {
    {
        Database::Transaction transaction(*database_);
        database_->run("INSERT OR REPLACE INTO document SELECT ?, text, position FROM document WHERE id = ?",
                       saved_text, current_text);
        transaction.commit();
    }
    return log_into_file();
}

void ProjectFile::copy_to(const std::string& name) {
    std::string path = place_of_output(name);
    std::string part = beside(path);
    remove_abandoned_parts(path);
    remove_database(part);
    try {
        database_->run("VACUUM INTO ?", part);
        sync_file(part);
        // The log of a file that was there before would be read as this one's.
        remove_logs(path);
        keep_permissions(part, path);
        fs::rename(part, path);
        sync_folder_of(path);
    } catch (...) {
        remove_database(part);
        throw;
    }
}

void ProjectFile::limit_remembered(uint64_t most) {
    std::optional<int64_t> size = database_->integer("SELECT sum(length(data)) FROM cache");
    if (!size || uint64_t(*size) <= most) return;
    Database::Transaction transaction(*database_);
    // From the newest on, as long as they fit.
    database_->run(
        "DELETE FROM cache WHERE id IN (SELECT id FROM (SELECT id, sum(length(data)) OVER (ORDER BY id DESC) "
        "AS upto "
        "FROM cache) WHERE upto > ?)",
        int64_t(most));
    transaction.commit();
}

void ProjectFile::compact(uint64_t most_remembered, uint32_t program) {
    // What cannot be read now could still be rescued, and not any more afterwards.
    require_readable_tiles();
    limit_remembered(most_remembered);
    {
        Database::Transaction transaction(*database_);
        const std::string mark = {char(program), char(program >> 8), char(program >> 16),
                                  char(program >> 24)};
        database_->run("DELETE FROM cache WHERE substr(key, 13, 4) != ?", Blob{mark});
        // Those that were replaced and are still looked at go when they are let go of.
        database_->run(
            "DELETE FROM tiles WHERE id NOT IN (SELECT tile FROM canvas_tiles) AND id NOT IN "
            "(SELECT tile FROM replaced_tiles)");
        transaction.commit();
    }
    database_->script("VACUUM");
    checkpoint();
}

}  // namespace caprock
