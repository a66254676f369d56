// Graphs that come again: the same results as those of running everything, by running only what has changed.
#include "graph/executor.h"

#include "compute/opencl/opencl_device.h"
#include "operation/fake_device.h"
#include "operation/sample_registrations.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;
using Chain = std::vector<std::unique_ptr<Operation>>;

std::unique_ptr<Operation> counted(const std::string& label, double amount = 1,
                                   const std::string& file = "") {
    return operation_with("test-count", {{"label", label}, {"amount", amount}, {"file", file}});
}

// Counted steps of these labels, each adding another amount.
Chain counted_chain(const std::string& labels, double amount = 1) {
    Chain chain;
    for (char label : labels) chain.push_back(counted(std::string(1, label), amount + label));
    return chain;
}

void expect_same_terrain(const Terrain& a, const Terrain& b) {
    ASSERT_EQ(a.names(), b.names());
    EXPECT_EQ(a.grid(), b.grid());
    for (const std::string& name : a.names()) EXPECT_TRUE(identical(a.field(name), b.field(name))) << name;
}

struct Remembered : testing::Test {
    Context context;
    Executor memory = Executor::remembering();
    Terrain start = terrain_over(odd_extent);
    Messages begun;
    Messages ended;
    ChainListener listener;

    Remembered() {
        listener.before = [this](const Operation& operation) { begun.emplace_back(operation.name()); };
        listener.after = [this](const Operation& operation, const Terrain& terrain, double seconds) {
            ended.emplace_back(operation.name());
            EXPECT_TRUE(terrain.has("height"));
            EXPECT_GE(seconds, 0);
        };
    }
    ~Remembered() override { Counted::also = {}; }

    // The labels of the counted steps that are run for this chain, whose result has to be run_chain's.
    std::string run_for(const Chain& chain) { return run_for(chain, start); }
    std::string run_for(const Chain& chain, const Terrain& from) {
        Counted::runs.clear();
        begun.clear();
        ended.clear();
        Terrain made = memory.run(chain, from, context, listener);
        std::string ran;
        for (const auto& [label, count] : Counted::runs)
            for (int i = 0; i < count; i++) ran += label;
        EXPECT_EQ(int(ended.size()), memory.steps_run());
        Context other;
        expect_same_terrain(run_chain(chain, from, other), made);
        return ran;
    }
};

// ---- what is run -----------------------------------------------------------------------------------------

TEST_F(Remembered, TheFirstTimeEverythingIsRun) {
    EXPECT_EQ(run_for(counted_chain("abc")), "abc");
    EXPECT_EQ(memory.steps_run(), 3);
    EXPECT_EQ(memory.steps_kept(), 0);
}

TEST_F(Remembered, TheSameChainIsNotRunAgain) {
    run_for(counted_chain("abc"));
    EXPECT_EQ(run_for(counted_chain("abc")), "");
    EXPECT_EQ(memory.steps_run(), 0);
    EXPECT_EQ(memory.steps_kept(), 3);
}

TEST_F(Remembered, FromTheFirstChangeOnStepsAreRun) {
    for (size_t changed = 0; changed < 4; changed++) {
        run_for(counted_chain("abcd"));
        Chain chain = counted_chain("abcd");
        chain[changed] = counted(std::string(1, "abcd"[changed]), 0.5);
        EXPECT_EQ(run_for(chain), std::string("abcd").substr(changed));
        EXPECT_EQ(memory.steps_kept(), int(changed));
        EXPECT_EQ(run_for(chain), "");
    }
}

TEST_F(Remembered, TheSmallestChangeCounts) {
    double amount = 0.1 + 0.2;
    Chain chain;
    chain.push_back(counted("a", amount));
    run_for(chain);
    chain[0] = counted("a", 0.3);
    EXPECT_EQ(run_for(chain), "a");
}

TEST_F(Remembered, TheListenerHearsOfWhatIsRun) {
    Chain chain = counted_chain("ab");
    chain.push_back(make_operation("test-average"));
    run_for(chain);
    EXPECT_EQ(begun, (Messages{"test-count", "test-count", "test-average"}));
    chain[2] = made_operation("test-average", {{"radius", "1"}});
    run_for(chain);
    EXPECT_EQ(begun, Messages{"test-average"});
    EXPECT_EQ(ended, Messages{"test-average"});
}

