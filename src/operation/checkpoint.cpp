#include "operation/checkpoint.h"

#include "base/error.h"
#include "base/file_bytes.h"
#include "base/file_place.h"
#include "base/json_text.h"
#include "base/seconds.h"
#include "base/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

namespace caprock {

namespace {

constexpr char magic[] = "caprock checkpoint 1\n";
constexpr size_t magic_length = sizeof magic - 1;
// A text is preceded by its length and its sum. What says where a state is has this much room.
constexpr size_t prefix = 2 * sizeof(uint64_t);
constexpr uint64_t place_bytes = 1 << 16;
constexpr uint64_t longest_text = 64 << 20;
// Besides those that the operation makes, and those that count for the ledger among them. What is not written takes no room on
// the disk.
constexpr uint64_t most_state_fields = 32;

Json rect_json(const Rect& rect) { return {rect.left, rect.top, rect.right, rect.bottom}; }
Rect rect_of(const Json& json) {
    return {json.at(0).get<int>(), json.at(1).get<int>(), json.at(2).get<int>(), json.at(3).get<int>()};
}
uint64_t bytes_of(const Rect& rect) { return uint64_t(rect.cells()) * sizeof(float); }

// Rows that are read and written together.
template <typename Action>
void for_bands(const Rect& rect, const Action& action) {
    constexpr int64_t band_cells = 4 << 20;
    const int rows = int(std::max<int64_t>(band_cells / std::max(rect.width(), 1), 1));
    for (int top = rect.top; top < rect.bottom; top += rows)
        action(Rect{rect.left, top, rect.right, std::min(top + rows, rect.bottom)});
}

std::string last_error() { return std::strerror(errno); }

struct Sum {
    Sum() : state(XXH3_createState()) { XXH3_64bits_reset(state); }
    ~Sum() { XXH3_freeState(state); }
    Sum(const Sum&) = delete;
    Sum& operator=(const Sum&) = delete;
    void add(const void* bytes, size_t count) { XXH3_64bits_update(state, bytes, count); }
    uint64_t value() const { return XXH3_64bits_digest(state); }
    XXH3_state_t* state;
};

}  // namespace

// ---- bytes -----------------------------------------------------------------------------------------------

class Checkpoint::File {
  public:
    File(const std::string& path, int flags)
        : path_(path), bytes_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
        if (bytes_.descriptor() < 0) fail(flags & O_CREAT ? "write" : "read");
    }

    [[noreturn]] void fail(const char* what) const {
        throw Error(fmt::format("cannot {} the checkpoint '{}': {}", what, shown_path(path_), last_error()));
    }
    [[noreturn]] void damaged() const {
        throw Error(
            fmt::format("the checkpoint '{}' is damaged; remove it, and all begins anew", shown_path(path_)));
    }

    uint64_t size() const {
        struct stat status = {};
        if (::fstat(bytes_.descriptor(), &status) != 0) fail("read");
        return uint64_t(status.st_size);
    }
    void read(void* bytes, size_t count, uint64_t offset) const {
        if (bytes_.read(bytes, count, offset)) return;
        if (errno == ENODATA) damaged();
        fail("read");
    }
    void write(const void* bytes, size_t count, uint64_t offset) {
        if (!bytes_.write(bytes, count, offset)) fail("write");
    }
    // On the disk, whatever happens to the machine.
    void settle() {
        if (::fdatasync(bytes_.descriptor()) != 0) fail("write");
    }

    // Returns where it ends.
    uint64_t write_text(const std::string& text, uint64_t offset) {
        const uint64_t head[2] = {text.size(), XXH3_64bits(text.data(), text.size())};
        write(text.data(), text.size(), offset + prefix);
        write(head, sizeof head, offset);
        return offset + prefix + text.size();
    }
    // Nothing where there is no whole text.
    std::optional<std::string> read_text(uint64_t offset) const {
        if (offset + prefix > size()) return std::nullopt;
        uint64_t head[2] = {};
        read(head, sizeof head, offset);
        if (head[0] == 0 || head[0] > longest_text || offset + prefix + head[0] > size()) return std::nullopt;
        std::string text(head[0], ' ');
        read(text.data(), text.size(), offset + prefix);
        if (XXH3_64bits(text.data(), text.size()) != head[1]) return std::nullopt;
        return text;
    }

