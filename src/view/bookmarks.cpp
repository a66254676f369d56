#include "view/bookmarks.h"

#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/text_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

constexpr int bookmarks_version = 1;
// Far more than anybody flies to.
constexpr size_t longest_file = size_t(16) << 20;

void check_name(std::string_view name) {
    if (name.empty()) throw Error("a bookmark must have a name");
    auto is_control = [](char letter) { return uint8_t(letter) < 32 || letter == 127; };
    if (std::ranges::any_of(name, is_control))
        throw Error(fmt::format("'{}': the name of a bookmark is one line of text", one_line(name)));
}

void check_camera(const Camera& camera) {
    const Vector3& position = camera.position;
    if (!std::isfinite(position.x) || !std::isfinite(position.y) || !std::isfinite(position.z))
        throw Error("the position must be three numbers");
    if (!std::isfinite(camera.heading)) throw Error("the heading must be a number");
    if (!(camera.pitch >= -90 && camera.pitch <= 90)) throw Error("the pitch must be from -90 to 90 degrees");
    if (!(camera.field_of_view > 0 && camera.field_of_view < 180))
        throw Error("the field of view must be between 0 and 180 degrees");
}

double number_in(const Json& json, const char* name) {
    if (!json.is_number()) throw Error(fmt::format("\"{}\" must be a number", name));
    return json.get<double>();
}

const Json& member(const Json& json, const char* name) {
    if (!json.contains(name)) throw Error(fmt::format("there is no \"{}\"", name));
    return json[name];
}

Camera camera_in(const Json& json) {
    const Json& position = member(json, "position");
    if (!position.is_array() || position.size() != 3) throw Error("\"position\" takes three numbers");
    Camera camera;
    camera.position = {number_in(position[0], "position"), number_in(position[1], "position"),
                       number_in(position[2], "position")};
    camera.heading = number_in(member(json, "heading"), "heading");
    camera.pitch = number_in(member(json, "pitch"), "pitch");
    if (json.contains("field-of-view"))
        camera.field_of_view = number_in(json["field-of-view"], "field-of-view");
    return camera;
}

void add(Bookmarks& bookmarks, const Json& json) {
    if (!json.is_object() || !json.contains("name") || !json["name"].is_string())
        throw Error(fmt::format("bookmark {} has no \"name\"", bookmarks.all().size() + 1));
    auto name = json["name"].get<std::string>();
    if (bookmarks.find(name)) throw Error(fmt::format("two bookmarks are called '{}'", one_line(name)));
    Camera camera;
    try {
        camera = camera_in(json);
    } catch (const Error& error) {
        throw Error(fmt::format("bookmark '{}': {}", one_line(name), error.what()));
    }
    bookmarks.set(name, camera);
}

}  // namespace

const Camera* Bookmarks::find(std::string_view name) const {
    auto found = std::ranges::find(all_, name, &Bookmark::name);
    return found == all_.end() ? nullptr : &found->camera;
}

void Bookmarks::set(std::string_view name, const Camera& camera) {
    check_name(name);
    try {
        check_camera(camera);
    } catch (const Error& error) {
        throw Error(fmt::format("bookmark '{}': {}", one_line(name), error.what()));
    }
    auto found = std::ranges::find(all_, name, &Bookmark::name);
    if (found == all_.end()) {
        all_.push_back({std::string(name), camera});
    } else {
        found->camera = camera;
    }
}

bool Bookmarks::remove(std::string_view name) {
    return std::erase_if(all_, [&](const Bookmark& bookmark) { return bookmark.name == name; }) > 0;
}

std::string bookmarks_text(const Bookmarks& bookmarks) {
    Json list = Json::array();
    for (const auto& [name, camera] : bookmarks.all())
        list.push_back({{"name", name},
                        {"position", {camera.position.x, camera.position.y, camera.position.z}},
                        {"heading", camera.heading},
                        {"pitch", camera.pitch},
                        {"field-of-view", camera.field_of_view}});
    try {
        return Json{{"caprock-bookmarks", bookmarks_version}, {"bookmarks", list}}.dump(2) + "\n";
    } catch (const Json::exception&) {
        throw Error("the name of a bookmark is not UTF-8 and cannot be kept in JSON");
    }
}

Bookmarks parse_bookmarks(const std::string& text) {
    const Json json = parsed_json(text, "no bookmarks: lists within lists, far too deep");
    if (!json.is_object() || !json.contains("caprock-bookmarks"))
        throw Error("no bookmarks: it has no \"caprock-bookmarks\"");
    if (number_in(json["caprock-bookmarks"], "caprock-bookmarks") > bookmarks_version)
        throw Error(fmt::format("bookmarks of a newer version ({}; this one knows {})",
                                one_line(json["caprock-bookmarks"].dump()), bookmarks_version));
    const Json& list = member(json, "bookmarks");
    if (!list.is_array()) throw Error("\"bookmarks\" must be a list");
    Bookmarks bookmarks;
    for (const Json& entry : list) add(bookmarks, entry);
    return bookmarks;
}

std::string bookmarks_file(const std::string& document) { return document + ".bookmarks.json"; }

void save_bookmarks(const Bookmarks& bookmarks, const std::string& path) {
    write_text_file(bookmarks_text(bookmarks), path);
}

Bookmarks read_bookmarks(const std::string& path) {
    try {
        return parse_bookmarks(text_of_file(path, longest_file, "that are no bookmarks"));
    } catch (const Error& error) {
        throw Error(fmt::format("cannot read '{}': {}", shown_path(path), error.what()));
    }
}

}  // namespace caprock