TEST_F(Remembered, AShorterChainHasNothingToRun) {
    run_for(counted_chain("abcd"));
    EXPECT_EQ(run_for(counted_chain("ab")), "");
    EXPECT_EQ(memory.steps_kept(), 2);
    EXPECT_EQ(run_for({}), "");
    EXPECT_EQ(memory.steps_kept(), 0);
    // And is longer again at no cost, but not with another end.
    EXPECT_EQ(run_for(counted_chain("abcd")), "");
    EXPECT_EQ(run_for(counted_chain("abx")), "x");
    EXPECT_EQ(run_for(counted_chain("abcd")), "cd");
}

TEST_F(Remembered, ALongerChainRunsWhatIsNew) {
    run_for(counted_chain("ab"));
    EXPECT_EQ(run_for(counted_chain("abcd")), "cd");
    EXPECT_EQ(run_for(counted_chain("abcd")), "");
    EXPECT_EQ(run_for(counted_chain("xabcd")), "abcdx");
}

TEST_F(Remembered, AnotherOrderIsAnotherChain) {
    run_for(counted_chain("abcd"));
    EXPECT_EQ(run_for(counted_chain("acbd")), "bcd");
    EXPECT_EQ(run_for(counted_chain("acdb")), "bd");
}

TEST_F(Remembered, WhatIsForgottenIsRunAgain) {
    run_for(counted_chain("ab"));
    EXPECT_GT(memory.bytes_kept(), 0u);
    memory.forget();
    EXPECT_EQ(memory.bytes_kept(), 0u);
    EXPECT_EQ(run_for(counted_chain("ab")), "ab");
}

TEST_F(Remembered, AnotherDeviceNeedNotRunItAgain) {
    run_for(counted_chain("ab"));
    context.device = make_cpu_device(CpuLevel::portable, 1);
    EXPECT_EQ(run_for(counted_chain("ab")), "");
}

TEST_F(Remembered, WritingTheResultDoesNotWriteWhatIsKept) {
    Chain chain = counted_chain("ab");
    Terrain made = memory.run(chain, start, context);
    Field height = made.height();
    made.remove("height");
    height.set(0, 0, -1);
    EXPECT_EQ(run_for(chain), "");
    EXPECT_EQ(run_for(counted_chain("abc")), "c");
}

// ---- files -----------------------------------------------------------------------------------------------

struct RememberedFiles : Remembered {
    fs::path path = fs::path(testing::TempDir()) / "caprock-remembered.txt";
    fs::file_time_type when = fs::file_time_type::clock::now() - std::chrono::hours(1);

    ~RememberedFiles() override { fs::remove(path); }
    void write(const std::string& text, int minutes_later) const {
        std::ofstream(path) << text;
        fs::last_write_time(path, when + std::chrono::minutes(minutes_later));
    }
    Chain chain() const {
        Chain steps = counted_chain("ab");
        steps.push_back(counted("c", 1, path.string()));
        steps.push_back(counted("d"));
        return steps;
    }
};

TEST_F(RememberedFiles, AFileThatWasWrittenIsReadAgain) {
    write("one", 0);
    run_for(chain());
    EXPECT_EQ(run_for(chain()), "");
    write("two", 0);  // as long as before, and at the same time
    EXPECT_EQ(run_for(chain()), "cd");
    EXPECT_EQ(run_for(chain()), "");
    write("two", 1);  // the same again
    EXPECT_EQ(run_for(chain()), "");
    write("three", 1);
    EXPECT_EQ(run_for(chain()), "cd");
    fs::remove(path);
    EXPECT_TRUE(has(message_of([&] { run_for(chain()); }), "there is no such file"));
    write("three", 2);
    EXPECT_EQ(run_for(chain()), "");
}

