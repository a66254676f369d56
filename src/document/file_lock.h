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

}  // namespace caprock
