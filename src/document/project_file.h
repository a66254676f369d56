// The project file: one SQLite database with the document, its tiles, its history and what was computed before.
// docs/project-format.md describes the tables. One thread at a time.
#pragma once

#include "document/canvas.h"
#include "document/database.h"
#include "document/file_lock.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace caprock {

// The same text with one part replaced: how two states of the document differ. Serves both ways.
struct TextSplice {
    int64_t at = 0;
    std::string removed;
    std::string inserted;

    static TextSplice between(const std::string& before, const std::string& after);
    // Throws Error where the text is not the one it was made from.
    std::string forward(const std::string& before) const;
    std::string backward(const std::string& after) const;
};

// A tile that an entry of the history changed. No key: it was not there.
struct TileChange {
    int canvas = 0;
    TileIndex index;
    std::optional<ContentKey> before;
    std::optional<ContentKey> after;
    std::string difference;

    uint64_t bytes() const { return difference.size() + 64; }
};

struct HistoryEntry {
    int64_t id = 0;  // 1, 2, 3 ...
    std::string title;
    int64_t time = 0;  // seconds since 1970
    TextSplice text;
    std::vector<TileChange> tiles;
    std::vector<int> made_canvases;  // which go with it when it is forgotten

    uint64_t bytes() const;
};

// One step of a document, as it goes to the file: all of it or nothing.
struct FileChange {
    int64_t number = 0;
    std::optional<std::string> text;            // of the document
    std::optional<int64_t> position;            // of the history
    std::optional<int64_t> forget_after;        // entries beyond this one
    std::shared_ptr<const HistoryEntry> entry;  // new, or in place of the one of its number
    bool goes_on = false;                       // of a drag: the next one may come in its place

    struct TilePut {
        int canvas;
        TileIndex index;
        TilePointer tile;  // null: it is taken away
    };
    std::vector<TilePut> tiles;
    std::vector<int> new_canvases;       // that hold tiles before any state of the document names them
    std::vector<int> kept_canvases;      // of those, the ones the document now names
    std::vector<int> dropped_canvases;   // with all their tiles
    std::vector<int64_t> replaced_rows;  // tiles that may still be looked at; they go when they are let go of
    std::vector<int64_t> dead_rows;      // and those that were

    struct Remembered {
        ContentKey key;
        std::shared_ptr<const std::string> data;
    };
    std::vector<Remembered> remembered;
    std::optional<std::string> thumbnail;

    uint64_t bytes() const;
};

// Where a tile lies, by one of the ways in which the file says so.
struct TileSpot {
    int canvas = 0;
    TileIndex index;
    int64_t row = 0;
    ContentKey content;
    auto operator<=>(const TileSpot&) const = default;
};

struct FileContent {
    std::string text;
    int64_t position = 0;
    int64_t last_entry = 0;
    int64_t last_row = 0;
    int64_t last_canvas = 0;
    std::vector<std::string> lost;  // what damage has taken, in words
    std::vector<std::string>
        damage;                    // and what it has taken that is there a second time, or can be made again
    bool history_differs = false;  // of its two copies
    bool sound() const { return lost.empty() && damage.empty(); }
};

class ProjectFile {
  public:
    // Throws Error with the reason alone.
    static std::unique_ptr<ProjectFile> create(const std::string& path, const std::string& document_text);
    // Gives a file that is complete its name. Throws Error where there is one of that name.
    static void put_in_place(const std::string& part, const std::string& path);
    enum class Access { write, read };
    // Where another program writes it, waits for so long.
    static std::unique_ptr<ProjectFile> open(const std::string& path, Access access,
                                             std::chrono::milliseconds patience = {});
    // Where nobody looks at it any longer, the log goes into the file, and is not found beside it.
    ~ProjectFile();

    // Whether there is a log beside the file, and the file is this user's own.
    static bool has_own_log(const std::string& path);