TEST_F(RememberedFiles, AContentThatIsKeptIsNotReadAgain) {
    write("one", 0);
    Chain kept;
    for (const std::unique_ptr<Operation>& step : chain()) kept.push_back(with_files(*step));
    Terrain before = memory.run(kept, start, context);
    fs::remove(path);
    EXPECT_EQ(run_for(kept), "");
    memory.forget();
    EXPECT_TRUE(identical(memory.run(kept, start, context).height(), before.height()));
}

TEST_F(RememberedFiles, AFileWrittenWhileItIsReadIsReadAgain) {
    write("one", 0);
    Counted::also = [&](const std::string& label, Work&) {
        if (label == "c") write("two", 1);
    };
    memory.run(chain(), start, context);
    Counted::also = {};
    EXPECT_EQ(run_for(chain()), "cd");
    EXPECT_EQ(run_for(chain()), "");
}

TEST_F(RememberedFiles, AreKnownByTheirContentAndNotByTheirNames) {
    path = fs::path(testing::TempDir()) / "caprock-\xff.txt";
    write("one", 0);
    run_for(chain());
    EXPECT_EQ(run_for(chain()), "");
    fs::path elsewhere = fs::path(testing::TempDir()) / "caprock-elsewhere.txt";
    fs::rename(path, elsewhere);
    path = elsewhere;
    EXPECT_EQ(run_for(chain()), "");
}

TEST_F(Remembered, TextsThatJsonCannotHoldAreRunEveryTime) {
    Chain chain = counted_chain("a");
    chain.push_back(counted("\xff"));
    run_for(chain);
    EXPECT_EQ(run_for(chain), "\xff");
}

// ---- the start -------------------------------------------------------------------------------------------

TEST_F(Remembered, ACopyOfTheStartIsTheSameStart) {
    run_for(counted_chain("ab"));
    Terrain copy = start;
    EXPECT_EQ(run_for(counted_chain("ab"), copy), "");
}

TEST_F(Remembered, AStartWrittenInPlaceIsAnotherOne) {
    Chain chain = counted_chain("ab");
    for (bool by_device : {false, true}) {
        run_for(chain);
        Field height = start.height();
        start.remove("height");
        // Nobody but the memory has these cells besides: without it they would be written where they are.
        if (by_device) {
            context.device->launch(kernel::test_inout, odd_extent, {.field = height, .factor = 2.0f});
        } else {
            height.set(3, 4, -5);
        }
        start.set("height", std::move(height));
        EXPECT_EQ(run_for(chain), "ab");
    }
}

TEST_F(Remembered, AnotherStartIsNoticed) {
    Chain chain = counted_chain("ab");
    std::vector<Terrain> others(4, start);
    others[0] = terrain_over(odd_extent);  // equal, but not the same
    others[1].set_range({0, 7});
    others[2] = start.cropped({0, 0, 9, 8});
    others[3] = Terrain(Grid{odd_extent, 3, {0, 100}});
    others[3].set("height", start.height());
    for (const Terrain& other : others) {
        EXPECT_EQ(run_for(chain, start), "ab");
        EXPECT_EQ(run_for(chain, other), "ab");
        EXPECT_EQ(run_for(chain, other), "");
    }
}

// Nobody looks at where on Earth the cells lie, or at a field that no operation reads.
TEST_F(Remembered, WhatNoOperationReadsRunsNothingAgain) {
    Chain chain = counted_chain("ab");
    run_for(chain);
    Terrain there = start;
    there.set_georeference({"somewhere", {1, 2, 3, 4, 5, 6}, ""});
    EXPECT_EQ(run_for(chain, there), "");
    EXPECT_EQ(memory.run(chain, there, context).georeference()->projection, "somewhere");
    there.set_georeference({"elsewhere", {1, 2, 3, 4, 5, 6}, ""});
    EXPECT_EQ(run_for(chain, there), "");
    EXPECT_EQ(memory.run(chain, there, context).georeference()->projection, "elsewhere");
    EXPECT_EQ(memory.run(chain, start, context).georeference(), nullptr);
}

