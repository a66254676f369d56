// https://www.sqlite.org/fileformat2.html describes what is read here.
#include "document/raw_pages.h"

#include "base/error.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace caprock {

namespace {

// No row of a project is longer.
constexpr uint64_t longest_row = 96 << 20;
constexpr size_t file_head = 100;

uint64_t big_endian(std::string_view bytes, size_t at, size_t count) {
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) number = number << 8 | (unsigned char)bytes[at + i];
    return number;
}

// Moves on behind it; nothing where the bytes end before.
std::optional<uint64_t> varint(std::string_view bytes, size_t& at) {
    uint64_t number = 0;
    for (int i = 0; i < 9; i++) {
        if (at >= bytes.size()) return std::nullopt;
        auto byte = (unsigned char)bytes[at++];
        if (i == 8) return number << 8 | byte;
        number = number << 7 | (byte & 0x7f);
        if (byte < 0x80) return number;
    }
    return number;
}

uint64_t size_of(uint64_t type) {
    constexpr uint64_t sizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
    return type < 12 ? sizes[type] : (type - 12) / 2;
}

RawPages::Value::Kind kind_of_type(uint64_t type) {
    using Kind = RawPages::Value::Kind;
    if (type == 0) return Kind::null;
    if (type == 7) return Kind::number;
    if (type < 10) return Kind::integer;
    return type % 2 ? Kind::text : Kind::blob;
}

// The types of a row's values; `at` is behind them then. Nothing where it is no row.
std::optional<std::vector<uint64_t>> types_of(std::string_view row, size_t& at) {
    size_t begin = at;
    std::optional<uint64_t> head = varint(row, at);
    if (!head || *head < at - begin || begin + *head > row.size()) return std::nullopt;
    std::vector<uint64_t> types;
    while (at < begin + *head) {
        std::optional<uint64_t> type = varint(row, at);
        if (!type || *type == 10 || *type == 11 || types.size() > 20) return std::nullopt;
        types.push_back(*type);
    }
    return at == begin + *head ? std::optional(types) : std::nullopt;
}

int64_t integer_of(std::string_view bytes, uint64_t type) {
    if (type == 8 || type == 9) return int64_t(type) - 8;
    uint64_t number = big_endian(bytes, 0, bytes.size());
    if (!bytes.empty() && bytes.size() < 8 && (bytes[0] & 0x80)) number |= ~uint64_t(0) << (8 * bytes.size());
    return int64_t(number);
}

}  // namespace

// ---- pages -----------------------------------------------------------------------------------------------

RawPages::RawPages(const std::string& path) : file_(path) {
    struct stat found {};
    if (::fstat(file_.descriptor(), &found) != 0) throw Error("its size is not known");
    std::string head(file_head, '\0');
    // The head may be lost, too: then it has pages as every project has.
    if (::pread(file_.descriptor(), head.data(), head.size(), 0) == ssize_t(head.size()) &&
        head.starts_with("SQLite format 3")) {
        size_t size = big_endian(head, 16, 2);
        if (size == 1) size = 65536;
        if (size >= 512 && (size & (size - 1)) == 0) page_bytes_ = size;
    }
    pages_ = (uint64_t(found.st_size) + page_bytes_ - 1) / page_bytes_;
    find_log_pages(path);
}

RawPages::~RawPages() {
    if (log_ >= 0) ::close(log_);
}

