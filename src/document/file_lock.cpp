#include "document/file_lock.h"

#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace caprock {

namespace {

// Files that documents of this process write. To open such a file and close it again would take SQLite's own locks
// away from it (they are POSIX locks, which go with any descriptor of the file), so they are known by device and node.
std::mutex guard;
std::set<std::string>& open_here() {
    static std::set<std::string> all;
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

}  // namespace

FileLock::FileLock(const std::string& path) {
    std::lock_guard lock(guard);
    std::string identity = identity_of(path);
    if (open_here().contains(identity)) throw Error("it is already open for writing in this program");
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor_ < 0) throw Error(std::strerror(errno));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        int reason = errno;
        ::close(descriptor_);
        throw Error(reason == EWOULDBLOCK ? open_elsewhere : std::strerror(reason));
    }
    identity_ = identity;
    open_here().insert(identity_);
}

FileLock::~FileLock() {
    std::lock_guard lock(guard);
    ::close(descriptor_);
    open_here().erase(identity_);
}

}  // namespace caprock
