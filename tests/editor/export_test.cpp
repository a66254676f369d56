#include "base/error.h"
#include "compute/devices.h"
#include "dialogs/export_dialog.h"
#include "dialogs/exporter.h"
#include "dialogs/start_page.h"
#include "document/commands.h"
#include "document/placement.h"
#include "document/plan.h"
#include "editor/test_folder.h"
#include "editor/typing.h"
#include "formats/format_table.h"
#include "graph/evaluator.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

namespace fs = std::filesystem;

// A document of noise with a hardness, and what it comes to.
struct Land {
    fs::path folder;
    std::unique_ptr<Document> document;
    Terrain composed;

    explicit Land(const std::string& name, Size size = {300, 200}) : folder(fresh_folder(name)) {
        Grid grid;
        grid.extent = Rect::of(size);
        grid.cell = 4;
        grid.range = {-200, 1000};
        document = Document::create((folder / "land.caprock").string(), grid);
        std::vector<LayerOperation> operations;
        operations.emplace_back(operation_with("noise", {{"feature", 400.0}}));
        operations.emplace_back(
            operation_with("noise", {{"feature", 300.0}, {"field", std::string("hardness")}}));
        add_operations(*document, std::move(operations), {});
        RunContext context;
        context.device = choose_device("cpu", 0, 0);
        Plan plan(document->snapshot());
        composed = Evaluator(context).evaluate(plan, plan.window());
    }
    std::string path(const std::string& name) const { return (folder / name).string(); }
    ExportRequest request(const std::string& name) const {
        ExportRequest request;
        request.path = path(name);
        request.device = "cpu";
        return request;
    }
    ExportReport write(const ExportRequest& request) {
        Progress progress;
        return export_document(document->snapshot(), request, progress);
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder))
            if (!entry.path().filename().string().starts_with("land.caprock"))
                names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }
};

TEST(Export, AtItsOwnSizeTheFileHasTheCellsOfTheDocument) {
    Land land("export-own");
    ExportRequest request = land.request("land.tif");
    request.fields = {"height", "hardness"};
    ExportReport report = land.write(request);
    EXPECT_EQ(report.files, std::vector<std::string>{request.path});
    Terrain read = read_terrain(request.path);
    EXPECT_TRUE(identical(read.height(), land.composed.height()));
    EXPECT_TRUE(identical(read.field("hardness"), land.composed.field("hardness")));
    EXPECT_EQ(read.grid().cell, 4);
}

TEST(Export, RawNumbersAreSharesOfTheRange) {
    Land land("export-raw");
    for (ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        ExportRequest request = land.request("land.r16");
        request.byte_order = order;
        land.write(request);
        QFile file(QString::fromStdString(request.path));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        QByteArray bytes = file.readAll();
        ASSERT_EQ(bytes.size(), 300 * 200 * 2);
        for (int i : {0, 299, 12345, 59999}) {
            auto first = uint8_t(bytes[2 * i]), second = uint8_t(bytes[2 * i + 1]);
            int value = order == ByteOrder::little ? first + 256 * second : 256 * first + second;
            double share = (land.composed.height().at(i % 300, i / 300) + 200.0) / 1200;
            EXPECT_EQ(value, int(std::lround(share * 65535))) << i;
        }
    }
}

TEST(Export, TheRangeMayBeThatOfTheHeights) {
    Land land("export-heights");
    FieldStatistics heights = statistics(land.composed.height());
    ExportRequest request = land.request("land.png");
    Progress progress;
    Interval measured = heights_of_export(land.document->snapshot(), request, progress);
    EXPECT_EQ(measured, (Interval{heights.low, heights.high}));
    request.range_of_heights = true;
    ExportReport report = land.write(request);
    EXPECT_EQ(report.grid.range, measured);
    EXPECT_TRUE(report.warnings.empty());
    Terrain read = read_terrain(request.path);
    FieldStatistics again = statistics(read.height());
    EXPECT_NEAR(again.low, heights.low, 1e-3);
    EXPECT_NEAR(again.high, heights.high, 1e-3);
    // What lies outside an own one is cut off, and said to be.
    request.range_of_heights = false;
    request.range = Interval{heights.low + 50, heights.high};
    EXPECT_EQ(land.write(request).warnings.size(), 1u);
}