void RawPages::find_log_pages(const std::string& path) {
    std::error_code none;
    std::string name = std::filesystem::weakly_canonical(path, none).string() + "-wal";
    log_ = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    std::string head(32, '\0');
    auto read = [&](std::string& into, uint64_t at) {
        return log_ >= 0 && ::pread(log_, into.data(), into.size(), off_t(at)) == ssize_t(into.size());
    };
    if (!read(head, 0) || big_endian(head, 8, 4) != page_bytes_) return;
    // Pages of transactions that were committed: whatever comes behind the last of those was never there.
    std::map<uint64_t, uint64_t> waiting;
    std::string frame(24, '\0');
    for (uint64_t at = 32; read(frame, at); at += 24 + page_bytes_) {
        if (frame.compare(8, 8, head, 16, 8) != 0) break;
        waiting[big_endian(frame, 0, 4)] = at + 24;
        uint64_t pages = big_endian(frame, 4, 4);
        if (pages == 0) continue;
        for (const auto& [page, place] : waiting) in_log_[page] = place;
        waiting.clear();
        pages_ = std::max(pages_, std::min<uint64_t>(pages, pages_ + in_log_.size()));
    }
}

bool RawPages::read_page(uint64_t number, std::string& into) const {
    if (number < 1 || number > pages_) return false;
    into.assign(page_bytes_, '\0');
    auto newest = in_log_.find(number);
    bool in_file = newest == in_log_.end();
    int descriptor = in_file ? file_.descriptor() : log_;
    uint64_t at = in_file ? (number - 1) * page_bytes_ : newest->second;
    // The last page may be cut off.
    return ::pread(descriptor, into.data(), into.size(), off_t(at)) > 0;
}

// ---- rows ------------------------------------------------------------------------------------------------

std::optional<std::string> RawPages::payload(const std::string& page, size_t from, uint64_t bytes,
                                             Tree tree) const {
    if (bytes > longest_row) return std::nullopt;
    uint64_t most = tree == Tree::table ? page_bytes_ - 35 : (page_bytes_ - 12) * 64 / 255 - 23;
    uint64_t local = bytes;
    if (bytes > most) {
        uint64_t least = (page_bytes_ - 12) * 32 / 255 - 23;
        local = least + (bytes - least) % (page_bytes_ - 4);
        if (local > most) local = least;
    }
    if (from + local + (local < bytes ? 4 : 0) > page.size()) return std::nullopt;
    std::string row = page.substr(from, local);
    if (local == bytes) return row;
    uint64_t next = big_endian(page, from + local, 4);
    std::string more;
    while (row.size() < bytes) {
        if (!read_page(next, more)) return std::nullopt;
        next = big_endian(more, 0, 4);
        row.append(more, 4, std::min<uint64_t>(page_bytes_ - 4, bytes - row.size()));
    }
    return row;
}

void RawPages::rows_of_page(const std::string& page, size_t head,
                            const std::function<bool(const Kinds&)>& wanted,
                            const std::function<void(const Row&)>& take) const {
    constexpr int table_leaf = 0x0d, index_leaf = 0x0a, index_inside = 0x02;
    int type = (unsigned char)page[head];
    if (type != table_leaf && type != index_leaf && type != index_inside) return;
    Tree tree = type == table_leaf ? Tree::table : Tree::index;
    size_t count = big_endian(page, head + 3, 2);
    size_t pointers = head + (type == index_inside ? 12 : 8);
    for (size_t i = 0; i < count && pointers + 2 * i + 2 <= page.size(); i++) {
        size_t at = big_endian(page, pointers + 2 * i, 2);
        if (type == index_inside) at += 4;
        std::optional<uint64_t> bytes = varint(page, at);
        Row row;
        if (tree == Tree::table) {
            std::optional<uint64_t> id = varint(page, at);
            if (!id) continue;
            row.id = int64_t(*id);
        }
        if (!bytes || *bytes == 0) continue;
        size_t values = at;
        std::optional<std::vector<uint64_t>> types = types_of(page, values);
        if (!types) continue;
        Kinds kinds;
        for (uint64_t each : *types) kinds.push_back(kind_of_type(each));
        if (!wanted(kinds)) continue;
        std::optional<std::string> all = payload(page, at, *bytes, tree);
        if (!all) continue;
        size_t from = values - at;
        for (uint64_t each : *types) {
            uint64_t size = size_of(each);
            if (from + size > all->size()) break;
            Value value{kind_of_type(each), 0, {}};
            if (value.kind == Value::Kind::integer) {
                value.integer = integer_of(std::string_view(*all).substr(from, size), each);
            } else {
                value.bytes = all->substr(from, size);
            }
            row.values.push_back(std::move(value));
            from += size;
        }
        if (row.values.size() == types->size()) take(row);
    }
}

