// Places to come back to: cameras with names, kept in a file.
//
//   {"caprock-bookmarks": 1,
//    "bookmarks": [{"name": "Summit", "position": [4100, 3980, 1250], "heading": 30, "pitch": -20,
//                   "field-of-view": 45}]}
#pragma once

#include "view/camera.h"

#include <string>
#include <string_view>
#include <vector>

namespace caprock {

struct Bookmark {
    std::string name;
    Camera camera;

    bool operator==(const Bookmark&) const = default;
};

class Bookmarks {
  public:
    // In the order in which they were added.
    const std::vector<Bookmark>& all() const { return all_; }
    // Good until the next set() or remove().
    const Camera* find(std::string_view name) const;
    // Adds one, or gives one of that name another camera. Throws Error for a name that is empty or has more than one line,
    // and for a camera that looks nowhere: a number that is none, a pitch beyond straight up or down, a field of view
    // that is not between 0 and 180 degrees.
    void set(std::string_view name, const Camera& camera);
    // Whether there was one.
    bool remove(std::string_view name);

    bool operator==(const Bookmarks&) const = default;

  private:
    std::vector<Bookmark> all_;
};

// As the text of a file, and back, every number to its last bit. Members that are unknown are left out; whatever else is
// not as above is refused with an Error, as are two of one name. Without a field of view it is a camera's usual one.
std::string bookmarks_text(const Bookmarks& bookmarks);
Bookmarks parse_bookmarks(const std::string& text);

// Beside the document that they are of: "Mesa.caprock.bookmarks.json" for "Mesa.caprock". Positions are metres in the
// document's world frame, from its cell (0, 0), so that a bookmark stays with its land whatever is cropped.
std::string bookmarks_file(const std::string& document);

// The file is replaced as a whole or not at all.
void save_bookmarks(const Bookmarks& bookmarks, const std::string& path);
Bookmarks read_bookmarks(const std::string& path);

}  // namespace caprock
