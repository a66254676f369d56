// Compiled kernels on disk: whatever happens to them there, nobody notices but by the time it takes.
#include "compute/compiled_cache.h"

#include "compute/cpu_compiler.h"
#include "compute/opencl/opencl_device.h"
#include "support/folder.h"
#include "support/kernels.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <algorithm>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

const std::string key = code_key({"a", "key"});

class CompiledCache : public testing::Test {
  protected:
    std::string place(const std::string& of_key, const std::string& ending) const {
        return folder_ / ("kernels/" + of_key + ending);
    }
    std::set<std::string> names() const {
        std::set<std::string> all;
        if (fs::exists(folder_ / "kernels"))
            for (const auto& entry : fs::directory_iterator(folder_ / "kernels"))
                all.insert(entry.path().filename().string());
        return all;
    }
    static std::string taken(const std::string& of_key) {
        std::optional<KeptCode> kept = kept_code(of_key);
        return kept ? kept->bytes : "nothing";
    }

    Folder folder_;
    Variable cache_{"CAPROCK_CACHE", folder_.path().c_str()};
};

// Truncated at, flipped at, or filled with zeros from so many places.
std::vector<std::string> damaged(const std::string& whole, int places) {
    std::vector<std::string> all;
    for (int i = 0; i < places; i++) {
        size_t at = whole.size() * size_t(i) / size_t(places);
        std::string other = whole;
        if (i % 3 == 0) {
            other.resize(at);
        } else if (i % 3 == 1) {
            other[at] = char(other[at] ^ (1 << (i % 8)));
        } else {
            std::fill(other.begin() + ptrdiff_t(at), other.end(), '\0');
        }
        if (other != whole) all.push_back(other);
    }
    return all;
}

TEST_F(CompiledCache, GivesBackWhatWasKept) {
    EXPECT_EQ(taken(key), "nothing");
    keep_code(key, "the code");
    EXPECT_EQ(taken(key), "the code");
    keep_code(key, "newer code");
    EXPECT_EQ(taken(key), "newer code");
    EXPECT_EQ(names(), std::set<std::string>{key + ".code"}) << "nothing else stays";
}

TEST_F(CompiledCache, KeysTellPartsApart) {
    EXPECT_NE(code_key({"ab", "c"}), code_key({"a", "bc"}));
    EXPECT_NE(code_key({"a", "b"}), code_key({"b", "a"}));
    EXPECT_NE(code_key({"a", ""}), code_key({"a"}));
    EXPECT_EQ(code_key({"a", "b"}), code_key({"a", "b"}));
}

TEST_F(CompiledCache, NoBitMayDiffer) {
    const std::string code = "some hundred bytes of code, as a driver might have made them for us";
    keep_code(key, code);
    const std::string whole = file_text(place(key, ".code"));
    for (size_t at = 0; at < whole.size(); at++) {
        for (const char* how : {"flipped", "cut"}) {
            std::string other = whole;
            if (how[0] == 'f') {
                other[at] = char(other[at] ^ (1 << (at % 8)));
            } else {
                other.resize(at);
            }
            write_text(place(key, ".code"), other);
            ASSERT_EQ(taken(key), "nothing") << how << " at " << at;
            ASSERT_TRUE(names().empty()) << how << " at " << at << ": it is discarded";
        }
    }
    write_text(place(key, ".code"), whole + "x");
    EXPECT_EQ(taken(key), "nothing");
    // Whole, but another's.
    write_text(place(code_key({"other"}), ".code"), whole);
    EXPECT_EQ(taken(code_key({"other"})), "nothing");
}

TEST_F(CompiledCache, OfACrashIsDiscarded) {
    keep_code(key, "the code");
    // As the process leaves it that does not come back.
    write_text(place(key, ".tried"), "");
    EXPECT_EQ(taken(key), "nothing");
    EXPECT_TRUE(names().empty());
    keep_code(key, "compiled anew");
    EXPECT_EQ(taken(key), "compiled anew");
}

TEST_F(CompiledCache, SeveralMayTryAtOnce) {
    keep_code(key, "the code");
    {
        std::optional<KeptCode> first = kept_code(key);
        ASSERT_TRUE(first);
        EXPECT_TRUE(names().contains(key + ".tried"));
        std::optional<KeptCode> second = kept_code(key);
        ASSERT_TRUE(second) << "the first is alive";
        first.reset();
        EXPECT_TRUE(names().contains(key + ".tried")) << "the second is alive";
    }
    EXPECT_FALSE(names().contains(key + ".tried"));
    EXPECT_EQ(taken(key), "the code");
}

