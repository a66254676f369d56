#include "document/file_lock.h"

#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace caprock {

namespace {

// Files by device and node: names may differ, and to open a file in order to compare would close it again.
struct OpenFile {
    bool written = false;          // by a document of this process
    int connections = 0;           // of SQLite
    std::vector<int> descriptors;  // to be closed after the last connection
};
std::mutex guard;
std::map<std::string, OpenFile>& open_files() {
    static std::map<std::string, OpenFile> all;
    return all;
}

constexpr const char* open_elsewhere =
    "it is open for writing in another program; close it there, or open it for reading only";

// Beyond every byte of every file, and beyond those that SQLite locks.
constexpr off_t readers_byte = off_t(1) << 60;
constexpr std::chrono::milliseconds between_attempts{10};
// Nobody brings a log into its file for as long as that.
constexpr std::chrono::seconds patience_of_readers{10};

// Of the open file, not of the process: who closes another descriptor of the same file does not lose it. Where a file
// system has no such locks, nobody can be locked out.
bool lock_readers_byte(int descriptor, short kind) {
    struct flock range {};
    range.l_type = kind;
    range.l_whence = SEEK_SET;
    range.l_start = readers_byte;
    range.l_len = 1;
    return fcntl(descriptor, F_OFD_SETLK, &range) == 0 || (errno != EAGAIN && errno != EACCES);
}

void close_when_possible(int descriptor, const std::string& identity) {
    OpenFile& file = open_files()[identity];
    if (file.connections == 0) {
        ::close(descriptor);
    } else {
        flock(descriptor, LOCK_UN);
        lock_readers_byte(descriptor, F_UNLCK);
        file.descriptors.push_back(descriptor);
    }
}

void forget_if_unused(const std::string& identity) {
    auto found = open_files().find(identity);
    if (found == open_files().end() || found->second.connections > 0) return;
    for (int descriptor : found->second.descriptors) ::close(descriptor);
    found->second.descriptors.clear();
    if (!found->second.written) open_files().erase(found);
}

std::string identity_from(const struct stat& found) {
    return fmt::format("{}:{}", found.st_dev, found.st_ino);
}

}  // namespace

std::string file_identity(const std::string& path) {
    struct stat found {};
    return stat(path.c_str(), &found) == 0 ? identity_from(found) : std::string();
}

void require_plain_file(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0)
        throw Error(errno == ENOENT ? "there is no such file" : std::strerror(errno));
    if (S_ISDIR(found.st_mode)) throw Error("it is a folder");
    if (!S_ISREG(found.st_mode)) throw Error("it is no file but a pipe, a socket or a device");
}

bool written_by_this_process(const std::string& path) {
    std::string identity = file_identity(path);
    std::lock_guard lock(guard);
    auto known = open_files().find(identity);
    return known != open_files().end() && known->second.written;
}

// ---- writing ---------------------------------------------------------------------------------------------

FileLock::FileLock(const std::string& path, std::chrono::milliseconds patience) : path_(path) {
    auto until = std::chrono::steady_clock::now() + patience;
    while (true) {
        {
            std::lock_guard lock(guard);
            require_plain_file(path);
            std::string identity = file_identity(path);
            if (open_files()[identity].written) throw Error("it is already open for writing in this program");
            descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
            if (descriptor_ < 0) {
                int reason = errno;
                forget_if_unused(identity);
                throw Error(fmt::format("it may not be written ({}); open it for reading only",
                                        std::strerror(reason)));
            }
            struct stat found {};
            bool same = fstat(descriptor_, &found) == 0 && identity_from(found) == identity;
            if (same && flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
                identity_ = identity;
                open_files()[identity_].written = true;
                return;
            }
            int reason = same ? errno : EWOULDBLOCK;
            close_when_possible(descriptor_, identity);
            forget_if_unused(identity);
            if (reason != EWOULDBLOCK) throw Error(std::strerror(reason));
        }
        if (std::chrono::steady_clock::now() >= until) throw Error(open_elsewhere);
        std::this_thread::sleep_for(between_attempts);
    }
}

FileLock::~FileLock() {
    std::lock_guard lock(guard);
    close_when_possible(descriptor_, identity_);
    open_files()[identity_].written = false;
    forget_if_unused(identity_);
}

bool FileLock::in_place() const { return file_identity(path_) == identity_; }

bool FileLock::lock_out_readers() { return lock_readers_byte(descriptor_, F_WRLCK); }
void FileLock::let_readers_in() { lock_readers_byte(descriptor_, F_UNLCK); }

// ---- reading ---------------------------------------------------------------------------------------------

ReadingLock::ReadingLock(const std::string& path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat found {};
    if (descriptor_ < 0 || fstat(descriptor_, &found) != 0)
        throw Error(errno == ENOENT ? "there is no such file" : std::strerror(errno));
    identity_ = identity_from(found);
    auto until = std::chrono::steady_clock::now() + patience_of_readers;
    while (!lock_readers_byte(descriptor_, F_RDLCK)) {
        if (std::chrono::steady_clock::now() >= until) {
            std::lock_guard lock(guard);
            close_when_possible(descriptor_, identity_);
            throw Error("another program brings its changes into the file; try again later");
        }
        std::this_thread::sleep_for(between_attempts);
    }
}

ReadingLock::~ReadingLock() {
    std::lock_guard lock(guard);
    close_when_possible(descriptor_, identity_);
    forget_if_unused(identity_);
}

// ---- connections -----------------------------------------------------------------------------------------

FileUse::FileUse(const std::string& path) {
    identity_ = file_identity(path);
    if (identity_.empty()) return;  // one that is being made: nobody has a lock on it
    std::lock_guard lock(guard);
    open_files()[identity_].connections++;
}

FileUse::~FileUse() {
    if (identity_.empty()) return;
    std::lock_guard lock(guard);
    open_files()[identity_].connections--;
    forget_if_unused(identity_);
}

}  // namespace caprock