TEST_F(Remembered, TheSameCellsUnderAnotherNameAreNoticed) {
    start.set("hardness", Field(odd_extent, 1));
    auto with = [&](const std::string& first, const Field& a, const std::string& second, const Field& b) {
        Terrain terrain(start.grid());
        terrain.set(first, a);
        terrain.set(second, b);
        return terrain;
    };
    const Field& height = start.height();
    const Field& hardness = start.field("hardness");
    run_for(counted_chain("ab"));
    EXPECT_EQ(run_for(counted_chain("ab"), with("height", hardness, "hardness", height)), "ab");
    EXPECT_EQ(run_for(counted_chain("ab")), "ab");
    // What is not read may be called anything, and stand anywhere; the result has it so.
    EXPECT_EQ(run_for(counted_chain("ab"), with("height", height, "mask", hardness)), "");
    EXPECT_EQ(run_for(counted_chain("ab"), with("hardness", hardness, "height", height)), "");
}

TEST_F(Remembered, TwoFieldsMayHaveTheSameCells) {
    start.set("mark", start.height());
    Chain chain;
    chain.push_back(make_operation("test-add-mark"));
    run_for(chain);
    run_for(chain);
    EXPECT_EQ(memory.steps_run(), 0);
}

TEST_F(Remembered, AnotherWindowIsNoticed) {
    Chain chain;
    chain.push_back(make_operation("test-tilt"));
    for (const Rect& window : {odd_extent, Rect{0, 0, 9, 8}, Rect{1, 0, 10, 8}}) {
        run_for(chain, Terrain(start.grid(), window));
        EXPECT_EQ(memory.steps_run(), 1);
    }
}

// ---- operations made of others -----------------------------------------------------------------------------

Chain composite_chain(double first, double second) {
    Chain chain = counted_chain("a");
    chain.push_back(operation_with("test-count-together", {{"first", first}, {"second", second}}));
    chain.push_back(counted("z"));
    return chain;
}

TEST_F(Remembered, PartsAreSteps) {
    EXPECT_EQ(run_for(composite_chain(1, 2)), "afirstsecondz");
    EXPECT_EQ(memory.steps_run(), 10);  // one of the parts is made of four
    EXPECT_EQ(run_for(composite_chain(1, 3)), "secondz");
    EXPECT_EQ(memory.steps_kept(), 7);
    EXPECT_EQ(run_for(composite_chain(2, 3)), "firstsecondz");
    EXPECT_EQ(run_for(composite_chain(2, 3)), "");
}

TEST_F(Remembered, FieldsThatPartsMakeOnTheWayAreRemoved) {
    for (bool there_before : {false, true}) {
        if (there_before) start.set("mark", Field(odd_extent, 7));
        for (double second : {2.0, 3.0, 4.0}) {  // from the start, and from the middle of the parts
            run_for(composite_chain(1, second));
            Terrain made = memory.run(composite_chain(1, second), start, context);
            EXPECT_EQ(made.has("mark"), there_before);
        }
        EXPECT_EQ(memory.steps_kept(), 10);
    }
}

TEST_F(Remembered, NestedPartsAreStepsToo) {
    Terrain empty(Grid{odd_extent, 2, {0, 100}});
    for (const char* last : {"test-launch", "test-sink", "test-nest"}) {
        Chain chain;
        chain.push_back(made_operation("test-nest", {{"last", last}}));
        run_for(chain, empty);
    }
    // Its last part makes again what the first ones have made, and then one thing more.
    EXPECT_EQ(memory.steps_kept(), 10);
    EXPECT_EQ(memory.steps_run(), 1);
}

TEST_F(Remembered, TheSamePartsWithoutTheirWholeLeaveWhatTheyMade) {
    Chain whole;
    whole.push_back(make_operation("test-compose"));
    Chain parts = whole[0]->parts(Grid());
    run_for(whole);
    run_for(parts);  // leaves its mark
    EXPECT_TRUE(memory.run(parts, start, context).has("mark"));
    run_for(whole);
    EXPECT_FALSE(memory.run(whole, start, context).has("mark"));
}

// As many of three steps as it is told to.
struct Varied {
    int count = 3;
    void describe(Declaration& d) const {
        d.integer("count", count).range(1, 3);
        d.changes("height");
    }
    Parts parts(const Grid&) const {
        Parts parts = parts_of(make_operation("test-mark"), counted("a"), counted("b"));
        parts.resize(size_t(count));
        return parts;
    }
};

