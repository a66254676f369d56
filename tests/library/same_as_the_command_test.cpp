// What the library computes is what the command computes, and what it refuses is refused in the same words.
#include "cli/command_line.h"
#include "library/every_operation.h"
#include "support/variable.h"

#include <caprock/caprock.h>
#include <functional>
#include <gtest/gtest.h>
#include <set>

namespace caprock::test {
namespace {

class Library : public CommandLine {
  protected:
    // Of the field that the command makes.
    std::string made_by(const std::string& line) {
        done(line + " -o made.tif --quiet");
        return fingerprint_of("made.tif");
    }
    // That the command refuses one as the library refuses the other.
    void refused_alike(const std::string& line, const std::function<void()>& action) {
        const Outcome outcome = caprock(line);
        EXPECT_EQ(outcome.code, 2) << line;
        try {
            action();
            ADD_FAILURE() << line << ": the library took it";
        } catch (const Error& error) {
            EXPECT_EQ(outcome.err, std::string("caprock: ") + error.what() + "\n");
        }
    }

  private:
    // Of the programs that are started, which end too soon for it; this one has read it already.
    Variable no_search_for_leaks_{"ASAN_OPTIONS", "detect_leaks=0"};
};

TEST_F(Library, TheSmallestProgram) {
    auto land = noise({.kind = NoiseKind::ridged, .seed = 7}) | thermal_erosion({.steps = 20});
    write(land.on({160, 120, 4_m}), folder_ / "hills.tif");
    EXPECT_EQ(
        fingerprint_of("hills.tif"),
        made_by("noise --kind ridged --seed 7 --size 160x120 --cell 4 then thermal-erosion --steps 20"));
}

TEST_F(Library, EveryKindOfParameter) {
    write_text(folder_ / "table.json", "[0.1, \"quartz\", 0.3, 1, 0.9]");
    auto chain = circular_faults({.faults = 60, .radius = {100, 333.3}, .along = CircularFaultsAlong::x}) |
                 materials({.count = 5}) | hardness({.table_file = folder_ / "table.json"}) |
                 mask_material({.materials = {1, 3, 4}, .softness = 12_m}) |
                 mask_slope({.between = {7, 45}, .softness = 5_deg, .field = "steep"}) |
                 mask_combine({.with = "steep", .by = MaskCombineBy::max}) |
                 road({.path = "100,100 500,700 900,400", .width = 24.5_m}) | gradation({.erosion = 0.4});
    const Terrain terrain = chain.on({.width = 130, .height = 97, .cell = 8, .range = {-50, 750}}).terrain();
    done(
        "circular-faults --faults 60 --radius 100:333.3 --along x --size 130x97 --cell 8 --range -50:750 "
        "then materials --count 5 then hardness --table-file table.json "
        "then mask-material --materials 1,3,4 --softness 12 "
        "then mask-slope --between 7:45 --softness 5 --field steep then mask-combine --with steep --by max "
        "then road --path \"100,100 500,700 900,400\" --width 24.5 then gradation --erosion 0.4 -o made.tif "
        "--quiet");
    const nlohmann::json fields = info("made.tif")["fields"];
    ASSERT_EQ(fields.size(), terrain.names().size());
    for (const nlohmann::json& field : fields)
        EXPECT_EQ(terrain.field(std::string(field["name"])).fingerprint(), field["fingerprint"]) << field;
}

TEST_F(Library, DefaultsAreThoseThatAreDeclared) {
    const std::vector<Chain> typed = every_typed_operation();
    const std::vector<OperationDescription> declared = operations();
    ASSERT_EQ(typed.size(), declared.size());
    for (size_t i = 0; i < typed.size(); i++) {
        EXPECT_EQ(typed[i].names(), std::vector{declared[i].name});
        EXPECT_EQ(typed[i].on({}).recipe(), Chain(declared[i].name).on({}).recipe());
    }
}

TEST_F(Library, ValuesAreTakenToTheLastBit) {
    const double odd = 0.1 + 0.2;
    EXPECT_TRUE(contains(noise({.feature = odd}).on({}).recipe(), "0.30000000000000004"));
    EXPECT_EQ(noise({.feature = odd}).on({}).recipe(), Chain("noise", {{"feature", odd}}).on({}).recipe());
}

TEST_F(Library, RefusesInTheSameWords) {
    refused_alike("noise --octaves 99", [] { noise({.octaves = 99}); });
    refused_alike("plane then thermal-erosion --talus 90",
                  [] { plane() | thermal_erosion({.talus = 90_deg}); });
    refused_alike("noise --size 8x8 then smooth --field rock", [] {
        (noise() | smooth({.field = "rock"})).on({8, 8}).terrain();
    });
    refused_alike("noise --size 8x8 then gradation", [] { (noise() | gradation()).on({8, 8}).terrain(); });
    refused_alike("materials then hardness --table-file none.json",
                  [&] { hardness({.table_file = "none.json"}); });
    refused_alike("none.tif then smooth -o out.tif", [&] { (read("none.tif") | smooth()).terrain(); });
    refused_alike("noise --size 8x8 -o none/out.tif", [&] { write(noise().on({8, 8}), "none/out.tif"); });
    refused_alike("noise --size 8x8 -o out.doc", [&] { write(noise().on({8, 8}), "out.doc"); });
    refused_alike("noise --size 8x8 --device abacus", [] {
        noise().on({8, 8}).terrain({.device = "abacus"});
    });
    EXPECT_THROW(Chain("nois"), Error);
    EXPECT_THROW(Chain("noise", {{"octave", 3}}), Error);
    EXPECT_THROW(Chain("noise", {{"octaves", "three"}}), Error);
    EXPECT_THROW(noise().on({0, 8}), Error);
}

TEST_F(Library, PresetsAndRecipes) {
    const Grid grid{90, 70, 16};
    EXPECT_EQ(preset("strata").on(grid).terrain().height().fingerprint(),
              made_by("run strata --size 90x70 --cell 16"));
    EXPECT_EQ(preset("strata").on(grid).seeded(5).terrain().height().fingerprint(),
              made_by("run strata --size 90x70 --cell 16 --seed 5"));
    EXPECT_EQ(preset("mesa").sized(90, 70, 16_m).terrain().height().fingerprint(),
              made_by("run mesa --size 90x70 --cell 16"));
    EXPECT_THROW(preset("starta"), Error);
    ASSERT_FALSE(preset_names().empty());

    const Land land = (noise({.seed = 3}) | smooth({.radius = 40_m})).on(grid);
    write_text(folder_ / "land.json", land.recipe());
    EXPECT_EQ(made_by("run land.json"), land.terrain().height().fingerprint());
    EXPECT_EQ(recipe_file(folder_ / "land.json").recipe(), land.recipe());
    EXPECT_EQ(recipe(land.recipe()).terrain().height().fingerprint(), land.terrain().height().fingerprint());
    EXPECT_THROW(Land(land.terrain()).recipe(), Error);
}

TEST_F(Library, FilesOfEveryKind) {
    const Land land = (noise({.seed = 3}) | hardness_classes({.faults = 30})).on({64, 64, 5});
    const Terrain terrain = land.terrain();
    write(terrain, folder_ / "a.tif");
    const Terrain back = read(folder_ / "a.tif").terrain();
    EXPECT_EQ(back.names(), terrain.names());
    for (const std::string& name : terrain.names())
        EXPECT_EQ(back.field(name).fingerprint(), terrain.field(name).fingerprint());
    EXPECT_EQ(back.grid(), terrain.grid());
    EXPECT_EQ(read(folder_ / "a.tif").grid(), terrain.grid());
    // Of a file, what a region needs is read and no more.
    const Land smoothed = read(folder_ / "a.tif") | smooth({.radius = 15_m});
    const Rect part = Rect::at(7, 40, 30, 11);
    EXPECT_EQ(smoothed.region(part).field("hardness").fingerprint(),
              smoothed.terrain().field("hardness").cropped(part).fingerprint());
    EXPECT_EQ(smoothed.region(part).height().fingerprint(),
              smoothed.terrain().height().cropped(part).fingerprint());
    for (const char* name : {"a.r32", "a.asc", "a.nc", "a.img"}) {
        write(terrain, folder_ / name);
        EXPECT_EQ(read(folder_ / name, {.cell = 5}).terrain().height().fingerprint(),
                  terrain.height().fingerprint())
            << name;
    }
    write(terrain, folder_ / "big.r16", {.byte_order = ByteOrder::big});
    const ReadOptions options{
        .cell = 5, .range = Interval{0, 1000}, .width = 64, .height = 64, .byte_order = ByteOrder::big};
    EXPECT_EQ(
        (read(folder_ / "big.r16", options) | smooth({.radius = 20})).terrain().height().fingerprint(),
        made_by("big.r16 --cell 5 --range 0:1000 --size 64x64 --byte-order big then smooth --radius 20"));
    // The recipe of land that begins with a file says how the file is read.
    const Land raw = read(folder_ / "big.r16", options) | smooth({.radius = 20});
    EXPECT_EQ(recipe(raw.recipe()).terrain().height().fingerprint(), raw.terrain().height().fingerprint());
}

TEST_F(Library, FilesOfLines) {
    Terrain hills = noise({.seed = 4}).on({90, 70, 10}).terrain();
    hills.set_lines("ways", {{.points = {{0, 300}, {450.125, 200}}, .attributes = {{"lanes", int64_t(2)}}}});
    const Terrain after = (hills | contours({.interval = 60_m})).terrain();
    write_lines(after, folder_ / "all.gpkg");
    write_lines(after, folder_ / "one.geojson", {"ways"});
    done("noise --seed 4 --size 90x70 --cell 10 then contours --interval 60 -o made.gpkg --quiet");
    EXPECT_EQ(info("all.gpkg")["lines"][1]["fingerprint"], info("made.gpkg")["lines"][0]["fingerprint"]);
    const LineSet ways = read_lines(folder_ / "one.geojson", hills);
    ASSERT_EQ(ways.size(), 1u);
    EXPECT_EQ(ways[0].points[1].x, 450.125);
    EXPECT_EQ(std::get<int64_t>(ways[0].attributes.at("lanes")), 2);
    EXPECT_EQ(read_lines(folder_ / "all.gpkg", hills, "contours").size(), after.lines("contours").size());
    EXPECT_THROW(read_lines(folder_ / "all.gpkg", hills), Error) << "it has two layers";
    EXPECT_THROW(write_lines(after, folder_ / "all.geojson"), Error) << "it holds one";
    EXPECT_THROW(write_lines(after, folder_ / "all.gpkg", {"roads"}), Error);
}

TEST_F(Library, LandLargerThanMemoryIsWrittenInWindows) {
    const Grid grid{700, 600, 4_m};
    const Land land =
        (noise({.seed = 8}) | thermal_erosion({.steps = 3}) | smooth({.radius = 20_m})).on(grid);
    write(land, folder_ / "whole.tif");
    std::set<std::string> steps;
    write(land, folder_ / "windows.tif", {},
          {.progress =
               [&](const Progress& progress) {
                   steps.emplace(progress.doing);
                   return true;
               },
           .memory = 4 << 20});
    EXPECT_EQ(file_text(folder_ / "windows.tif"), file_text(folder_ / "whole.tif"));
    EXPECT_EQ(steps, std::set{"writing " + (folder_ / "windows.tif")}) << "it was computed as a whole";
    // A part of a terrain lies elsewhere than at (0, 0), and a file has its own first cell.
    const Land part = land.region(Rect::at(30, 50, 600, 500)) | sharpen();
    write(part, folder_ / "whole.tif");
    write(part, folder_ / "windows.tif", {}, {.memory = 4 << 20});
    EXPECT_EQ(file_text(folder_ / "windows.tif"), file_text(folder_ / "whole.tif"));
    refused_alike("noise --size 2000x2000 then mask-flow --memory 16M -o out.tif", [&] {
        write((noise() | mask_flow()).on({2000, 2000}), folder_ / "out.tif", {}, {.memory = 16 << 20});
    });
}

// Recipes in which steps take from others and from second files, whole and through windows, and longer by an operation.
TEST_F(Library, RecipesOfLinkedSteps) {
    done("noise --kind ridged --size 129 --cell 16 --seed 9 -o rock.tif");
    const std::string line =
        "noise --seed 3 --size 600x500 --cell 4 as base then smooth --radius 80 as soft then from base "
        "then take soft.height as source then take \"" +
        (folder_ / "rock.tif") + "\" as hardness then blend --source source --opacity 0.5";
    const std::string expected = made_by(line + " --save-recipe land.json");
    const Land land = recipe_file(folder_ / "land.json");
    write(land, folder_ / "whole.tif");
    EXPECT_EQ(fingerprint_of("whole.tif"), expected);
    write(land, folder_ / "windows.tif", {}, {.memory = 4 << 20});
    EXPECT_EQ(file_text(folder_ / "windows.tif"), file_text(folder_ / "whole.tif"));
    EXPECT_EQ(recipe(land.recipe()).recipe(), land.recipe());
    write(land | thermal_erosion({.steps = 9}), folder_ / "longer.tif");
    EXPECT_EQ(fingerprint_of("longer.tif"), made_by(line + " then thermal-erosion --steps 9"));
}

// What takes more steps than windows can be wide goes through files beside the output.
TEST_F(Library, SimulationsLargerThanMemory) {
    const Land land = (noise({.seed = 6}) | thermal_erosion({.steps = 300})).on({500, 400, 4_m});
    write(land, folder_ / "whole.tif");
    write(land, folder_ / "windows.tif", {}, {.memory = 3 << 20});
    EXPECT_EQ(file_text(folder_ / "windows.tif"), file_text(folder_ / "whole.tif"));
}

TEST_F(Library, DocumentsAreComputed) {
    done("noise --size 80x60 --seed 4 -o a.tif");
    done("document new p.caprock --from a.tif --quiet");
    done("document add p.caprock smooth --radius 50 --quiet");
    const Land land = read(folder_ / "p.caprock");
    done("run p.caprock -o made.tif --quiet");
    EXPECT_EQ(land.terrain().height().fingerprint(), fingerprint_of("made.tif"));
    const Land changed = land | sharpen();
    EXPECT_EQ(changed.region(Rect::at(10, 20, 30, 30)).height().fingerprint(),
              changed.terrain().height().cropped(Rect::at(10, 20, 30, 30)).fingerprint());
}

TEST_F(Library, KernelsOfOnesOwn) {
    const std::string kernel = std::string(source_folder) + "/examples/kernels/crests.kernel";
    const Chain chain = noise() | Chain(kernel, {{"strength", 0.5}});
    EXPECT_EQ(chain.on({64, 48}).terrain().height().fingerprint(),
              made_by("noise --size 64x48 then \"" + kernel + "\" --strength 0.5"));
}

}  // namespace
}  // namespace caprock::test
