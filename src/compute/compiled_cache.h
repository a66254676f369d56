// Compiled kernels on disk: programs of OpenCL drivers, and libraries that a system compiler made of users' kernels.
//
// What is taken from here runs in this process, and a driver that is given half a program crashes. So nothing is believed:
// each file begins with its own key and a fingerprint of the rest, and one that differs from them in a single bit is thrown
// away. A program may be whole and crash all the same, when a driver was exchanged behind the same name: while one is tried, a
// file beside it says so, and who finds that left behind by a process that is no more discards the program.
//
// A cache that cannot be read or written, or that is full, only costs time: nothing here ever throws.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace caprock {

// Where compiled kernels are kept: $CAPROCK_CACHE, $XDG_CACHE_HOME/caprock or ~/.cache/caprock.
std::string cache_folder();

// The name that code is kept under: a fingerprint of everything that decides what it is.
std::string code_key(std::initializer_list<std::string_view> parts);

// While code is being tried for the first time in this process. Whoever has seen it work lets go of this.
class CodeTrial {
  public:
    CodeTrial() = default;
    CodeTrial(CodeTrial&& other) noexcept;
    CodeTrial& operator=(CodeTrial&& other) noexcept;
    ~CodeTrial();

    // False where an earlier trial never came to an end: the process that began it is gone.
    bool begin(const std::string& key) noexcept;

  private:
    void end() noexcept;

    std::string path_;
    int file_ = -1;
};

struct KeptCode {
    std::string bytes;
    CodeTrial trial;
};

std::optional<KeptCode> kept_code(const std::string& key) noexcept;

// Where all that is kept is more than CAPROCK_CACHE_SIZE (256M unless set), what was not used for the longest time goes.
// What writers left behind that were killed goes, too.
void keep_code(const std::string& key, std::string_view code) noexcept;

}  // namespace caprock