TEST_F(CompiledCache, WritersAndReadersMeetInOnePlace) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([i] {
            for (int round = 0; round < 50; round++) {
                keep_code(key, std::string(10000, char('a' + i)));
                std::string found = taken(key);
                EXPECT_TRUE(found == "nothing" || found == std::string(10000, found[0]));
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(taken(key).size(), 10000u);
    EXPECT_EQ(names(), std::set<std::string>{key + ".code"});
}

TEST_F(CompiledCache, WhatKilledWritersLeftGoes) {
    fs::create_directory(folder_ / "kernels");
    std::string abandoned = place(key, ".partial-1-0");
    std::string held = place(key, ".partial-2-0");
    std::string of_old_versions = place(key, ".bin");
    std::string of_others = folder_ / "kernels/perlin.kernel";
    for (const std::string& path : {abandoned, held, of_old_versions, of_others}) write_text(path, "half");
    int file = open(held.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(flock(file, LOCK_EX), 0);
    keep_code(key, "the code");
    EXPECT_FALSE(fs::exists(abandoned));
    EXPECT_FALSE(fs::exists(of_old_versions));
    EXPECT_TRUE(fs::exists(held)) << "its writer is at work";
    EXPECT_TRUE(fs::exists(of_others));
    close(file);
}

TEST_F(CompiledCache, WhatWasNotUsedForLongGoesFirst) {
    Variable size("CAPROCK_CACHE_SIZE", "4K");
    auto numbered = [](int number) { return code_key({std::to_string(number)}); };
    auto last_used = [&](int number, int hours_ago) {
        fs::last_write_time(place(numbered(number), ".code"),
                            fs::file_time_type::clock::now() - std::chrono::hours(hours_ago));
    };
    for (int i = 0; i < 3; i++) {
        keep_code(numbered(i), std::string(1000, 'c'));
        last_used(i, 10 - i);
    }
    EXPECT_EQ(taken(numbered(0)).size(), 1000u) << "used now";
    keep_code(numbered(3), std::string(1000, 'c'));
    EXPECT_EQ(names().size(), 3u);
    EXPECT_EQ(taken(numbered(1)), "nothing");
    for (int i : {0, 2, 3}) EXPECT_EQ(taken(numbered(i)).size(), 1000u) << i;
}

TEST_F(CompiledCache, FoldersThatTakeNothingOnlyCostTime) {
    write_text(folder_ / "file", "no folder");
    for (const std::string& folder :
         {std::string("/proc/no-such-folder"), folder_ / "file", std::string("/dev/full")}) {
        Variable there("CAPROCK_CACHE", folder.c_str());
        keep_code(key, "the code");
        EXPECT_EQ(taken(key), "nothing") << folder;
    }
    // What stands where the code should, and is none.
    fs::create_directories(place(key, ".code"));
    EXPECT_EQ(taken(key), "nothing");
    fs::remove(place(key, ".code"));
    ASSERT_EQ(mkfifo(place(key, ".code").c_str(), 0600), 0);
    EXPECT_EQ(taken(key), "nothing") << "and nobody waits for a writer";
    keep_code(key, "the code");
    EXPECT_EQ(taken(key), "the code");
}

// ---- with those who compile --------------------------------------------------------------------------------

TEST_F(CompiledCache, DamagedOpenClProgramsAreCompiledAnew) {
    Rect rect = {0, 0, 8, 8};
    auto use = [&] {
        Plane field = made_plane(rect, waves);
        open_opencl_device(0)->launch(kernel::test_inout, rect, {.field = field, .factor = 2.0f});
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++) ASSERT_EQ(cell(field, x, y), waves(x, y) * 2);
    };
    use();
    ASSERT_EQ(names().size(), 1u);
    std::string path = folder_ / ("kernels/" + *names().begin());
    std::string whole = file_text(path);
    for (const std::string& other : damaged(whole, 40)) {
        write_text(path, other);
        use();
        ASSERT_EQ(names().size(), 1u);
        ASSERT_NE(file_text(path), other) << "it was compiled and kept";
    }
    // Of a driver that crashed on it.
    fs::path tried = fs::path(path).replace_extension(".tried");
    write_text(tried, "");
    use();
    EXPECT_FALSE(fs::exists(tried));
}

TEST_F(CompiledCache, DamagedLibrariesAreCompiledAnew) {
    Variable temporary("TMPDIR", folder_.path().c_str());
    std::optional<CpuCompiler> compiler = find_cpu_compiler();
    ASSERT_TRUE(compiler);
    const std::string source = "extern \"C\" { extern const int seven; const int seven = 7; }\n";
    auto compiled = [&] {
        CompilerAnswer answer = compile_for_cpu(*compiler, source, CpuLevel::portable, "seven");
        return answer.symbol ? *static_cast<const int*>(answer.symbol) : 0;
    };
    EXPECT_EQ(compiled(), 7);
    EXPECT_EQ(folder_.names(), std::set<std::string>{"kernels"}) << "no file of the compiler stays";
    ASSERT_EQ(names().size(), 1u);
    std::string path = folder_ / ("kernels/" + *names().begin());
    std::string whole = file_text(path);
    for (const std::string& other : damaged(whole, 7)) {
        write_text(path, other);
        EXPECT_EQ(compiled(), 7);
        EXPECT_EQ(file_text(path).size(), whole.size()) << "it was compiled and kept";
    }
    EXPECT_EQ(compiled(), 7);
    EXPECT_EQ(names().size(), 1u);
}

}  // namespace
}  // namespace caprock::test