    // What there is; damage is put up with and said.
    FileContent content();
    // Whether all that cannot be made again is there twice.
    bool has_copies();
    // Makes the second copies that files of earlier versions do not have.
    void add_copies();
    // Removes what a program that did not come to its end has left. Not before the file is known to be sound: damage is
    // not made worse.
    void clear_up_after_crash();
    // From here on statements may take as long as they need.
    void trust();
    // No table of this file has more than that.
    int64_t most_rows() const;
    // Each row of the file is to be one tile, however many canvases share it: `tile_of` knows those there are.
    CanvasTiles tiles(int canvas, const std::function<TilePointer(int64_t row, const ContentKey&)>& tile_of,
                      std::vector<std::string>& lost);
    std::optional<HistoryEntry> entry(int64_t id, bool with_tiles = true);
    std::optional<std::string> thumbnail();

    void write(const FileChange& change);
    // Several, as one transaction.
    void write(const std::vector<std::shared_ptr<const FileChange>>& changes);

    // All that is in the log goes into the file itself. False where somebody looks at it: then it is done when the next
    // one who writes closes it.
    bool checkpoint();
    // A whole, compact copy under another name; it appears there when it is complete.
    void copy_to(const std::string& path);
    // Puts the file together anew without what nobody needs any longer.
    // Results that another program remembered, by the mark in their keys, go with it.
    void compact(uint64_t most_remembered, uint32_t program);
    // Remembered results beyond so many bytes go, the oldest first.
    void limit_remembered(uint64_t most);

    // Throws Error unless every tile that a canvas names can be read.
    void require_readable_tiles();

    const std::string& path() const { return path_; }
    // Of the file itself, whatever is called by its name now.
    const std::string& identity() const { return identity_; }
    Database& database() { return *database_; }
    const std::shared_ptr<Database>& shared_database() { return database_; }

    // ---- what is left of a damaged file ----
    // The texts of the document that can be read, the likeliest first.
    struct Candidate {
        std::string text;
        int64_t position = 0;
        bool saved = false;   // the copy from the last save
        bool agreed = false;  // both copies of the row say the same
    };
    std::vector<Candidate> texts();
    // Every place of a tile that can be read in any way; where the ways differ, several for one place.
    std::set<TileSpot> spots(std::optional<int> canvas);
    // Whether one of the lists of tiles can be read from end to end and has all that is left of the other. Where none has,
    // there may be tiles of which nobody knows where they belong.
    bool lists_every_tile();

    static std::optional<ContentKey> key_from(std::string_view bytes);
    // Nothing for one that lies beyond every grid.
    static std::optional<TileIndex> index_from(int64_t x, int64_t y);

  private:
    explicit ProjectFile(const std::string& path) : path_(path) {}
    bool add_spots(const char* statement, std::set<TileSpot>& into);
    void check_format();
    void check_tables();
    void compare_with_copy(const HistoryEntry& entry);
    void require_in_place() const;
    void limit_log();
    enum class Afterwards { readers_come, readers_wait };
    bool log_into_file(Afterwards afterwards = Afterwards::readers_come);
    void remove_own_log() const;
    int64_t fitting_entries(const Candidate& candidate);
    void check_free_pages(FileContent& content);
    // What damage has taken of copies that should be the same.
    void compare_copies(FileContent& content);
    // Whether the row has the cells that it should.
    bool holds(const TileSpot& spot);
    CanvasTiles tiles_of_damaged(int canvas,
                                 const std::function<TilePointer(int64_t, const ContentKey&)>& tile_of,
                                 std::vector<std::string>& lost);
    void put(const FileChange& change);
    void put_tiles(const FileChange& change);
    void put_entry(const HistoryEntry& entry);
    void drop_rows(const std::vector<int64_t>& rows);

    std::string path_;
    std::unique_ptr<FileLock> lock_;  // while it is open for writing; outlives the connection
    std::shared_ptr<Database> database_;
    std::string identity_;
    std::string log_identity_;
    bool copies_differ_ = false;  // or anything else is damaged
    bool trusted_ = false;
};

}  // namespace caprock