    // Some rows at a time; returns the sum of all bytes.
    uint64_t write_cells(const Cells& cells, uint64_t offset) {
        Sum sum;
        for_bands(cells.rect, [&](const Rect& band) {
            const Field field = cells.read(band);
            Field::Rows rows = field.rows();
            const size_t row_bytes = size_t(band.width()) * sizeof(float);
            for (int y = band.top; y < band.bottom; y++, offset += row_bytes) {
                sum.add(rows[y], row_bytes);
                write(rows[y], row_bytes, offset);
            }
        });
        return sum.value();
    }
    // A part of the cells that lie there.
    Field read_cells(const Rect& rect, uint64_t offset, const Rect& part) const {
        Field field(part);
        Field::WritableRows rows = field.writable_rows();
        for (int y = part.top; y < part.bottom; y++) {
            const uint64_t before =
                uint64_t(y - rect.top) * uint64_t(rect.width()) + uint64_t(part.left - rect.left);
            read(rows[y], size_t(part.width()) * sizeof(float), offset + before * sizeof(float));
        }
        return field;
    }
    // Whether they are what was written.
    bool are_whole(const Rect& rect, uint64_t offset, uint64_t expected) const {
        if (offset + bytes_of(rect) > size()) return false;
        Sum sum;
        for_bands(rect, [&](const Rect& band) {
            const Field field = read_cells(rect, offset, band);
            Field::Rows rows = field.rows();
            for (int y = band.top; y < band.bottom; y++)
                sum.add(rows[y], size_t(band.width()) * sizeof(float));
        });
        return sum.value() == expected;
    }

  private:
    std::string path_;
    FileBytes bytes_;
};

// Where things lie: the text, the fields, and from there on the two places for states.
struct Checkpoint::Layout {
    struct Entry {
        std::string name;
        Rect rect;
        uint64_t offset;
        uint64_t sum;
    };
    std::vector<Entry> fields;
    uint64_t places = 0;       // where the first begins
    uint64_t state_bytes = 0;  // that a state may have

    uint64_t place(uint64_t turn) const { return places + (turn % 2) * (place_bytes + state_bytes); }
};

Checkpoint::Checkpoint(std::string path, std::string work, double seconds)
    : path_(std::move(path)), work_(std::move(work)), seconds_(seconds) {
    if (::access(path_.c_str(), F_OK) == 0) read();
}

Checkpoint::~Checkpoint() = default;

void Checkpoint::read() {
    file_ = std::make_shared<File>(path_, O_RDWR);
    char begins[magic_length] = {};
    if (file_->size() >= magic_length) file_->read(begins, magic_length, 0);
    if (std::memcmp(begins, magic, magic_length) != 0)
        throw Error(fmt::format("'{}' is there and is no checkpoint; give another name", shown_path(path_)));
    const std::optional<std::string> text = file_->read_text(magic_length);
    if (!text) file_->damaged();
    try {
        const Json json = parsed_json(*text, "a checkpoint");
        if (json.at("work").get<std::string>() != work_)
            throw Error(fmt::format(
                "the checkpoint '{}' is of other work (another chain, other files or another version "
                "of the program); remove it, or give another name",
                shown_path(path_)));
        layout_ = std::make_unique<Layout>();
        for (const Json& field : json.at("fields"))
            layout_->fields.push_back(
                {field.at("name"), rect_of(field.at("rect")), field.at("offset"), field.at("sum")});
        layout_->places = json.at("places");
        layout_->state_bytes = json.at("state-bytes");
        // The later of the two states; the other where a kill came between.
        for (uint64_t turn : {0, 1}) {
            const std::optional<std::string> place = file_->read_text(layout_->place(turn));
            if (!place) continue;
            const Json saved = parsed_json(*place, "a checkpoint");
            const uint64_t number = saved.at("saved");
            if (number <= saved_) continue;
            State state{saved.at("stage"),
                        saved.at("step"),
                        saved.at("done"),
                        saved.at("passed"),
                        saved.at("cell"),
                        {},
                        {}};
            for (const Json& sum : saved.at("counted")) state.counted.push_back(sum);
            uint64_t offset = layout_->place(turn) + place_bytes;
            bool whole = true;
            for (const Json& field : saved.at("fields")) {
                const Rect rect = rect_of(field.at("rect"));
                whole = whole && file_->are_whole(rect, offset, field.at("sum"));
                state.fields.push_back(cells_at(field.at("name"), rect, offset));
                offset += bytes_of(rect);
            }
            if (!whole) continue;  // the other one is
            saved_ = number;
            state_ = std::move(state);
        }
        found_ = json.at("operation").get<int>();
    } catch (const nlohmann::json::exception&) {
        file_->damaged();
    }
}

