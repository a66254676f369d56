// A disk that gives back blocks of noughts, or blocks that belong elsewhere. Whatever of a project that hits, it is noticed
// before a result depends on it, and all whose bytes are still there is rescued.
#include "document/damage.h"
#include "document/documents.h"
#include "document/project_tile_store.h"
#include "document/rescue.h"
#include "document/verify.h"
#include "soak/length.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <random>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

constexpr size_t block_bytes = 4096;
constexpr size_t file_page_bytes = 16384;

using Range = std::pair<size_t, size_t>;

// Where bytes of the file are that belong to a value: pieces of it, each as long as it goes on, with what leads from one
// to the next. Known by their content alone, without a word of how SQLite lays them out.
std::vector<Range> places_of(const std::string& file, const std::string& value, size_t from = 0) {
    constexpr size_t before = 24;
    constexpr size_t after = 4;
    std::vector<Range> places;
    size_t done = 0;
    while (done < value.size()) {
        size_t least = std::min<size_t>(value.size() - done, 24);
        size_t at = file.find(value.substr(done, least), done == 0 ? from : 0);
        if (at == std::string::npos) return {};
        size_t length = 0;
        // Of a page, no piece goes on into the next.
        size_t end = std::min((at / file_page_bytes + 1) * file_page_bytes, file.size());
        while (at + length < end && done + length < value.size() && file[at + length] == value[done + length])
            length++;
        places.emplace_back(at - std::min(at, before), at + length + after);
        done += length;
    }
    return places;
}

bool touches(const std::vector<Range>& places, const std::vector<size_t>& blocks) {
    for (const auto& [begin, end] : places)
        for (size_t block : blocks)
            if (begin < (block + 1) * block_bytes && end > block * block_bytes) return true;
    return false;
}

// A document as somebody may look at it.
struct Look {
    std::string text;
    std::map<int, std::map<TileIndex, ContentKey>> tiles;  // of cells that were read
    uint64_t height = 0;
    bool operator==(const Look&) const = default;
};

class FuzzedBlocks : public testing::Test {
  protected:
    Folder folder{quick_disk()};
    std::string path = folder / "a.caprock";
    std::string rescued_path = folder / "b.caprock";
    std::string sound;
    Look wanted;
    std::vector<Look> history;  // at each position
    std::map<ContentKey, std::vector<Range>> tile_places;
    std::vector<std::vector<Range>> text_places;
    RunContext context = cpu_context();
    int noticed = 0, harmless = 0, complete = 0, tried = 0;

