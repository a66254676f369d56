#include "document_bookmark.h"

#include "base/error.h"
#include "base/text.h"
#include "base/text_file.h"
#include "document_access.h"
#include "view/bookmarks.h"

#include <filesystem>
#include <fmt/format.h>

namespace caprock::cli {

Camera bookmarked_camera(const std::string& path, const std::string& name) {
    if (!is_project_name(path))
        throw Error(
            fmt::format("render: --bookmark is for documents: '{}' is no .caprock", shown_path(path)));
    DocumentOptions options;
    options.read_only = true;
    std::unique_ptr<Document> document = Document::open(path, options);
    std::string file = bookmarks_file(path);
    std::error_code unknown;
    Bookmarks bookmarks;
    if (std::filesystem::exists(file, unknown) || unknown) bookmarks = read_bookmarks(file);
    if (bookmarks.all().empty())
        throw Error(
            fmt::format("render: '{}' has no bookmarks; Ctrl+B in the editor makes them, and '{}' keeps them",
                        shown_path(path), shown_path(file)));
    const Camera* found = bookmarks.find(name);
    if (!found) {
        std::vector<std::string> names;
        for (const Bookmark& bookmark : bookmarks.all()) names.push_back("'" + one_line(bookmark.name) + "'");
        throw Error(fmt::format("render: '{}' has no bookmark '{}'; there {} {}", shown_path(path),
                                one_line(name), names.size() == 1 ? "is" : "are", listed(names)));
    }
    Camera camera = *found;
    const DocumentState& state = document->state();
    // What is rendered begins with the first cell that is shown.
    WorldPoint first = state.grid.place_of(state.window.left, state.window.top);
    camera.position.x -= first.x;
    camera.position.y -= first.y;
    return camera;
}

}  // namespace caprock::cli