TEST(Export, OtherSizesAreSampledAsTheLibraryPlacesCells) {
    Land land("export-finer", {301, 201});
    ExportRequest request = land.request("land.r32");
    request.size = Size{451, 301};
    ExportReport report = land.write(request);
    EXPECT_DOUBLE_EQ(report.grid.cell, 4 * 300.0 / 450);
    ReadOptions options;
    options.size = request.size;
    Terrain read = read_terrain(request.path, options);
    CellMap map;
    map.xx = map.yy = 300.0 / 450;
    EXPECT_TRUE(identical(read.height(), placed(land.composed.height(), map, Rect{0, 0, 451, 301})));
    // Corners stay corners, and every third cell is one of the document's.
    EXPECT_EQ(read.height().at(0, 0), land.composed.height().at(0, 0));
    EXPECT_EQ(read.height().at(450, 300), land.composed.height().at(300, 200));
    EXPECT_EQ(read.height().at(3, 6), land.composed.height().at(2, 4));
}

TEST(Export, SmallerSizesAreMeansAndHaveNoHolesAtTheEdge) {
    // An even side: the last cell lies beyond the last of every second.
    for (Size size : {Size{512, 512}, Size{513, 513}}) {
        Land land("export-coarser", size);
        ExportRequest request = land.request("land.r32");
        request.size = Size{101, 101};
        land.write(request);
        Terrain read = read_terrain(request.path);
        FieldStatistics seen = statistics(read.height());
        EXPECT_EQ(seen.missing, 0);
        FieldStatistics whole = statistics(land.composed.height());
        EXPECT_NEAR(seen.mean, whole.mean, 3);
        double step = (size.width - 1) / 100.0;
        for (int i : {0, 17, 50, 100}) {
            int x = int(std::lround(i * step)), y = int(std::lround((100 - i) * step));
            EXPECT_NEAR(read.height().at(i, 100 - i), land.composed.height().at(x, y), 15) << i;
        }
    }
}

// Files ask for a few rows at a time. Where the pieces lie makes no difference.
TEST(Export, PiecesAreTheCropOfTheWhole) {
    Land land("export-pieces", {900, 900});
    ExportRequest request = land.request("land.r32");
    request.size = Size{433, 433};
    land.write(request);
    Terrain read = read_terrain(request.path);

    double step = 899.0 / 432;
    CellMap half;
    half.xx = half.yy = step / 2;
    // The border goes on beyond itself, as far as anything is made of it.
    Field wide(Rect{-20, -20, 920, 920});
    for (int y = -20; y < 920; y++)
        for (int x = -20; x < 920; x++)
            wide.set(x, y, land.composed.height().at(std::clamp(x, 0, 899), std::clamp(y, 0, 899)));
    Field coarse = halved(wide, Rect{-8, -8, 458, 458});
    EXPECT_TRUE(identical(read.height(), placed(coarse, half, Rect{0, 0, 433, 433})));
}

TEST(Export, CellsStaySquares) {
    Land land("export-squares");
    ExportRequest request = land.request("land.r32");
    request.size = Size{101, 101};
    Grid grid = exported_grid(land.document->state(), request);
    EXPECT_DOUBLE_EQ(grid.cell, 4 * 199.0 / 100);
    EXPECT_EQ(grid.extent, (Rect{0, 0, 101, 101}));
    land.write(request);
    Terrain read = read_terrain(request.path);
    // In the middle: 50 cells are left over at both ends.
    EXPECT_EQ(statistics(read.height()).missing, 0);
    EXPECT_NEAR(read.height().at(0, 0), land.composed.height().at(50, 0), 5);
    EXPECT_NEAR(read.height().at(100, 100), land.composed.height().at(249, 199), 5);
    request.size = Size{1, 5};
    EXPECT_THROW(land.write(request), Error);
}

