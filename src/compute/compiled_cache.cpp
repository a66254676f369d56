#include "compute/compiled_cache.h"

#include "base/text.h"
#include "compute/environment.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <xxhash.h>

namespace caprock {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t usual_size = 256 << 20;
// No kernel has more: what has is none.
constexpr uint64_t largest_code = 64 << 20;
constexpr size_t key_length = 32;

constexpr std::string_view code_ending = ".code";
constexpr std::string_view trial_ending = ".tried";
constexpr std::string_view partial_ending = ".partial-";
// Earlier versions kept programs without a fingerprint. Nobody reads them any more.
constexpr std::string_view old_ending = ".bin";

fs::path folder_of_code() { return fs::path(cache_folder()) / "kernels"; }
fs::path path_of(const std::string& key, std::string_view ending) {
    return folder_of_code() / (key + std::string(ending));
}

std::string fingerprint_of(std::string_view bytes) {
    XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// With the key: a file that stands under another's name is not believed either.
std::string header_of(const std::string& key, std::string_view code) {
    return fmt::format("caprock compiled kernel 1 {} {}\n", key, fingerprint_of(code));
}

// A file that is closed with this, and its lock given up.
class OpenFile {
  public:
    OpenFile(const fs::path& path, int flags) : file_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
    ~OpenFile() {
        if (file_ >= 0) close(file_);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    bool is_open() const { return file_ >= 0; }
    int get() const { return file_; }
    int release() { return std::exchange(file_, -1); }

    // Locks go with the process that has them, however it ends.
    bool lock(int kind) const { return flock(file_, kind | LOCK_NB) == 0; }

  private:
    int file_;
};

// Nothing where it is no plain file, or cannot be read.
std::optional<std::string> bytes_of(const OpenFile& file) {
    struct stat about = {};
    if (fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
    if (uint64_t(about.st_size) > largest_code) return std::nullopt;
    std::string bytes(size_t(about.st_size), '\0');
    size_t done = 0;
    while (done < bytes.size()) {
        ssize_t count = read(file.get(), bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return std::nullopt;
        done += size_t(count);
    }
    return bytes;
}

bool write_all(const OpenFile& file, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t count = write(file.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes.remove_prefix(size_t(count));
    }
    return true;
}

// What follows the key in the name of a file of ours; nothing of others, which are left alone whatever folder was named.
std::optional<std::string> ending_of(const fs::path& path) {
    std::string name = path.filename().string();
    if (name.size() <= key_length) return std::nullopt;
    auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (!std::all_of(name.begin(), name.begin() + key_length, is_digit)) return std::nullopt;
    return name.substr(key_length);
}

// Nobody who is alive holds it.
bool is_abandoned(const fs::path& path) {
    OpenFile file(path, O_RDONLY | O_NONBLOCK);
    return file.is_open() && file.lock(LOCK_EX);
}

uint64_t allowed_size() {
    return parse_bytes(environment_variable("CAPROCK_CACHE_SIZE")).value_or(usual_size);
}

void tidy() {
    struct Entry {
        fs::file_time_type used;
        uint64_t bytes;
        fs::path path;
    };
    std::vector<Entry> entries;
    uint64_t sum = 0;
    std::error_code ignored;
    for (const fs::directory_entry& file : fs::directory_iterator(folder_of_code(), ignored)) {
        std::optional<std::string> ending = ending_of(file.path());
        if (!ending || !file.is_regular_file(ignored)) continue;
        if (*ending == code_ending) {
            entries.push_back({file.last_write_time(ignored), file.file_size(ignored), file.path()});
            sum += entries.back().bytes;
        } else if (ending->starts_with(old_ending)) {
            fs::remove(file.path(), ignored);
        } else if (ending->starts_with(partial_ending)) {
            if (is_abandoned(file.path())) fs::remove(file.path(), ignored);
        } else if (*ending == trial_ending) {
            // What a crash has left says something as long as the program is there.
            fs::path code = file.path();
            if (!fs::exists(code.replace_extension(code_ending), ignored) && is_abandoned(file.path()))
                fs::remove(file.path(), ignored);
        }
    }
    std::ranges::sort(entries, {}, &Entry::used);
    uint64_t allowed = allowed_size();
    for (const Entry& entry : entries) {
        if (sum <= allowed) break;
        fs::remove(entry.path, ignored);
        sum -= entry.bytes;
    }
}

}  // namespace

std::string cache_folder() {
    if (std::string own = environment_variable("CAPROCK_CACHE"); !own.empty()) return own;
    if (std::string shared = environment_variable("XDG_CACHE_HOME"); !shared.empty())
        return shared + "/caprock";
    if (std::string home = environment_variable("HOME"); !home.empty()) return home + "/.cache/caprock";
    return "";
}

std::string code_key(std::initializer_list<std::string_view> parts) {
    std::string all;
    // With their lengths: what one part ends with is not what the next begins with.
    for (std::string_view part : parts) all += fmt::format("{}:{}\n", part.size(), part);
    return fingerprint_of(all);
}

// ---- trials ----------------------------------------------------------------------------------------------

CodeTrial::CodeTrial(CodeTrial&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

CodeTrial& CodeTrial::operator=(CodeTrial&& other) noexcept {
    if (this == &other) return *this;
    end();
    path_ = std::move(other.path_);
    file_ = std::exchange(other.file_, -1);
    return *this;
}

CodeTrial::~CodeTrial() { end(); }

bool CodeTrial::begin(const std::string& key) noexcept {
    try {
        end();
        path_ = path_of(key, trial_ending).string();
        OpenFile made(path_, O_RDWR | O_CREAT | O_EXCL);
        OpenFile there(path_, O_RDWR | O_NONBLOCK);
        // Where nothing can be written, it is tried all the same.
        if (!there.is_open()) return true;
        if (!made.is_open() && there.lock(LOCK_EX)) {
            unlink(path_.c_str());
            return false;
        }
        // Several processes may try one at a time.
        if (there.lock(LOCK_SH)) {
            file_ = there.release();
        } else if (made.is_open()) {
            // A file system without locks knows nothing of who is gone.
            unlink(path_.c_str());
        }
        return true;
    } catch (...) {
        return true;
    }
}

void CodeTrial::end() noexcept {
    if (file_ < 0) return;
    // The last one takes it away.
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) unlink(path_.c_str());
    close(std::exchange(file_, -1));
}

// ---- code ------------------------------------------------------------------------------------------------

std::optional<KeptCode> kept_code(const std::string& key) noexcept {
    try {
        if (cache_folder().empty()) return std::nullopt;
        fs::path path = path_of(key, code_ending);
        OpenFile file(path, O_RDONLY | O_NONBLOCK);
        if (!file.is_open()) return std::nullopt;
        std::optional<std::string> bytes = bytes_of(file);
        KeptCode kept;
        size_t begin = header_of(key, "").size();
        bool whole = bytes && bytes->size() > begin;
        if (whole) {
            kept.bytes = bytes->substr(begin);
            whole = bytes->starts_with(header_of(key, kept.bytes));
        }
        if (!whole || !kept.trial.begin(key)) {
            std::error_code ignored;
            fs::remove(path, ignored);
            return std::nullopt;
        }
        // The last use, by which tidying goes.
        futimens(file.get(), nullptr);
        return kept;
    } catch (...) {
        return std::nullopt;
    }
}

void keep_code(const std::string& key, std::string_view code) noexcept {
    try {
        if (cache_folder().empty() || code.empty() || code.size() > largest_code / 2) return;
        fs::path path = path_of(key, code_ending);
        std::error_code ignored;
        fs::create_directories(path.parent_path(), ignored);
        // Written beside and renamed: two that compile at once leave one whole file.
        static std::atomic<int> number = 0;
        fs::path partial = path_of(key, fmt::format("{}{}-{}", partial_ending, getpid(), number++));
        OpenFile file(partial, O_WRONLY | O_CREAT | O_EXCL);
        if (!file.is_open()) return;
        // Until it is closed: who tidies up leaves it alone.
        file.lock(LOCK_EX);
        bool whole = write_all(file, header_of(key, code)) && write_all(file, code) &&
                     rename(partial.c_str(), path.c_str()) == 0;
        if (!whole) fs::remove(partial, ignored);
        tidy();
    } catch (...) {
    }
}

}  // namespace caprock