void RawPages::for_each_row(const std::function<bool(const Kinds&)>& wanted,
                            const std::function<void(const Row&)>& take, Progress* progress) {
    std::string page;
    for (uint64_t number = 1; number <= pages_; number++) {
        if (progress) progress->check();
        if (read_page(number, page)) rows_of_page(page, number == 1 ? file_head : 0, wanted, take);
    }
}

// ---- without a page's list of its rows -------------------------------------------------------------------

// Before the value stand the types, of which the last is its own; before that a table's row has its number, which is not
// kept (0), and the length of all this.
std::optional<std::string> RawPages::last_value(const std::string& page, size_t value) const {
    for (size_t width = 1; width <= 4 && width + 2 <= value; width++) {
        size_t at = value - width;
        std::optional<uint64_t> type = varint(page, at);
        size_t head = 2 + width;
        if (!type || at != value || *type < 12 || page[value - width - 1] != 0 ||
            size_t((unsigned char)page[value - head]) != head)
            continue;
        std::optional<std::string> row = payload(page, value - head, head + size_of(*type), Tree::table);
        if (row) return row->substr(head);
    }
    return std::nullopt;
}

void RawPages::for_each_packed(const std::function<void(std::string_view)>& take, Progress* progress) {
    // How many cells there are, and then how a frame of zstd begins; or one value, and all that stands before it.
    const std::string frame("\x00\x00\x01\x00\x28\xb5\x2f\xfd", 8);
    const std::string one_value("\x03\x00\x2e\x01", 4);
    std::string page;
    for (uint64_t number = 1; number <= pages_; number++) {
        if (progress) progress->check();
        if (!read_page(number, page)) continue;
        auto offer = [&](size_t value) {
            if (std::optional<std::string> found = last_value(page, value)) take(*found);
        };
        for (size_t at = page.find(frame); at != std::string::npos; at = page.find(frame, at + 1))
            if (at >= 9) offer(at - 9);
        for (size_t at = page.find(one_value); at != std::string::npos; at = page.find(one_value, at + 1))
            offer(at + 3);
    }
}

std::optional<std::string> RawPages::text_value(const std::string& page, size_t value) const {
    // In the table: its number (0), the text, the position. In the copy: the text, the number of the row.
    for (Tree tree : {Tree::table, Tree::index})
        for (size_t width = 1; width <= 4; width++) {
            size_t head = (tree == Tree::table ? 3 : 2) + width;
            if (value < head) continue;
            size_t at = value - head;
            if (size_t((unsigned char)page[at]) != head) continue;
            std::optional<std::vector<uint64_t>> types = types_of(page, at);
            size_t text = tree == Tree::table ? 1 : 0;
            if (!types || at != value || types->size() != text + 2 || (*types)[text] < 13 ||
                (*types)[text] % 2 == 0)
                continue;
            uint64_t size = size_of((*types)[text]);
            std::optional<std::string> row =
                payload(page, value - head, head + size + size_of(types->back()), tree);
            if (row) return row->substr(head, size);
        }
    return std::nullopt;
}

void RawPages::for_each_text(const std::function<void(std::string_view)>& take, Progress* progress) {
    const std::string mark = "\"caprock-document\"";
    std::string page;
    for (uint64_t number = 1; number <= pages_; number++) {
        if (progress) progress->check();
        if (!read_page(number, page)) continue;
        for (size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
            size_t begin = page.rfind('{', at);
            if (begin == std::string::npos) continue;
            if (std::optional<std::string> found = text_value(page, begin)) take(*found);
        }
    }
}

}  // namespace caprock
