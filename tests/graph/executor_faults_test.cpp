// Devices that fail: the work is done on the CPU, the user is told once, and nothing is lost.
#include "graph/executor.h"
#include "operation/evaluate.h"
#include "operation/fake_device.h"
#include "operation/sample_operations.h"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

namespace caprock::test {
namespace {

const Rect extent{-3, 2, 40, 31};

struct Faulty : testing::Test {
    std::shared_ptr<FakeDevice> device = std::make_shared<FakeDevice>();
    RunContext context;
    Messages told;
    Messages begun;
    ChainListener listener;
    Terrain input = terrain_over(extent);
    uint64_t input_fingerprint = fingerprint(input.height());

    Faulty() {
        context.device = device;
        context.tell = [this](const std::string& message) { told.push_back(message); };
        listener.before = [this](const Operation& operation) { begun.emplace_back(operation.name()); };
    }
    ~Faulty() override {
        EXPECT_EQ(fingerprint(input.height()), input_fingerprint) << "the input was changed";
    }

    static std::vector<std::unique_ptr<Operation>> chain(const Messages& names) {
        std::vector<std::unique_ptr<Operation>> operations;
        for (const std::string& name : names) operations.push_back(make_operation(name));
        return operations;
    }
    Terrain expected(const Messages& names) const {
        RunContext on_cpu;
        on_cpu.device = make_cpu_device(chosen_cpu_level(), 1);
        return run_chain(chain(names), input, on_cpu);
    }
    void expect_told_once(const std::string& reason) const {
        EXPECT_EQ(told, Messages{"FakeGPU failed (" + reason + "); going on with the CPU"});
        EXPECT_TRUE(context.device->is_cpu());
    }
};

TEST_F(Faulty, WithoutFaultsTheDeviceDoesTheWork) {
    Terrain made = run_chain(chain({"test-launch", "test-launch"}), input, context, listener);
    EXPECT_EQ(device->launches, 4);
    EXPECT_EQ(told, Messages{});
    EXPECT_EQ(context.device, device);
    EXPECT_TRUE(identical(made.height(), expected({"test-launch", "test-launch"}).height()));
}

TEST_F(Faulty, AnErrorAtALaunchMovesTheOperationToTheCpu) {
    for (int at : {0, 1}) {
        told.clear();
        device = std::make_shared<FakeDevice>();
        context.device = device;
        device->fault_at = at;
        device->launch_fault = Fault::error;
        Terrain made = run(*make_operation("test-launch"), input, context);
        expect_told_once("it has no more memory");
        EXPECT_TRUE(identical(made.height(), expected({"test-launch"}).height())) << at;
    }
}

TEST_F(Faulty, AnErrorAtTheEndMovesTheOperationToTheCpu) {
    device->finish_fault = Fault::error;
    Terrain made = run(*make_operation("test-launch"), input, context);
    expect_told_once("it has no more memory");
    EXPECT_TRUE(identical(made.height(), expected({"test-launch"}).height()));
}

TEST_F(Faulty, AfterAnErrorTheChainGoesOnFromWhereItWas) {
    device->fault_at = 2;
    device->launch_fault = Fault::error;
    Messages names = {"test-launch", "test-launch", "test-launch"};
    Terrain made = run_chain(chain(names), input, context, listener);
    expect_told_once("it has no more memory");
    EXPECT_EQ(begun, names);
    EXPECT_EQ(device->downloads, 1);  // what the first operation made
    EXPECT_TRUE(identical(made.height(), expected(names).height()));
}

TEST_F(Faulty, ALostDeviceRestartsTheChain) {
    device->fault_at = 3;
    device->launch_fault = Fault::lost;
    Terrain made = run_chain(chain({"test-launch", "test-launch", "test-sink"}), input, context, listener);
    expect_told_once("it is gone");
    EXPECT_EQ(begun, (Messages{"test-launch", "test-launch", "test-launch", "test-launch", "test-sink"}));
    EXPECT_TRUE(identical(made.height(), expected({"test-launch", "test-launch", "test-sink"}).height()));
}

TEST_F(Faulty, ADeviceLostInTheFirstOperationHasLostNothing) {
    device->fault_at = 1;
    device->launch_fault = Fault::lost;
    Terrain made = run_chain(chain({"test-launch", "test-sink"}), input, context, listener);
    expect_told_once("it is gone");
    EXPECT_EQ(begun, (Messages{"test-launch", "test-sink"}));
    EXPECT_TRUE(identical(made.height(), expected({"test-launch", "test-sink"}).height()));
}

TEST_F(Faulty, ADeviceLostWhileAnOperationReadsItsCellsOnTheHost) {
    // test-sink works on the CPU: the first it knows of the loss is that it cannot look at what was made.
    device->download_fault = Fault::lost;
    Terrain made = run_chain(chain({"test-launch", "test-sink"}), input, context, listener);
    expect_told_once("it is gone");
    EXPECT_TRUE(identical(made.height(), expected({"test-launch", "test-sink"}).height()));
}

TEST_F(Faulty, WhatWasMadeIsFetchedWhileItCanStillBeMadeAgain) {
    for (Fault fault : {Fault::lost, Fault::error}) {
        told.clear();
        begun.clear();
        device = std::make_shared<FakeDevice>();
        context.device = device;
        device->download_fault = fault;
        Terrain made = run_chain(chain({"test-launch"}), input, context, listener);
        expect_told_once(fault == Fault::lost ? "it is gone" : "it has no more memory");
        EXPECT_EQ(begun, (Messages{"test-launch", "test-launch"}));
        EXPECT_TRUE(identical(made.height(), expected({"test-launch"}).height()));
    }
}

TEST_F(Faulty, FetchedCellsOutliveTheDevice) {
    Terrain made = run_chain(chain({"test-launch"}), input, context);
    EXPECT_EQ(device->downloads, 1);
    EXPECT_TRUE(made.height().on_host());
    device->gone = true;
    EXPECT_TRUE(identical(made.height(), expected({"test-launch"}).height()));
}

TEST_F(Faulty, WhoeverWantsCellsToStayOnTheDeviceLooksAfterThemselves) {
    context.fetch = false;
    Terrain made = run_chain(chain({"test-launch"}), input, context);
    EXPECT_EQ(device->downloads, 0);
    EXPECT_FALSE(made.height().on_host());
    device->gone = true;
    EXPECT_THROW(made.height().rows(), DeviceLost);
    // What cannot be looked at cannot be worked on either, and no message helps.
    context.device = make_cpu_device(chosen_cpu_level(), 1);
    EXPECT_THROW(run(*make_operation("test-launch"), made, context), DeviceLost);
    EXPECT_EQ(message_of([&] { run(*make_operation("test-sink"), made, context); }), "test-sink: it is gone");
    EXPECT_THROW(run_chain(chain({"test-launch"}), made, context), DeviceLost);
    EXPECT_EQ(told, Messages{});
}

TEST_F(Faulty, RegionsFallBackToo) {
    device->fault_at = 0;
    device->launch_fault = Fault::error;
    Rect region{0, 5, 11, 12};
    Terrain part = evaluate(*make_operation("test-launch"), input, region, context);
    expect_told_once("it has no more memory");
    EXPECT_TRUE(identical(part.height(), expected({"test-launch"}).height().cropped(region)));
}

TEST_F(Faulty, TheCpuThatStepsInKeepsToTheThreadsThatWereAsked) {
    device->fault_at = 0;
    device->launch_fault = Fault::error;
    context.threads = 1;
    run(*make_operation("test-launch"), input, context);
    EXPECT_EQ(context.device->description().compute_units, 1);
}

TEST_F(Faulty, ErrorsOfTheUserAreNotTheDevicesFault) {
    EXPECT_EQ(message_of([&] { run(*make_operation("test-fail"), input, context); }),
              "test-fail: this cannot be done");
    EXPECT_EQ(told, Messages{"about to fail"});
    EXPECT_EQ(context.device, device);
}

TEST_F(Faulty, CancellingIsNotAFault) {
    Progress progress;
    context.progress = &progress;
    EXPECT_THROW(run_chain({chain({"test-launch", "test-fail"})}, input, context), Error);
    progress.cancel();
    EXPECT_THROW(run_chain(chain({"test-launch"}), input, context), Cancelled);
    EXPECT_EQ(context.device, device);
}

TEST_F(Faulty, ProgressReachesOneAfterAFallback) {
    std::vector<double> shares;
    Progress progress([&](double share) { shares.push_back(share); });
    context.progress = &progress;
    device->fault_at = 1;
    device->launch_fault = Fault::error;
    run(*make_operation("test-launch"), input, context);
    EXPECT_EQ(shares.back(), 1);
}

TEST_F(Faulty, AFaultInAPartMovesTheWholeOperationToTheCpu) {
    for (Fault fault : {Fault::error, Fault::lost}) {
        told.clear();
        device = std::make_shared<FakeDevice>();
        context.device = device;
        device->fault_at = 1;
        device->launch_fault = fault;
        Terrain made = run_chain(chain({"test-nest", "test-sink"}), input, context);
        expect_told_once(fault == Fault::lost ? "test-launch: it is gone"
                                              : "test-launch: it has no more memory");
        EXPECT_TRUE(identical(made.height(), expected({"test-nest", "test-sink"}).height()));
    }
}

TEST_F(Faulty, NobodyHasToListen) {
    context.tell = {};
    device->fault_at = 0;
    device->launch_fault = Fault::lost;
    EXPECT_TRUE(identical(run(*make_operation("test-launch"), input, context).height(),
                          expected({"test-launch"}).height()));
}

// What such a device cannot do is done on the host, on as many threads as the CPU would have in its place.
TEST_F(Faulty, WorkOnTheHostHasTheThreadsOfTheRun) {
    for (int threads : {1, 3}) {
        context.threads = threads;
        Progress progress;
        Terrain terrain = input;
        int seen = 0;
        Work(terrain, context, progress).on_host([&] { seen = tbb::this_task_arena::max_concurrency(); });
        EXPECT_EQ(seen, threads);
    }
}

}  // namespace
}  // namespace caprock::test
