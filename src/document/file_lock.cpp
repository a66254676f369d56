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

std::string identity_of(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0)
        throw Error(errno == ENOENT ? "there is no such file" : std::strerror(errno));
    if (S_ISDIR(found.st_mode)) throw Error("it is a folder");
    return fmt::format("{}:{}", found.st_dev, found.st_ino);
}

constexpr const char* open_elsewhere =
    "it is open for writing in another program; close it there, or open it for reading only";

void close_when_possible(int descriptor, const std::string& identity) {
    OpenFile& file = open_files()[identity];
    if (file.connections == 0) {
        ::close(descriptor);
    } else {
        flock(descriptor, LOCK_UN);
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

}  // namespace

FileLock::FileLock(const std::string& path) {
    std::lock_guard lock(guard);
    std::string identity = identity_of(path);
    if (open_files()[identity].written) throw Error("it is already open for writing in this program");
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor_ < 0) {
        int reason = errno;
        forget_if_unused(identity);
        throw Error(
            fmt::format("it may not be written ({}); open it for reading only", std::strerror(reason)));
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        int reason = errno;
        close_when_possible(descriptor_, identity);
        forget_if_unused(identity);
        throw Error(reason == EWOULDBLOCK ? open_elsewhere : std::strerror(reason));
    }
    identity_ = identity;
    open_files()[identity_].written = true;
}

FileLock::~FileLock() {
    std::lock_guard lock(guard);
    close_when_possible(descriptor_, identity_);
    open_files()[identity_].written = false;
    forget_if_unused(identity_);
}

FileUse::FileUse(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return;  // one that is being made: nobody has a lock on it
    std::lock_guard lock(guard);
    identity_ = fmt::format("{}:{}", found.st_dev, found.st_ino);
    open_files()[identity_].connections++;
}

FileUse::~FileUse() {
    if (identity_.empty()) return;
    std::lock_guard lock(guard);
    open_files()[identity_].connections--;
    forget_if_unused(identity_);
}

}  // namespace caprock