TEST_F(Remembered, PartsOfAWholeThatEndsElsewhereAreNotTheSame) {
    for (int count : {3, 2, 1, 2, 3}) {
        Chain chain;
        chain.push_back(std::make_unique<OperationOf<Varied>>("varied", "none", Varied{count}));
        run_for(chain);
        EXPECT_EQ(memory.run(chain, start, context).names(), Messages{"height"});
    }
}

// Neither while it remembers nothing, nor in what it hands on: each height is let go when the next one is there.
TEST_F(Remembered, HoldsNoMoreThanSomebodyNeeds) {
    std::vector<std::weak_ptr<Buffer>> heights;
    listener.after = [&](const Operation&, const Terrain& terrain, double) {
        for (size_t i = 0; i + 1 < heights.size(); i++) EXPECT_TRUE(heights[i].expired()) << i;
        heights.push_back(terrain.height().plane().buffer);
    };
    Executor once;
    once.run(counted_chain("abcd"), start, context, listener);
    EXPECT_EQ(heights.size(), 4u);
    EXPECT_EQ(once.bytes_kept(), 0u);
}

TEST_F(Remembered, ErrorsOfPartsSayTheSameAsInOneRun) {
    Chain chain;
    chain.push_back(made_operation("test-nest", {{"last", "test-nest"}}));
    auto expect_same_error = [&] {
        Context other;
        std::string expected = message_of([&] { run_chain(chain, start, other); });
        EXPECT_NE(expected, "(no error)");
        EXPECT_EQ(message_of([&] { memory.run(chain, start, context); }), expected);
    };
    chain.push_back(made_operation("test-nest", {{"radius", "101"}}));
    expect_same_error();
    chain[1] = made_operation("test-nest", {{"last", "test-fail"}});
    expect_same_error();
    chain[1] = make_operation("test-add-mark");
    expect_same_error();
}

// ---- cancel and errors -----------------------------------------------------------------------------------

TEST_F(Remembered, StepsBeforeACancelAreKept) {
    Progress progress;
    context.progress = &progress;
    Counted::also = [&](const std::string& label, Work& work) {
        if (label != "c") return;
        work.progress().cancel();
        work.progress().advance(1);
    };
    EXPECT_THROW(memory.run(counted_chain("abcd"), start, context), Cancelled);
    EXPECT_EQ(memory.steps_run(), 2);
    Counted::also = {};
    context.progress = nullptr;
    EXPECT_EQ(run_for(counted_chain("abcd")), "cd");
}

TEST_F(Remembered, ACancelInTheMiddleOfPartsKeepsThoseBefore) {
    Progress progress;
    context.progress = &progress;
    Counted::also = [&](const std::string& label, Work& work) {
        if (label != "second") return;
        work.progress().cancel();
        work.progress().advance(1);
    };
    EXPECT_THROW(memory.run(composite_chain(1, 2), start, context), Cancelled);
    Counted::also = {};
    context.progress = nullptr;
    EXPECT_EQ(run_for(composite_chain(1, 2)), "secondz");
}

TEST_F(Remembered, StepsBeforeAnErrorAreKept) {
    Chain chain = counted_chain("ab");
    chain.push_back(make_operation("test-fail"));
    EXPECT_EQ(message_of([&] { memory.run(chain, start, context); }), "test-fail: this cannot be done");
    EXPECT_EQ(run_for(counted_chain("abc")), "c");
}

TEST_F(Remembered, AChainIsCheckedBeforeItsFirstStep) {
    Chain chain = counted_chain("ab");
    chain.push_back(make_operation("test-add-mark"));
    Counted::runs.clear();
    EXPECT_TRUE(has(message_of([&] { memory.run(chain, start, context); }), "needs the field 'mark'"));
    EXPECT_TRUE(Counted::runs.empty());
}

// ---- memory ----------------------------------------------------------------------------------------------

constexpr uint64_t field_bytes = 31 * 23 * sizeof(float);

