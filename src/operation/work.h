// What an operation has at hand while it runs: the terrain it changes, the device, progress.
#pragma once

#include "base/progress.h"
#include "compute/device.h"
#include "terrain/terrain.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace caprock {

class Operation;

class Work {
  public:
    using Teller = std::function<void(const std::string&)>;

    Work(Terrain& terrain, Device& device, Progress& progress, const Teller& tell)
        : terrain_(terrain), device_(device), progress_(progress), tell_(tell) {}

    Terrain& terrain() { return terrain_; }
    const Rect& rect() const { return terrain_.rect(); }
    Progress& progress() { return progress_; }
    // Something the user should know although the work goes on.
    void warn(const std::string& message) const {
        if (tell_) tell_(message);
    }

    // Runs another operation on this terrain, as a part of this one. It stands for so many of the units that
    // progress() expects: where there are only parts, for one of them.
    void apply(const Operation& part, int64_t units = 1);

    // Runs a kernel on every cell of `cells`. Arguments are fields, numbers and tables in the order of the
    // kernel's parameters; a null field pointer stands for a field the terrain does not have.
    template <typename... Arguments>
    void launch(const Kernel& kernel, const Rect& cells, Arguments&&... arguments) {
        launch_around(0, kernel, cells, std::forward<Arguments>(arguments)...);
    }
    // The same for a kernel that reads neighbours up to `radius` cells away.
    template <typename... Arguments>
    void launch_around(int radius, const Kernel& kernel, const Rect& cells, Arguments&&... arguments) {
        std::array<Argument, sizeof...(Arguments)> list = {argument(std::forward<Arguments>(arguments))...};
        device_.launch(kernel, cells, list, radius, &progress_);
    }
    template <typename... Arguments>
    std::vector<Folded> fold(const Kernel& kernel, const Rect& cells, Arguments&&... arguments) {
        std::array<Argument, sizeof...(Arguments)> list = {argument(std::forward<Arguments>(arguments))...};
        return device_.fold(kernel, cells, list, &progress_);
    }

  private:
    static Argument argument(const Field& field) { return field.plane(); }
    static Argument argument(Field& field) { return field.plane(); }
    static Argument argument(const Field* field) {
        return field ? Argument(field->plane()) : Argument(nullptr);
    }
    static Argument argument(Field* field) { return field ? Argument(field->plane()) : Argument(nullptr); }
    template <typename Value>
    static Argument argument(const Value& value) {
        return Argument(value);
    }

    Terrain& terrain_;
    Device& device_;
    Progress& progress_;
    const Teller& tell_;
};

}  // namespace caprock
