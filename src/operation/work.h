// What an operation has at hand while it runs: the terrain it changes, the device, progress.
#pragma once

#include "operation/folded_cells.h"
#include "operation/number.h"
#include "operation/run_context.h"
#include "operation/varying.h"
#include "operation/work_terrain.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace caprock {

class Operation;
class Parameter;

class Work {
  public:
    Work(Terrain& terrain, const Operation& operation, const RunContext& context, Progress& progress)
        : terrain_(terrain),
          seen_(terrain, operation),
          operation_(&operation),
          device_(*context.device),
          progress_(progress),
          context_(context) {}
    // For kernels that no operation launches: nothing is seen of the terrain but its grid.
    Work(Terrain& terrain, const RunContext& context, Progress& progress)
        : terrain_(terrain),
          seen_(terrain),
          device_(*context.device),
          progress_(progress),
          context_(context) {}

    // What the operation declares of it.
    WorkTerrain& terrain() { return seen_; }
    const Rect& rect() const { return terrain_.rect(); }
    // Puts a terrain on another grid in the place of this one, for an operation that has grid_after. Where on Earth it lies
    // then, georeference_after says.
    void replace_terrain(Terrain after);
    Progress& progress() { return progress_; }
    // Something the user should know although the work goes on.
    void warn(const std::string& message) const {
        if (context_.tell) context_.tell(message);
    }

    // Whether somebody keeps the ledger, and what is entered into it.
    bool keeps_ledger() const { return bool(context_.enter); }
    void enter(const LedgerEntry& entry) const {
        if (context_.enter) context_.enter(entry);
    }
    // Somebody wants to see the terrain after every so many steps; 0: nobody does.
    int snapshot_every() const { return context_.snapshot ? context_.snapshot_every : 0; }
    // Whether that is so after this many: put the fields in, then take it.
    bool snapshot_due(int steps_done) const {
        return snapshot_every() > 0 && steps_done % snapshot_every() == 0;
    }
    void take_snapshot(int steps_done) const { context_.snapshot(terrain_, steps_done); }

    // What kernels are given of a number of the operation, one for all cells or cell by cell: `number` is that parameter, and
    // `made` says what the kernel's is of it. The same number gives the same, whichever of the two it is.
    Varying varying(std::string_view parameter, const Number& number,
                    const std::function<float(double)>& made);
    // The same of the cells of a map, where they are at hand.
    Field varying(const Parameter& parameter, const NumberMap& map, const Field& cells,
                  const std::function<float(double)>& made);

    // Runs another operation on this terrain, as a part of this one. It stands for so many of the units that
    // progress() expects: where there are only parts, for one of them.
    void apply(const Operation& part, int64_t units = 1);
    // Runs the parts of an operation that is made of them, and then keeps the outputs.
    void apply_parts(std::span<const std::unique_ptr<Operation>> parts,
                     const std::vector<std::string>& outputs);

    // Runs a kernel on every cell of `cells`, with its arguments by name: fields, numbers and tables. A null field pointer
    // stands for a field the terrain does not have.
    template <typename Arguments>
    void launch(const TypedKernel<Arguments>& kernel, const Rect& cells,
                const std::type_identity_t<Arguments>& arguments) {
        device_.launch(kernel, cells, arguments, 0, &progress_);
    }
    // The same for a kernel that reads neighbours up to `radius` cells away.
    template <typename Arguments>
    void launch_around(int radius, const TypedKernel<Arguments>& kernel, const Rect& cells,
                       const std::type_identity_t<Arguments>& arguments) {
        device_.launch(kernel, cells, arguments, radius, &progress_);
    }
    // The same for a kernel that is known only while the program runs, with arguments in the order of its parameters.
    void launch_with(std::span<const Argument> arguments, int radius, const Kernel& kernel,
                     const Rect& cells) {
        device_.launch_with(kernel, cells, arguments, radius, &progress_);
    }
    // What a kernel's folds make of all cells, by name.
    template <typename Arguments, typename Folds>
    Folds fold(const TypedKernel<Arguments, Folds>& kernel, const Rect& cells,
               const std::type_identity_t<Arguments>& arguments) {
        return device_.fold(kernel, cells, arguments, &progress_);
    }

    // The same, to be put together with those of other cells.
    template <typename Arguments, typename Folds>
    FoldedCells folded(const TypedKernel<Arguments, Folds>& kernel, const Rect& cells,
                       const std::type_identity_t<Arguments>& arguments) {
        return {kernel, device_.folded(kernel, cells, arguments, &progress_)};
    }

    // For somebody who runs parts of it in ways of their own.
    const RunContext& context() const { return context_; }

    // Runs work that is no kernel and shares itself among threads, on as many of them as the run may have.
    void on_host(const std::function<void()>& work);

  private:
    // As a part of the operation that sees `whole`.
    Work(Work& whole, const Operation& part, Progress& progress)
        : terrain_(whole.terrain_),
          seen_(whole.seen_, part),
          operation_(&part),
          device_(whole.device_),
          progress_(progress),
          context_(whole.context_) {}

    Terrain& terrain_;
    WorkTerrain seen_;
    const Operation* operation_ = nullptr;
    Device& device_;
    Progress& progress_;
    const RunContext& context_;
};

}  // namespace caprock