TEST_F(Remembered, FieldsThatAreSharedCountOnce) {
    Chain chain;
    run_for(chain);
    EXPECT_EQ(memory.bytes_kept(), 0u);
    chain.push_back(make_operation("test-mark"));  // the start's height under another name
    run_for(chain);
    EXPECT_EQ(memory.bytes_kept(), 0u);
    chain.push_back(counted("a"));
    run_for(chain);
    EXPECT_EQ(memory.bytes_kept(), field_bytes);
    chain.push_back(operation_with("test-all-kinds", {{"field", "hardness"}}));
    chain.push_back(make_operation("test-mark"));
    run_for(chain);
    EXPECT_EQ(memory.bytes_kept(), 2 * field_bytes);
}

TEST_F(Remembered, NoMoreIsKeptThanTheLimit) {
    for (uint64_t fields : {0, 1, 2, 3, 5}) {
        memory = Executor(fields * field_bytes + field_bytes / 2);
        EXPECT_EQ(run_for(counted_chain("abcdefgh")), "abcdefgh");
        EXPECT_EQ(memory.bytes_kept(), fields * field_bytes);
        // From wherever something is left; never more than from the start.
        run_for(counted_chain("abcdefgx"));
        EXPECT_EQ(memory.steps_kept() + memory.steps_run(), 8);
        EXPECT_LE(memory.bytes_kept(), fields * field_bytes);
        run_for(composite_chain(1, 2));
        run_for(composite_chain(1, 3));
        EXPECT_LE(memory.bytes_kept(), fields * field_bytes);
    }
}

TEST_F(Remembered, WhatIsKeptMakesRoomForTheWork) {
    int failures = 1;
    Counted::also = [&](const std::string& label, Work&) {
        if (label == "c" && failures-- > 0) throw OutOfMemory("there is no room beside what is kept");
    };
    memory.run(counted_chain("abcd"), start, context);
    EXPECT_EQ(memory.steps_run(), 4);
    EXPECT_EQ(memory.bytes_kept(), 2 * field_bytes);  // c and d
    Counted::also = {};
    EXPECT_EQ(run_for(counted_chain("abcd")), "");
    EXPECT_EQ(run_for(counted_chain("abx")), "abx");
    // Where there is nothing to make room, there is no second try.
    failures = 100;
    Counted::also = [&](const std::string&, Work&) { throw OutOfMemory("it does not fit"); };
    memory.forget();
    Counted::runs.clear();
    EXPECT_THROW(memory.run(counted_chain("a"), start, context), OutOfMemory);
    EXPECT_EQ(Counted::runs["a"], 1);
}

// Each made of the one before it.
std::vector<KeptResult> one_after_the_other(const std::vector<std::pair<double, uint64_t>>& each) {
    std::vector<KeptResult> results;
    for (const auto& [seconds, frees] : each) {
        results.push_back({seconds, true, frees, {}});
        if (results.size() > 1) results.back().made_of = {results.size() - 2};
    }
    return results;
}

TEST(SoonestMadeAgain, IsTheQuickestStep) {
    std::vector<KeptResult> results = one_after_the_other({{5, 1}, {2, 1}, {3, 1}, {4, 1}});
    EXPECT_EQ(soonest_made_again(results), 1u);
    // With it gone, the next would take both.
    results[1].kept = false;
    EXPECT_EQ(soonest_made_again(results), 3u);
    results[3].kept = false;
    EXPECT_EQ(soonest_made_again(results), 0u);
}

TEST(SoonestMadeAgain, CountsWhatSeveralAreMadeOfOnce) {
    // 0 is read by 1 and 2, and 3 by both of these.
    std::vector<KeptResult> results = {
        {10, false, 0, {}}, {1, false, 0, {0}}, {2, false, 0, {0}}, {1, true, 1, {1, 2}}, {13, true, 1, {}}};
    EXPECT_EQ(soonest_made_again(results), 4u);
    results[4].seconds = 15;
    EXPECT_EQ(soonest_made_again(results), 3u);
}

TEST(SoonestMadeAgain, PassesByWhatFreesNothing) {
    std::vector<KeptResult> results = one_after_the_other({{1, 0}, {2, 7}, {3, 7}});
    EXPECT_EQ(soonest_made_again(results), 1u);
    results[1].frees = results[2].frees = 0;
    EXPECT_EQ(soonest_made_again(results), 0u);
}

