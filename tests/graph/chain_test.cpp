// Chains that are run once, from the first operation to the last.
#include "graph/executor.h"
#include "operation/evaluate.h"
#include "operation/kernel_operation.h"
#include "operation/sample_operations.h"
#include "support/devices.h"
#include "support/kernels.h"
#include "support/terrains.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace caprock::test {
namespace {

TEST(Chain, RunsOneAfterTheOther) {
    Context context;
    std::vector<std::unique_ptr<Operation>> chain;
    chain.push_back(make_operation("test-tilt"));
    chain.push_back(make_operation("test-average"));
    chain.push_back(make_operation("test-sink"));
    Messages heard;
    ChainListener listener;
    listener.before = [&](const Operation& operation) {
        heard.push_back("before " + std::string(operation.name()));
    };
    listener.after = [&](const Operation& operation, const Terrain& terrain, double seconds) {
        heard.push_back("after " + std::string(operation.name()));
        EXPECT_TRUE(terrain.has("height"));
        EXPECT_GE(seconds, 0);
    };
    Terrain start(Grid{odd_extent, 1, {0, 1}});
    Terrain made = run_chain(chain, start, context, listener);
    EXPECT_EQ(heard, (Messages{"before test-tilt", "after test-tilt", "before test-average",
                               "after test-average", "before test-sink", "after test-sink"}));
    Terrain expected = start;
    for (const auto& operation : chain) expected = run(*operation, expected, context);
    EXPECT_TRUE(identical(made.height(), expected.height()));
    EXPECT_TRUE(start.names().empty());
}

TEST(Chain, OfNothingIsWhereItStarted) {
    Context context;
    Terrain start = terrain_over(odd_extent);
    EXPECT_TRUE(identical(run_chain({}, start, context).height(), start.height()));
}

TEST(Chain, StopsAtTheFirstError) {
    Context context;
    std::vector<std::unique_ptr<Operation>> chain;
    chain.push_back(make_operation("test-tilt"));
    chain.push_back(make_operation("test-fail"));
    chain.push_back(make_operation("test-sink"));
    Messages before;
    ChainListener listener;
    listener.before = [&](const Operation& operation) { before.emplace_back(operation.name()); };
    Terrain start(Grid{odd_extent, 1, {0, 1}});
    EXPECT_EQ(message_of([&] { run_chain(chain, start, context, listener); }),
              "test-fail: this cannot be done");
    EXPECT_EQ(before, (Messages{"test-tilt", "test-fail"}));
}

TEST(Chain, IsCheckedBeforeItsFirstOperationRuns) {
    Context context;
    std::vector<std::unique_ptr<Operation>> chain;
    chain.push_back(make_operation("test-tilt"));
    chain.push_back(make_operation("test-sink"));  // needs the height that the first makes
    Messages before;
    ChainListener listener;
    listener.before = [&](const Operation& operation) { before.emplace_back(operation.name()); };
    Terrain start(Grid{odd_extent, 1, {0, 1}});
    EXPECT_NO_THROW(run_chain(chain, start, context, listener));
    before.clear();
    std::swap(chain[0], chain[1]);
    std::string message = message_of([&] { run_chain(chain, start, context, listener); });
    EXPECT_NE(message.find("test-sink: needs the field 'height'"), std::string::npos) << message;
    EXPECT_TRUE(before.empty());
}

// ---- operations made of others ---------------------------------------------------------------------------

// As parts are, without a name in the registry.
template <typename Struct>
OperationOf<Struct> bare(const Struct& values) {
    return OperationOf<Struct>("bare", "none", values);
}

// A part that is missed after one that speaks up when it runs.
struct ForgetfulInChain {
    void describe(Declaration& d) const { d.changes("height"); }
    Parts parts(const Grid&) const {
        return parts_of(make_operation("test-fail"), make_operation("test-add-mark"));
    }
};

TEST(Chain, PartsAreAllCheckedBeforeTheFirstRuns) {
    Context context;
    std::vector<std::unique_ptr<Operation>> chain;
    chain.push_back(make_operation("test-average"));
    chain.push_back(bare(ForgetfulInChain{}).clone());
    Messages begun;
    ChainListener listener;
    listener.before = [&](const Operation& operation) { begun.emplace_back(operation.name()); };
    EXPECT_EQ(message_of([&] { run_chain(chain, terrain_over(odd_extent), context, listener); }),
              "bare: test-add-mark: needs the field 'mark'; the terrain has height");
    EXPECT_EQ(context.told, Messages{});
    EXPECT_EQ(begun, Messages{});
}

// What one makes on the way is there for its own parts and for nobody else.
TEST(Chain, PartsDoNotHelpTheNextOperation) {
    Context context;
    std::vector<std::unique_ptr<Operation>> chain;
    chain.push_back(make_operation("test-compose"));
    chain.push_back(make_operation("test-add-mark"));
    Messages begun;
    ChainListener listener;
    listener.before = [&](const Operation& operation) { begun.emplace_back(operation.name()); };
    EXPECT_EQ(message_of([&] { run_chain(chain, terrain_over(odd_extent), context, listener); }),
              "test-add-mark: needs the field 'mark'; the terrain has height");
    EXPECT_EQ(begun, Messages{});
}

// Which parts it has can only be said of a size in its range.
struct DividedInChain {
    int size = 0;
    void describe(Declaration& d) const {
        d.integer("size", size).range(1, 10);
        d.changes("height");
    }
    Parts parts(const Grid&) const {
        if (size < 1) throw std::logic_error("asked for the parts of unchecked parameters");
        return parts_of(operation_with("test-average", {{"radius", 10 / size}}));
    }
};

TEST(Chain, PartsAreAskedForOnceTheParametersAreChecked) {
    Context context;
    std::vector<std::unique_ptr<Operation>> chain;
    chain.push_back(bare(DividedInChain{}).clone());
    EXPECT_EQ(message_of([&] { run_chain(chain, terrain_over(odd_extent), context); }),
              "bare: size 0: must be 1 to 10");
}

// ---- kernels of users ------------------------------------------------------------------------------------

constexpr const char* step_kernel = R"(// Cuts the land into steps.
// step: 40 m (1 .. 500) height of one step
KERNEL(steps, INOUT(height), UNIFORM(float, step))
{
    STORE(height, FLOOR(LOAD(height) / step) * step);
}
)";