    // Painted, imported and masked layers, many tiles, a history with steps that were undone, and results of earlier days.
    void SetUp() override {
        {
            auto document = made_for_driver(path);
            do_command(*document, large_stroke());
            Grid grid{Rect::of({300, 300}), 4, {0, 300}};
            Terrain land(grid);
            land.set("height",
                     made_field(grid.extent, [](int x, int y) { return 100 * scattered(x, y, 5); }));
            import_layer(*document,
                         {"land.tif",
                          Terrain(grid),
                          {"height"},
                          [&](const Rect& window) { return land.cropped(window); }},
                         layer_with("Imported", "max"));
            paint_mask(*document, driver_layer, 0.5f);
            int mask = mask_canvas_of(document->state(), driver_layer);
            document->change("a spot", [&](Edit& edit) {
                edit.write(mask, Field(Rect::of({90, 90}), 0.75f));
            });
            DriverCommand second = large_stroke();
            for (int i = 0; i < 4; i++) {
                second.x = 200 + 60 * i;
                do_command(*document, second);
            }
            set_layer(*document, driver_ground, {{"opacity", "0.5"}});
            do_command(*document, large_stroke());
            document->undo();
            document->store()->remember({1, 2}, packed_cells(std::vector<float>(1000, 3.25f)));
            document->save();
        }
        // A canvas of a layer that was removed, with so many places that their list has more than one page.
        change_file(path, "INSERT INTO canvases VALUES (900, 1)");
        change_file(path,
                    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 899) INSERT "
                    "INTO canvas_tiles "
                    "SELECT 900, i / 30, i % 30, (SELECT min(tile) FROM canvas_tiles), (SELECT content FROM "
                    "canvas_tiles "
                    "ORDER BY tile LIMIT 1) FROM n");
        sound = file_text(path);
        auto document = Document::open(path);
        wanted = look_at(*document);
        while (document->undo()) {
        }
        do history.push_back(look_at(*document, false));
        while (document->redo());
        document.reset();
        find_places();
        write_text(path, sound);
    }

    void find_places() {
        write_text(path, sound);
        Database database(path, Database::Access::read);
        Database::Query tiles = database.query(
            "SELECT DISTINCT content, data FROM canvas_tiles JOIN tiles ON tiles.id = canvas_tiles.tile");
        while (tiles.next())
            tile_places[*ProjectFile::key_from(tiles.bytes(0))] = places_of(sound, tiles.text(1));
        Database::Query texts = database.query("SELECT text FROM document WHERE id = 1");
        ASSERT_TRUE(texts.next());
        std::string text = texts.text(0);
        for (size_t at = sound.find(text.substr(0, 200)); at != std::string::npos;
             at = sound.find(text.substr(0, 200), at + 1))
            text_places.push_back(places_of(sound, text, at));
        EXPECT_GE(text_places.size(), 4u) << "the text is there twice, and so is that of the last save";
    }

    Look look_at(Document& document, bool with_height = true) {
        Look look;
        look.text = document.text();
        for (const auto& [id, canvas] : document.snapshot().canvases)
            for (const auto& [index, tile] : canvas.tiles->all()) {
                const Field cells = tile->cells();
                look.tiles[id][index] = key_of_cells(cells.rows()[0], size_t(tile_cells));
            }
        if (with_height) look.height = fingerprint(evaluated(document, context).height());
        return look;
    }

    void damage(const std::string& bytes) {
        for (const char* ending : {"-wal", "-shm"}) fs::remove(path + ending);
        write_text(path, bytes);
    }

    static void expect_helpful(const std::string& words) {
        EXPECT_TRUE(has_words(words, "a.caprock")) << words;
        EXPECT_TRUE(has_words(words, "rescue")) << words;
    }

    // Whether any command says that something is wrong. What it says names the file and what can be done.
    bool is_noticed() {
        try {
            Told told;
            DocumentOptions options;
            options.tell = told.listener();
            auto document = Document::open(path, options);
            if (!document->lost().empty()) {
                expect_helpful(told.all());
                EXPECT_TRUE(document->read_only());
                std::string words = refusal([&] { document->save_as(folder / "c.caprock"); });
                EXPECT_TRUE(has_words(words, "rescue")) << words;
                return true;
            }
            EXPECT_EQ(look_at(*document), wanted) << "what is shown is something else";
            set_layer(*document, driver_layer, {{"opacity", "0.25"}});
            document->undo();
            document->redo();
            document->undo();
            document->flush();
            EXPECT_EQ(look_at(*document), wanted) << "a change has changed something else";
            if (!is_long_soak() && tried % 3) return false;
            // The way through the history.
            while (document->undo())
                EXPECT_TRUE(look_at(*document, false) == history[size_t(document->position())])
                    << "undo leads elsewhere, at " << document->position();
            while (document->position() < int64_t(history.size()) - 2 && document->redo()) {
            }
            document->compact();
            document.reset();
            auto again = Document::open(path);
            EXPECT_TRUE(again->lost().empty());
            EXPECT_EQ(look_at(*again), wanted);
            return false;
        } catch (const Error& error) {
            expect_helpful(error.what());
            return true;
        }
    }

    void rescue(const std::vector<size_t>& blocks) {
        fs::remove(rescued_path);
        bool text_left = std::ranges::any_of(
            text_places, [&](const std::vector<Range>& places) { return !touches(places, blocks); });
        RescueReport report;
        try {
            report = rescue_project(path, rescued_path, {});
        } catch (const Error& error) {
            EXPECT_FALSE(text_left) << error.what();
            return;
        }
        VerifyReport verified = verify_project(rescued_path);
        EXPECT_TRUE(verified.sound()) << verified.problems.front();
        auto document = Document::open(rescued_path);
        Look found = look_at(*document, false);
        if (text_left) {
            EXPECT_EQ(found.text, wanted.text);
        }
        if (found.text != wanted.text) return;
        bool all = true;
        for (const auto& [canvas, tiles] : wanted.tiles)
            for (const auto& [index, content] : tiles) {
                auto there = found.tiles[canvas].find(index);
                bool right = there != found.tiles[canvas].end() && there->second == content;
                all = all && right;
                EXPECT_TRUE(right || !names_place(content, blocks) || touches(tile_places[content], blocks))
                    << "tile (" << index.x << ", " << index.y << ") of canvas " << canvas
                    << " is whole and was not rescued";
                EXPECT_TRUE(right || !report.lost.empty()) << "it was not said";
            }
        complete += all;
        for (const auto& [canvas, tiles] : found.tiles)
            EXPECT_LE(tiles.size(), wanted.tiles[canvas].size()) << "tiles that were not there";
    }

    // Every block in which it says which tile lies somewhere, and that it has this content.
    std::vector<size_t> blocks_naming(const ContentKey& content) const {
        auto bytes = content.bytes();
        std::string key(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        std::set<size_t> found;
        for (size_t at = sound.find(key); at != std::string::npos; at = sound.find(key, at + 1))
            for (size_t end : {at, at + key.size() - 1}) found.insert(end / block_bytes);
        return {found.begin(), found.end()};
    }

    // Whether a whole page says where it belongs. Of more damage than this, no more is asked than that it is told.
    bool names_place(const ContentKey& content, const std::vector<size_t>& damaged) const {
        constexpr size_t of_page = file_page_bytes / block_bytes;
        // That of the removed canvas is named on all pages.
        bool everywhere = blocks_naming(content).size() > 8;
        return damaged.size() <= 2 && !everywhere &&
               std::ranges::any_of(blocks_naming(content), [&](size_t block) {
                   return std::ranges::none_of(
                       damaged, [&](size_t other) { return other / of_page == block / of_page; });
               });
    }

    void try_out(const std::string& bytes, const std::vector<size_t>& blocks, const std::string& what) {
        SCOPED_TRACE(what);
        tried++;
        damage(bytes);
        rescue(blocks);
        EXPECT_EQ(file_text(path), bytes) << "a rescue changes nothing";
        if (is_noticed()) {
            noticed++;
        } else {
            harmless++;
        }
    }

    void zero(size_t block) {
        std::string bytes = sound;
        bytes.replace(block * block_bytes, block_bytes, block_bytes, '\0');
        try_out(bytes, {block}, fmt::format("block {} of noughts", block));
    }
    void swap(size_t a, size_t b) {
        std::string bytes = sound;
        bytes.replace(a * block_bytes, block_bytes, sound.substr(b * block_bytes, block_bytes));
        bytes.replace(b * block_bytes, block_bytes, sound.substr(a * block_bytes, block_bytes));
        try_out(bytes, {a, b}, fmt::format("blocks {} and {} exchanged", a, b));
    }
    size_t blocks() const { return sound.size() / block_bytes; }

    // Blocks of pages of each kind: the first of the file, inner pages and leaves of trees, and what is none of those.
    std::map<int, std::vector<size_t>> blocks_by_kind() const {
        std::map<int, std::vector<size_t>> kinds;
        for (size_t block = 0; block < blocks(); block++) {
            size_t page = block * block_bytes / file_page_bytes * file_page_bytes;
            int kind = page == 0 ? 0 : int((unsigned char)sound[page]);
            if (kind != 0 && kind != 2 && kind != 5 && kind != 10 && kind != 13) kind = -1;
            if (kind == 0 && page > 0) kind = -1;
            kinds[kind].push_back(block);
        }
        return kinds;
    }

    void TearDown() override {
        std::cout << fmt::format("{} of {} blocks: {} noticed, {} without effect; {} rescued whole\n", tried,
                                 blocks(), noticed, harmless, complete);
    }
};