TEST(Export, ImportedPlacesMoveWithTheSize) {
    Land land("export-place", {201, 201});
    Georeference place;
    place.transform = {5000, 4, 0, 9000, 0, -4};
    land.document->change("place", [&](Edit& edit) { edit.state().georeference = place; });
    ExportRequest request = land.request("land.tif");
    request.size = Size{101, 101};
    land.write(request);
    Terrain read = read_terrain(request.path);
    ASSERT_TRUE(read.georeference());
    // The middle of the first cell stays at (5002, 8998).
    std::array<double, 6> expected = {4998, 8, 0, 9002, 0, -8};
    for (size_t i = 0; i < 6; i++) EXPECT_NEAR(read.georeference()->transform[i], expected[i], 1e-6) << i;
}

TEST(Export, OtherFieldsBecomeFilesBesideIt) {
    Land land("export-fields");
    ExportRequest request = land.request("out.png");
    request.fields = {"height", "hardness"};
    ExportReport report = land.write(request);
    EXPECT_EQ(report.files, (std::vector<std::string>{land.path("out.png"), land.path("out-hardness.png")}));
    EXPECT_EQ(land.files(), (std::vector<std::string>{"out-hardness.png", "out.png"}));
    ReadOptions shares;
    shares.range = Interval{0, 1};
    Terrain hardness = read_terrain(land.path("out-hardness.png"), shares);
    EXPECT_NEAR(hardness.height().at(100, 50), land.composed.field("hardness").at(100, 50), 1.0 / 65535);
    request.fields = {"softness"};
    EXPECT_THROW(land.write(request), Error);
}

TEST(Export, ACancelledOneLeavesNothing) {
    Land land("export-cancel", {1024, 1024});
    for (const char* name : {"land.png", "land.tif", "land.r16"}) {
        ExportRequest request = land.request(name);
        request.fields = {"height", "hardness"};
        request.range_of_heights = true;
        Progress* running = nullptr;
        Progress progress([&](double share) {
            if (share > 0.5) running->cancel();
        });
        running = &progress;
        EXPECT_THROW(export_document(land.document->snapshot(), request, progress), Cancelled);
        EXPECT_TRUE(land.files().empty()) << land.files().front();
    }
}

TEST(Export, ProgressGoesFromNothingToAll) {
    Land land("export-progress");
    std::vector<double> shares;
    Progress progress([&](double share) { shares.push_back(share); });
    ExportRequest request = land.request("land.png");
    request.fields = {"height", "hardness"};
    request.range_of_heights = true;
    std::vector<std::string> said;
    export_document(land.document->snapshot(), request, progress,
                    [&](const std::string& what) { said.push_back(what); });
    ASSERT_FALSE(shares.empty());
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_GT(shares.back(), 0.99);
    EXPECT_EQ(said.back(), "writing land-hardness.png");
}

TEST(EngineNumbers, PutTheLandWhereItIs) {
    Grid grid;
    grid.extent = {0, 0, 1009, 1009};
    grid.cell = 2;
    grid.range = {-100, 412};
    UnrealHeight unreal = unreal_height(grid.range);
    // As the engine computes heights from the file's numbers, in centimetres.
    auto height = [&](int value) { return unreal.location + (value - 32768) / 128.0 * unreal.scale; };
    EXPECT_NEAR(height(0), -10000, 1e-6);
    EXPECT_NEAR(height(65535), 41200, 1e-6);
    EXPECT_NEAR(unreal.scale, 512.0 / 512 * 100, 0.002);
    auto value = [&](Engine engine, const QString& name) {
        for (const auto& [what, number] : engine_numbers(engine, grid))
            if (what == name) return number;
        return QString();
    };
    EXPECT_EQ(value(Engine::unreal, "Scale X, Y"), "200");
    EXPECT_EQ(value(Engine::unity, "Terrain width"), "2016");
    EXPECT_EQ(value(Engine::unity, "Terrain height"), "512");
    EXPECT_EQ(value(Engine::unity, "Position Y"), "-100");
    EXPECT_EQ(value(Engine::godot, "R16 range"), "-100, 412");
    EXPECT_EQ(value(Engine::godot, "Vertex spacing"), "2");
}