TEST(SoonestMadeAgain, IsNoneWhereNoneIsKept) {
    EXPECT_EQ(soonest_made_again({}), std::nullopt);
    std::vector<KeptResult> results = one_after_the_other({{1, 0}, {2, 0}});
    for (KeptResult& result : results) result.kept = false;
    EXPECT_EQ(soonest_made_again(results), std::nullopt);
}

TEST(SoonestMadeAgain, LeavesResultsAtEvenTimes) {
    std::vector<KeptResult> results =
        one_after_the_other(std::vector<std::pair<double, uint64_t>>(16, {1, 1}));
    for (int i = 0; i < 12; i++) results[*soonest_made_again(results)].kept = false;
    // Four are left of sixteen: no change costs more than a few steps.
    int since = 0;
    for (const KeptResult& result : results) {
        since++;
        EXPECT_LE(since, 8);
        if (result.kept) since = 0;
    }
}

// ---- devices that fail -----------------------------------------------------------------------------------

struct RememberedOnDevice : Remembered {
    std::shared_ptr<FakeDevice> device = std::make_shared<FakeDevice>();

    RememberedOnDevice() { context.device = device; }

    static Chain launches(int count) {
        Chain chain;
        for (int i = 0; i < count; i++) chain.push_back(make_operation("test-launch"));
        return chain;
    }
};

TEST_F(RememberedOnDevice, TerrainsStayThere) {
    run_for(launches(3));
    EXPECT_EQ(device->launches, 6);
    EXPECT_EQ(device->downloads, 1);  // the result
    run_for(launches(4));
    EXPECT_EQ(device->launches, 8);
    EXPECT_EQ(device->downloads, 2);
}

TEST_F(RememberedOnDevice, ALostDeviceTakesWhatOnlyItHad) {
    run_for(launches(3));
    device->fault_at = device->launches + 1;
    device->launch_fault = Fault::lost;
    // The fifth of them is where it is lost; the third is on the host.
    run_for(launches(5));
    EXPECT_EQ(context.told, Messages{"FakeGPU failed (it is gone); going on with the CPU"});
    EXPECT_EQ(memory.steps_run(), 2);
    EXPECT_TRUE(context.device->is_cpu());
    // Nothing that is kept needs the device any more.
    run_for(launches(2));
    EXPECT_EQ(memory.steps_run(), 2);
    run_for(launches(4));
    EXPECT_EQ(memory.steps_run(), 0);
    EXPECT_EQ(context.told.size(), 1u);
}

TEST_F(RememberedOnDevice, ALostDeviceStartsOver) {
    device->fault_at = 5;
    device->launch_fault = Fault::lost;
    run_for(launches(3));
    EXPECT_EQ(context.told, Messages{"FakeGPU failed (it is gone); going on with the CPU"});
    EXPECT_EQ(memory.steps_run(), 5);  // two on the device, and all of them on the CPU
    run_for(launches(3));
    EXPECT_EQ(memory.steps_run(), 0);
}

TEST_F(RememberedOnDevice, AnErrorDropsWhatWasKeptThere) {
    device->fault_at = 5;
    device->launch_fault = Fault::error;
    run_for(launches(3));
    // The work went on from what the device still had.
    EXPECT_EQ(memory.steps_run(), 3);
    EXPECT_EQ(context.told, Messages{"FakeGPU failed (it has no more memory); going on with the CPU"});
    device->gone = true;
    run_for(launches(3));
    EXPECT_EQ(memory.steps_run(), 0);
    // The second was fetched for the third to be run, the first was not.
    run_for(launches(1));
    EXPECT_EQ(memory.steps_run(), 1);
}

TEST_F(RememberedOnDevice, AResultThatCannotBeFetchedIsMadeAgain) {
    for (Fault fault : {Fault::lost, Fault::error}) {
        memory.forget();
        context.told.clear();
        device = std::make_shared<FakeDevice>();
        context.device = device;
        device->download_fault = fault;
        run_for(launches(2));
        EXPECT_EQ(memory.steps_run(), 4);
        EXPECT_EQ(context.told.size(), 1u);
        EXPECT_TRUE(context.device->is_cpu());
    }
}

