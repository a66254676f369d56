#include "compute/kernel.h"

#include "base/error.h"
#include "compute/opencl/source.h"
#include "support/devices.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(Kernel, SignatureIsReadFromItsDeclaration) {
    auto parameters =
        parse_signature("IN(height), AROUND(hardness),\n  UNIFORM(float, force), TABLE(uint, seeds)");
    ASSERT_EQ(parameters.size(), 4u);
    EXPECT_EQ(parameters[0].kind, ParameterKind::in);
    EXPECT_EQ(parameters[1].kind, ParameterKind::around);
    EXPECT_EQ(parameters[2].kind, ParameterKind::uniform_float);
    EXPECT_EQ(parameters[2].name, "force");
    EXPECT_EQ(parameters[3].kind, ParameterKind::table_uint);
    EXPECT_THROW(parse_signature("SIDEWAYS(height)"), Error);
    EXPECT_THROW(parse_signature("UNIFORM(double, x)"), Error);
}

TEST(Kernel, EveryLevelOfThisMachineIsCompiled) {
    for (CpuLevel level : supported_cpu_levels())
        EXPECT_NE(kernel::test_near.levels[size_t(level)], nullptr) << cpu_level_name(level);
}

TEST(Kernel, OpenClSourceHoldsTheDialectTheTextAndTheEntry) {
    std::string source = opencl::program_source(kernel::test_near);
    EXPECT_NE(source.find("FP_CONTRACT OFF"), std::string::npos);
    EXPECT_NE(source.find("#line 1 \"dialect.kernel\""), std::string::npos);
    EXPECT_NE(source.find("kernel void test_near("), std::string::npos);
    EXPECT_EQ(source.find("#include"), std::string::npos) << "every include is put in place";
}

TEST(Kernel, OpenClSourceSaysWhichFieldsAreAbsent) {
    std::string with = opencl::program_source(kernel::test_near);
    std::string without = opencl::program_source(kernel::test_near, {kernel::test_near.parameters()[0].name});
    EXPECT_EQ(with.find("(global const float*)0"), std::string::npos);
    EXPECT_NE(without.find("(global const float*)0"), std::string::npos);
}

TEST(Kernel, WrongLaunchesAreRefused) {
    std::shared_ptr<Device> device = make_cpu_device(CpuLevel::portable);
    Rect rect = {0, 0, 8, 8};
    Plane field(rect);
    Plane result(rect);
    const Plane constant(rect);
    Rect wider = {0, 0, 9, 8};
    EXPECT_THROW(launch_with(*device, kernel::test_near, rect, 1, field, result), std::logic_error);
    EXPECT_THROW(launch_with(*device, kernel::test_near, rect, 1, field, result, 1.0f, 0), std::logic_error);
    EXPECT_THROW(launch_with(*device, kernel::test_near, rect, 1, field, constant, 1, 0), std::logic_error);
    EXPECT_THROW(launch_with(*device, kernel::test_folds, rect, 0, field), std::logic_error);
    EXPECT_THROW(
        device->launch(kernel::test_near, wider, {.field = field, .result = result, .dx = 1, .dy = 0}, 1),
        std::logic_error);
    EXPECT_THROW(
        device->launch(kernel::test_near, rect, {.field = field, .result = field, .dx = 1, .dy = 0}, 1),
        std::logic_error)
        << "a kernel never reads and writes one buffer";
}

}  // namespace
}  // namespace caprock::test
