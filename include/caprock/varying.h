// Numbers that may be another one everywhere. Where a parameter is one of them, a map is taken in its place:
//
//     thermal_erosion({.talus = 33_deg})
//     thermal_erosion({.talus = map("rockmap", 20, 45)})
#pragma once

#include <caprock/grid.h>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace caprock {
inline namespace v1 {

// A field of the terrain that says a number cell by cell, or one of a file: "rock.tif", "rock.tif:hardness". Where it is missing,
// the number is the parameter's default.
struct Map {
    std::string from;
    // What 0 and 1 of it stand for; without, its cells are the numbers.
    std::optional<Interval> interval = {};
};

inline Map map(std::string from) { return {std::move(from)}; }
inline Map map(std::string from, double low, double high) { return {std::move(from), Interval{low, high}}; }

// A number, which may have a unit, or a map of such numbers.
template <typename Number>
class Varying {
  public:
    Varying(Number number) : number_(number) {}
    Varying(double number) requires(!std::is_same_v<Number, double>) : number_(number) {}
    Varying(int number) : number_(double(number)) {}
    Varying(Map map) : map_(std::move(map)) {}

    template <typename Value>
    Value value() const {
        if (map_) return *map_;
        return double(number_);
    }

  private:
    Number number_ = 0;
    std::optional<Map> map_;
};

}  // namespace v1
}  // namespace caprock
