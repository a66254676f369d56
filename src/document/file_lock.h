// Who may write a project file: one document at a time, in this process or another. The lock goes with the process,
// however it ends.
#pragma once

#include <string>

namespace caprock {

class FileLock {
  public:
    // Throws Error, with the reason alone, where the file is open for writing elsewhere or may not be written.
    explicit FileLock(const std::string& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

  private:
    int descriptor_ = -1;
    std::string identity_;
};

// A connection of SQLite to a file. Its locks are POSIX locks, which go with *any* descriptor of the file that this
// process closes: a lock that is given up while there are connections closes its descriptor after the last of them.
class FileUse {
  public:
    explicit FileUse(const std::string& path);
    ~FileUse();
    FileUse(const FileUse&) = delete;
    FileUse& operator=(const FileUse&) = delete;

  private:
    std::string identity_;
};

}  // namespace caprock
