// The tiles of a project file, for whoever reads them: through a cache with a budget, from any thread.
#pragma once

#include "document/database.h"
#include "graph/tile_store.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace caprock {

class ProjectTileStore : public TileStore {
  public:
    // What is kept, computed and waits to be written shares one budget.
    ProjectTileStore(const std::string& path, uint64_t budget);
    // Of a document that is only read: all tiles come from one connection, which shows the file as it was.
    void read_from(std::shared_ptr<Database> snapshot);

    // Throws Error where the file does not have them or they are damaged.
    Field cells(int64_t row, const ContentKey& content);

    // What was computed in earlier days, under its key. Damage counts as not there.
    std::optional<std::string> remembered(const ContentKey& key) override;
    // Keeps it until tomorrow, where there is a file to keep it in.
    void remember(const ContentKey& key, std::string data) override;
    using Keeper = std::function<void(const ContentKey& key, std::shared_ptr<const std::string> data)>;
    void set_keeper(Keeper keeper);
    bool remembers() override;
    // More results are in the file than the snapshot knows.
    void look_for_results_anew();

    // A number for a tile that is about to be written.
    int64_t new_row() { return ++last_row_; }
    void set_last_row(int64_t row) { last_row_ = row; }

    // A tile nobody holds any longer. Rows of tiles that were replaced can then go.
    void let_go(int64_t row);
    std::vector<int64_t> let_go_rows();

    // Bytes that wait to be written leave less for the cache.
    void took(uint64_t bytes);
    void gave_back(uint64_t bytes);
    uint64_t waiting_bytes() const { return waiting_; }

    // The file has another name now, or nobody is to look at it any longer.
    void move_to(const std::string& path);
    void close();

  private:
    // A connection of one thread for a while. One that met an error is not used again, and none after a move.
    struct Reader {
        std::unique_ptr<Database> database;
        int generation = 0;
    };
    Reader take_reader();
    void give_back(Reader reader);
    // What the first row has; nothing where there is none.
    template <typename Value>
    std::optional<std::string> read(std::string_view statement, const Value& value);
    std::shared_ptr<Database> newest_results();
    [[noreturn]] void fail_to_read(int64_t row, const std::string& reason);
    void share_budget();

    std::mutex guard_;
    std::string path_;
    std::vector<Reader> readers_;
    std::shared_ptr<Database> snapshot_;  // in their place
    std::shared_ptr<Database> results_;   // opened after it, for results alone
    bool more_results_ = false;
    int generation_ = 0;  // how often it was moved
    std::vector<int64_t> let_go_;
    std::mutex keeper_guard_;
    Keeper keeper_;
    // Results on their way to the file, for as long as they are.
    std::unordered_map<ContentKey, std::weak_ptr<const std::string>, ContentKeyHash> on_their_way_;
    std::atomic<int64_t> last_row_ = 0;
    std::atomic<uint64_t> waiting_ = 0;
};

}  // namespace caprock