struct Dialog {
    Land land;
    std::unique_ptr<ExportDialog> dialog;

    explicit Dialog(const std::string& name, Size size = {300, 200}) : land(name, size) {
        QSettings().remove("export");
        auto view = std::make_shared<DocumentView>();
        view->snapshot = land.document->snapshot();
        view->path = land.path("land.caprock");
        dialog = std::make_unique<ExportDialog>(view);
        dialog->show();
    }
    template <typename Widget>
    Widget* find(const QString& name) {
        auto* found = dialog->findChild<Widget*>(name);
        EXPECT_TRUE(found) << name.toStdString();
        return found;
    }
    QString message() { return find<QLabel>("export.message")->text(); }
    void choose(const QString& name, const QString& beginning) {
        auto* box = find<QComboBox>(name);
        for (int i = 0; i < box->count(); i++)
            if (box->itemText(i).startsWith(beginning)) box->setCurrentIndex(i);
    }
};

TEST(ExportDialog, WritesWhatTheFunctionWrites) {
    Dialog with("export-dialog");
    QSignalSpy exported(with.dialog.get(), &ExportDialog::exported);
    EXPECT_EQ(with.find<QLineEdit>("export.path")->text().toStdString(), with.land.path("land.png"));
    with.choose("export.format", "Raw, 16 bit, big");
    with.choose("export.size", "Unity: 513");
    with.choose("export.range", "Lowest");
    EXPECT_EQ(with.find<QLineEdit>("export.path")->text().toStdString(), with.land.path("land.raw"));
    auto* fields = with.find<QListWidget>("export.fields");
    fields->findItems("hardness", Qt::MatchExactly)[0]->setCheckState(Qt::Checked);
    ExportRequest request = with.dialog->request();
    EXPECT_EQ(request.size, (Size{513, 513}));
    EXPECT_EQ(request.byte_order, ByteOrder::big);
    QTest::mouseClick(with.find<QPushButton>("export.start"), Qt::LeftButton);
    EXPECT_TRUE(with.dialog->running());
    ASSERT_TRUE(exported.wait(30000)) << with.message().toStdString();
    EXPECT_FALSE(with.dialog->running());
    EXPECT_TRUE(with.message().startsWith("Written: land.raw, land-hardness.raw"))
        << with.message().toStdString();

    request.path = with.land.path("same.raw");
    with.land.write(request);
    auto bytes = [&](const std::string& name) {
        QFile file(QString::fromStdString(with.land.path(name)));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    EXPECT_EQ(bytes("land.raw"), bytes("same.raw"));
    EXPECT_EQ(bytes("land-hardness.raw"), bytes("same-hardness.raw"));
}

// Nobody wants land cut off because a range was set before it was made.
// A format that is added to the table is offered where files are written and where they are read.
TEST(ExportDialog, OffersEveryFormatOfTheTable) {
    Dialog with("dialog-formats");
    auto* list = with.find<QComboBox>("export.format");
    size_t written = 0;
    for (const TerrainFormat& format : terrain_formats()) {
        QString title = QString("%1 (%2)").arg(format.title, format.ending);
        EXPECT_EQ(list->findText(title) >= 0, format.written()) << title.toStdString();
        written += format.written();
    }
    EXPECT_EQ(size_t(list->count()), written);
    EXPECT_TRUE(list->itemText(0).startsWith("PNG"));
    for (const std::string& ending : read_endings())
        EXPECT_TRUE(StartPage::import_filter().contains("*" + QString::fromStdString(ending))) << ending;
}

TEST(ExportDialog, ProposesARangeThatHoldsAllHeights) {
    Dialog with("export-proposal");
    Interval range = with.land.document->state().grid.range;
    auto* choice = with.find<QComboBox>("export.range");
    with.dialog->expect_heights({range.low, range.high});
    EXPECT_TRUE(choice->currentText().startsWith("The document's"));
    with.dialog->expect_heights({range.low - 1, range.high});
    EXPECT_TRUE(choice->currentText().startsWith("Lowest"));
}

TEST(ExportDialog, ShowsTheNumbersAndCopiesThem) {
    Dialog with("export-numbers");
    with.choose("export.size", "Unreal: 1009");
    with.choose("export.range", "Own");
    with.find<QDoubleSpinBox>("export.low")->setValue(0);
    with.find<QDoubleSpinBox>("export.high")->setValue(512);
    with.find<QTabBar>("export.engine")->setCurrentIndex(0);
    EXPECT_EQ(with.find<QLabel>("export.number.Scale Z")->text(), "100.0015");
    EXPECT_EQ(with.find<QLabel>("export.number.Overall resolution")->text(), "1009 x 1009");
    QTest::mouseClick(with.find<QPushButton>("export.copy"), Qt::LeftButton);
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains("Scale Z: 100.0015"));
    // Measured in the background, and then there.
    with.choose("export.range", "Lowest");
    auto* copy = with.find<QPushButton>("export.copy");
    ASSERT_TRUE(QTest::qWaitFor([&] { return copy->isEnabled(); }, 30000));
    FieldStatistics heights = statistics(with.land.composed.height());
    ExportRequest request = with.dialog->request();
    ASSERT_TRUE(request.range);
    EXPECT_NEAR(request.range->span(), double(heights.high) - heights.low, 5);
    // Metres need none.
    with.choose("export.format", "GeoTIFF");
    EXPECT_FALSE(copy->isEnabled());
    EXPECT_FALSE(with.find<QComboBox>("export.range")->isEnabled());
}

