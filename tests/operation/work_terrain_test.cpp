// Operations see what they declare, and nothing else of a terrain, and so do their parts. (tests/graph has the same for parts
// that are run as steps of their own.)
#include "operation/evaluate.h"
#include "operation/kernel_operation.h"
#include "operation/sample_operations.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace caprock::test {
namespace {

using Names = std::vector<std::string>;

// Declares what it is told to, and does what it is told to.
struct Curious {
    Names reads = {};
    Names optional = {};
    Names makes = {"height"};
    bool every_field = false;
    std::function<void(Work&)> does = [](Work&) {};

    void describe(Declaration& d) const {
        for (const std::string& name : reads) d.reads(name);
        for (const std::string& name : optional) d.reads_if_there(name);
        for (const std::string& name : makes) d.makes(name);
        if (every_field) d.changes_every_field();
    }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const { does(work); }
};

// Made of such.
struct Gathering {
    Names reads = {};
    Names optional = {};
    Names makes = {"height"};
    std::vector<Curious> of = {};

    void describe(Declaration& d) const {
        for (const std::string& name : reads) d.reads(name);
        for (const std::string& name : optional) d.reads_if_there(name);
        for (const std::string& name : makes) d.makes(name);
    }
    Parts parts(const Grid&) const {
        Parts all;
        for (const Curious& part : of)
            all.push_back(std::make_unique<OperationOf<Curious>>("part", "none", part));
        return all;
    }
};

template <typename Struct>
OperationOf<Struct> operation_of(const Struct& values) {
    return OperationOf<Struct>("curious", "none", values);
}

Terrain full_terrain() {
    Terrain terrain = terrain_over(odd_extent);
    for (const char* name : {"hardness", "water", "mask"}) terrain.set(name, Field(odd_extent, 0.25f));
    return terrain;
}

template <typename Struct>
Terrain ran(const Struct& values) {
    Context context;
    return run(operation_of(values), full_terrain(), context);
}

// "(nothing)" where it is taken.
template <typename Struct>
std::string mistake_of(const Struct& values) {
    try {
        ran(values);
    } catch (const std::logic_error& error) {
        return error.what();
    }
    return "(nothing)";
}

Curious doing(Names reads, Names makes, std::function<void(Work&)> does) {
    return Curious{std::move(reads), {}, std::move(makes), false, std::move(does)};
}

TEST(WorkTerrain, GivesWhatIsDeclared) {
    Names seen;
    ran(Curious{{"hardness"}, {"water", "nowhere"}, {"height"}, false, [&](Work& work) {
                    seen = work.terrain().names();
                    EXPECT_TRUE(work.terrain().has("hardness"));
                    EXPECT_EQ(work.terrain().field("water").at(0, 0), 0.25f);
                    EXPECT_EQ(work.terrain().find("nowhere"), nullptr);
                    EXPECT_EQ(message_of([&] { work.terrain().field("nowhere"); }),
                              "there is no field 'nowhere'; the terrain has hardness and water");
                }});
    EXPECT_EQ(seen, (Names{"hardness", "water"}));
}

TEST(WorkTerrain, RefusesToReadWhatIsNot) {
    const std::string mistake = "curious reads the field 'water', which it does not declare";
    EXPECT_EQ(mistake_of(doing({}, {"height"}, [](Work& work) { work.terrain().find("water"); })), mistake);
    EXPECT_EQ(mistake_of(doing({}, {"height"}, [](Work& work) { work.terrain().field("water"); })), mistake);
    EXPECT_EQ(mistake_of(doing({}, {"height"}, [](Work& work) { work.terrain().has("water"); })), mistake);
    // Whether or not it is there.
    EXPECT_EQ(mistake_of(doing({}, {"height"}, [](Work& work) { work.terrain().find("nowhere"); })),
              "curious reads the field 'nowhere', which it does not declare");
    // What it makes is not what it may read.
    EXPECT_EQ(mistake_of(doing({}, {"water"}, [](Work& work) { work.terrain().find("water"); })), mistake);
}

TEST(WorkTerrain, GivesWhatTheOperationHasMadeItself) {
    ran(doing({}, {"water"}, [](Work& work) {
        work.terrain().set("water", Field(work.rect(), 3.0f));
        EXPECT_EQ(work.terrain().field("water").at(0, 0), 3);
        EXPECT_EQ(work.terrain().names(), Names{"water"});
    }));
}

TEST(WorkTerrain, RefusesToTakeWhatIsNotDeclared) {
    EXPECT_EQ(mistake_of(doing({"water"}, {"height"},
                               [](Work& work) { work.terrain().set("water", Field(work.rect(), 0.0f)); })),
              "curious makes the field 'water', which it does not declare");
}

TEST(WorkTerrain, GivesAllToOneThatChangesEveryField) {
    Terrain after = ran(Curious{{}, {}, {"height"}, true, [](Work& work) {
                                    for (const std::string& name : work.terrain().names())
                                        work.terrain().set(name, Field(work.rect(), 7.0f));
                                }});
    EXPECT_EQ(after.names(), full_terrain().names());
    for (const std::string& name : after.names()) EXPECT_EQ(after.field(name).at(0, 0), 7) << name;
}

TEST(WorkTerrain, IsReplacedOnlyByOneThatChangesEveryField) {
    auto replace = [](Work& work) { work.replace_terrain(Terrain(work.terrain().grid())); };
    EXPECT_NE(mistake_of(doing({}, {"height"}, replace)), "(nothing)");
    EXPECT_EQ(mistake_of(Curious{{}, {}, {"height"}, true, replace}), "(nothing)");
}

// ---- parts -----------------------------------------------------------------------------------------------

TEST(WorkTerrain, APartThatIsAppliedSeesNoMoreThanTheWhole) {
    auto applies = [](const Curious& part) {
        return [part](Work& work) { work.apply(OperationOf<Curious>("part", "none", part)); };
    };
    bool there = true;
    Curious looks{{}, {"water"}, {"height"}, false, [&](Work& work) { there = work.terrain().has("water"); }};
    ran(doing({}, {"height"}, applies(looks)));
    EXPECT_FALSE(there) << "what the whole does not declare";
    ran(doing({"water"}, {"height"}, applies(looks)));
    EXPECT_TRUE(there);
    // It has made it before.
    ran(doing({}, {"height", "water"}, [&](Work& work) {
        work.terrain().set("water", Field(work.rect(), 1.0f));
        applies(looks)(work);
    }));
    EXPECT_TRUE(there);
    Curious writes =
        doing({}, {"mask"}, [](Work& work) { work.terrain().set("mask", Field(work.rect(), 1.0f)); });
    EXPECT_EQ(mistake_of(doing({}, {"height"}, applies(writes))),
              "curious makes the field 'mask', which it does not declare");
    // And its own declaration counts as well.
    EXPECT_EQ(
        mistake_of(doing({"water"}, {"height"},
                         applies(doing({}, {"height"}, [](Work& work) { work.terrain().find("water"); })))),
        "part reads the field 'water', which it does not declare");
}

TEST(WorkTerrain, PartsSeeWhatTheWholeDeclaresAndWhatEarlierOnesMade) {
    std::vector<Names> seen;
    Curious looks{{}, {"hardness", "water", "mask"}, {"height"}, false, [&](Work& work) {
                      seen.push_back(work.terrain().names());
                  }};
    Curious makes_mask =
        doing({}, {"mask"}, [](Work& work) { work.terrain().set("mask", Field(work.rect(), 1.0f)); });
    Terrain after = ran(Gathering{{}, {"hardness"}, {"height"}, {looks, makes_mask, looks}});
    EXPECT_EQ(seen, (std::vector<Names>{{"hardness"}, {"hardness", "mask"}}));
    EXPECT_EQ(after.names(), full_terrain().names());
    EXPECT_EQ(after.field("mask").at(0, 0), 0.25f) << "made on the way, it is what it was";
}

TEST(WorkTerrain, AWholeMustDeclareWhatItsPartsNeed) {
    Gathering values{{}, {}, {"height"}, {doing({"water"}, {"height"}, [](Work&) {})}};
    EXPECT_EQ(mistake_of(values),
              "curious has the part part, which reads the field 'water': it must declare that");
    // One that the user has not made is the user's affair.
    Context context;
    EXPECT_TRUE(has(message_of([&] { run(operation_of(values), terrain_over(odd_extent), context); }),
                    "needs the field 'water'"));
}

// ---- kernels of users ------------------------------------------------------------------------------------

TEST(WorkTerrain, AUsersKernelIsGivenTheFieldsOfItsParameters) {
    std::unique_ptr<Operation> kernel = kernel_operation(
        "// Adds water to the land.\nKERNEL(adds, IN(water), INOUT(height))\n{\n"
        "    STORE(height, LOAD(height) + LOAD(water));\n}\n",
        "adds.kernel");
    Context context;
    Terrain before = full_terrain();
    Terrain after = run(*kernel, before, context);
    EXPECT_EQ(after.height().at(0, 0), before.height().at(0, 0) + 0.25f);
}

}  // namespace
}  // namespace caprock::test
