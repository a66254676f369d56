// Where a file that a user names for writing will lie, and how a new one takes the place of the one that is there.
#pragma once

#include <string>

namespace caprock {

// Behind links, also those that point to nothing yet: a link stays a link, and what it points to is written. Throws
// Error with the reason alone where they go round in a circle or to a folder that is not there.
std::string place_of_output(const std::string& path);

// A file that takes the place of another may be read and written by whoever could do so before, and by nobody else. The
// owner is kept where the system lets it be. Nothing happens where there is no other.
void keep_permissions(const std::string& written, const std::string& replaced);

// Renames what was written, in one step and with the permissions of what was there. Throws Error with the reason alone.
void put_in_place(const std::string& written, const std::string& place);

}  // namespace caprock