TEST(ExportDialog, SaysWhatIsWrong) {
    Dialog with("export-wrong");
    auto* start = with.find<QPushButton>("export.start");
    auto* path = with.find<QLineEdit>("export.path");
    EXPECT_TRUE(start->isEnabled()) << with.message().toStdString();
    path->selectAll();
    QTest::keyClicks(path, "/no/such/folder/land.png");
    EXPECT_FALSE(start->isEnabled());
    EXPECT_TRUE(with.message().contains("/no/such/folder"));
    path->setText(QString::fromStdString(with.land.path("land.tif")));
    with.choose("export.format", "GeoTIFF");
    with.find<QListWidget>("export.fields")->item(0)->setCheckState(Qt::Unchecked);
    EXPECT_TRUE(with.message().contains("No field"));
    // The name decides the format, too.
    path->selectAll();
    type_text(path, QString::fromStdString(with.land.path("other.asc")));
    EXPECT_TRUE(with.find<QComboBox>("export.format")->currentText().startsWith("ASCII"));
}

TEST(ExportDialog, CanBeStopped) {
    Dialog with("export-stop", {2048, 2048});
    QSignalSpy failed(with.dialog.get(), &ExportDialog::failed);
    with.choose("export.format", "XYZ");
    QTest::mouseClick(with.find<QPushButton>("export.start"), Qt::LeftButton);
    auto* bar = with.find<QProgressBar>("export.progress");
    ASSERT_TRUE(QTest::qWaitFor([&] { return bar->value() > 0; }, 30000));
    QTest::keyClick(with.dialog.get(), Qt::Key_Escape);
    ASSERT_TRUE(failed.count() > 0 || failed.wait(30000));
    EXPECT_TRUE(with.dialog->isVisible());
    EXPECT_TRUE(with.message().startsWith("Stopped"));
    EXPECT_TRUE(with.land.files().empty());
    QTest::keyClick(with.dialog.get(), Qt::Key_Escape);
    EXPECT_FALSE(with.dialog->isVisible());
}

}  // namespace
}  // namespace caprock::editor