std::unique_ptr<Operation> users_kernel(const std::string& text) {
    return kernel_operation(text, "folder/a.kernel");
}

TEST(Chain, KernelsOfUsersAreCompiledBeforeItBegins) {
    std::vector<std::unique_ptr<Operation>> chain;
    chain.push_back(users_kernel(step_kernel));
    chain.push_back(users_kernel("KERNEL(a, INOUT(height))\n{\n STORE(height, what); }\n"));
    int begun = 0;
    ChainListener listener;
    listener.before = [&](const Operation&) { begun++; };
    RunContext context = on(make_cpu_device(CpuLevel::portable));
    Messages found = kernel_problems([&] { run_chain(chain, rough_terrain({9, 9}), context, listener); });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].starts_with("folder/a.kernel:3: ")) << found[0];
    EXPECT_EQ(begun, 0);
    // A driver's refusal is told of, and then it is the CPU's.
    for (const NamedDevice& device : opencl_devices()) {
        Messages told;
        RunContext other = on(device.device);
        other.tell = [&](const std::string& message) { told.push_back(message); };
        EXPECT_THROW(run_chain(chain, rough_terrain({9, 9}), other), KernelError);
        ASSERT_EQ(told.size(), 1u);
        EXPECT_TRUE(has(told[0], "folder/a.kernel:3: ")) << told[0];
    }
}

TEST(Chain, OneThatIsRememberedSeesANewTextOfAKernel) {
    Executor remembered = Executor::remembering();
    RunContext context = on(make_cpu_device(CpuLevel::portable));
    Terrain start = rough_terrain({20, 20});
    std::vector<std::unique_ptr<Operation>> chain;
    chain.push_back(users_kernel(step_kernel));
    remembered.run(chain, start, context);
    remembered.run(chain, start, context);
    EXPECT_EQ(remembered.steps_run(), 0);
    chain[0] = users_kernel(std::string(step_kernel) + "// another\n");
    remembered.run(chain, start, context);
    EXPECT_EQ(remembered.steps_run(), 1);
}

}  // namespace
}  // namespace caprock::test
