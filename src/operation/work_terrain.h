// What an operation sees of the terrain it works on: the fields it declares and no others. Whoever computes a part of a
// document gives an operation what it declares; one that looked at more would make another landscape there than in a
// chain.
#pragma once

#include "terrain/terrain.h"

#include <string>
#include <string_view>
#include <vector>

namespace caprock {

class LinesValue;
class Operation;

class WorkTerrain {
  public:
    // Of nobody: it has no fields, and takes none.
    explicit WorkTerrain(Terrain& all) : all_(all) {}
    WorkTerrain(Terrain& all, const Operation& operation);
    // For a part of another operation: it sees nothing that the whole does not.
    WorkTerrain(WorkTerrain& whole, const Operation& part);
    WorkTerrain(const WorkTerrain&) = delete;
    WorkTerrain& operator=(const WorkTerrain&) = delete;

    const Grid& grid() const { return all_.grid(); }
    const Rect& rect() const { return all_.rect(); }
    Interval range_of(std::string_view name) const { return all_.range_of(name); }

    // These throw std::logic_error for a field that the operation neither declares as read nor has made itself.
    bool has(std::string_view name) const { return find(name) != nullptr; }
    // Good until the next set().
    const Field* find(std::string_view name) const;
    // Throws Error where the field is declared but not there, naming those there are.
    const Field& field(std::string_view name) const;
    const Field& height() const { return field("height"); }
    // Throws std::logic_error for a field that it does not declare as made.
    void set(std::string_view name, Field field);
    // Those it sees, in the order they were added.
    std::vector<std::string> names() const;

    // Of lines: those it declares as read, or has made. A value that names none of the terrain's is what it says.
    // Throws Error where they are declared but not there.
    const LineSet& lines(const LinesValue& value) const;
    const LineSet& lines(std::string_view name) const;
    // Throws std::logic_error for lines that it does not declare as made.
    void set_lines(std::string_view name, LineSet lines);

    // For an operation that is made of others: its parts may make fields on the way that it does not declare. Whoever calls
    // this removes them.
    void take_what_parts_make() { of_parts_ = true; }
    // Throws std::logic_error unless the operation declares that it changes every field.
    void require_every_field() const;

  private:
    bool sees(std::string_view name) const;
    void about_to_set(std::string_view name);
    [[noreturn]] void refuse(std::string_view does, std::string_view name) const;

    Terrain& all_;
    WorkTerrain* whole_ = nullptr;
    std::string operation_;
    std::vector<std::string> reads_;
    std::vector<std::string> makes_;
    std::vector<std::string> made_;  // so far
    std::vector<std::string> reads_lines_;
    std::vector<std::string> makes_lines_;
    bool every_field_ = false;
    bool of_parts_ = false;
};

}  // namespace caprock
