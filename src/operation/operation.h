// What an operation is: parameters and inputs to outputs, pure. docs/adding-an-operation.md walks through
// one.
#pragma once

#include "operation/declaration.h"
#include "operation/reach.h"
#include "operation/simulation.h"
#include "operation/work.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caprock {

class Operation;
using Parts = std::vector<std::unique_ptr<Operation>>;

// What a stroke needs to do an operation dab after dab within one launch, where each cell depends on itself alone: a
// kernel of INOUT(ground), the dabs as kernels/dab.h has them, and TABLE(float, values), so many values for each dab.
struct DabKernel {
    const Kernel* kernel = nullptr;
    std::vector<float> values;  // of one dab
};

class Operation : public Configurable {
  public:
    virtual std::string_view name() const = 0;
    virtual std::string_view room() const = 0;  // synthesis, erosion, shaping ...
    virtual int version() const = 0;            // of its parameters, for recipes
    // Called before the parameters of a recipe are set that an earlier version has written: what they leave open becomes
    // what it was then.
    virtual void from_version(int) {}
    // Which fields it works on with these values.
    virtual FieldUse fields() const = 0;
    virtual Reach reach(const Grid& grid) const = 0;
    virtual void run(Work& work) const = 0;
    // Where the reach is a fold: the numbers of the cells of this terrain. Those of all parts of the land are merged, and run_with
    // is given them; on all of the land that is what run does.
    virtual FoldedCells fold(Work&) const { return {}; }
    virtual void run_with(Work& work, const FoldedCells&) const { run(work); }
    // The operations it is made of, in order; none for a plain one. Like reach and run, for parameters that
    // have been checked.
    virtual Parts parts(const Grid&) const { return {}; }
    // Of an operation that takes steps: how they are taken one by one, on a grid. It may refer to the operation. None for others.
    virtual std::unique_ptr<const Simulation> simulation(const Grid&) const { return nullptr; }
    // The grid of what it makes; another one than it is given for operations that change the size.
    virtual Grid grid_after(const Grid& grid) const { return grid; }
    // And where on Earth that lies, of a terrain that lay there.
    virtual Georeference georeference_after(const Georeference& georeference) const { return georeference; }
    // Throws Error for parameters that are each in range but do not go together. Asked before anything runs.
    virtual void check(const Grid&) const {}
    // Optional: brushes are quicker with it, and do not differ by a bit.
    virtual DabKernel dab_kernel(const Grid&) const { return {}; }
    // What takes long and may fail before the first cell is computed: a user's kernel is compiled. Throws KernelError.
    virtual void prepare(Device&) const {}
    // Of an operation that is not in the registry, all that it is made from: recipes keep it.
    virtual std::string_view text() const { return {}; }
    virtual std::unique_ptr<Operation> clone() const = 0;
};

// ---- the registry ----------------------------------------------------------------------------------------

std::vector<std::string> operation_names();  // by room, then by name
// Throws Error with the nearest name where there is none.
std::unique_ptr<Operation> make_operation(std::string_view name);
bool is_operation(std::string_view name);

// The operation of that name with these parameters, the others at their defaults:
//     operation_with("smooth", {{"radius", 20.0}, {"field", "hardness"}})
// Values are taken to the last bit. Throws Error where one is outside its range, and std::logic_error where there
// is no such parameter or the value is of another kind.
std::unique_ptr<Operation> operation_with(
    std::string_view name,
    std::initializer_list<std::pair<std::string_view, ParameterValue>> parameters = {});

// ---- files -----------------------------------------------------------------------------------------------

// The operation with the contents of all files it names, so that it goes on making the same. Throws Error where one cannot
// be read.
std::unique_ptr<Operation> with_files(const Operation& operation);

// ---- lines -----------------------------------------------------------------------------------------------

// Lines of a terrain whose land an operation puts on another grid, as large or larger: the samples at its corners stay there.
LineSet lines_after(const Grid& before, const Grid& after, const LineSet& lines);

// ---- operations made of others ---------------------------------------------------------------------------

template <typename... Pointers>
Parts parts_of(Pointers&&... operations) {
    Parts parts;
    (parts.push_back(std::forward<Pointers>(operations)), ...);
    return parts;
}

// What one cell depends on through all of them.
Reach reach_of(const Parts& parts, const Grid& grid);
// All fields but the outputs become what they were before, and what was made on the way is removed. `names` are those there
// were before, in their order.
void keep_outputs(Terrain& after, const Terrain& before, const std::vector<std::string>& names,
                  const std::vector<std::string>& outputs);

// ---- writing one -----------------------------------------------------------------------------------------

