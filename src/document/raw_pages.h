// The pages of a project file, read without SQLite: what is still there where the database cannot be read as one. Rows are
// found wherever pages hold them, also on pages that no tree leads to any longer; who takes them checks what they are.
#pragma once

#include "base/progress.h"
#include "document/file_lock.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

class RawPages {
  public:
    // The file with its log, as they are now. Throws Error with the reason alone.
    explicit RawPages(const std::string& path);
    ~RawPages();
    RawPages(const RawPages&) = delete;
    RawPages& operator=(const RawPages&) = delete;

    struct Value {
        enum class Kind { null, integer, number, text, blob };
        Kind kind = Kind::null;
        int64_t integer = 0;
        std::string bytes;
    };
    struct Row {
        std::optional<int64_t> id;  // of tables; rows of indexes have none
        std::vector<Value> values;
    };
    using Kinds = std::vector<Value::Kind>;

    // Every row of the kinds that are `wanted`, by the page's own list of its rows.
    void for_each_row(const std::function<bool(const Kinds&)>& wanted,
                      const std::function<void(const Row&)>& take, Progress* progress = nullptr);
    // Everything that looks like packed cells of a tile, and like a document, on whatever page.
    void for_each_packed(const std::function<void(std::string_view)>& take, Progress* progress = nullptr);
    void for_each_text(const std::function<void(std::string_view)>& take, Progress* progress = nullptr);

  private:
    enum class Tree { table, index };
    struct Place {
        int descriptor = -1;
        uint64_t at = 0;
    };
    bool read_page(uint64_t number, std::string& into) const;
    void find_log_pages(const std::string& path);
    // The bytes of a row, of which `from` begins on this page.
    std::optional<std::string> payload(const std::string& page, size_t from, uint64_t bytes, Tree tree) const;
    void rows_of_page(const std::string& page, size_t head, const std::function<bool(const Kinds&)>& wanted,
                      const std::function<void(const Row&)>& take) const;
    // A row whose last value begins at `value`, known by what stands before it.
    std::optional<std::string> last_value(const std::string& page, size_t value) const;
    std::optional<std::string> text_value(const std::string& page, size_t value) const;

    ReadingLock file_;
    int log_ = -1;
    size_t page_bytes_ = 16384;
    uint64_t pages_ = 0;
    std::map<uint64_t, uint64_t> in_log_;  // where the newest state of a page begins
};

}  // namespace caprock
