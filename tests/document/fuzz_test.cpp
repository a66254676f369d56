// Project files of which anything may be wrong, by accident or on purpose. Whatever is done with them ends: in an Error
// at worst, soon, and in little memory.
#include "document/damage.h"
#include "document/documents.h"
#include "document/project_tile_store.h"
#include "document/rescue.h"
#include "document/verify.h"
#include "graph/tile_codec.h"
#include "soak/length.h"
#include "support/places.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <thread>
#include <unistd.h>
#include <zstd.h>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr uint64_t most_memory = uint64_t(1) << 30;
// Two at most take most of them; sanitizers and busy machines take their share.
constexpr double most_seconds = 30;

// A number of /proc/self/status, in bytes.
uint64_t memory_now(const char* name) {
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line))
        if (line.starts_with(name)) return std::stoull(line.substr(std::string(name).size() + 1)) * 1024;
    return 0;
}

// Cancels work that goes on for long, which it may, and ends the program where even that does not help.
class Watch {
  public:
    Watch() : thread_([this] { work(); }) {}
    ~Watch() {
        {
            std::lock_guard lock(guard_);
            ending_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    void begin(const std::string& what) {
        std::lock_guard lock(guard_);
        what_ = what;
        began_ = Clock::now();
        progress_ = std::make_shared<Progress>();
    }
    Progress* progress() { return progress_.get(); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  private:
    void work() {
        std::unique_lock lock(guard_);
        while (!changed_.wait_for(lock, std::chrono::milliseconds(200), [&] { return ending_; })) {
            if (!progress_) continue;
            if (seconds() > 3) progress_->cancel();
            if (seconds() < 100) continue;
            std::fprintf(stderr, "no end of: %s\n", what_.c_str());
            std::abort();
        }
    }
    std::mutex guard_;
    std::condition_variable changed_;
    bool ending_ = false;
    std::string what_;
    Clock::time_point began_ = Clock::now();
    std::shared_ptr<Progress> progress_;
    std::thread thread_;
};

class Fuzzing : public testing::Test {
  protected:
    Folder folder{quick_disk()};
    std::string path = folder / "a.caprock";
    std::string rescued_path = folder / "b.caprock";
    uint64_t seed = 4711;
    std::mt19937_64 random{seed};
    std::string sound;  // the bytes of a project that is
    Watch watch;
    RunContext context = cpu_context();
    uint64_t largest = 0;
    double longest = 0;
    int tried = 0, opened = 0, rescued = 0;
    // A fresh file costs the disk ten waits: most of the damage has nothing to do with it.
    int rescue_every = 3;

    void SetUp() override {
        auto document = made_for_driver(path);
        document->change("more", [&](Edit& edit) {
            DocumentState& state = edit.state();
            state.georeference = Georeference{};
            state.layers[0].range = Interval{0, 200};
        });
        do_command(*document, large_stroke());
        paint_mask(*document, driver_layer, 0.5f);
        Layer smooth = layer_with("Smooth", "lerp", 0.5);
        int above = add_operations(*document, operations_of("smooth", {{"radius", "20"}}), smooth);
        set_mask(*document, above, operations_of("mask-slope", {{"between", "10:30"}}));
        set_layer(*document, driver_ground, {{"rotate", "30"}, {"move", "100,-50"}, {"scale", "0.8"}});
        add_group(*document, "Group", {driver_ground, driver_layer});
        DriverCommand second = large_stroke();
        second.x = 400;
        do_command(*document, second);
        document->undo();
        document->store()->remember({1, 2}, packed_cells(std::vector<float>(1000, 3.25f)));
        document->flush();
        document.reset();
        sound = file_text(path);
    }
    void TearDown() override {
        std::cout << fmt::format("seed {}: {} files, {} opened, {} rescued; at most {:.2f} s and {:.0f} MB\n",
                                 seed, tried, opened, rescued, longest, double(largest) / 1e6);
    }

    template <typename Action>
    void only_errors(const char* what, const Action& action) {
        try {
            action();
        } catch (const Error&) {
        } catch (const Cancelled&) {
        } catch (const std::exception& error) {
            ADD_FAILURE() << what << ": " << typeid(error).name() << ": " << error.what();
        }
    }

    void use(Document& document) {
        context.progress = watch.progress();
        only_errors("evaluate", [&] {
            Plan plan(document.snapshot());
            Rect region = plan.window().intersected({0, 0, 64, 64});
            if (!region.empty()) Evaluator(context).evaluate(plan, region);
        });
        for (int i = 0; i < 3; i++) only_errors("undo", [&] { document.undo(); });
        only_errors("redo", [&] { document.redo(); });
        only_errors("paint", [&] { do_command(document, large_stroke()); });
        only_errors("flush", [&] { document.flush(); });
    }

    // All that can be done with a file, whatever it holds.
    void survive(const std::string& what) {
        SCOPED_TRACE(what);
        watch.begin(what);
        tried++;
        std::ofstream("/proc/self/clear_refs") << "5";
        uint64_t before = memory_now("VmRSS:");
        DocumentOptions options;
        options.memory = 64 << 20;
        only_errors("verify", [&] { verify_project(path, watch.progress()); });
        options.read_only = true;
        only_errors("read", [&] {
            auto document = Document::open(path, options);
            use(*document);
        });
        if (tried % rescue_every == 0) {
            fs::remove(rescued_path);
            only_errors("rescue", [&] {
                rescue_project(path, rescued_path, {}, watch.progress());
                rescued++;
                VerifyReport report = verify_project(rescued_path);
                EXPECT_TRUE(report.sound()) << report.problems.front();
            });
        }
        options.read_only = false;
        only_errors("write", [&] {
            auto document = Document::open(path, options);
            opened++;
            use(*document);
        });
        uint64_t peak = memory_now("VmHWM:");
        uint64_t grown = peak > before ? peak - before : 0;
        largest = std::max(largest, grown);
        longest = std::max(longest, watch.seconds());
        EXPECT_LT(grown, most_memory);
        EXPECT_LT(watch.seconds(), most_seconds);
        if (watch.seconds() > 2) std::cout << what << ": " << watch.seconds() << " s\n";
    }

    void start_anew() {
        for (const char* ending : {"-wal", "-shm", "-journal"}) fs::remove(path + ending);
        write_text(path, sound);
    }
    size_t below(size_t limit) { return size_t(random() % limit); }
    int times(int briefly) const {
        return is_long_soak() ? briefly * 20 : sanitized ? (briefly + 1) / 2 : briefly;
    }
};

constexpr size_t page_bytes = 16384;

// ---- the file --------------------------------------------------------------------------------------------

TEST_F(Fuzzing, BytesThatWereChanged) {
    for (int i = 0; i < times(50); i++) {
        start_anew();
        std::string bytes = sound;
        int changes = 1 + int(below(i % 2 ? 3 : 60));
        for (int change = 0; change < changes; change++) {
            // The heads of pages hold what pages mean.
            size_t at = below(bytes.size());
            if (below(2)) at = at / page_bytes * page_bytes + below(120);
            bytes[std::min(at, bytes.size() - 1)] = char(random());
        }
        write_text(path, bytes);
        survive(fmt::format("changed bytes, {}", i));
    }
}

TEST_F(Fuzzing, FilesThatAreCutOff) {
    for (int i = 0; i < times(20); i++) {
        start_anew();
        size_t size = i % 2 ? below(sound.size()) : below(sound.size() / page_bytes) * page_bytes;
        write_text(path, sound.substr(0, size));
        survive(fmt::format("cut off after {} bytes", size));
    }
}

TEST_F(Fuzzing, PagesThatAreElsewhere) {
    size_t pages = sound.size() / page_bytes;
    for (int i = 0; i < times(40); i++) {
        start_anew();
        std::string bytes = sound;
        size_t a = below(pages) * page_bytes;
        size_t b = below(pages) * page_bytes;
        std::string first = bytes.substr(a, page_bytes);
        if (i % 3 == 0) bytes.replace(a, page_bytes, bytes.substr(b, page_bytes));
        if (i % 3 == 1) bytes.replace(a, page_bytes, page_bytes, char(i));
        bytes.replace(b, page_bytes, first);
        write_text(path, bytes);
        survive(fmt::format("pages {} and {}", a / page_bytes, b / page_bytes));
    }
}

TEST_F(Fuzzing, LogsOfNonsense) {
    for (int i = 0; i < times(10); i++) {
        start_anew();
        std::string log(below(200000), '\0');
        for (char& byte : log) byte = char(random());
        // As if it were one.
        if (i % 2 && log.size() > 32) log.replace(0, 8, std::string("\x37\x7f\x06\x82\x00\x2d\xe2\x18", 8));
        write_text(path + "-wal", log);
        survive(fmt::format("a log of {} bytes", log.size()));
    }
}

// A tree whose pages name each other: without a limit, to look at all of its rows would take for ever.
TEST_F(Fuzzing, TablesWithoutEnd) {
    std::vector<const char*> tables = {"history", "canvases", "cache"};
    if (is_long_soak()) tables = {"history", "canvases", "cache", "tiles", "history_tiles", "replaced_tiles"};
    for (const char* table : tables) {
        start_anew();
        int64_t root = 0;
        {
            Database database(path, Database::Access::read);
            root =
                *database.integer(fmt::format("SELECT rootpage FROM sqlite_master WHERE name = '{}'", table));
        }
        std::string bytes = file_text(path);
        size_t pages = bytes.size() / page_bytes;
        std::string leaf = bytes.substr(size_t(root - 1) * page_bytes, page_bytes);
        bool rows_have_numbers = leaf[0] == 0x0d || leaf[0] == 0x05;
        if (!rows_have_numbers) continue;  // the keys of other trees hold rows themselves
        // Page after page, each of which names the next one a thousand times; the last is the table as it was.
        auto big_endian = [](std::string& to, size_t at, uint64_t value, int size) {
            for (int i = 0; i < size; i++) to[at + size_t(i)] = char(value >> (8 * (size - 1 - i)));
        };
        constexpr int depth = 12;
        constexpr size_t cells = 1000;
        for (int level = 0; level < depth; level++) {
            uint64_t child = pages + uint64_t(level) + 1;
            std::string page(page_bytes, '\0');
            page[0] = 0x05;
            big_endian(page, 3, cells, 2);
            big_endian(page, 8, child, 4);
            size_t content = page_bytes;
            for (size_t cell = 0; cell < cells; cell++) {
                content -= 6;
                big_endian(page, content, child, 4);
                page[content + 4] = char(0x80 | (cell >> 7));
                page[content + 5] = char(cell & 0x7f);
                big_endian(page, 12 + 2 * cell, content, 2);
            }
            big_endian(page, 5, content, 2);
            if (level == 0) {
                bytes.replace(size_t(root - 1) * page_bytes, page_bytes, page);
            } else {
                bytes += page;
            }
        }
        bytes += leaf;
        big_endian(bytes, 28, bytes.size() / page_bytes, 4);
        write_text(path, bytes);
        rescue_every = 1;
        survive(fmt::format("{} without end", table));
    }
}

// ---- the document's text ---------------------------------------------------------------------------------

TEST_F(Fuzzing, TextsThatAreNoDocument) {
    std::string good = document_json(path).dump();
    auto with = [&](const char* place, const Json& value) {
        Json json = Json::parse(good);
        json[Json::json_pointer(place)] = value;
        return json.dump();
    };
    auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    auto many = [](size_t count, const std::string& part) {
        std::string all;
        for (size_t i = 0; i < count; i++) all += part;
        return all;
    };
    Json layers = Json::parse(good)["layers"];
    Json twins = layers;
    twins.push_back(layers[0]);
    std::string name = layers[0]["name"].dump();
    const std::vector<std::pair<const char*, std::string>> texts = {
        {"nothing", ""},
        {"a number", "17"},
        {"a list", "[]"},
        {"an empty object", "{}"},
        {"lists in lists", many(100000, "[")},
        {"objects in objects", many(100000, "{\"a\":") + "1" + many(100000, "}")},
        {"a deep member", replaced("\"next-layer\"", "\"deep\":" + many(5000, "[") + many(5000, "]") + ",\"next-layer\"")},
        {"groups in groups", replaced("\"layers\":[", "\"layers\":[" + many(3000, "{\"layers\":["))},
        {"NaN", replaced("\"cell\":4.0", "\"cell\":NaN")},
        {"a text NaN", with("/grid/cell", "NaN")},
        {"a huge extent", with("/grid/extent", {0, 0, 1e308, 1e308})},
        {"an extent far away", with("/grid/extent", {16777216, 16777216, 16777216, 16777216})},
        {"a negative extent", with("/grid/extent", {0, 0, -5, -5})},
        {"an extent as large as can be", with("/grid/extent", {0, 0, 65536, 65536})},
        {"a number beyond numbers", replaced("\"cell\":4.0", "\"cell\":1e999")},
        {"a tiny cell", with("/grid/cell", 1e-300)},
        {"a range of nothing", with("/grid/range", {0, 0})},
        {"wide range", with("/grid/range", {-1e308, 1e308})},
        {"a window outside", with("/grid/window", {5000, 5000, 10, 10})},
        {"numbers all used", with("/next-layer", 2147483647)},
        {"numbers beyond", with("/next-canvas", 1e18)},
        {"numbers below", with("/next-canvas", -5)},
        {"the largest numbers", with("/next-canvas", 1 << 30)},
        {"twins", with("/layers", twins)},
        {"twin canvases", with("/canvases/1/id", Json::parse(good)["canvases"][0]["id"])},
        {"a canvas that is not there", with("/canvases", Json::array())},
        {"a canvas far away", with("/canvases/0/origin", {1e308, -1e308})},
        {"a canvas quite far away", with("/canvases/0/origin", {9e8, -9e8})},
        {"tiny cells of a canvas", with("/canvases/0/cell", 1e-300)},
        {"small cells of a canvas", with("/canvases/0/cell", 1e-8)},
        {"huge cells of a canvas", with("/canvases/0/cell", 9e8)},
        {"a huge blank", with("/canvases/0/blank", 1e300)},
        {"bounds", with("/canvases/0/bounds", {-16777216, -16777216, 16777216, 16777216})},
        {"a tiny scale", with("/layers/0/layers/0/placement/scale", 1e-300)},
        {"a small scale", with("/layers/0/layers/0/placement/scale", 1e-6)},
        {"a huge scale", with("/layers/0/layers/0/placement/scale", 1e300)},
        {"a turn", with("/layers/0/layers/0/placement/rotate", 1e300)},
        {"a move", with("/layers/0/layers/0/placement/move", {1e300, 1e300})},
        {"a long way", with("/layers/0/layers/0/placement/move", {9e8, 9e8})},
        {"a huge radius", with("/layers/1/operations/0/parameters/radius", 1e308)},
        {"a large radius", with("/layers/1/operations/0/parameters/radius", 10000)},
        {"a georeference", with("/georeference/transform", {1e308, 1e308, 1e308, 1e308, 1e308, 1e308})},
        {"zero bytes", replaced(name, "\"a\\u0000b\"")},
        {"half a character", replaced(name, "\"\\ud800\"")},
        {"not UTF-8", replaced(name, "\"\xff\xfe\"")},
        {"a long name", replaced(name, "\"" + std::string(10'000'000, 'x') + "\"")},
        {"many values", replaced("\"next-layer\"", "\"new\":[" + many(30'000'000, "0,") + "0],\"next-layer\"")},
        {"quite many values", replaced("\"next-layer\"", "\"new\":[" + many(2'000'000, "[],") + "0],\"next-layer\"")},
        {"many objects", replaced("\"next-layer\"", "\"new\":[" + many(1'000'000, "{},") + "0],\"next-layer\"")},
        {"many members", [&] {
             std::string members;
             for (int i = 0; i < 30'000; i++) members += fmt::format("\"m{}\":0,", i);
             return replaced("\"next-layer\"", members + "\"next-layer\"");
         }()},
        {"twenty thousand layers", [&] {
             Json json = Json::parse(good);
             Json layer = {{"name", "One of many"}, {"kind", "painted"}};
             json["layers"] = Json::array();
             for (int i = 0; i < 20'000; i++) {
                 layer["id"] = i + 1;
                 json["layers"].push_back(layer);
             }
             return json.dump();
         }()},
    };
    for (const auto& [what, text] : texts) {
        start_anew();
        set_document_text(path, text);
        survive(what);
    }
}

TEST_F(Fuzzing, ValuesOfOtherKinds) {
    Json good = document_json(path);
    const std::vector<Json> values = {
        nullptr,          true,       -1,         0,      1e308,         1e-308,         1e9,
        9007199254740993, "",         "NaN",      "name", Json::array(), Json::object(), {1, 2, 3},
        {{"a", 1}},       4294967296, -2147483649};
    for (int i = 0; i < times(80); i++) {
        start_anew();
        Json json = good;
        // Any place in it: down from the top, and at each step on with the same odds.
        Json* at = &json;
        std::string place;
        while (at->is_structured() && !at->empty() && (place.empty() || below(12) > 0)) {
            size_t index = below(at->size());
            auto member = std::next(at->begin(), ptrdiff_t(index));
            place += "/" + (at->is_object() ? member.key() : std::to_string(index));
            at = &*member;
        }
        size_t choice = below(values.size() + 2);
        // One of its own kind is looked at more closely.
        while (at->is_number() && i % 3 && (choice >= values.size() || !values[choice].is_number()))
            choice = below(values.size());
        Json other = choice < values.size() ? values[choice] : *at;
        if (at->is_number() && i % 3 == 0) {
            constexpr double factors[] = {0.5, 2, -1, 100, 0.01, 3000};
            double scaled = at->get<double>() * factors[below(std::size(factors))];
            other = scaled == std::floor(scaled) && std::abs(scaled) < 1e15 ? Json(int64_t(scaled))
                                                                            : Json(scaled);
        }
        if (choice < values.size()) *at = other;
        if (choice == values.size()) {
            Json::json_pointer pointer(place);
            Json& parent = json[pointer.parent_pointer()];
            if (parent.is_object()) parent.erase(pointer.back());
        }
        if (choice > values.size() && at->is_array() && !at->empty()) at->push_back(at->front());
        set_document_text(path, json.dump());
        survive(fmt::format("{} becomes {}", place, choice < values.size() ? other.dump() : "another"));
    }
}

// ---- tables ----------------------------------------------------------------------------------------------

// A frame of zstd that unpacks into so many bytes.
std::string bomb(size_t bytes) {
    std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> stream(ZSTD_createCCtx(), ZSTD_freeCCtx);
    std::string packed;
    std::vector<char> zeros(1 << 20);
    std::vector<char> out(ZSTD_CStreamOutSize());
    for (size_t done = 0; done < bytes; done += zeros.size()) {
        ZSTD_inBuffer input{zeros.data(), zeros.size(), 0};
        bool last = done + zeros.size() >= bytes;
        size_t left = 1;
        while (last ? left > 0 : input.pos < input.size) {
            ZSTD_outBuffer output{out.data(), out.size(), 0};
            left = ZSTD_compressStream2(stream.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
            packed.append(out.data(), output.pos);
        }
    }
    return packed;
}

std::string as_cells(uint32_t count, const std::string& frame, char form = 2) {
    std::string head(13, '\0');
    head[0] = form;
    for (int i = 0; i < 4; i++) head[size_t(9 + i)] = char(count >> (8 * i));
    return head + frame;
}

TEST_F(Fuzzing, CellsThatUnpackIntoGigabytes) {
    std::string gigabytes = bomb(size_t(4) << 30);
    ASSERT_LT(gigabytes.size(), 1'000'000u);
    std::string claims("\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f", 13);
    std::string large_window("\x28\xb5\x2f\xfd\x00\xff", 6);
    const std::vector<std::pair<const char*, std::string>> all = {
        {"unpacks into gigabytes", as_cells(tile_cells, gigabytes)},
        {"says so, too", as_cells(0x40000000, gigabytes)},
        {"the most cells", as_cells(0xffffffff, gigabytes)},
        {"of one value", as_cells(0xffffffff, "abcd", 1)},
        {"claims to", as_cells(tile_cells, claims + std::string(100, 'x'))},
        {"a large window", as_cells(tile_cells, large_window + std::string(100, 'x'))},
        {"no frame", as_cells(tile_cells, std::string(1000, 'x'))},
        {"nothing", ""},
        {"none", as_cells(0, "", 1)},
        {"long", std::string(2'000'000, '\2')},
    };
    rescue_every = 2;
    for (const auto& [what, cells] : all)
        for (const char* place : {"tiles SET data", "history_tiles SET difference", "cache SET data"}) {
            start_anew();
            change_file(path, fmt::format("UPDATE {} = ?", place), Blob{cells});
            survive(fmt::format("{}: {}", place, what));
        }
}

TEST_F(Fuzzing, RowsOfNonsense) {
    const std::vector<std::string> statements = {
        "UPDATE canvas_tiles SET x = 9223372036854775807 WHERE x = 1",
        "UPDATE canvas_tiles SET x = -9223372036854775807 - 1 WHERE x = 1",
        "UPDATE canvas_tiles SET y = 65537 WHERE y = 1",
        "UPDATE canvas_tiles SET y = 8388607, x = 8388607 WHERE y = 1 AND x = 1",
        "UPDATE canvas_tiles SET x = 'east' WHERE x = 1",
        "UPDATE canvas_tiles SET x = 0.5 WHERE x = 1",
        "UPDATE canvas_tiles SET canvas = 9999999999",
        "UPDATE canvas_tiles SET canvas = -1",
        "UPDATE canvas_tiles SET tile = -1",
        "UPDATE canvas_tiles SET tile = 9223372036854775807",
        "UPDATE canvas_tiles SET tile = 'one'",
        "UPDATE canvas_tiles SET tile = 1",
        "UPDATE canvas_tiles SET content = x''",
        "UPDATE canvas_tiles SET content = zeroblob(1000000)",
        "UPDATE canvas_tiles SET content = 12345",
        "UPDATE tiles SET data = 'text'",
        "UPDATE tiles SET data = 17",
        "UPDATE tiles SET data = zeroblob(90000000) WHERE id = (SELECT max(id) FROM tiles)",
        "UPDATE tiles SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM tiles)",
        "UPDATE tiles SET id = -id",
        "DELETE FROM tiles",
        "DELETE FROM canvas_tiles",
        "DELETE FROM canvases",
        "DELETE FROM document",
        "DELETE FROM document WHERE id = 1",
        "DELETE FROM history",
        "DELETE FROM history_tiles",
        "UPDATE canvases SET id = 9223372036854775807 WHERE id = 1",
        "UPDATE canvases SET id = -5 WHERE id = 1",
        "UPDATE canvases SET named = 0",
        "INSERT INTO replaced_tiles SELECT id FROM tiles",
        "UPDATE document SET position = 9223372036854775807",
        "UPDATE document SET position = -9223372036854775807",
        "UPDATE document SET position = 'here'",
        "UPDATE document SET position = 2",
        "UPDATE document SET text = x'0011223344'",
        "UPDATE document SET text = 5",
        "UPDATE document SET text = zeroblob(90000000)",
        "UPDATE history SET id = 9223372036854775807 WHERE id = 5",
        "UPDATE history SET id = -9223372036854775807 WHERE id = 5",
        "UPDATE history SET id = id + 1000000",
        "UPDATE history SET at = 9223372036854775807",
        "UPDATE history SET at = -1",
        "UPDATE history SET at = 'x'",
        "UPDATE history SET removed = zeroblob(20000000)",
        "UPDATE history SET inserted = '', removed = '{'",
        "UPDATE history SET title = zeroblob(20000000)",
        "UPDATE history SET time = 9223372036854775807",
        "UPDATE history SET made_canvases = '1,2,3,-5,99999999999999999999,x'",
        "UPDATE history SET made_canvases = '1,2,3,4,5,6,7,8,9'",
        "UPDATE history_tiles SET entry = 9223372036854775807",
        "UPDATE history_tiles SET entry = 1",
        "UPDATE history_tiles SET entry = (SELECT max(id) FROM history)",
        "UPDATE history_tiles SET canvas = 9223372036854775807",
        "UPDATE history_tiles SET canvas = 4294967297",
        "UPDATE history_tiles SET x = 2147483647, y = -2147483648",
        "UPDATE history_tiles SET x = 8388608",
        "UPDATE history_tiles SET before = x'00', after = x'00'",
        "UPDATE history_tiles SET before = NULL",
        "UPDATE history_tiles SET after = NULL",
        "UPDATE history_tiles SET before = NULL, after = NULL",
        "UPDATE history_tiles SET before = after",
        "INSERT INTO history_tiles (entry, canvas, x, y, before, after, difference) SELECT entry, canvas, x, "
        "y, "
        "before, after, difference FROM history_tiles",
        "UPDATE cache SET key = x'00'",
        "UPDATE thumbnail SET png = zeroblob(90000000)",
        "INSERT INTO thumbnail VALUES (1, 5)",
        "DROP TABLE tiles",
        "DROP TABLE history",
        "DROP TABLE history_tiles",
        "DROP TABLE document",
        "DROP TABLE canvases",
        "DROP TABLE cache",
        "DROP TABLE replaced_tiles",
        "DROP INDEX canvas_tiles_of",
        "ALTER TABLE tiles RENAME COLUMN data TO other",
        "ALTER TABLE tiles RENAME TO other",
        "CREATE TRIGGER t AFTER INSERT ON tiles BEGIN DELETE FROM document; END",
        "CREATE TRIGGER t AFTER UPDATE ON document BEGIN DELETE FROM tiles; END",
        "CREATE VIEW v AS SELECT * FROM tiles",
        "PRAGMA application_id = 5",
        "PRAGMA user_version = -1000",
        "PRAGMA user_version = 1999",
        "PRAGMA journal_mode = DELETE",
        "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) INSERT INTO "
        "canvas_tiles "
        "SELECT 1, i / 300, i % 300 + 10, (SELECT min(id) FROM tiles), (SELECT min(content) FROM "
        "canvas_tiles) FROM n",
        "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT INTO "
        "history SELECT "
        "i, '', 0, 0, '', '', '' FROM n",
    };
    rescue_every = is_long_soak() ? 1 : 4;
    for (const std::string& statement : statements) {
        start_anew();
        try {
            change_file(path, statement);
        } catch (const DatabaseError&) {
            continue;  // the database has its own rules
        }
        survive(statement.substr(0, 100));
    }
}

TEST_F(Fuzzing, AViewInThePlaceOfATable) {
    start_anew();
    change_file(path, "ALTER TABLE tiles RENAME TO hidden");
    change_file(
        path,
        "CREATE VIEW tiles AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, "
        "x'00' AS data FROM n");
    survive("rows that are made while they are read");
}

}  // namespace
}  // namespace caprock::test
