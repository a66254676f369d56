// A document: layers over a grid, what is painted on them, and everything that was ever done to them, in a project file.
//
// Whatever changes a document is a command: it can be undone and redone, it happens whole or not at all, and it is on
// its way to the file when it returns. One thread changes a document; snapshots of it may be looked at by any.
#pragma once

#include "document/assembled_text.h"
#include "document/canvas.h"
#include "document/layer.h"
#include "document/project_file.h"
#include "document/unwritten.h"
#include "graph/tile_codec.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace caprock {

class Writer;

// A document as it is at one moment. Cheap to copy; stays as it is while the document goes on.
struct Snapshot {
    std::shared_ptr<const DocumentState> state;
    std::map<int, Canvas> canvases;  // that the state names
    std::shared_ptr<ProjectTileStore> store;

    const Canvas& canvas(int id) const;
};

// What a command does to a document, while it is being done. Nothing of it is seen before it is complete.
class Edit {
  public:
    DocumentState& state() { return state_; }

    // An empty canvas of its own number; with `like`, one with the tiles of another.
    int new_canvas(CanvasInfo info);
    int new_canvas_like(int canvas);
    // Cells as they are in this edit.
    Field read(int canvas, const Rect& region);
    void write(int canvas, const Field& cells);

  private:
    friend class Document;
    explicit Edit(class Document& document);
    using Tiles = std::map<TileIndex, Field>;
    const TilePointer* tile(int canvas, const TileIndex& index) const;
    Field& working_tile(int canvas, const TileIndex& index);
    void spill(int canvas);
    float blank(int canvas) const;

    Document& document_;
    DocumentState state_;
    std::map<int, Tiles> written_;  // tiles that were written to, by canvas
    std::map<int, CanvasTiles> new_canvases_;
};

struct DocumentOptions {
    uint64_t memory = 0;  // bytes for tiles; 0: a quarter of the machine's
    bool read_only = false;
    // Of a document that is only read: what took long to compute is brought to the file in between and at the end, where
    // nobody else writes it then.
    bool remember = false;
    std::chrono::milliseconds patience{0};              // with another program that writes it
    std::function<void(const std::string&)> tell = {};  // warnings
    // That the file is damaged, and what is lost: nobody may keep that quiet. Where there is none, `tell` is told.
    std::function<void(const std::string&)> tell_damage = {};
    UnwrittenWatch watch = {};  // of what cannot be written
};

struct HistoryLine {
    int64_t id = 0;
    std::string title;
    int64_t time = 0;
};

// Whether a file of this name is a document: NAME.caprock.
bool is_project_name(const std::string& path);

class Document {
  public:
    // Throws Error with the file's name and the reason; no file is there then that was not before.
    static std::unique_ptr<Document> create(const std::string& path, const Grid& grid,
                                            const DocumentOptions& options = {});
    // Opens what can be opened: a damaged file for reading only, with what is intact.
    static std::unique_ptr<Document> open(const std::string& path, const DocumentOptions& options = {});
    ~Document();

    const std::string& path() const { return path_; }
    // Whether its name still leads to its file: somebody may have deleted, moved or replaced it.
    bool in_place() const;
    bool read_only() const { return !writer_; }
    // What damage has taken, in words; empty for a file that is sound as far as it was looked at.
    const std::vector<std::string>& lost() const { return lost_; }
    const DocumentState& state() const { return *state_; }
    const std::string& text() const { return text_; }
    Snapshot snapshot();
    // As it would be after a command that adds layers and canvases, and writes no cells.
    Snapshot snapshot_after(const std::function<void(Edit&)>& action);

    // ---- commands ----
    // Carries out a command. Where `drag` is not empty and the command before had the same, both become one entry of
    // the history, until seal(), and only then it is written: a drag is one transaction, however long it takes. Returns the number of the change for written(), 0 where nothing changed.
    int64_t change(const std::string& title, const std::function<void(Edit&)>& action,
                   const std::string& drag = {});
    void seal();

