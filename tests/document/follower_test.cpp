// Following a document without any window: whoever puts the pieces together has what the document comes to.
#include "document/follower.h"

#include "document/commands.h"
#include "document/document_lines.h"
#include "document/document_terrain.h"
#include "document/documents.h"
#include "document/layer_settings.h"
#include "operation/kernel_operation.h"
#include "soak/length.h"
#include "support/kernels.h"
#include "support/same_terrain.h"
#include "terrain/line_text.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace caprock::test {
namespace {

// Puts pieces together, as a window or a link to another program would.
class Mirror {
  public:
    Mirror() {
        Follower::Listener listener;
        listener.composed = [this](const ComposedPointer& piece) {
            take(*piece);
            follower->taken();
        };
        listener.lines = [this](const NamedLines& sets) {
            lines = sets;
            lines_told++;
        };
        listener.problems = [this](const std::vector<std::string>& found) { problems = found; };
        listener.failed = [](const std::string& message) { ADD_FAILURE() << message; };
        listener.cleared = [this] { cleared++; };
        listener.at_rest = [this](const Snapshot&, Evaluator&) { rests++; };
        follower = std::make_unique<Follower>(std::move(listener), Follower::Options());
        follower->set_device("cpu");
    }

    void show(Document& document, Follower::Hurry hurry = Follower::Hurry::none) {
        cells_told = 0;
        follower->show(document.snapshot(), hurry);
        follower->wait();
    }
    void expect_like(Document& document) {
        RunContext context = cpu_context();
        const Terrain expected = evaluated(document, context);
        ASSERT_EQ(seen.names(), expected.names());
        for (const std::string& name : expected.names())
            expect_same_cells(expected.field(name), seen.field(name), name);
        EXPECT_TRUE(complete);
    }

    Terrain seen;
    bool complete = false;
    std::atomic<int64_t> cells_told = 0;
    std::atomic<int> rough = 0;
    std::atomic<int> rests = 0;
    std::atomic<int> cleared = 0;
    std::vector<std::string> problems;
    NamedLines lines;
    std::atomic<int> lines_told = 0;
    std::unique_ptr<Follower> follower;

