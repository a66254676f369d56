// Points or lines as a parameter has them: typed; taken from a file, whose lines are part of the value from then on; or those
// of the terrain that have a name.
#pragma once

#include "base/json_text.h"
#include "terrain/line_file.h"

#include <memory>
#include <string>
#include <string_view>

namespace caprock {

class LinesValue {
  public:
    LinesValue() = default;  // none
    LinesValue(LineSet lines) : content_{std::move(lines), ""}, is_read_(true) {}
    // Of the terrain.
    static LinesValue named(std::string name);
    // Of a file that is read when it is needed. `layer` may be empty where there is only one.
    static LinesValue of_file(std::string path, std::string layer);
    static LinesValue of_file(std::string path, std::string layer, LineFile content);

    // Whether there are any.
    bool given() const { return !name_.empty() || !path_.empty() || !content_.lines.empty(); }
    // Of lines of the terrain; empty for all others.
    const std::string& name() const { return name_; }
    bool is_named() const { return !name_.empty(); }
    // Where they came from; empty where they came from no file.
    const std::string& path() const { return path_; }
    bool is_read() const { return is_read_; }
    // As they were typed, or as the file has them, in its coordinates.
    const LineFile& content() const { return content_; }
    const LineSet& lines() const { return content_.lines; }

    // Reads the file that is named, unless that is done. Throws Error.
    void fetch();
    // The same lines in metres of a terrain of that grid and place: what came from a file is from none then. Those of the terrain
    // stay what they are. Throws Error.
    LinesValue placed_on(const Terrain& shape) const;

    // As a user types it: "0,0 10,5; 3,4 5,6", "@roads.gpkg:layer", "@roads". What is behind the @ is a file where it has a dot
    // or a slash. `points`: each place is a line of its own. A file is not read yet. Throws Error.
    static LinesValue parsed(std::string_view text, bool points);
    std::string text(bool points) const;

    // As recipes keep it: the text, or {"file": ..., "layer": ..., "projection": ..., "lines": [...]} with the lines.
    Json json() const;
    static LinesValue from_json(const Json& json, bool points);
    // What decides what is made of it, as a short text.
    std::string meaning() const;

    bool operator==(const LinesValue& other) const = default;

  private:
    std::string name_;
    std::string path_;
    std::string layer_;
    LineFile content_;
    bool is_read_ = false;
};

}  // namespace caprock
