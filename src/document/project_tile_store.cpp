#include "document/project_tile_store.h"

#include "document/rescue.h"
#include "graph/tile.h"
#include "graph/tile_codec.h"

#include <fmt/format.h>
#include <utility>

namespace caprock {

ProjectTileStore::ProjectTileStore(const std::string& path, uint64_t budget)
    : TileStore(budget), path_(path) {
    share_budget();
}

ProjectTileStore::Reader ProjectTileStore::take_reader() {
    std::string path;
    int generation;
    {
        std::lock_guard lock(guard_);
        if (!readers_.empty()) {
            Reader reader = std::move(readers_.back());
            readers_.pop_back();
            return reader;
        }
        path = path_;
        generation = generation_;
    }
    if (path.empty()) throw Error("the document is closed");
    return {Database::for_reading(path), generation};
}

void ProjectTileStore::give_back(Reader reader) {
    std::lock_guard lock(guard_);
    if (reader.generation == generation_) readers_.push_back(std::move(reader));
}

void ProjectTileStore::read_from(std::shared_ptr<Database> snapshot) {
    std::lock_guard lock(guard_);
    snapshot_ = std::move(snapshot);
}

namespace {

template <typename Value>
std::optional<std::string> first_of(Database& database, std::string_view statement, const Value& value) {
    Database::Query query = database.query(statement, value);
    if (!query.next()) return std::nullopt;
    return query.text(0);
}

}  // namespace

template <typename Value>
std::optional<std::string> ProjectTileStore::read(std::string_view statement, const Value& value) {
    std::shared_ptr<Database> snapshot;
    {
        std::lock_guard lock(guard_);
        snapshot = snapshot_;
    }
    if (snapshot) {
        std::lock_guard lock(snapshot->guard());
        return first_of(*snapshot, statement, value);
    }
    Reader reader = take_reader();
    std::optional<std::string> found = first_of(*reader.database, statement, value);
    give_back(std::move(reader));
    return found;
}

Field ProjectTileStore::cells(int64_t row, const ContentKey& content) {
    if (std::optional<Field> kept = cache().find(content)) return *kept;
    Field field(Rect{0, 0, tile_side, tile_side});
    try {
        std::optional<std::string> packed = read("SELECT data FROM tiles WHERE id = ?", row);
        if (!packed) throw Error("it is not in the file");
        unpack_cells(*packed, {field.writable_rows()[0], size_t(tile_cells)});
        if (key_of_cells(field.rows()[0], size_t(tile_cells)) != content)
            throw Error("it holds other cells than it should");
    } catch (const Error& error) {
        fail_to_read(row, error.what());
    }
    cache().put(content, field, TileCache::Making::quick);
    return field;
}

// Whoever asked knows neither the file nor what can be done about it.
void ProjectTileStore::fail_to_read(int64_t row, const std::string& reason) {
    std::string path;
    {
        std::lock_guard lock(guard_);
        path = path_;
    }
    if (path.empty()) throw Error(reason);
    throw Error(fmt::format("'{}': tile {} cannot be read ({}); {}", path, row, reason, rescue_hint(path)));
}

void ProjectTileStore::look_for_results_anew() {
    std::lock_guard lock(guard_);
    results_.reset();
    more_results_ = true;
}

// Null where the snapshot has them all.
std::shared_ptr<Database> ProjectTileStore::newest_results() {
    std::lock_guard lock(guard_);
    if (!more_results_ || path_.empty()) return nullptr;
    if (!results_) results_ = Database::for_reading(path_);
    return results_;
}

std::optional<std::string> ProjectTileStore::remembered(const ContentKey& key) {
    {
        std::lock_guard lock(keeper_guard_);
        auto found = on_their_way_.find(key);
        if (found != on_their_way_.end()) {
            if (std::shared_ptr<const std::string> data = found->second.lock()) return *data;
            on_their_way_.erase(found);
        }
    }
    constexpr const char* statement = "SELECT data FROM cache WHERE key = ?";
    auto bytes = key.bytes();
    Blob wanted{{reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
    try {
        std::optional<std::string> found = read(statement, wanted);
        if (!found)
            if (std::shared_ptr<Database> newest = newest_results()) {
                std::lock_guard lock(newest->guard());
                found = first_of(*newest, statement, wanted);
            }
        return found ? unsealed(key, std::move(*found)) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;  // it is computed again
    }
}

void ProjectTileStore::remember(const ContentKey& key, std::string data) {
    std::lock_guard lock(keeper_guard_);
    if (!keeper_) return;
    auto shared = std::make_shared<const std::string>(std::move(data));
    on_their_way_[key] = shared;
    try {
        keeper_(key, shared);
    } catch (const Error&) {
        // The disk is full: what was asked for is there all the same.
    }
}

bool ProjectTileStore::remembers() {
    std::lock_guard lock(keeper_guard_);
    return bool(keeper_);
}

void ProjectTileStore::set_keeper(Keeper keeper) {
    std::lock_guard lock(keeper_guard_);
    keeper_ = std::move(keeper);
}

void ProjectTileStore::let_go(int64_t row) {
    std::lock_guard lock(guard_);
    let_go_.push_back(row);
}

std::vector<int64_t> ProjectTileStore::let_go_rows() {
    std::lock_guard lock(guard_);
    return std::exchange(let_go_, {});
}

void ProjectTileStore::took(uint64_t bytes) {
    waiting_ += bytes;
    share_budget();
}

void ProjectTileStore::gave_back(uint64_t bytes) {
    waiting_ -= bytes;
    share_budget();
}

void ProjectTileStore::share_budget() {
    // An eighth is for what is being worked on. However much waits, another one stays for the cache.
    uint64_t waiting = waiting_;
    uint64_t least = budget() / 8;
    uint64_t most = budget() - least;
    cache().set_budget(waiting + least > most ? least : most - waiting);
}

void ProjectTileStore::move_to(const std::string& path) {
    std::lock_guard lock(guard_);
    path_ = path;
    generation_++;
    readers_.clear();
    snapshot_.reset();
    results_.reset();
}

void ProjectTileStore::close() { move_to(""); }

}  // namespace caprock
