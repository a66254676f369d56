// Many strokes of all brushes, drawn live in portions as a hand would: drawn again from the record they give the same cells,
// and the program does not grow. 20,000 of them in `./test slow`.
#include "painting/target.h"
#include "paintings.h"
#include "soak/length.h"

#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>

namespace caprock::test {
namespace {

// Bytes of memory that the process holds.
uint64_t held_bytes() {
    std::ifstream file("/proc/self/statm");
    uint64_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * uint64_t(sysconf(_SC_PAGESIZE));
}

class Artist {
  public:
    explicit Artist(uint32_t seed) : random_(seed) {}

    Stroke next(const Grid& grid) {
        double width = grid.extent.width() * grid.cell;
        Stroke stroke;
        std::vector<std::string> names = brush_names();
        std::string name = names[random_() % names.size()];
        stroke.brush = brush_named(name);
        BrushSettings& settings = stroke.brush.settings;
        settings.radius = 10 + 60 * share();
        settings.spacing = 0.1 + 0.4 * share();
        settings.falloff = 0.1 + 0.9 * share();
        if (settings.towards == BrushSettings::Towards::copy)
            settings.from = {width * share(), width * share()};
        // Mountains on mountains would leave every range.
        if (settings.strength > 1 && share() < 0.5) settings.strength = -settings.strength;
        settings.symmetry = share() < 0.05 ? BrushSettings::Symmetry::across : BrushSettings::Symmetry::none;
        settings.line = share() < 0.1 ? BrushSettings::Line::straight : BrushSettings::Line::free;
        stroke.seed = uint32_t(random_());
        double x = width * share(), y = width * share();
        int samples = 1 + int(8 * share());
        for (int i = 0; i < samples; i++) {
            PenSample sample;
            sample.x = x;
            sample.y = y;
            sample.pressure = 0.2 + 0.8 * share();
            stroke.samples.push_back(sample);
            x += 80 * (share() - 0.5);
            y += 80 * (share() - 0.5);
        }
        return stroke;
    }
    // In how many portions, and whether it is given up.
    size_t portion() { return 1 + random_() % 4; }
    bool gives_up() { return share() < 0.03; }

  private:
    double share() { return double(random_() >> 8) * 0x1p-24; }
    std::mt19937 random_;
};

std::unique_ptr<Document> blank(const Folder& folder, const std::string& name) {
    DocumentOptions options;
    options.memory = 256 << 20;
    auto document = Document::create(folder / name, grid_of(384, 384, 4), options);
    add_generated(*document, {{"feature", "500"}, {"seed", "3"}}, layer_with("Ground"));
    return document;
}

TEST(Endurance, StrokesOfAllBrushes) {
    const int strokes = is_long_soak() ? 20000 : 300;
    const int look_every = is_long_soak() ? 1000 : 150;
    Folder folder;
    auto live = blank(folder, "live.caprock");
    auto replayed = blank(folder, "replayed.caprock");
    const Grid grid = live->state().grid;
    RunContext context = cpu_context();
    Artist artist(41);
    std::vector<Stroke> record;
    uint64_t held = 0;
    for (int i = 0; i < strokes; i++) {
        Stroke stroke = artist.next(grid);
        if (stroke.brush.title == "Mask") stroke.brush.settings.field = "snow";
        PaintTarget target = target_for(*live, stroke.brush);
        SCOPED_TRACE(stroke.brush.title + ", stroke " + std::to_string(i));
        LiveStroke drawing(*live, target, stroke.brush, stroke.seed, context);
        for (size_t done = 0; done < stroke.samples.size();) {
            size_t count = std::min(artist.portion(), stroke.samples.size() - done);
            drawing.extend(std::span(stroke.samples).subspan(done, count));
            done += count;
        }
        if (artist.gives_up()) {
            drawing.cancel();
        } else {
            drawing.finish();
            record.push_back(std::move(stroke));
        }
        if (i % 50 == 17 && live->undo()) live->redo();
        if ((i + 1) % look_every != 0) continue;
        for (const Stroke& again : parse_strokes(strokes_text(record))) {
            draw(*replayed, again, target_for(*replayed, again.brush), context);
        }
        record.clear();
        ASSERT_EQ(canvas_fingerprints(*live, grid.extent), canvas_fingerprints(*replayed, grid.extent));
        ASSERT_EQ(fingerprint(evaluated(*live, context).height()),
                  fingerprint(evaluated(*replayed, context).height()));
        live->flush();
        replayed->flush();
        // When caches are full it stays as it is.
        if (i + 1 == strokes / 2) held = held_bytes();
    }
    if (is_long_soak()) {
        EXPECT_LT(held_bytes(), held + (64 << 20)) << "bytes in the second half of " << strokes;
    }
}

}  // namespace
}  // namespace caprock::test
