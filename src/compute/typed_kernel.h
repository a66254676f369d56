// Kernels of the build with their arguments by name. For every KERNEL(...) the build writes a struct with a member for each
// parameter that a launch gives (cmake/Kernels.cmake), and a launch fills it in:
//
//     device.launch(kernel::gradation, rect, {.height = before, .hardness = hardness, .result = height, …});
//
// What is left out, of another kind or in the place of another does not compile. The types here are those of the members.
// None of them can be made from nothing, and numbers are made from their own type alone: where a double is rounded is part
// of the result.
#pragma once

#include "compute/argument.h"

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace caprock {

namespace given {

// Cells are those of a plane, or of whatever has one: fields are not known here.
struct OnePlane {
    using Cells = Plane;
    static const Plane& of(const Plane& plane) { return plane; }
    static Plane& of(Plane& plane) { return plane; }
    template <typename Holder>
    requires requires(Holder& holder) { holder.plane(); }
    static auto& of(Holder& holder) { return holder.plane(); }
};
// Or those of a stack. One plane does not stand for a stack, nor a stack for one plane.
struct SeveralPlanes {
    using Cells = Stack;
    static const Stack& of(const Stack& stack) { return stack; }
    static Stack& of(Stack& stack) { return stack; }
    template <typename Holder>
    requires requires(Holder& holder) { holder.stack(); }
    static auto& of(Holder& holder) { return holder.stack(); }
};

template <typename Holder, typename Kind>
concept Readable = requires(const Holder& holder) {
    { Kind::of(holder) } -> std::same_as<const typename Kind::Cells&>;
};
template <typename Holder, typename Kind>
concept Writable = requires(Holder& holder) {
    { Kind::of(holder) } -> std::same_as<typename Kind::Cells&>;
};

// Cells to be read. Null where the terrain has no such field.
template <typename Kind>
class Read {
  public:
    Read(std::nullptr_t) : argument_(nullptr) {}
    template <Readable<Kind> Holder>
    Read(const Holder& holder) : argument_(Kind::of(holder)) {}
    template <Readable<Kind> Holder>
    Read(const Holder* holder) : argument_(holder ? Argument(Kind::of(*holder)) : Argument(nullptr)) {}
    const Argument& argument() const { return argument_; }

  private:
    Argument argument_;
};

// Cells to be written. Null where nobody wants them.
template <typename Kind>
class Written {
  public:
    Written(std::nullptr_t) : argument_(nullptr) {}
    template <Writable<Kind> Holder>
    Written(Holder& holder) : argument_(Kind::of(holder)) {}
    template <Writable<Kind> Holder>
    Written(Holder* holder) : argument_(holder ? Argument(Kind::of(*holder)) : Argument(nullptr)) {}
    const Argument& argument() const { return argument_; }

  private:
    Argument argument_;
};

// By the words of the dialect.
using In = Read<OnePlane>;
using Around = Read<OnePlane>;
using Finer = Read<OnePlane>;
using Coarser = Read<OnePlane>;
using Anywhere = Read<OnePlane>;
using Out = Written<OnePlane>;
using InOut = Written<OnePlane>;
using Tally = Written<OnePlane>;
using InStack = Read<SeveralPlanes>;
using AroundStack = Read<SeveralPlanes>;
using OutStack = Written<SeveralPlanes>;
using InOutStack = Written<SeveralPlanes>;

template <typename Value, typename From>
concept SameNumber = std::same_as<Value, From> ||(std::same_as<Value, int32_t>&& std::same_as<From, bool>);

// One number for all cells. A yes or no is an int.
template <typename Value>
class Uniform {
  public:
    template <typename From>
    requires SameNumber<Value, From> Uniform(From value) : argument_(Value(value)) {}
    const Argument& argument() const { return argument_; }

  private:
    Argument argument_;
};

// One number for all cells, or one a cell: whatever has cells, which may be none, and a number in their place.
class Varying {
  public:
    template <std::same_as<float> From>
    Varying(From everywhere) : cells_(nullptr), everywhere_(everywhere) {}
    template <typename Numbers>
    requires requires(const Numbers& numbers) {
        { numbers.everywhere() } -> std::same_as<float>;
        In(numbers.cells());
    }
    Varying(const Numbers& numbers) : cells_(numbers.cells()), everywhere_(numbers.everywhere()) {}
    const Argument& cells() const { return cells_.argument(); }
    const Argument& everywhere() const { return everywhere_; }

  private:
    In cells_;
    Argument everywhere_;
};

template <typename Entry>
class Table {
  public:
    Table(const std::vector<Entry>& entries) : Table(std::span<const Entry>(entries)) {}
    Table(std::span<const Entry> entries) : argument_(TableArgument{entries.data(), entries.size_bytes()}) {}
    const Argument& argument() const { return argument_; }

  private:
    Argument argument_;
};

// The first member of every struct of arguments. It has a value already, which names skip; a list without names would have
// to begin with one.
class ByName {
  public:
    static constexpr ByName only() { return ByName(0); }

  private:
    explicit constexpr ByName(int) {}
};

}  // namespace given

struct NoFolds {};

// A kernel whose arguments are known while the program is compiled. Wherever kernels are handled as data, it is a Kernel
// like others. Those of one file with the same parameters have one type, so that a launch may choose between them.
template <typename Arguments, typename Folds = NoFolds>
struct TypedKernel : Kernel {};

}  // namespace caprock