  private:
    void take(const Composed& piece) {
        complete = piece.complete;
        if (piece.coarse) {
            rough++;
            return;
        }
        if (piece.fresh) {
            seen = Terrain(piece.grid, piece.window);
            for (const std::string& name : piece.fields) seen.set(name, Field(piece.window, 0.0f));
        }
        for (const Terrain& part : piece.parts) {
            cells_told += part.rect().cells();
            for (const std::string& name : part.names()) {
                Field whole = seen.field(name);
                Field::WritableRows rows = whole.writable_rows();
                const Field cells = part.field(name);
                for (int y = part.rect().top; y < part.rect().bottom; y++)
                    std::copy_n(cells.rows()[y], part.rect().width(),
                                rows[y] + (part.rect().left - piece.window.left));
                seen.set(name, std::move(whole));
            }
        }
    }
};

class Following : public testing::Test {
  protected:
    Folder folder;
    std::unique_ptr<Document> document = Document::create(folder / "a.caprock", grid_of(1024, 700));
    int ground = add_generated(*document, {{"feature", "600"}}, layer_with("Ground"));
    int painted = add_painted(*document, "height", layer_with("Painted", "add"));
    Mirror mirror;
};

TEST_F(Following, SeesWhatTheDocumentComesTo) {
    mirror.show(*document);
    mirror.expect_like(*document);
    EXPECT_EQ(mirror.cells_told, 1024 * 700);
    EXPECT_GT(mirror.rests, 0);
}

TEST_F(Following, IsToldOfWhatHasChangedAlone) {
    mirror.show(*document);
    stroke(*document, painted, 300, 300, 310, 310, 20, 15);
    mirror.show(*document, Follower::Hurry::stroke);
    mirror.expect_like(*document);
    EXPECT_LE(mirror.cells_told, 4 * tile_cells) << "a block of tiles around the stroke";
    EXPECT_GT(mirror.cells_told, 0);
    document->undo();
    mirror.show(*document);
    mirror.expect_like(*document);
    // Nothing to be seen of it.
    set_layer(*document, ground, {{"name", "Hills"}});
    mirror.show(*document);
    EXPECT_EQ(mirror.cells_told, 0);
    mirror.expect_like(*document);
}

TEST_F(Following, AnotherShapeBeginsAnew) {
    mirror.show(*document);
    add_operations(*document, operations_of("mask-slope"), layer_with("Slopes"));
    mirror.show(*document);
    EXPECT_TRUE(mirror.seen.has("mask"));
    mirror.expect_like(*document);
    mirror.follower->clear();
    mirror.follower->wait();
    EXPECT_EQ(mirror.cleared, 1);
    mirror.show(*document);
    EXPECT_EQ(mirror.cells_told, 1024 * 700);
    mirror.expect_like(*document);
}

TEST_F(Following, LongWorkIsRoughFirst) {
    mirror.show(*document);
    add_operations(*document, operations_of("thermal-erosion", {{"steps", "30"}}), layer_with("Talus"));
    mirror.show(*document);
    EXPECT_GT(mirror.rough, 0);
    mirror.expect_like(*document);
}

// Somebody looks at a simulation, lets it wait, and keeps what it has done.
TEST_F(Following, ASimulationWaitsAndWhatItHasDoneIsKept) {
    mirror.show(*document);
    const int rain =
        add_operations(*document, operations_of("hydraulic-erosion", {{"steps", sanitized ? "800" : "2500"}}),
                       layer_with("Rain"));
    mirror.follower->show(document->snapshot(), Follower::Hurry::none);
    std::optional<Follower::Simulating> simulating;
    while (!simulating) simulating = mirror.follower->simulating();
    EXPECT_EQ(simulating->layer, rain);
    EXPECT_EQ(simulating->operation, "hydraulic-erosion");
    EXPECT_GT(simulating->steps, 0);
    mirror.follower->pause(true);
    EXPECT_TRUE(mirror.follower->paused());
    // What was on its way when it was told to wait may still come.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const int steps = mirror.follower->simulating()->steps;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_EQ(mirror.follower->simulating()->steps, steps);
    mirror.follower->pause(false);
    while (mirror.follower->simulating()->steps == steps) std::this_thread::yield();

    mirror.follower->pause(true);
    stop_simulation_after(*document, rain, "hydraulic-erosion", simulating->steps);
    mirror.show(*document);
    mirror.expect_like(*document);
    EXPECT_FALSE(mirror.follower->simulating());
    document->undo();
    EXPECT_EQ(setting_text(*find_layer(document->state().layers, rain), "stop-after"), "0");
    EXPECT_THROW(stop_simulation_after(*document, ground, "hydraulic-erosion", 5), Error);
}

// Likewise with a kernel of one's own.
TEST_F(Following, AKernelWithStepsWaitsAndWhatItHasDoneIsKept) {
    mirror.show(*document);
    std::unique_ptr<Operation> falling = kernel_operation(in_place_kernel, "dust.kernel");
    falling->set_text("steps", "10000");
    std::vector<LayerOperation> operations;
    operations.emplace_back(std::move(falling));
    const int dust = add_operations(*document, std::move(operations), layer_with("Dust"));
    mirror.follower->show(document->snapshot(), Follower::Hurry::none);
    std::optional<Follower::Simulating> simulating;
    while (!simulating) simulating = mirror.follower->simulating();
    EXPECT_EQ(simulating->operation, "dust.kernel");
    mirror.follower->pause(true);
    stop_simulation_after(*document, dust, simulating->operation, simulating->steps);
    mirror.show(*document);
    mirror.expect_like(*document);
    EXPECT_EQ(setting_text(*find_layer(document->state().layers, dust), "stop-after"),
              std::to_string(simulating->steps));
}

TEST_F(Following, LayersWithoutEffectAreNamed) {
    add_operations(*document, operations_of("gradation"), layer_with("Graded"));
    mirror.show(*document);
    ASSERT_EQ(mirror.problems.size(), 1u);
    EXPECT_NE(mirror.problems[0].find("hardness"), std::string::npos) << mirror.problems[0];
}

TEST_F(Following, TheNewestStateIsTheOneThatIsSeen) {
    for (uint32_t i = 0; i < 20; i++) {
        stroke(*document, painted, 100 + 40 * i, 100, 900 - 30 * i, 600, 30, 10, i);
        mirror.follower->show(document->snapshot(), Follower::Hurry::stroke);
    }
    mirror.follower->wait();
    mirror.show(*document);
    mirror.expect_like(*document);
}

TEST_F(Following, LinesAreToldOfWhenTheyAreOthers) {
    set_lines(*document, "roads", parse_lines("10,10 200,150"));
    mirror.show(*document);
    ASSERT_EQ(mirror.lines.size(), 1u);
    EXPECT_EQ(mirror.lines[0].second, parse_lines("10,10 200,150"));
    EXPECT_EQ(mirror.lines_told, 1);
    // Cells that change are no other lines.
    stroke(*document, painted, 300, 300, 310, 310, 20, 15);
    mirror.show(*document);
    EXPECT_EQ(mirror.lines_told, 1);
    // Those that a layer makes come when its cells are known, and not while a hand is still at it.
    add_operations(*document, operations_of("contours", {{"interval", "50"}}), layer_with("Contours"));
    mirror.show(*document, Follower::Hurry::drag);
    EXPECT_EQ(mirror.lines.size(), 1u);
    mirror.show(*document);
    RunContext context = cpu_context();
    DocumentTerrain terrain(*document, context);
    ASSERT_EQ(mirror.lines.size(), 2u);
    EXPECT_EQ(mirror.lines[1].first, "contours");
    EXPECT_GT(mirror.lines[1].second.size(), 0u);
    EXPECT_EQ(mirror.lines, terrain.lines());
    document->undo();
    document->undo();
    document->undo();
    mirror.show(*document);
    EXPECT_TRUE(mirror.lines.empty());
}

}  // namespace
}  // namespace caprock::test
