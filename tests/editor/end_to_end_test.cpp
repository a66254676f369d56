// A designer's afternoon: every step by real events, and beside it the same commands without a window.
#include "core/document_sources.h"
#include "dialogs/exporter.h"
#include "document/commands.h"
#include "formats/formats.h"
#include "graph/executor.h"
#include "painting/brush_text.h"
#include "painting/stroke.h"
#include "painting/target.h"
#include "studio.h"

#include <QPushButton>
#include <QToolButton>

namespace caprock::editor {
namespace {

Grid small_grid(int side = 512) {
    Grid grid;
    grid.extent = {0, 0, side, side};
    grid.cell = 8;
    grid.range = {0, 1000};
    return grid;
}

// The same document, made by commands alone.
class Headless {
  public:
    explicit Headless(const std::string& path, const Grid& grid)
        : document_(document_from_preset(path, {}, grid, "")) {
        context_.device = choose_device("cpu", 0, 0);
    }
    Document& document() { return *document_; }
    RunContext& context() { return context_; }
    void draw(const Brush& brush, const std::vector<PenSample>& samples, const PaintTarget& target,
              uint32_t seed) {
        caprock::draw(*document_, Stroke{brush, "", target.layer, target.mask, seed, samples}, target,
                      context_);
    }
    uint64_t height() { return composed_fingerprint(document_->snapshot()); }

