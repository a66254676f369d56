// A file that a parameter names: what an operation makes of it depends on what is in the file, not on where it lies. So the
// content goes with the parameter, into recipes and documents, and the path is a note of where it came from.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace caprock {

class InputFile {
  public:
    // A file of more than `longest` bytes is refused as `no_such_thing`: "that is no list of points".
    InputFile(size_t longest, const char* no_such_thing) : longest_(longest), no_such_thing_(no_such_thing) {}

    // Where it came from; empty where no file is named, or one that came by its content alone.
    const std::string& path() const { return path_; }
    bool named() const { return content_ || !path_.empty(); }
    // Whether the content is here. A path alone, as older recipes and documents have it, is looked up when it is needed.
    bool read() const { return content_ != nullptr; }

    // None for an empty path.
    void name(std::string path);
    // Reads the file that is named, unless that is done. Throws Error: "'a.csv': there is no such file".
    void fetch();
    // The same, although it is done: the file may have another content now.
    void fetch_again();
    void put(std::string path, std::string content);

    // The content that was read, or that of the file as it is now. Throws Error like fetch().
    std::string text() const;
    // 128 bits of the content, as hexadecimal digits: two that are the same have the same content. For a content that was
    // read.
    const std::string& fingerprint() const;
    // Whether the file of that path is there and has another content than was read. Never throws.
    bool differs_on_disk() const;

    // The same path, and the same content where it has been read.
    bool operator==(const InputFile& other) const;

    // What it is called in messages: 'a.csv'.
    std::string title() const;

  private:
    struct Content {
        std::string text;
        std::string fingerprint;
    };
    std::string from_disk() const;
    void take(std::string text);

    size_t longest_;
    const char* no_such_thing_;
    std::string path_;
    std::shared_ptr<const Content> content_;
};

}  // namespace caprock
