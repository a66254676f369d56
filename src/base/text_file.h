// Text files that a user names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace caprock {

// All of it. Throws Error with the reason alone, "there is no such file" or "it is a folder": who asked for the file
// knows how to name it. More than `most` bytes are refused as `no_such_thing` ("that is no table of hardness").
std::string text_of_file(const std::string& path, size_t most = SIZE_MAX, const char* no_such_thing = "");

// Writes it beside and renames, so that a reader never sees half of it and a failure leaves what was there. A link stays
// a link: what it points to is replaced, or made. The permissions of what was there stay. What is no plain file (a
// device, a pipe) is written to. Throws Error with the reason alone.
void write_whole_text(const std::string& text, const std::string& path);
// The same, and what it throws names the file: "cannot write 'a.json': it is a folder".
void write_text_file(const std::string& text, const std::string& path);

// A path in a message: whole, however long it is, since a part of one finds nothing; control characters as spaces.
std::string shown_path(const std::string& path);

}  // namespace caprock