Checkpoint::Cells Checkpoint::cells_at(const std::string& name, const Rect& rect, uint64_t offset) const {
    return {name, rect,
            [file = file_, rect, offset](const Rect& part) { return file->read_cells(rect, offset, part); }};
}

Checkpoint::Fields Checkpoint::fields() const {
    Fields fields;
    for (const Layout::Entry& entry : layout_->fields) {
        if (!file_->are_whole(entry.rect, entry.offset, entry.sum)) file_->damaged();
        fields.push_back(cells_at(entry.name, entry.rect, entry.offset));
    }
    return fields;
}

void Checkpoint::begin(int operation, const Fields& fields, int64_t cells, size_t outputs) {
    saves_ = true;
    last_ = seconds_now();
    if (found_ == operation) {
        found_.reset();
        return;
    }
    found_.reset();
    state_.reset();
    saved_ = 0;
    layout_ = std::make_unique<Layout>();
    // Written beside, and put in its place when it is whole.
    const std::string place = place_of_output(path_);
    const std::string beside = place + ".part";
    file_ = std::make_shared<File>(beside, O_RDWR | O_CREAT | O_TRUNC);
    try {
        // How long the text is, is known when it is: numbers take the room of the largest.
        uint64_t offset = magic_length + prefix + 4096 + work_.size() * 2 + fields.size() * 512;
        Json json = {{"work", work_}, {"operation", operation}, {"fields", Json::array()}};
        for (const Cells& field : fields) {
            const Rect& rect = field.rect;
            const uint64_t sum = file_->write_cells(field, offset);
            layout_->fields.push_back({field.name, rect, offset, sum});
            json["fields"].push_back(
                {{"name", field.name}, {"rect", rect_json(rect)}, {"offset", offset}, {"sum", sum}});
            offset += bytes_of(rect);
        }
        layout_->places = offset;
        layout_->state_bytes = (most_state_fields + outputs) * uint64_t(cells) * sizeof(float);
        json["places"] = layout_->places;
        json["state-bytes"] = layout_->state_bytes;
        file_->write(magic, magic_length, 0);
        const uint64_t end = file_->write_text(json.dump(), magic_length);
        if (end > (layout_->fields.empty() ? layout_->places : layout_->fields.front().offset))
            throw std::logic_error("what a checkpoint says of itself is too long");
        file_->settle();
        put_in_place(beside, place);
    } catch (...) {
        ::unlink(beside.c_str());
        throw;
    }
}

void Checkpoint::remove() {
    saves_ = false;
    file_.reset();
    ::unlink(path_.c_str());
}

std::optional<Checkpoint::State> Checkpoint::taken() { return std::exchange(state_, std::nullopt); }

bool Checkpoint::due() const { return saves_ && seconds_now() - last_ >= seconds_; }

void Checkpoint::save(const State& state) {
    const uint64_t number = saved_ + 1;
    const uint64_t place = layout_->place(number);
    Json json = {{"saved", number},          {"stage", state.stage},   {"step", state.step},
                 {"done", state.done},       {"passed", state.passed}, {"cell", state.cell},
                 {"counted", state.counted}, {"fields", Json::array()}};
    // What was there is of no use from now on, and must not be taken for what is being written.
    const uint64_t nothing[2] = {0, 0};
    file_->write(nothing, sizeof nothing, place);
    uint64_t offset = place + place_bytes;
    for (const Cells& cells : state.fields) {
        if (offset + bytes_of(cells.rect) > place + place_bytes + layout_->state_bytes)
            throw std::logic_error("a state is larger than its place in a checkpoint");
        json["fields"].push_back({{"name", cells.name},
                                  {"rect", rect_json(cells.rect)},
                                  {"sum", file_->write_cells(cells, offset)}});
        offset += bytes_of(cells.rect);
    }
    file_->settle();
    const std::string text = json.dump();
    if (text.size() + prefix > place_bytes)
        throw Error(
            fmt::format("the names of the fields are too long for the checkpoint '{}'", shown_path(path_)));
    file_->write_text(text, place);
    file_->settle();
    saved_ = number;
    last_ = seconds_now();
}

void Checkpoint::save_or_go_on(const State& state, const std::function<void(const std::string&)>& tell) {
    try {
        save(state);
    } catch (const Error& error) {
        if (tell) tell(fmt::format("{}; going on without", error.what()));
        end();
    }
}

}  // namespace caprock