// An operation as a plain struct: members with defaults, and
//     void describe(Declaration& d) const;    declares them, and what is read and made
//     Reach reach(const Grid& grid) const;
//     void run(Work& work) const;
//     static constexpr int version = 2;       once its parameters have changed meaning, and then
//     void from_version(int written);         what earlier versions had where they said nothing
// An operation that needs a few numbers of all cells, whose reach is Reach::fold(), has, instead of run,
//     FoldedCells fold(Work& work) const;
//     void run(Work& work, const FoldedCells& all) const;
// An operation made of others has, instead of reach and run,
//     Parts parts(const Grid& grid) const;
// and besides them where, with some values, it is made of none.
// A simulation has, instead of run,
//     std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
// and either may have
//     void check(const Grid& grid) const;     throws Error for parameters that do not go together
// and a plain one whose result is of another size
//     Grid grid_after(const Grid& grid) const;
//     Georeference georeference_after(const Georeference& georeference) const;
// and one of single cells, for brushes
//     DabKernel dab_kernel(const Grid& grid) const;
template <typename Struct>
class OperationOf final : public Operation {
  public:
    OperationOf(std::string_view name, std::string_view room, const Struct& values = {})
        : name_(name), room_(room), values_(values) {}

    std::string_view name() const override { return name_; }
    std::string_view room() const override { return room_; }
    int version() const override {
        if constexpr (requires { Struct::version; }) return Struct::version;
        return 1;
    }
    void from_version(int written) override {
        if constexpr (requires { values_.from_version(written); }) values_.from_version(written);
    }
    const Schema& schema() const override { return StructSchema::of<Struct>().schema(); }
    FieldUse fields() const override { return field_use(values_); }
    Reach reach(const Grid& grid) const override {
        if (const Parts parts = this->parts(grid); !parts.empty()) return reach_of(parts, grid);
        if constexpr (has_reach) {
            return values_.reach(grid);
        } else {
            return Reach::point();
        }
    }
    void run(Work& work) const override {
        const Parts parts = this->parts(work.terrain().grid());
        if (!parts.empty()) {
            work.apply_parts(parts, fields().outputs);
        } else if constexpr (simulates) {
            run_simulation(*values_.simulation(work.terrain().grid()), work);
        } else if constexpr (folds) {
            values_.run(work, values_.fold(work));
        } else if constexpr (runs) {
            values_.run(work);
        }
    }
    FoldedCells fold(Work& work) const override {
        if constexpr (folds) {
            return values_.fold(work);
        } else {
            return Operation::fold(work);
        }
    }
    void run_with(Work& work, const FoldedCells& all) const override {
        if constexpr (folds) {
            values_.run(work, all);
        } else {
            Operation::run_with(work, all);
        }
    }
    Parts parts(const Grid& grid) const override {
        if constexpr (made_of_others) {
            return values_.parts(grid);
        } else {
            return Operation::parts(grid);
        }
    }
    std::unique_ptr<const Simulation> simulation(const Grid& grid) const override {
        if constexpr (simulates) {
            return values_.simulation(grid);
        } else {
            return Operation::simulation(grid);
        }
    }
    Grid grid_after(const Grid& grid) const override {
        if constexpr (requires { values_.grid_after(grid); }) {
            return values_.grid_after(grid);
        } else {
            return Operation::grid_after(grid);
        }
    }
    Georeference georeference_after(const Georeference& georeference) const override {
        if constexpr (requires { values_.georeference_after(georeference); }) {
            return values_.georeference_after(georeference);
        } else {
            return Operation::georeference_after(georeference);
        }
    }
    void check(const Grid& grid) const override {
        if constexpr (requires { values_.check(grid); }) {
            values_.check(grid);
        } else {
            Operation::check(grid);
        }
    }
    DabKernel dab_kernel(const Grid& grid) const override {
        if constexpr (requires { values_.dab_kernel(grid); }) {
            return values_.dab_kernel(grid);
        } else {
            return Operation::dab_kernel(grid);
        }
    }
    std::unique_ptr<Operation> clone() const override { return std::make_unique<OperationOf>(*this); }

  protected:
    ParameterValue value_at(size_t index) const override {
        return StructSchema::of<Struct>().value(&values_, index);
    }
    void put_at(size_t index, ParameterValue value) override {
        StructSchema::of<Struct>().put(&values_, index, std::move(value));
    }

  private:
    static constexpr bool made_of_others = requires(const Struct& values, const Grid& grid) {
        values.parts(grid);
    };
    static constexpr bool simulates = requires(const Struct& values, const Grid& grid) {
        values.simulation(grid);
    };
    static constexpr bool runs = requires(const Struct& values, Work& work) { values.run(work); };
    static constexpr bool folds = requires(const Struct& values, Work& work) { values.fold(work); };
    static constexpr bool has_reach = requires(const Struct& values, const Grid& grid) {
        values.reach(grid);
    };
    static_assert(int(simulates) + int(runs) + int(folds) + int(made_of_others && !has_reach) == 1,
                  "an operation is run by itself, by its steps or by its parts");

    std::string_view name_;
    std::string_view room_;
    Struct values_;
};

class OperationRegistration {
  public:
    OperationRegistration(std::string_view name, std::string_view room,
                          std::unique_ptr<Operation> (*make)(std::string_view, std::string_view));
};

// The build takes in every file under src/operations, and with it this line.
#define REGISTER_OPERATION(name, room, Struct)                                                            \
    static const ::caprock::OperationRegistration registration_of_##Struct(                               \
        name, room, [](std::string_view n, std::string_view r) -> std::unique_ptr<::caprock::Operation> { \
            return std::make_unique<::caprock::OperationOf<Struct>>(n, r);                                \
        })

}  // namespace caprock