TEST_F(RememberedOnDevice, ADeviceLostBetweenTwoRuns) {
    context.fetch = false;
    memory.run(launches(3), start, context);
    device->gone = true;
    context.fetch = true;
    // Somebody who knows has chosen another device; what is kept is of no use.
    context.device = make_cpu_device(chosen_cpu_level(), 1);
    run_for(launches(4));
    EXPECT_EQ(memory.steps_run(), 4);
    EXPECT_EQ(context.told, Messages{});
}

TEST_F(RememberedOnDevice, AResultThatIsLostUnseenIsForgotten) {
    context.fetch = false;
    memory.run(launches(2), start, context);
    device->gone = true;
    EXPECT_THROW(memory.run(launches(2), start, context).height().rows(), DeviceLost);
    memory.forget();
    context.fetch = true;
    run_for(launches(2));
}

TEST_F(RememberedOnDevice, AStartThatIsOutOfReachIsAnError) {
    context.fetch = false;
    Terrain lost = run_chain(launches(1), start, context);
    device->gone = true;
    context.device = make_cpu_device(chosen_cpu_level(), 1);
    EXPECT_THROW(memory.run(launches(1), lost, context, listener), DeviceLost);
    EXPECT_EQ(begun.size(), 1u);  // and no second try
}

TEST_F(RememberedOnDevice, AFailureThatTheChainDoesNotMissAnythingByTakesWhatTheDeviceHad) {
    Chain chain = launches(1);
    chain.push_back(make_operation("test-tilt"));  // begins anew, on the host
    chain.push_back(make_operation("test-launch"));
    device->fault_at = 2;
    device->launch_fault = Fault::lost;
    run_for(chain);
    EXPECT_EQ(memory.steps_run(), 3);
    context.fetch = false;
    Terrain first = memory.run(launches(1), start, context);
    EXPECT_NO_THROW(first.height().rows());
    EXPECT_EQ(memory.steps_run(), 1);
}

TEST_F(RememberedOnDevice, PartsThatWereOnTheDeviceAreMadeAgain) {
    // Lost in the last part, with the mark that was made before it.
    Chain chain = launches(1);
    chain.push_back(make_operation("test-compose"));
    chain.push_back(make_operation("test-nest"));
    chain.push_back(make_operation("test-launch"));
    for (int at = 0; at < 6; at++) {
        memory.forget();
        device = std::make_shared<FakeDevice>();
        context.device = device;
        device->fault_at = at;
        device->launch_fault = Fault::lost;
        run_for(chain);
        EXPECT_TRUE(context.device->is_cpu());
        run_for(chain);
        EXPECT_EQ(memory.steps_run(), 0);
    }
}

TEST_F(Remembered, OnOpenClFaultsLoseNothing) {
    ASSERT_FALSE(opencl_descriptions().empty()) << "the set-up installs PoCL";
    Chain first;
    Chain second;
    for (int i = 0; i < 4; i++) {
        first.push_back(make_operation("test-launch"));
        second.push_back(make_operation(i == 2 ? "test-average" : "test-launch"));
    }
    for (caprock::Fault fault : {caprock::Fault::out_of_memory, caprock::Fault::lost})
        for (int at : {0, 1, 3}) {
            SCOPED_TRACE(at);
            memory.forget();
            context.told.clear();
            context.device = open_opencl_device(0);
            run_for(first);
            EXPECT_EQ(context.told, Messages{});
            inject_fault(*context.device, fault, at);
            std::string device = context.device->name();
            // Three kernels' worth of steps are left to be run on the device.
            run_for(second);
            run_for(first);
            run_for(second);
            ASSERT_EQ(context.told.size(), 1u);
            EXPECT_TRUE(has(context.told[0], device + " failed")) << context.told[0];
            EXPECT_TRUE(context.device->is_cpu());
            run_for(second);
            EXPECT_EQ(memory.steps_run(), 0);
        }
}

}  // namespace
}  // namespace caprock::test
