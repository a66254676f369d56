// Who writes a project file and who looks at it, in this process or another. Locks go with the process, however it ends.
#pragma once

#include <chrono>
#include <string>

namespace caprock {

// Device and node of what a path leads to, empty where there is nothing: names may differ, and a name may come to mean
// another file.
std::string file_identity(const std::string& path);
// Throws Error, with the reason alone, where there is no file, or a folder, or something that is waited for when it is
// opened, such as a pipe.
void require_plain_file(const std::string& path);
// Whether a document of this process has it open for writing.
bool written_by_this_process(const std::string& path);

// One document at a time may write.
class FileLock {
  public:
    // Throws Error, with the reason alone, where the file may not be written, or is open for writing in this program, or
    // in another one for longer than `patience`.
    explicit FileLock(const std::string& path, std::chrono::milliseconds patience = {});
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    const std::string& identity() const { return identity_; }
    // Whether the name still leads to the file: it may have been deleted or replaced.
    bool in_place() const;
    int descriptor() const { return descriptor_; }

    // What is in the log may go into the file only while nobody looks at it. False where somebody does; true locks
    // readers out until the end.
    bool lock_out_readers();
    void let_readers_in();

  private:
    std::string path_;
    int descriptor_ = -1;
    std::string identity_;
};

// Somebody looks at the file as it is now. He needs no locks of SQLite, for which there would have to be files beside it:
// the writer goes on in its log, and the file itself stays as it is until the last reader is done.
class ReadingLock {
  public:
    // Throws Error with the reason alone.
    explicit ReadingLock(const std::string& path);
    ~ReadingLock();
    ReadingLock(const ReadingLock&) = delete;
    ReadingLock& operator=(const ReadingLock&) = delete;

    const std::string& identity() const { return identity_; }
    int descriptor() const { return descriptor_; }

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
