#include "document/document.h"

#include "base/memory.h"
#include "base/text.h"
#include "compute/in_parallel.h"
#include "document/document_text.h"
#include "document/project_tile_store.h"
#include "document/rescue.h"
#include "document/writer.h"
#include "graph/copy_cells.h"
#include "graph/program_fingerprint.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace caprock {

namespace {

namespace fs = std::filesystem;

// Of entries that are on disk already, so that the last steps are undone without a look at the file.
constexpr uint64_t most_recent_bytes = 32 << 20;
// Changes that wait to be written: who makes more waits, too.
constexpr uint64_t most_waiting_bytes = 128 << 20;
// A new canvas that grows beyond this many tiles goes to the file while it is made.
constexpr size_t tiles_before_spill = 64;
// Results of earlier days are not to make the file much larger than what they were made from: so many fields of the
// document's size may be kept, and this much in any case.
constexpr uint64_t remembered_fields = 8;
constexpr uint64_t least_remembered_bytes = uint64_t(256) << 20;

bool tells_of_rescue(const std::string& words) {
    return words.find("caprock document rescue") != std::string::npos;
}

template <typename Action>
auto naming(const std::string& path, const Action& action) {
    try {
        return action();
    } catch (const OutOfMemory&) {
        throw;
    } catch (const DatabaseError& error) {
        bool damaged = error.kind() == DatabaseError::Kind::damaged && !tells_of_rescue(error.what());
        throw DatabaseError(
            fmt::format("'{}': {}{}", path, error.what(), damaged ? "; " + rescue_hint(path) : ""),
            error.kind());
    } catch (const Error& error) {
        throw Error(fmt::format("'{}': {}", path, error.what()));
    } catch (const fs::filesystem_error& error) {
        throw Error(fmt::format("'{}': {}", path, error.code().message()));
    }
}

// What goes wrong on the way through the history is damage, and says what can be done about it.
template <typename Action>
auto walking(const std::string& path, int64_t entry, const Action& action) {
    try {
        return action();
    } catch (const OutOfMemory&) {
        throw;
    } catch (const Error& error) {
        std::string words = error.what();
        if (tells_of_rescue(words)) throw;
        throw Error(
            fmt::format("'{}': entry {} of the history: {}; {}", path, entry, words, rescue_hint(path)));
    }
}

uint64_t budget_of(const DocumentOptions& options) {
    return options.memory > 0 ? options.memory : machine_memory() / 4;
}

int64_t now() {
    using namespace std::chrono;
    return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

bool all_blank(const Field& cells, float blank) {
    const float* first = cells.rows()[0];
    return std::all_of(first, first + tile_cells, [&](float value) {
        return std::memcmp(&value, &blank, sizeof value) == 0 || (is_missing(value) && is_missing(blank));
    });
}

// With one NaN for all: differences are taken of bits.
void take_cells(const float* from, float* to, int count) {
    for (int i = 0; i < count; i++) to[i] = is_missing(from[i]) ? missing : from[i];
}

Rect tile_home() { return {0, 0, tile_side, tile_side}; }

std::span<float> all_cells(Field& tile) { return {tile.writable_rows()[0], size_t(tile_cells)}; }
std::span<const float> cells_of(const Field& tile) { return {tile.rows()[0], size_t(tile_cells)}; }

}  // namespace

bool is_project_name(const std::string& path) { return lower(path).ends_with(".caprock"); }

const Canvas& Snapshot::canvas(int id) const {
    auto found = canvases.find(id);
    if (found == canvases.end()) throw Error(fmt::format("canvas {} is not there", id));
    return found->second;
}

// ---- edits -----------------------------------------------------------------------------------------------

Edit::Edit(Document& document) : document_(document), state_(*document.state_) {}

int Edit::new_canvas(CanvasInfo info) {
    if (document_.last_canvas_ >= most_numbers - 1)
        throw Error("the document has no numbers left for canvases");
    info.id = ++document_.last_canvas_;
    state_.next_canvas = info.id + 1;
    state_.canvases.push_back(info);
    new_canvases_[info.id];
    return info.id;
}

int Edit::new_canvas_like(int canvas) {
    const CanvasInfo* like = state_.canvas(canvas);
    if (!like) throw Error(fmt::format("no canvas {}", canvas));
    CanvasInfo info = *like;
    int made = new_canvas(info);
    auto of_edit = new_canvases_.find(canvas);
    new_canvases_[made] = of_edit != new_canvases_.end() ? of_edit->second : document_.tiles_of(canvas);
    if (written_.contains(canvas)) written_[made] = written_[canvas];
    return made;
}

float Edit::blank(int canvas) const {
    const CanvasInfo* info = state_.canvas(canvas);
    if (!info) throw Error(fmt::format("no canvas {}", canvas));
    return info->blank;
}

const TilePointer* Edit::tile(int canvas, const TileIndex& index) const {
    auto made = new_canvases_.find(canvas);
    return made != new_canvases_.end() ? made->second.find(index) : document_.tiles_of(canvas).find(index);
}

Field& Edit::working_tile(int canvas, const TileIndex& index) {
    Tiles& tiles = written_[canvas];
    auto found = tiles.find(index);
    if (found != tiles.end()) return found->second;
    const TilePointer* there = tile(canvas, index);
    return tiles[index] = there ? (*there)->cells().copied() : Field(tile_home(), blank(canvas));
}

Field Edit::read(int canvas, const Rect& region) {
    const CanvasInfo* info = state_.canvas(canvas);
    if (!info) throw Error(fmt::format("no canvas {}", canvas));
    auto made = new_canvases_.find(canvas);
    const CanvasTiles& tiles = made != new_canvases_.end() ? made->second : document_.tiles_of(canvas);
    // Looked at, not owned: it is there longer than the look takes.
    Canvas view{*info, std::shared_ptr<const CanvasTiles>(std::shared_ptr<void>(), &tiles)};
    Field cells = view.read(region);
    auto written = written_.find(canvas);
    if (written == written_.end()) return cells;
    Field::WritableRows rows = cells.writable_rows();
    for (const auto& [index, tile] : written->second) {
        Rect home = index.rect();
        Rect part = home.intersected(region);
        if (!part.empty()) copy_cells(tile.moved(home.left, home.top), part, rows, region.left);
    }
    return cells;
}

void Edit::write(int canvas, const Field& cells) {
    const Rect& region = cells.rect();
    Field::Rows from = cells.rows();
    for (const TileIndex& index : tiles_over(region)) {
        Rect home = index.rect();
        Rect part = home.intersected(region);
        Field::WritableRows rows = working_tile(canvas, index).writable_rows();
        for (int y = part.top; y < part.bottom; y++)
            take_cells(from[y] + (part.left - region.left), rows[y - home.top] + (part.left - home.left),
                       part.width());
    }
    if (new_canvases_.contains(canvas) && written_[canvas].size() > tiles_before_spill) spill(canvas);
}

void Edit::spill(int canvas) {
    Document::NewTiles new_tiles;
    FileChange change;
    change.new_canvases = {canvas};
    std::vector<CanvasTiles::Entry>& list = new_tiles[canvas];
    for (auto& [index, cells] : written_[canvas]) {
        TilePointer made =
            document_.made_tile(cells, blank(canvas), key_of_cells(cells.rows()[0], tile_cells));
        list.emplace_back(index, made);
        change.tiles.push_back({canvas, index, made});
    }
    written_[canvas].clear();
    new_canvases_[canvas] = new_canvases_[canvas].with(list);
    document_.last_change_ = document_.writer_->add(std::move(change));
}

// ---- opening ---------------------------------------------------------------------------------------------

std::unique_ptr<Document> Document::create(const std::string& path, const Grid& grid,
                                           const DocumentOptions& options) {
    grid.check();
    DocumentState state;
    state.grid = grid;
    state.window = grid.extent;
    return naming(path, [&] {
        std::unique_ptr<Document> document(new Document);
        document->path_ = path;
        document->load(ProjectFile::create(path, document_text(state)), options);
        return document;
    });
}

std::unique_ptr<Document> Document::open(const std::string& path, const DocumentOptions& options) {
    auto opened = [&](bool read_only) {
        std::unique_ptr<Document> document(new Document);
        document->path_ = path;
        DocumentOptions as = options;
        as.read_only = read_only;
        auto access = read_only ? ProjectFile::Access::read : ProjectFile::Access::write;
        document->load(ProjectFile::open(path, access, options.patience), as);
        return document;
    };
    return naming(path, [&] {
        std::string damage;
        if (!options.read_only) {
            try {
                std::unique_ptr<Document> document = opened(false);
                if (document->lost_.empty()) return document;
                damage = listed(document->lost_);
            } catch (const DatabaseError& error) {
                if (error.kind() != DatabaseError::Kind::damaged) throw;
                damage = error.what();
            }
        }
        std::unique_ptr<Document> document = opened(true);
        if (!damage.empty() && document->lost_.empty()) document->lost_.push_back(damage);
        const auto& tell = options.tell_damage ? options.tell_damage : options.tell;
        if (!document->lost_.empty() && tell)
            tell(fmt::format("'{}' is damaged and is open for reading only; lost: {}; {}", path,
                             listed(document->lost_), rescue_hint(path)));
        return document;
    });
}

void Document::load(std::unique_ptr<ProjectFile> file, const DocumentOptions& options) {
    tell_ = options.tell;
    FileContent content = file->content();
    lost_ = content.lost;
    lost_.insert(lost_.end(), content.damage.begin(), content.damage.end());
    state_ = std::make_shared<const DocumentState>(parse_document(content.text, tell_));
    text_ = content.text;
    position_ = content.position;
    last_entry_ = content.last_entry;
    last_canvas_ = std::max(int(content.last_canvas), state_->next_canvas - 1);
    store_ = std::make_shared<ProjectTileStore>(path_, budget_of(options));
    store_->set_last_row(content.last_row);
    identity_ = file->identity();
    if (options.read_only) {
        reading_ = std::move(file);
        store_->read_from(reading_->shared_database());
        if (options.remember && lost_.empty()) collect_results();
    } else {
        writer_ = std::make_unique<Writer>(
            std::move(file), std::min(budget_of(options) / 4, most_waiting_bytes), options.watch);
        store_->set_keeper([this](const ContentKey& key, std::shared_ptr<const std::string> data) {
            FileChange change;
            remembered_bytes_ += data->size();
            change.remembered.push_back({key, std::move(data)});
            writer_->add(std::move(change));
            if (remembered_bytes_ < least_remembered_bytes) return;
            remembered_bytes_ = 0;
            uint64_t most = most_remembered_;
            writer_->with_file([&](ProjectFile& file) { file.limit_remembered(most); });
        });
    }
    most_remembered_ =
        std::max(least_remembered_bytes, remembered_fields * uint64_t(state_->grid.extent.cells()) * 4);
    for (const CanvasInfo& canvas : state_->canvases) tiles_of(canvas.id);
    if (writer_ && lost_.empty()) {
        try {
            writer_->with_file([](ProjectFile& file) {
                file.clear_up_after_crash();
                file.add_copies();
            });
        } catch (const DatabaseError& error) {
            // What a crash has left can stay for another day.
            if (error.kind() != DatabaseError::Kind::full) throw;
        }
        writer_->with_file([](ProjectFile& file) { file.trust(); });
    }
}

Document::~Document() {
    if (!store_) return;  // it was never opened
    // Tiles outlive the document where snapshots do, but not the file.
    store_->set_keeper({});
    if (writer_) {
        try {
            writer_->flush();
            store_->close();
            // Of what is damaged no copy takes the place of a sound one.
            if (lost_.empty()) writer_->with_file([](ProjectFile& file) { file.checkpoint(); });
        } catch (const std::exception&) {
            // What is written is safe in the log, and nobody is left to be told.
        }
        store_->close();
    } else if (reading_) {
        store_->close();
        reading_.reset();
        bring_results();
    }
}

const CanvasTiles& Document::tiles_of(int canvas) {
    auto found = tiles_.find(canvas);
    if (found != tiles_.end()) return *found->second;
    auto tile_of = [&](int64_t row, const ContentKey& content) {
        std::weak_ptr<StoredTile>& kept = loaded_rows_[row];
        TilePointer tile = kept.lock();
        if (!tile) kept = tile = std::make_shared<StoredTile>(store_, row, content);
        // Damage: one of the two has other cells than it should, which is found out when they are read.
        if (tile->content() != content) return std::make_shared<StoredTile>(store_, row, content);
        return tile;
    };
    with_file([&](ProjectFile& file) {
        tiles_[canvas] = std::make_shared<const CanvasTiles>(file.tiles(canvas, tile_of, lost_));
    });
    return *tiles_[canvas];
}

Snapshot Document::snapshot() {
    Snapshot snapshot{state_, {}, store_};
    for (const CanvasInfo& info : state_->canvases) {
        tiles_of(info.id);
        snapshot.canvases[info.id] = Canvas{info, tiles_[info.id]};
    }
    return snapshot;
}

Snapshot Document::snapshot_after(const std::function<void(Edit&)>& action) {
    Snapshot made = snapshot();
    const int last = last_canvas_;
    Edit edit(*this);
    action(edit);
    // They are given again when it is done.
    last_canvas_ = last;
    made.state = std::make_shared<const DocumentState>(edit.state_);
    for (const auto& [id, tiles] : edit.new_canvases_)
        made.canvases[id] = Canvas{*edit.state_.canvas(id), std::make_shared<const CanvasTiles>(tiles)};
    return made;
}

bool Document::in_place() const { return file_identity(path_) == identity_; }

void Document::with_file(const std::function<void(ProjectFile&)>& action) {
    if (writer_) {
        writer_->with_file(action);
    } else {
        std::lock_guard lock(reading_->database().guard());
        action(*reading_);
    }
}

void Document::require_writable() const {
    if (writer_) return;
    throw Error(fmt::format("'{}' is open for reading only{}", path_,
                            lost_.empty() ? "" : ", because it is damaged; " + rescue_hint(path_)));
}

// ---- commands --------------------------------------------------------------------------------------------

int64_t Document::change(const std::string& title, const std::function<void(Edit&)>& action,
                         const std::string& drag) {
    require_writable();
    Edit edit(*this);
    try {
        action(edit);
        return commit(edit, title, drag);
    } catch (...) {
        // Canvases that were on their way to the file are named by nobody.
        FileChange drop;
        for (const auto& [canvas, tiles] : edit.new_canvases_)
            if (!tiles.all().empty()) drop.dropped_canvases.push_back(canvas);
        if (!drop.dropped_canvases.empty()) {
            try {
                writer_->add(std::move(drop));
            } catch (const Error&) {
                // The next program that opens the file clears up.
            }
        }
        throw;
    }
}

TilePointer Document::made_tile(Field cells, float blank, const ContentKey& key) {
    if (all_blank(cells, blank)) return nullptr;
    return std::make_shared<StoredTile>(store_, store_->new_row(), key, std::move(cells));
}

std::vector<TileChange> Document::changed_tiles(Edit& edit, NewTiles& new_tiles) {
    struct Work {
        int canvas;
        TileIndex index;
        Field cells;
        TilePointer before;
        bool in_history;
        TilePointer after;
        TileChange change;
        bool changed = false;
    };
    std::vector<Work> all;
    for (auto& [canvas, tiles] : edit.written_)
        for (auto& [index, cells] : tiles) {
            const TilePointer* before = edit.tile(canvas, index);
            all.push_back({canvas,
                           index,
                           cells,
                           before ? *before : nullptr,
                           !edit.new_canvases_.contains(canvas),
                           nullptr,
                           {}});
        }
    in_parallel(all.size(), [&](size_t i) {
        Work& work = all[i];
        float blank = edit.blank(work.canvas);
        ContentKey key = key_of_cells(work.cells.rows()[0], size_t(tile_cells));
        if (work.before && work.before->content() == key) return;
        work.after = made_tile(work.cells, blank, key);
        if (!work.before && !work.after) return;
        work.changed = true;
        if (!work.in_history) return;
        const Field before = work.before ? work.before->cells() : Field(tile_home(), blank);
        work.change.canvas = work.canvas;
        work.change.index = work.index;
        if (work.before) work.change.before = work.before->content();
        if (work.after) work.change.after = key;
        work.change.difference = packed_difference(cells_of(before), cells_of(work.cells));
    });
    std::vector<TileChange> changes;
    for (Work& work : all) {
        if (!work.changed) continue;
        new_tiles[work.canvas].emplace_back(work.index, work.after);
        if (work.in_history) changes.push_back(std::move(work.change));
    }
    return changes;
}

int64_t Document::commit(Edit& edit, const std::string& title, const std::string& drag) {
    // Canvases that no layer names any longer are found through the history. Those that none has named before are of
    // things that are not understood here.
    std::vector<int> used = canvases_in_use(edit.state_.layers);
    std::vector<int> used_before = canvases_in_use(state_->layers);
    std::erase_if(edit.state_.canvases, [&](const CanvasInfo& info) {
        bool understood = std::ranges::count(used_before, info.id) || edit.new_canvases_.contains(info.id);
        return understood && !std::ranges::count(used, info.id);
    });
    std::string text = assembled_.text_of(edit.state_);
    NewTiles new_tiles;
    HistoryEntry entry;
    entry.tiles = changed_tiles(edit, new_tiles);
    if (text == text_ && new_tiles.empty()) return 0;
    entry.title = title;
    entry.time = now();

    FileChange file_change;
    bool joins = !drag.empty() && drag == drag_ && position_ == last_entry_ && position_ > 0;
    if (joins) {
        std::shared_ptr<const HistoryEntry> before = this->entry(position_);
        entry.id = position_;
        entry.text = TextSplice::between(before->text.backward(text_), text);
        join(entry, *before, new_tiles);
    } else {
        entry.id = position_ + 1;
        entry.text = TextSplice::between(text_, text);
        forget_redo(file_change);
    }
    for (const auto& [canvas, tiles] : edit.new_canvases_) {
        entry.made_canvases.push_back(canvas);
        file_change.kept_canvases.push_back(canvas);
        // Tiles that are shared with another canvas, or were spilled; writing their places again does no harm.
        for (const auto& [index, tile] : tiles.all()) file_change.tiles.push_back({canvas, index, tile});
    }
    file_change.text = text;
    file_change.position = entry.id;
    file_change.goes_on = !drag.empty();
    auto kept = std::make_shared<const HistoryEntry>(std::move(entry));
    file_change.entry = kept;
    auto state = std::make_shared<const DocumentState>(edit.state_);
    int64_t number = hand_over(std::move(file_change), new_tiles);

    // From here on nothing fails.
    for (auto& [canvas, tiles] : edit.new_canvases_)
        tiles_[canvas] = std::make_shared<const CanvasTiles>(tiles);
    take_over(new_tiles);
    state_ = state;
    text_ = text;
    position_ = last_entry_ = kept->id;
    drag_ = drag;
    keep_in_memory(kept);
    return number;
}

void Document::seal() {
    drag_.clear();
    if (writer_) writer_->let_go();
}

// Two commands of one drag: from before the first to after the last.
void Document::join(HistoryEntry& entry, const HistoryEntry& before, const NewTiles& new_tiles) {
    entry.made_canvases = before.made_canvases;
    std::vector<TileChange> joined;
    for (const TileChange& earlier : before.tiles) {
        auto later = std::ranges::find_if(entry.tiles, [&](const TileChange& change) {
            return change.canvas == earlier.canvas && change.index == earlier.index;
        });
        if (later == entry.tiles.end()) {
            joined.push_back(earlier);
            continue;
        }
        float blank = state_->canvas(earlier.canvas)->blank;
        const TilePointer* middle = tiles_of(earlier.canvas).find(earlier.index);
        Field first = middle ? (*middle)->cells().copied() : Field(tile_home(), blank);
        apply_difference(earlier.difference, Direction::backward, all_cells(first));
        const auto& list = new_tiles.at(earlier.canvas);
        TilePointer last = std::ranges::find(list, earlier.index, &CanvasTiles::Entry::first)->second;
        const Field after = last ? last->cells() : Field(tile_home(), blank);
        TileChange change = *later;
        change.before = earlier.before;
        change.difference = packed_difference(cells_of(first), cells_of(after));
        entry.tiles.erase(later);
        if (change.before != change.after) joined.push_back(std::move(change));
    }
    for (TileChange& change : entry.tiles) joined.push_back(std::move(change));
    entry.tiles = std::move(joined);
}

void Document::forget_redo(FileChange& file_change) {
    if (position_ == last_entry_) return;
    file_change.forget_after = position_;
    for (int64_t id = position_ + 1; id <= last_entry_; id++)
        if (std::shared_ptr<const HistoryEntry> undone = find_entry(id, false))
            for (int canvas : undone->made_canvases) file_change.dropped_canvases.push_back(canvas);
}

// The file's part of a change. Throws where it cannot be taken; nothing has happened then.
int64_t Document::hand_over(FileChange file_change, const NewTiles& new_tiles) {
    for (const auto& [canvas, list] : new_tiles)
        for (const auto& [index, tile] : list) {
            file_change.tiles.push_back({canvas, index, tile});
            auto old = tiles_.find(canvas);
            if (old == tiles_.end()) continue;
            if (const TilePointer* before = old->second->find(index))
                file_change.replaced_rows.push_back((*before)->row());
        }
    file_change.dead_rows = store_->let_go_rows();
    std::vector<int> dropped = file_change.dropped_canvases;
    std::optional<int64_t> forgotten = file_change.forget_after;
    last_change_ = writer_->add(std::move(file_change));
    for (int canvas : dropped) tiles_.erase(canvas);
    if (forgotten)
        while (!recent_.empty() && recent_.back().entry->id > *forgotten) {
            recent_bytes_ -= recent_.back().entry->bytes();
            recent_.pop_back();
        }
    return last_change_;
}

void Document::take_over(const NewTiles& new_tiles) {
    for (const auto& [canvas, list] : new_tiles)
        tiles_[canvas] = std::make_shared<const CanvasTiles>(tiles_of(canvas).with(list));
}

// ---- history ---------------------------------------------------------------------------------------------

void Document::keep_in_memory(std::shared_ptr<const HistoryEntry> entry) {
    // The joined entry of a drag takes the place of the one before.
    if (!recent_.empty() && recent_.back().entry->id == entry->id) {
        recent_bytes_ -= recent_.back().entry->bytes();
        recent_.pop_back();
    }
    recent_bytes_ += entry->bytes();
    recent_.push_back({std::move(entry), last_change_});
    int64_t written = writer_->written();
    while (recent_.size() > 1 && recent_bytes_ > most_recent_bytes && recent_.front().change <= written) {
        recent_bytes_ -= recent_.front().entry->bytes();
        recent_.pop_front();
    }
}

std::shared_ptr<const HistoryEntry> Document::find_entry(int64_t id, bool with_tiles) {
    auto found = std::ranges::find(recent_, id, [](const Recent& recent) { return recent.entry->id; });
    if (found != recent_.end()) return found->entry;
    std::optional<HistoryEntry> read;
    with_file([&](ProjectFile& file) { read = file.entry(id, with_tiles); });
    return read ? std::make_shared<const HistoryEntry>(std::move(*read)) : nullptr;
}

std::shared_ptr<const HistoryEntry> Document::entry(int64_t id) {
    std::shared_ptr<const HistoryEntry> found = find_entry(id, true);
    if (!found) throw Error(fmt::format("entry {} of the history is lost", id));
    return found;
}

HistoryEntry Document::history_entry(int64_t id) { return *entry(id); }

HistoryLine Document::history_line(int64_t id) {
    std::shared_ptr<const HistoryEntry> found = find_entry(id, false);
    if (!found) return {id, "(lost)", 0};
    return {id, found->title, found->time};
}

bool Document::undo() {
    require_writable();
    if (!can_undo()) return false;
    apply(*walking(path_, position_, [&] { return entry(position_); }), Direction::backward);
    return true;
}

bool Document::redo() {
    require_writable();
    if (!can_redo()) return false;
    apply(*walking(path_, position_ + 1, [&] { return entry(position_ + 1); }), Direction::forward);
    return true;
}

void Document::apply(const HistoryEntry& entry, Direction direction) {
    bool forward = direction == Direction::forward;
    std::string text = walking(
        path_, entry.id, [&] { return forward ? entry.text.forward(text_) : entry.text.backward(text_); });
    auto state = walking(path_, entry.id,
                         [&] { return std::make_shared<const DocumentState>(parse_document(text, {})); });
    // Of canvases: the blank cells are those of the state that names them, which may be the one before or after.
    auto blank_of = [&](int canvas) {
        const CanvasInfo* info = state->canvas(canvas);
        if (!info) info = state_->canvas(canvas);
        return info ? info->blank : 0.0f;
    };
    for (const TileChange& change : entry.tiles) tiles_of(change.canvas);
    std::vector<TilePointer> made(entry.tiles.size());
    auto make = [&](size_t i) {
        const TileChange& change = entry.tiles[i];
        const std::optional<ContentKey>& from = forward ? change.before : change.after;
        const std::optional<ContentKey>& to = forward ? change.after : change.before;
        const TilePointer* there = tiles_.at(change.canvas)->find(change.index);
        bool fits = there ? from && (*there)->content() == *from : !from;
        if (!fits) throw Error("an entry of the history does not fit the tiles: the file is damaged");
        if (!to) return;
        Field cells = there ? (*there)->cells().copied() : Field(tile_home(), blank_of(change.canvas));
        apply_difference(change.difference, direction, all_cells(cells));
        if (key_of_cells(cells.rows()[0], size_t(tile_cells)) != *to)
            throw Error("a tile of the history is damaged");
        made[i] = std::make_shared<StoredTile>(store_, store_->new_row(), *to, std::move(cells));
    };
    walking(path_, entry.id, [&] { in_parallel(entry.tiles.size(), make); });
    NewTiles new_tiles;
    for (size_t i = 0; i < made.size(); i++)
        new_tiles[entry.tiles[i].canvas].emplace_back(entry.tiles[i].index, made[i]);
    for (auto& [canvas, list] : new_tiles) std::ranges::sort(list, {}, &CanvasTiles::Entry::first);

    int64_t position = forward ? entry.id : entry.id - 1;
    FileChange file_change;
    file_change.text = text;
    file_change.position = position;
    hand_over(std::move(file_change), new_tiles);
    take_over(new_tiles);
    state_ = state;
    text_ = text;
    position_ = position;
    drag_.clear();
}

// ---- the file --------------------------------------------------------------------------------------------

int64_t Document::transactions() const { return writer_ ? writer_->transactions() : 0; }
int64_t Document::written() const { return writer_ ? writer_->written() : 0; }
std::string Document::trouble() const { return writer_ ? writer_->trouble() : ""; }
Unwritten Document::unwritten() const { return writer_ ? writer_->unwritten() : Unwritten{}; }

void Document::discard_unwritten() {
    if (writer_) writer_->discard();
}

void Document::flush() {
    if (!writer_) return;
    naming(path_, [&] { writer_->flush(); });
}

void Document::save() {
    require_writable();
    naming(path_, [&] {
        writer_->flush();
        writer_->with_file([](ProjectFile& file) { file.checkpoint(); });
    });
}

void Document::save_as(const std::string& path) {
    std::error_code unknown;
    if (!lost_.empty())
        throw Error(fmt::format("'{}' is damaged, and a copy would be, too (lost: {}); {}", path_,
                                listed(lost_), rescue_hint(path_)));
    if (writer_ && fs::equivalent(path, path_, unknown)) return save();
    naming(path, [&] {
        if (fs::is_directory(path, unknown)) throw Error("it is a folder");
        try {
            if (writer_) writer_->flush();
        } catch (const Error&) {
            // What cannot be written here waits, and is written there.
        }
        // What somebody else writes is not replaced under their hands.
        if (fs::exists(path, unknown)) {
            // Nor may a log of the old file be found beside the new one.
            std::unique_ptr<ProjectFile> old = ProjectFile::open(path, ProjectFile::Access::write);
            old->checkpoint();
        }
        if (!writer_) return with_file([&](ProjectFile& file) { file.copy_to(path); });
        writer_->move_to_file([&](ProjectFile& file) {
            file.copy_to(path);
            std::unique_ptr<ProjectFile> copy = ProjectFile::open(path, ProjectFile::Access::write);
            copy->trust();
            // Nobody reads the old file any longer when it is closed, so it is closed without a log beside it.
            store_->move_to(path);
            identity_ = copy->identity();
            return copy;
        });
        path_ = path;
        writer_->flush();
    });
}

void Document::compact(bool forget_history) {
    require_writable();
    naming(path_, [&] {
        if (forget_history && last_entry_ > 0) {
            FileChange forget;
            forget.forget_after = 0;
            forget.position = 0;
            std::set<int> used;
            for (const CanvasInfo& info : state_->canvases) used.insert(info.id);
            writer_->flush();
            writer_->with_file([&](ProjectFile& file) {
                auto query = file.database().query("SELECT id FROM canvases");
                while (query.next())
                    if (!used.contains(int(query.integer(0))))
                        forget.dropped_canvases.push_back(int(query.integer(0)));
            });
            hand_over(std::move(forget), {});
            position_ = last_entry_ = 0;
            drag_.clear();
        }
        FileChange sweep;
        sweep.dead_rows = store_->let_go_rows();
        last_change_ = writer_->add(std::move(sweep));
        writer_->flush();
        writer_->with_file(
            [&](ProjectFile& file) { file.compact(most_remembered_, program_mark(program_fingerprint())); });
    });
}

void Document::set_thumbnail(const std::string& png) {
    require_writable();
    FileChange change;
    change.thumbnail = png;
    last_change_ = writer_->add(std::move(change));
}

std::string Document::thumbnail() {
    std::optional<std::string> found;
    with_file([&](ProjectFile& file) { found = file.thumbnail(); });
    return found.value_or("");
}

}  // namespace caprock
