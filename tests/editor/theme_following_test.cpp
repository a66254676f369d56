// A page that is open while the theme changes looks as one that is made under that theme.
#include "dialogs/preferences.h"
#include "document/commands.h"
#include "panels/brush_panel.h"
#include "panels/history_panel.h"
#include "panels/inspector_panel.h"
#include "panels/kernels_panel.h"
#include "panels/layers_panel.h"
#include "panels/material_panel.h"
#include "panels/minerals_panel.h"
#include "panels/properties_panel.h"
#include "studio.h"
#include "theme/theme.h"
#include "widgets/parameter_form.h"
#include "widgets/section.h"
#include "window/view_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QTest>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <memory>

namespace caprock::editor {
namespace {

using MadePage = std::shared_ptr<QWidget>;

QImage picture_of(QWidget& page) {
    QCoreApplication::processEvents();
    return page.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

// Where they differ, for whoever has to find out why.
QRect difference(const QImage& one, const QImage& other) {
    if (one.size() != other.size()) return one.rect().united(other.rect());
    QRect found;
    for (int y = 0; y < one.height(); y++)
        for (int x = 0; x < one.width(); x++)
            if (one.pixel(x, y) != other.pixel(x, y)) found = found.united(QRect(x, y, 1, 1));
    return found;
}

void expect_same(const QImage& is, const QImage& should, const char* name, const char* theme) {
    QRect differs = difference(is, should);
    EXPECT_TRUE(differs.isEmpty()) << name << ", " << theme << ": differs in " << differs.x() << ","
                                   << differs.y() << " " << differs.width() << "x" << differs.height();
    if (differs.isEmpty()) return;
    is.save(QString::fromStdString(test_path(std::string(name) + "-" + theme + "-is.png")));
    should.save(QString::fromStdString(test_path(std::string(name) + "-" + theme + "-should.png")));
}

void expect_follows(const char* name, const std::function<MadePage()>& make) {
    auto shown = [&] {
        MadePage page = make();
        page->resize(300, 900);
        page->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(page.get()));
        return page;
    };
    // A cursor that blinks is no difference.
    QApplication::setCursorFlashTime(0);
    apply_theme(ThemeKind::light);
    QImage light = picture_of(*shown());
    apply_theme(ThemeKind::dark);
    MadePage page = shown();
    QImage dark = picture_of(*page);
    EXPECT_FALSE(difference(dark, light).isEmpty()) << name;
    apply_theme(ThemeKind::light);
    expect_same(picture_of(*page), light, name, "light");
    apply_theme(ThemeKind::dark);
    expect_same(picture_of(*page), dark, name, "dark");
}

TEST(ThemeFollowing, FormsWithChangedAndRefusedValues) {
    expect_follows("form", [] {
        auto form = std::make_shared<ParameterForm>();
        std::unique_ptr<Operation> noise = make_operation("noise");
        noise->set_text("octaves", "3");
        noise->set_text("seed", "77");
        form->present(FormValues(*noise), FormValues::usual(*noise));
        form->refuse("octaves", "octaves 99: must be 1 to 32");
        form->set_notes({{"seed", "as it is"}});
        return form;
    });
    expect_follows("form-disabled", [] {
        auto form = std::make_shared<ParameterForm>();
        std::unique_ptr<Operation> noise = make_operation("noise");
        noise->set_text("octaves", "3");
        form->present(FormValues(*noise), FormValues::usual(*noise));
        form->setEnabled(false);
        return form;
    });
}

TEST(ThemeFollowing, TheBrush) {
    BrushKit kit;
    kit.take("hills");
    kit.change([](Brush& brush) { brush.settings.radius = 250; });
    expect_follows("brush", [&] {
        auto panel = std::make_shared<BrushPanel>(kit);
        for (auto* section : panel->findChildren<Section*>()) section->set_open(true);
        return panel;
    });
    // One that cannot be painted with.
    kit.change([](Brush& brush) { brush.settings.field = "no such field"; });
    expect_follows("brush-trouble", [&] { return std::make_shared<BrushPanel>(kit); });
}

TEST(ThemeFollowing, PreferencesAndBars) {
    Studio studio;
    MainWindow& window = studio.window();
    for (const char* page : {"general", "keys", "navigation", "pen"})
        expect_follows(page, [&] {
            auto dialog = std::make_shared<Preferences>(window.actions());
            dialog->show_page(page);
            return dialog;
        });
    expect_follows("bar", [&] {
        auto holder = std::make_shared<QWidget>();
        new ViewBar(window.brushes(), window.look(), window.actions(), holder.get());
        return holder;
    });
}

TEST(ThemeFollowing, Materials) {
    Look look;
    look.change([](LookSettings& settings) { settings.scheme = "earth"; });
    expect_follows("materials", [&] { return std::make_shared<MaterialPanel>(look); });
}

TEST(ThemeFollowing, PanelsOfADocument) {
    Workshop workshop;
    Selection selection;
    Board board;
    DocumentViewPointer view;
    QObject context;
    QObject::connect(&workshop, &Workshop::changed, &context,
                     [&](const DocumentViewPointer& now) { view = now; });
    Grid grid;
    grid.extent = {0, 0, 96, 64};
    workshop.create(QString::fromStdString(fresh_test_path("theme-following.caprock")), grid);
    workshop.change("making layers", [](Document& document, RunContext&) {
        for (const char* name : {"noise", "materials", "terrace"}) {
            std::vector<LayerOperation> operations;
            operations.emplace_back(make_operation(name));
            add_operations(document, std::move(operations), {});
        }
        set_layer(document, 1, {{"octaves", "3"}});
        paint_mask(document, 1, 0.5f);
        set_layer(document, 3, {{"locked", "yes"}});
        document.undo();
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !workshop.busy(); }, 60000));
    QCoreApplication::processEvents();
    auto with_document = [&](auto panel) {
        panel->set_document(view);
        return panel;
    };
    for (int layer : {0, 1, 3}) {
        selection.select(layer);
        expect_follows(("properties-" + std::to_string(layer)).c_str(),
                       [&] { return with_document(std::make_shared<PropertiesPanel>(workshop, selection)); });
    }
    selection.select(2);
    expect_follows("minerals",
                   [&] { return with_document(std::make_shared<MineralsPanel>(workshop, selection)); });
    expect_follows("history", [&] { return with_document(std::make_shared<HistoryPanel>(workshop)); });
    expect_follows("inspector", [&] { return with_document(std::make_shared<InspectorPanel>(board)); });
    expect_follows("kernels", [&] { return with_document(std::make_shared<KernelsPanel>(workshop)); });
    expect_follows("layers", [&] {
        auto panel = with_document(std::make_shared<LayersPanel>(workshop, selection));
        panel->set_problems({"layer 2 (materials): there is no such thing"});
        return panel;
    });
    // Its layers are as locked as it is.
    auto read_only = std::make_shared<DocumentView>(*view);
    read_only->read_only = true;
    view = read_only;
    expect_follows("properties-read-only",
                   [&] { return with_document(std::make_shared<PropertiesPanel>(workshop, selection)); });
}

}  // namespace
}  // namespace caprock::editor
