// Files much larger than the memory that is used to write and to read them.
#include "formats/terrain_reader.h"
#include "soak/length.h"
#include "support/folder.h"
#include "support/terrains.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

namespace caprock::test {
namespace {

// In a process of its own, so that nothing but this counts: what others have left behind would be used again.
constexpr const char* in_child = "CAPROCK_LARGE_FILE";

Size large_size() { return is_long_soak() ? Size{24576, 24576} : Size{8192, 12288}; }

// 64 MB of cells in two forms, GDAL's blocks, and the libraries: a sixth of the 2.3 GB that the long one has, and less
// than the 384 MB of the short one.
uint64_t most_memory() { return uint64_t(is_long_soak() ? 400 : 300) << 20; }

float height_at(int x, int y) { return float((x ^ y) & 1023) * 0.25f + float((x >> 6) + (y >> 5)); }

class Relief : public TerrainSource {
  public:
    Terrain shape() const override { return Terrain(Grid{Rect::of(large_size()), 2, {0, 2000}}); }
    std::vector<std::string> names() const override { return {"height"}; }
    Terrain read(const Rect& window) override {
        Terrain cells = shape().cropped(window);
        cells.set("height", made_field(window, height_at));
        return cells;
    }
};

uint64_t peak_memory() {
    std::ifstream status("/proc/self/status");
    std::string word;
    uint64_t kilobytes = 0;
    while (status >> word)
        if (word == "VmHWM:") status >> kilobytes;
    return kilobytes << 10;
}

void write_and_read(const std::string& name) {
    Folder folder;
    Relief relief;
    write_terrain(relief, folder / name);
    uint64_t after_writing = peak_memory();
    ReadOptions options;
    if (is_raw_name(name)) {
        options.size = large_size();
        options.range = relief.shape().grid().range;
    }
    std::unique_ptr<TerrainReader> reader = open_terrain(folder / name, options);
    auto [width, height] = large_size();
    ASSERT_EQ(reader->shape().rect(), Rect::of(large_size()));
    // These have steps.
    float off = name == "a.png" || name == "a.r16" ? 2000.0f / 65535 : 0;
    for (int i = 0; i < 60; i++) {
        int left = int(scattered(i, 1, 1) * float(width - 100));
        // From the top, since that is how pictures are read.
        int top = (height - 100) / 60 * i;
        Field cells = reader->read({left, top, left + 100, top + 77}).height();
        for (int y = top; y < top + 77; y++)
            for (int x = left; x < left + 100; x++)
                ASSERT_NEAR(cells.at(x, y), height_at(x, y), off) << x << " " << y;
    }
    fmt::print("{}: {} MB after writing, {} MB after reading\n", name, after_writing >> 20,
               peak_memory() >> 20);
    // Sanitizers keep memory of their own.
    if (sanitized) return;
    EXPECT_LT(peak_memory(), most_memory());
}

class LargeFile : public testing::TestWithParam<const char*> {};

TEST_P(LargeFile, TakesLittleMemory) {
    if (std::getenv(in_child)) return write_and_read(GetParam());
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::string filter = fmt::format("--gtest_filter={}.{}", test.test_suite_name(), test.name());
    std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    char* words[] = {program.data(), filter.data(), nullptr};
    setenv(in_child, "yes", 1);
    // The child has one test to run, whichever share of all this program has.
    unsetenv("GTEST_TOTAL_SHARDS");
    unsetenv("GTEST_SHARD_INDEX");
    pid_t child = 0;
    int failure = posix_spawn(&child, program.c_str(), nullptr, nullptr, words, environ);
    unsetenv(in_child);
    ASSERT_EQ(failure, 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

std::vector<const char*> names() {
    // A .bt has at most 2 GiB.
    if (!is_long_soak()) return {"a.tif", "a.img", "a.bt", "a.r32"};
    return {"a.tif", "a.img", "a.r32", "a.bil", "a.nc", "a.r16", "a.png"};
}

INSTANTIATE_TEST_SUITE_P(As, LargeFile, testing::ValuesIn(names()),
                         [](const auto& info) { return std::string(info.param).substr(2); });

}  // namespace
}  // namespace caprock::test
