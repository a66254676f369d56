// What a launch takes and what it does not: all of it is decided by the compiler, so that most of this is said to it.
#include "compute/typed_kernel.h"

#include "support/devices.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <array>
#include <concepts>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace caprock::test {
namespace {

// As fields have their planes.
struct Holder {
    Plane own;
    const Plane& plane() const { return own; }
    Plane& plane() { return own; }
};

// ---- numbers: of their own type alone ----
static_assert(std::convertible_to<float, given::Uniform<float>>);
static_assert(!std::constructible_from<given::Uniform<float>, double>);
static_assert(!std::constructible_from<given::Uniform<float>, int>);
static_assert(!std::constructible_from<given::Uniform<float>, bool>);
static_assert(std::convertible_to<int, given::Uniform<int32_t>>);
static_assert(std::convertible_to<bool, given::Uniform<int32_t>>);
static_assert(!std::constructible_from<given::Uniform<int32_t>, float>);
static_assert(!std::constructible_from<given::Uniform<int32_t>, uint32_t>);
static_assert(!std::constructible_from<given::Uniform<int32_t>, int64_t>);
static_assert(std::convertible_to<uint32_t, given::Uniform<uint32_t>>);
static_assert(!std::constructible_from<given::Uniform<uint32_t>, int>);
static_assert(!std::constructible_from<given::Uniform<uint32_t>, bool>);
static_assert(!std::constructible_from<given::Uniform<float>, const Plane&>);

static_assert(std::convertible_to<std::vector<float>&, given::Table<float>>);
static_assert(std::convertible_to<std::span<const float>, given::Table<float>>);
static_assert(!std::constructible_from<given::Table<float>, std::vector<double>&>);
static_assert(!std::constructible_from<given::Table<float>, std::vector<int>&>);
static_assert(!std::constructible_from<given::Table<int32_t>, std::vector<uint32_t>&>);

// ---- fields: what is const is not written ----
template <typename Cells>
constexpr bool may_be_read = std::convertible_to<Cells, given::In>;
template <typename Cells>
constexpr bool may_be_written = std::convertible_to<Cells, given::Out>;
static_assert(may_be_read<const Plane&> && may_be_read<Plane&> && may_be_read<const Holder&>);
static_assert(may_be_read<const Holder*> && may_be_read<std::nullptr_t>);
static_assert(!may_be_read<float> && !may_be_read<int>);
static_assert(may_be_written<Plane&> && may_be_written<Holder&> && may_be_written<Holder*>);
static_assert(may_be_written<std::nullptr_t>);
static_assert(!may_be_written<const Plane&> && !may_be_written<const Holder&> &&
              !may_be_written<const Holder*>);
static_assert(!may_be_written<Holder>, "nobody would see it");

// ---- stacks: neither is a plane one, nor the other way round ----
struct StackHolder {
    Stack own;
    const Stack& stack() const { return own; }
    Stack& stack() { return own; }
};
template <typename Cells>
constexpr bool may_be_read_as_stack = std::convertible_to<Cells, given::InStack>;
template <typename Cells>
constexpr bool may_be_written_as_stack = std::convertible_to<Cells, given::InOutStack>;
static_assert(may_be_read_as_stack<const Stack&> && may_be_read_as_stack<Stack&>);
static_assert(may_be_read_as_stack<const StackHolder&> && may_be_read_as_stack<const StackHolder*>);
static_assert(may_be_read_as_stack<std::nullptr_t> && may_be_written_as_stack<std::nullptr_t>);
static_assert(may_be_written_as_stack<Stack&> && may_be_written_as_stack<StackHolder*>);
static_assert(!may_be_written_as_stack<const Stack&> && !may_be_written_as_stack<const StackHolder&>);
static_assert(!may_be_written_as_stack<StackHolder>, "nobody would see it");
static_assert(!may_be_read_as_stack<const Plane&> && !may_be_read_as_stack<const Holder&>);
static_assert(!may_be_written_as_stack<Plane&> && !may_be_written_as_stack<Holder&>);
static_assert(!may_be_read<const Stack&> && !may_be_read<const StackHolder&>);
static_assert(!may_be_written<Stack&> && !may_be_written<StackHolder&>);

// ---- numbers that may vary: one of their own type, or whatever has cells and a number in their place ----
struct MadeNumbers {
    const Plane* cells() const { return nullptr; }
    float everywhere() const { return 0; }
};
struct NoNumbers {
    const Plane* cells() const { return nullptr; }
};
static_assert(std::convertible_to<float, given::Varying> &&
              std::convertible_to<const MadeNumbers&, given::Varying>);
static_assert(!std::constructible_from<given::Varying, double> &&
              !std::constructible_from<given::Varying, int>);
static_assert(!std::constructible_from<given::Varying, const Plane&>);
static_assert(!std::constructible_from<given::Varying, const NoNumbers&>);

// ---- none is left out, none goes without its name, and none is in the place of another ----
static_assert(!std::default_initializable<given::In> && !std::default_initializable<given::Out>);
static_assert(!std::default_initializable<given::Uniform<float>> &&
              !std::default_initializable<given::Table<float>>);

template <typename Arguments>
concept TakesAllByName = requires(Plane field, Plane result) {
    Arguments{.field = field, .result = result, .dx = 1, .dy = 2};
};
template <typename Arguments>
concept TakesFewer = requires(Plane field, Plane result) {
    Arguments{.field = field, .result = result, .dx = 1};
};
template <typename Arguments>
concept TakesAnotherName = requires(Plane field, Plane result) {
    Arguments{.field = field, .result = result, .dx = 1, .dz = 2};
};
template <typename Arguments>
concept TakesAnotherOrder = requires(Plane field, Plane result) {
    Arguments{.field = field, .result = result, .dy = 2, .dx = 1};
};
template <typename Arguments>
concept TakesNumbersForFields = requires(Plane field, Plane result) {
    Arguments{.field = 1, .result = result, .dx = field, .dy = 2};
};
template <typename Arguments>
concept TakesThemWithoutNames = requires(Plane field, Plane result) {
    Arguments{field, result, 1, 2};
};
template <typename Arguments>
concept TakesThemBehindNothing = requires(Plane field, Plane result) {
    Arguments{{}, field, result, 1, 2};
};

static_assert(TakesAllByName<kernel::TestNearArguments>);
static_assert(!TakesFewer<kernel::TestNearArguments>);
static_assert(!TakesAnotherName<kernel::TestNearArguments>);
static_assert(!TakesAnotherOrder<kernel::TestNearArguments>);
static_assert(!TakesNumbersForFields<kernel::TestNearArguments>);
static_assert(!TakesThemWithoutNames<kernel::TestNearArguments>);
static_assert(!TakesThemBehindNothing<kernel::TestNearArguments>);

// ---- kernels ----
static_assert(std::same_as<decltype(kernel::test_near), decltype(kernel::test_near_known)>,
              "a launch may choose between kernels with the same parameters");
static_assert(!std::same_as<decltype(kernel::test_near), decltype(kernel::test_coarse)>);
static_assert(std::derived_from<std::remove_const_t<decltype(kernel::test_near)>, Kernel>);

template <typename Typed>
concept Launches = requires(Device& device, const Typed& typed, Rect cells, Plane field) {
    device.launch(typed, cells, {.field = field});
};
template <typename Typed>
concept FoldsCells = requires(Device& device, const Typed& typed, Rect cells, Plane field) {
    device.fold(typed, cells, {.field = field});
};
static_assert(FoldsCells<decltype(kernel::test_folds)>);
static_assert(!Launches<decltype(kernel::test_folds)>, "what is folded would be lost");

TEST(TypedKernel, ArgumentsComeInTheOrderOfTheSignature) {
    Rect rect = {0, 0, 4, 4};
    const Plane x(rect);
    Plane floats(rect), ints(rect), uints(rect);
    std::vector<float> f = {1};
    std::vector<int> i = {2, 3};
    std::vector<uint32_t> u = {4, 5, 6};
    auto arguments = arguments_in_order(kernel::TestStretchArguments{
        .floats = floats, .ints = ints, .uints = uints, .f = f, .i = i, .u = u, .left = -7});
    const std::vector<KernelParameter>& wanted = kernel::test_stretch.given_parameters();
    ASSERT_EQ(arguments.size(), wanted.size());
    for (size_t at = 0; at < wanted.size(); at++)
        EXPECT_TRUE(arguments[at].fits(wanted[at].kind)) << wanted[at].name;
    EXPECT_EQ(arguments[1].plane()->write, &ints);
    EXPECT_EQ(arguments[4].table()->bytes, 8u);
    EXPECT_EQ(arguments[6].uniform<int32_t>(), -7);
}

TEST(TypedKernel, InputsAreReadOnly) {
    Plane field({0, 0, 4, 4});
    EXPECT_EQ(given::In(field).argument().plane()->write, nullptr) << "also of what could be written";
    EXPECT_EQ(given::Out(field).argument().plane()->write, &field);
    const Plane* none = nullptr;
    EXPECT_EQ(given::In(none).argument().plane()->read, nullptr);
}

}  // namespace
}  // namespace caprock::test