    bool can_undo() const { return position_ > 0; }
    bool can_redo() const { return position_ < last_entry_; }
    // False where there is nothing to undo. Throws Error where the file is damaged, and leaves all as it was.
    bool undo();
    bool redo();
    int64_t position() const { return position_; }
    int64_t entries() const { return last_entry_; }
    HistoryLine history_line(int64_t id);
    HistoryEntry history_entry(int64_t id);  // with its tiles

    // ---- the file ----
    // Changes up to this number are on disk.
    int64_t written() const;
    // How often something was written since it was opened.
    int64_t transactions() const;
    // What has been written and read of its text.
    const AssembledText& assembled() const { return assembled_; }
    void flush();                 // until all are; throws Error with what stands in the way
    std::string trouble() const;  // what stood in the way last; empty where nothing did
    Unwritten unwritten() const;
    // Gives up what is only in memory. The document is not what its file is then, and must be closed.
    void discard_unwritten();
    void save();  // and the file is complete without the log beside it
    // All of it, also what could not be written where it is now, and goes on there.
    void save_as(const std::string& path);
    void compact(bool forget_history = false);
    void set_thumbnail(const std::string& png);
    std::string thumbnail();  // empty where there is none

    // For a reader of the file itself, between two transactions.
    void with_file(const std::function<void(ProjectFile&)>& action);
    const std::shared_ptr<ProjectTileStore>& store() const { return store_; }

  private:
    friend class Edit;
    Document() = default;
    void load(std::unique_ptr<ProjectFile> file, const DocumentOptions& options);
    void collect_results();
    void bring_results();
    const CanvasTiles& tiles_of(int canvas);
    // Null where it is lost. Without its tiles it may have them all the same.
    std::shared_ptr<const HistoryEntry> find_entry(int64_t id, bool with_tiles);
    std::shared_ptr<const HistoryEntry> entry(int64_t id);  // throws Error where it is lost
    void require_writable() const;
    int64_t commit(Edit& edit, const std::string& title, const std::string& drag);
    void apply(const HistoryEntry& entry, Direction direction);
    // Tiles that take the place of others, by canvas; a null pointer takes one away.
    using NewTiles = std::map<int, std::vector<CanvasTiles::Entry>>;
    TilePointer made_tile(Field cells, float blank, const ContentKey& key);
    std::vector<TileChange> changed_tiles(Edit& edit, NewTiles& new_tiles);
    void join(HistoryEntry& entry, const HistoryEntry& before, const NewTiles& new_tiles);
    void forget_redo(FileChange& file_change);
    int64_t hand_over(FileChange file_change, const NewTiles& new_tiles);
    void take_over(const NewTiles& new_tiles);
    void keep_in_memory(std::shared_ptr<const HistoryEntry> entry);

    std::string path_;
    std::shared_ptr<ProjectTileStore> store_;
    std::unique_ptr<ProjectFile> reading_;  // of a document that is only read
    std::string identity_;                  // of the file
    std::mutex results_guard_;
    std::vector<FileChange::Remembered> results_;  // that wait to be brought there
    uint64_t results_bytes_ = 0;
    std::unique_ptr<Writer> writer_;
    std::vector<std::string> lost_;
    std::function<void(const std::string&)> tell_;

    std::shared_ptr<const DocumentState> state_;
    std::string text_;
    AssembledText assembled_;
    std::map<int, std::shared_ptr<const CanvasTiles>> tiles_;
    std::map<int64_t, std::weak_ptr<StoredTile>> loaded_rows_;  // tiles that canvases may share
    int last_canvas_ = 0;                                       // never given again, whatever is undone

    int64_t position_ = 0;
    int64_t last_entry_ = 0;
    std::string drag_;
    struct Recent {
        std::shared_ptr<const HistoryEntry> entry;
        int64_t change = 0;  // that brings it to the file
    };
    std::deque<Recent> recent_;  // the newest entries, by their numbers
    uint64_t recent_bytes_ = 0;
    int64_t last_change_ = 0;
    // Of results that are kept until tomorrow: those that came since the last look at all of them, and how many may stay.
    std::atomic<uint64_t> remembered_bytes_ = 0;
    std::atomic<uint64_t> most_remembered_ = 0;
};

}  // namespace caprock
