// Documents that are larger than the memory they may use. Each runs in a process of its own, whose peak is measured.
#include "cli/process.h"
#include "compute/buffer.h"
#include "document/documents.h"
#include "document/project_tile_store.h"
#include "formats/formats.h"
#include "soak/length.h"
#include "terrain/terrain_source.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

int64_t peak_memory() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == "VmHWM:") {
            int64_t kilobytes = 0;
            status >> kilobytes;
            return kilobytes << 10;
        }
    return 0;
}

class EvaluatedSource : public TerrainSource {
  public:
    EvaluatedSource(Document& document, RunContext& context)
        : plan_(document.snapshot()), evaluator_(context) {}
    Terrain shape() const override { return Terrain(plan_.grid()); }
    std::vector<std::string> names() const override { return plan_.fields(); }
    Terrain read(const Rect& window) override { return evaluator_.evaluate(plan_, window); }

  private:
    Plan plan_;
    Evaluator evaluator_;
};

// Created, painted, undone, saved, opened and exported. Not a test by itself: the one below runs it, in a process of its own.
TEST(Memory, DISABLED_Child) {
    int size = std::atoi(std::getenv("CAPROCK_TEST_SIZE"));
    uint64_t budget = std::strtoull(std::getenv("CAPROCK_TEST_BUDGET"), nullptr, 10);
    std::string folder = std::getenv("CAPROCK_TEST_FOLDER");
    RunContext context = cpu_context();
    limit_kept_memory(budget);
    auto document = Document::create(folder + "/large.caprock", Grid{Rect::of({size, size}), 2, {0, 1000}},
                                     {.memory = budget});
    int ground = add_generated(*document, {{"feature", "4000"}, {"octaves", "3"}}, layer_with("Ground"));
    rasterise_layer(*document, ground, context);
    fmt::print("after painting everything {} MB\n", peak_memory() >> 20);
    int painted = add_painted(*document, "height", layer_with("Painted", "add"));
    Rect corner{0, 0, 512, 512};
    uint64_t before =
        fingerprint(document->snapshot().canvas(canvas_of(document->state(), ground, "")).read(corner));
    for (int i = 0; i < 40; i++) {
        double along = size * (i + 0.5) / 40;
        stroke(*document, i % 2 ? painted : ground, along, along / 2, along / 2, size - along, 40, 20);
    }
    fmt::print("after strokes {} MB\n", peak_memory() >> 20);
    for (int i = 0; i < 40; i++) ASSERT_TRUE(document->undo());
    EXPECT_EQ(fingerprint(document->snapshot().canvas(canvas_of(document->state(), ground, "")).read(corner)),
              before);
    for (int i = 0; i < 40; i++) ASSERT_TRUE(document->redo());
    fmt::print("after undo and redo {} MB\n", peak_memory() >> 20);
    document->save();
    document.reset();
    document = Document::open(folder + "/large.caprock", {.memory = budget});
    EvaluatedSource source(*document, context);
    write_terrain(source, folder + "/large.tif", {}, {});
    fmt::print("peak {} bytes\n", peak_memory());
}

// Somebody else in the process goes on as before.
TEST(Memory, TheBudgetOfADocumentIsItsOwn) {
    constexpr uint64_t most = uint64_t(48) << 20;
    auto used = [&] { Field(Rect::of({4096, 3072}), 1); };
    used();
    if (kept_memory() < most) GTEST_SKIP() << "this machine has no memory to be kept";
    Folder folder;
    auto document = Document::create(folder / "small.caprock", Grid{}, {.memory = 16 << 20});
    document.reset();
    document = Document::open(folder / "small.caprock", {.memory = 16 << 20});
    EXPECT_GE(kept_memory(), most);
    used();
    EXPECT_GE(kept_memory(), most);
}

TEST(Memory, ALargeDocumentKeepsToItsBudget) {
    bool full = is_long_soak();
    // Sanitizers have a measure of memory of their own, and no time.
    int size = sanitized ? 2048 : full ? 32768 : 12288;
    uint64_t budget = full ? uint64_t(1) << 30 : uint64_t(64) << 20;
    Folder folder;
    // The child has one test to run, whichever share of all this program has.
    Outcome child =
        run_program({.program = std::filesystem::read_symlink("/proc/self/exe"),
                     .arguments = {"--gtest_also_run_disabled_tests", "--gtest_filter=Memory.DISABLED_Child"},
                     .environment = {{"GTEST_TOTAL_SHARDS", "1"},
                                     {"GTEST_SHARD_INDEX", "0"},
                                     {"CAPROCK_TEST_SIZE", std::to_string(size)},
                                     {"CAPROCK_TEST_BUDGET", std::to_string(budget)},
                                     {"CAPROCK_TEST_FOLDER", folder.path()}},
                     .timeout = 7200});
    std::string output = child.out + child.err;
    EXPECT_EQ(child.code, 0) << output;
    size_t at = output.find("peak ");
    ASSERT_NE(at, std::string::npos) << output;
    int64_t peak = std::strtoll(output.c_str() + at + 5, nullptr, 10);
    fmt::print("{0} x {0} cells, {1} MB a field, budget {2} MB: peak {3} MB\n", size,
               (uint64_t(size) * size * 4) >> 20, budget >> 20, peak >> 20);
    if (!sanitized) {
        EXPECT_LT(uint64_t(peak), budget + (uint64_t(512) << 20)) << output;
    }
}

}  // namespace
}  // namespace caprock::test
