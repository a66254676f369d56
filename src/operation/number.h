// A number that may be another one everywhere: it is typed as a number, or as the name of a field that says it cell by cell,
//
//     --talus 33      --talus @rockmap:20..45      --talus @rock.tif:hardness:20..45
//
// What 0 and 1 of the field are becomes the interval that is given: of heights the ends of their range. Without an interval the
// cells are the numbers, so that metres are metres.
#pragma once

#include "base/interval.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace caprock {

struct NumberMap {
    std::string from;                       // a field; or a file, or a field of it: rock.tif:hardness
    std::optional<Interval> interval = {};  // of 0 and 1; the first may be the larger one

    // "@rockmap:20..45". Throws Error for what is none of the three forms.
    static NumberMap parsed(std::string_view text);
    std::string text() const;

    // The file, or nothing where it is a field of the terrain.
    std::string file() const;
    std::string field_of_file() const;  // empty: the only one, or the height
    // What an operation finds it under among the fields of its terrain.
    std::string field() const { return file().empty() ? from : "@" + from; }

    // Of a cell of a field whose 0 and 1 are `ends`. What is not known is `otherwise`, and nothing lies outside of the range.
    double number_at(float cell, const Interval& ends, double otherwise,
                     const std::optional<Interval>& range) const;

    bool operator==(const NumberMap&) const = default;
};

// Whether it is meant to be a map.
inline bool is_map_text(std::string_view text) { return text.starts_with('@'); }

class Number {
  public:
    Number(double everywhere = 0) : everywhere_(everywhere) {}
    Number(NumberMap map) : map_(std::move(map)) {}

    const std::optional<NumberMap>& map() const { return map_; }
    bool varies() const { return map_.has_value(); }
    // Where it does not vary. Throws std::logic_error where it does.
    double everywhere() const;
    // Where it is to be one number and no other, whatever it is.
    bool is(double number) const { return !map_ && everywhere_ == number; }
    // The least and the most that it can be, where nothing outside of `range` is allowed.
    Interval bounds(const Interval& range) const;

    bool operator==(const Number&) const = default;

  private:
    double everywhere_ = 0;
    std::optional<NumberMap> map_;
};

}  // namespace caprock
