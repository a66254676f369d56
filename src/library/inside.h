// What is inside the values that users hold, and how plain ones go from one side to the other.
#pragma once

#include "library/bridge.h"

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace caprock {
inline namespace v1 {

struct Field::Inside {
    core::Field field;
};

struct Terrain::Inside {
    core::Terrain terrain;
};

using Operations = std::vector<std::shared_ptr<const Operation>>;

struct Chain::Inside {
    Operations operations;
};

// A file that is read when cells are asked for.
struct NamedFile {
    std::string path;
    core::ReadOptions options;
};

struct Land::Inside {
    std::variant<core::Grid, NamedFile, core::Terrain> start;
    Operations operations;
    std::string title;  // of the recipe it came from
    std::string about;
    // How that hangs together, where it is not one operation after the other; and its second files.
    std::vector<RecipeStep> steps;
    std::map<std::string, NamedFile> inputs;
};

inline core::Rect core_of(const Rect& rect) { return {rect.left, rect.top, rect.right, rect.bottom}; }
inline Rect public_of(const core::Rect& rect) { return {rect.left, rect.top, rect.right, rect.bottom}; }
inline core::Interval core_of(const Interval& interval) { return {interval.low, interval.high}; }
inline Interval public_of(const core::Interval& interval) { return {interval.low, interval.high}; }
// Throws core::Error for one that cannot be.
core::Grid core_of(const Grid& grid);
Grid public_of(const core::Grid& grid);

// To the last bit.
core::LineSet core_of(const LineSet& lines);
LineSet public_of(const core::LineSet& lines);

Field public_of(core::Field field);
Terrain public_of(core::Terrain terrain);
Land public_of(Land::Inside land);

// What the rooms throw, as users catch it.
template <typename Action>
auto translated(const Action& action) {
    try {
        return action();
    } catch (const core::OutOfMemory& error) {
        throw OutOfMemory(error.what());
    } catch (const core::DeviceError& error) {
        throw DeviceError(error.what());
    } catch (const core::Error& error) {
        throw Error(error.what());
    } catch (const core::Cancelled&) {
        throw Cancelled();
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("out of memory");
    }
}

}  // namespace v1
}  // namespace caprock