  private:
    std::unique_ptr<Document> document_;
    RunContext context_;
};

std::unique_ptr<Operation> operation(const std::string& name) { return make_operation(name); }

TEST(EndToEnd, ADesignersAfternoon) {
    std::string path = fresh_test_path("afternoon.caprock");
    Headless beside(fresh_test_path("beside.caprock"), small_grid());
    Studio studio;
    MainWindow& window = studio.window();
    QStringList& failures = const_cast<QStringList&>(studio.failures());
    auto sound = [&] {
        return testing::AssertionResult(failures.isEmpty()) << failures.join("; ").toStdString();
    };

    // A new document and a noise layer.
    window.create_document(QString::fromStdString(path), small_grid(), {});
    studio.settle();
    ASSERT_TRUE(window.document());
    studio.act("add.noise");
    studio.settle();
    ASSERT_TRUE(sound());
    {
        std::vector<LayerOperation> operations;
        operations.emplace_back(operation("noise"));
        add_operations(beside.document(), std::move(operations), {});
    }
    ASSERT_EQ(studio.shown(), beside.height());

    // With the mouse, on the map.
    studio.act("view.map");
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.map().isVisible() && window.map().width() > 500; }));
    studio.act("brush.raise");
    window.brushes().change([](Brush& brush) { brush.settings.radius = 300; });
    QWidget* map = &window.map();
    QPointF middle(map->width() / 2.0, map->height() / 2.0);
    studio.drag(map, line(middle - QPointF(90, 40), middle + QPointF(80, 60)));
    studio.settle();
    ASSERT_TRUE(sound());
    ASSERT_EQ(studio.strokes().size(), 1u);
    ASSERT_GE(studio.strokes()[0].size(), 10u);
    Brush raise = window.brushes().brush();
    PaintTarget target = target_for(beside.document(), raise);
    beside.draw(raise, studio.strokes()[0], target, 1);
    ASSERT_EQ(studio.shown(), beside.height());
    uint64_t after_mouse = studio.shown();

    // With a pen: more pressure, more of it.
    auto stroke_with = [&](double pressure) {
        std::vector<PenPoint> points;
        for (const QPointF& point : line(middle + QPointF(-60, 120), middle + QPointF(90, 130)))
            points.push_back({point, pressure});
        studio.pen(map, points);
        studio.settle();
        double volume = 0;
        Field::Rows rows = window.board().terrain().height().rows();
        for (int y = 0; y < 512; y++)
            for (int x = 0; x < 512; x++) volume += double(rows[y][x]);
        return volume;
    };
    double before = stroke_with(0.0001);
    studio.act("edit.undo");
    studio.settle();
    double light = stroke_with(0.25);
    studio.act("edit.undo");
    studio.settle();
    ASSERT_EQ(studio.shown(), after_mouse);
    double firm = stroke_with(1);
    EXPECT_GT(light - before, 0);
    EXPECT_NEAR((firm - before) / (light - before), 4, 0.2);
    ASSERT_EQ(studio.strokes().size(), 4u);
    EXPECT_NEAR(studio.strokes()[3][5].pressure, 1, 1e-9);
    EXPECT_EQ(studio.strokes()[3][5].tilt_x, 10);
    beside.draw(raise, studio.strokes()[3], target, 4);
    ASSERT_EQ(studio.shown(), beside.height());

    // A mask on the painted layer, and the pen on the mask.
    studio.act("mask.black");
    studio.settle();
    paint_mask(beside.document(), target.layer, 0);
    window.selection().select(target.layer, true);
    studio.act("brush.mask");
    window.brushes().change([](Brush& brush) { brush.settings.radius = 250; });
    studio.drag(map, line(middle - QPointF(30, 60), middle + QPointF(30, 60)));
    studio.settle();
    ASSERT_TRUE(sound());
    beside.draw(window.brushes().brush(), studio.strokes().back(), {target.layer, "mask", true},
                uint32_t(studio.strokes().size()));
    ASSERT_EQ(studio.shown(), beside.height());

    // Erosion: it shows how far it is, and can be stopped, which takes it back.
    uint64_t before_erosion = studio.shown();
    std::vector<double> shares;
    QObject::connect(&window.composer(), &Composer::working, &window,
                     [&](const QString&, double share) { shares.push_back(share); });
    int64_t position = window.document()->position;
    std::vector<LayerOperation> slow;
    slow.emplace_back(operation_with("hydraulic-erosion", {{"steps", 4000}}));
    window.workshop().change(
        "erosion", [&](Document& document, RunContext&) { add_operations(document, std::move(slow), {}); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return shares.size() > 3; }, 60000));
    auto* cancel = window.findChild<QToolButton*>("work-cancel");
    ASSERT_TRUE(cancel);
    ASSERT_TRUE(QTest::qWaitFor([&] { return cancel->isVisible(); }, 5000));
    // It can be let wait, and be stopped then.
    auto* pause = window.findChild<QToolButton*>("work-pause");
    ASSERT_TRUE(pause);
    ASSERT_TRUE(QTest::qWaitFor([&] { return pause->isVisible(); }, 60000));
    QTest::mouseClick(pause, Qt::LeftButton);
    EXPECT_TRUE(window.composer().paused());
    QTest::mouseClick(cancel, Qt::LeftButton);
    studio.settle();
    EXPECT_EQ(window.document()->position, position);
    EXPECT_EQ(studio.shown(), before_erosion);
    window.selection().select(0);
    studio.act("add.thermal-erosion");
    studio.settle();
    ASSERT_TRUE(sound());
    {
        std::vector<LayerOperation> operations;
        operations.emplace_back(operation("thermal-erosion"));
        add_operations(beside.document(), std::move(operations), {});
    }
    uint64_t final = studio.shown();
    ASSERT_EQ(final, beside.height());

    // Ten back and ten forth, or as many as there are.
    std::vector<uint64_t> states = {final};
    int steps = int(std::min<int64_t>(10, window.document()->position));
    for (int i = 0; i < steps; i++) {
        studio.act("edit.undo");
        studio.settle();
        beside.document().undo();
        if (!window.board().empty() && beside.document().state().layers.size()) {
            ASSERT_EQ(studio.shown(), beside.height()) << "undo " << i;
        }
        states.push_back(studio.shown());
    }
    for (int i = steps; i > 0; i--) {
        ASSERT_EQ(studio.shown(), states[size_t(i)]);
        studio.act("edit.redo");
        studio.settle();
    }
    EXPECT_EQ(studio.shown(), final);
    while (beside.document().redo()) {
    }
    studio.act("file.save");
    studio.settle();
    ASSERT_TRUE(sound());
    studio.close();

    // It is all there when it is opened again.
    Studio again;
    again.window().open_file(QString::fromStdString(path));
    again.settle();
    EXPECT_EQ(again.shown(), final);
    EXPECT_EQ(again.state().layers.size(), beside.document().state().layers.size());

    // A heightmap for Unreal, and a picture.
    ExportRequest request;
    request.path = test_path("afternoon.png");
    request.size = Size{1009, 1009};
    Progress progress;
    ExportReport report = export_document(again.window().document()->snapshot, request, progress);
    ASSERT_EQ(report.files.size(), 1u);
    ReadOptions reading;
    reading.range = Interval{0, 1000};
    reading.cell = report.grid.cell;
    Terrain read = read_terrain(request.path, reading);
    EXPECT_EQ(read.rect().size(), (Size{1009, 1009}));
    EXPECT_NEAR(read.height().at(0, 0), again.window().board().terrain().height().at(0, 0), 0.02);
    EXPECT_NEAR(read.height().at(1008, 1008), again.window().board().terrain().height().at(511, 511), 0.02);
    again.act("view.scene");
    QTest::qWait(100);
    QString picture = QString::fromStdString(test_path("afternoon-scene.png"));
    again.window().save_picture(picture, {960, 540});
    again.settle();
    QImage drawn(picture);
    EXPECT_EQ(drawn.size(), QSize(960, 540));
    std::set<QRgb> colours;
    for (int x = 0; x < 960; x += 7)
        for (int y = 0; y < 540; y += 7) colours.insert(drawn.pixel(x, y));
    EXPECT_GT(colours.size(), 500u) << "nothing but sky";
}

