// A folder of its own for a test, gone with it, and what is to be known of the files in it.
#pragma once

#include "support/places.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace caprock::test {

class Folder {
  public:
    explicit Folder(const std::string& in = test::build_folder) {
        std::string pattern = in + "/test-XXXXXX";
        if (!mkdtemp(pattern.data())) throw std::runtime_error(pattern + " cannot be made");
        path_ = pattern;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::string& path() const { return path_; }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }

    // The names in it, hidden ones too: a partial file would be among them.
    std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(path_))
            all.insert(entry.path().filename().string());
        return all;
    }

  private:
    std::string path_;
};

inline std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

inline void write_text(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

// Who may do what with it.
inline mode_t mode_of(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) throw std::runtime_error(path + " is not there");
    return found.st_mode & 07777;
}

// The file's first part under another name, as an interrupted download leaves it.
inline void write_truncated(const std::string& from, const std::string& to, double share) {
    std::string text = file_text(from);
    write_text(to, text.substr(0, size_t(double(text.size()) * share)));
}

}  // namespace caprock::test