// The tile is there, and all that said where it belongs is not.
TEST_F(FuzzedBlocks, APlaceThatNobodyKnowsIsTold) {
    std::set<std::vector<size_t>> tries;
    for (const auto& [content, places] : tile_places) {
        std::vector<size_t> blocks = blocks_naming(content);
        ASSERT_GE(blocks.size(), 2u) << "each list names it";
        // Without the history first: what was only imported is not in it.
        tries.insert({blocks.front(), blocks.back()});
        tries.insert(blocks);
    }
    for (const std::vector<size_t>& blocks : tries) {
        std::string bytes = sound;
        for (size_t block : blocks) bytes.replace(block * block_bytes, block_bytes, block_bytes, '\0');
        try_out(bytes, blocks, fmt::format("blocks {} of noughts", fmt::join(blocks, ", ")));
    }
}

// Two pages of lists that have changed places in part.
TEST_F(FuzzedBlocks, ListsInEachOthersPlace) {
    for (const auto& [content, places] : tile_places) {
        std::vector<size_t> blocks = blocks_naming(content);
        for (size_t i = 0; i + 1 < blocks.size(); i++)
            for (size_t back = 0; back < 4; back++)
                // One in eight is enough for the others' company.
                if (blocks[i] >= back && (is_long_soak() || (content.bytes()[0] + i + back) % 8 == 0))
                    swap(blocks[i] - back, blocks.back());
    }
}

TEST_F(FuzzedBlocks, NothingIsLostSilently) {
    std::mt19937_64 random(99);
    auto some = [&](const std::vector<size_t>& of) { return of[size_t(random() % of.size())]; };
    std::map<int, std::vector<size_t>> kinds = blocks_by_kind();
    for (int kind : {0, 2, 5, 10, 13, -1}) ASSERT_TRUE(kinds.contains(kind)) << "no page of kind " << kind;
    if (!is_long_soak()) {
        for (const auto& [kind, list] : kinds) {
            for (int i = 0; i < (sanitized ? 2 : 4); i++) zero(some(list));
            for (int i = 0; i < (sanitized ? 1 : 2); i++) swap(some(list), some(kinds[i == 0 ? kind : 10]));
        }
        return;
    }
    // All that lead to others, and as many of those that only hold bytes.
    for (const auto& [kind, list] : kinds)
        for (size_t block : list)
            if (kind != -1 || random() % 4 == 0) zero(block);
    while (tried < 500) {
        const auto& list = std::next(kinds.begin(), ptrdiff_t(random() % kinds.size()))->second;
        size_t a = some(list);
        swap(a, tried % 2 ? some(list) : size_t(random() % blocks()));
    }
}

}  // namespace
}  // namespace caprock::test