// Frontier's whole workflow: a picture of heights, points taken away, filled in again, eroded, and looked at.
TEST(EndToEnd, FrontiersWorkflow) {
    std::string picture = test_path("frontier.png");
    {
        Grid grid = small_grid(256);
        RunContext context;
        context.device = choose_device("cpu", 0, 0);
        Terrain land(grid);
        std::vector<std::unique_ptr<Operation>> operations;
        operations.push_back(make_operation("noise"));
        operations.push_back(make_operation("normalise"));
        land = run_chain(operations, land, context);
        write_terrain(land, picture);
    }
    Studio studio;
    MainWindow& window = studio.window();
    window.import_as_document(QString::fromStdString(picture),
                              QString::fromStdString(fresh_test_path("frontier.caprock")));
    studio.settle();
    ASSERT_TRUE(window.document()) << studio.failures().join("; ").toStdString();
    EXPECT_EQ(window.board().terrain().rect().size(), (Size{256, 256}));
    EXPECT_EQ(window.board().ranges().whole().missing, 0u);
    studio.act("add.decimate");
    studio.settle();
    EXPECT_GT(window.board().ranges().whole().missing, 10000u);
    studio.act("add.interpolate");
    studio.settle();
    EXPECT_EQ(window.board().ranges().whole().missing, 0u);
    uint64_t filled = studio.shown();
    studio.act("add.hydraulic-erosion");
    studio.settle();
    EXPECT_NE(studio.shown(), filled);
    EXPECT_TRUE(studio.failures().isEmpty()) << studio.failures().join("; ").toStdString();
    EXPECT_EQ(studio.shown(), composed_fingerprint(window.document()->snapshot));
    std::set<QByteArray> seen;
    int pictures = 0;
    for (const char* view : {"view.map", "view.scene"})
        for (const char* scheme : {"colours.earth", "colours.swiss", "colours.hypsometric", "colours.grey",
                                   "colours.diverging", "colours.verdant"}) {
            studio.act(view);
            studio.act(scheme);
            QTest::qWait(30);
            QImage image = picture_of(
                std::string(view) == "view.map" ? window.map().shot() : window.scene().shot(), {320, 200});
            ASSERT_EQ(image.size(), QSize(320, 200));
            seen.insert(QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
            pictures++;
        }
    EXPECT_EQ(int(seen.size()), pictures) << "two schemes look alike";
}

}  // namespace
}  // namespace caprock::editor
