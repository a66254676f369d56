// Pictures of the editor for its pages: docs/make-editor-pictures runs this.
#include "dialogs/chosen_settings.h"
#include "dialogs/command_palette.h"
#include "dialogs/export_dialog.h"
#include "dialogs/preferences.h"
#include "document/commands.h"
#include "panels/bookmarks_panel.h"
#include "panels/kernels_panel.h"
#include "studio.h"
#include "support/places.h"
#include "theme/theme.h"
#include "view/camera_moves.h"

#include <QDockWidget>
#include <QLineEdit>

namespace caprock::editor {

namespace {

void add(Studio& studio, std::unique_ptr<Operation> operation, const std::string& name) {
    auto shared = std::shared_ptr<Operation>(std::move(operation));
    studio.window().workshop().change("Adding a layer", [shared, name](Document& document, RunContext&) {
        std::vector<LayerOperation> operations;
        operations.emplace_back(shared->clone());
        Layer layer;
        layer.name = name;
        add_operations(document, std::move(operations), std::move(layer));
    });
    studio.settle();
}

void save(QWidget& widget, const std::string& folder, const std::string& name) {
    QTest::qWait(900);  // shadows and thumbnails
    widget.grab().save(QString::fromStdString(folder + "/" + name + ".png"));
}

}  // namespace

int take_pictures(const std::string& folder) {
    // Names of files are in the pictures.
    qputenv("HOME", folder.c_str());
    std::filesystem::create_directories(folder);
    set_tour_setting(false);
    set_theme_setting(ThemeKind::dark);
    Studio studio;
    MainWindow& window = studio.window();
    window.resize(1440, 900);
    window.begin();
    QTest::qWait(6000);  // pictures of presets
    save(window, folder, "start");
    Grid grid;
    grid.extent = {0, 0, 1024, 1024};
    grid.cell = 2;
    grid.range = {0, 300};
    window.create_document(QString::fromStdString(folder + "/Mesa.caprock"), grid, "mesa");
    studio.settle();
    add(studio, operation_with("thermal-erosion", {{"steps", 60}}), "Talus");
    window.scene().frame_all();
    studio.act("brush.hills");
    window.brushes().change([](Brush& brush) {
        brush.settings.radius = 160;
        brush.settings.strength = 40;
    });
    QPointF middle(window.scene().width() / 2.0, window.scene().height() / 2.0);
    studio.drag(&window.scene(), line(middle + QPointF(-240, 120), middle + QPointF(120, 170)));
    studio.settle();
    studio.act("brush.raise");
    QTest::mouseMove(&window.scene(), (middle + QPointF(40, 60)).toPoint());
    auto panel = [&](const char* name) {
        auto* dock = window.findChild<QDockWidget*>(QString("dock-") + name);
        dock->show();
        dock->raise();
        QTest::qWait(100);
        return dock;
    };
    save(window, folder, "window-dark");
    {
        Camera camera = window.scene().camera();
        for (auto [name, heading, nearer] : {std::tuple{"Whole mesa", 0.0, 1.0},
                                             {"Talus below the rim", 70.0, 0.5},
                                             {"Western approach", -50.0, 0.6},
                                             {"Plain", 160.0, 0.8}})
            window.bookmarks().add(
                name, dollied(orbited(camera, {1024, 1024, 150}, heading, 5), {1024, 1024, 150}, nearer));
        window.findChild<BookmarksPanel*>()->choose("Western approach");
    }
    auto* kernels = window.findChild<KernelsPanel*>();
    for (const char* name : {"terraces", "craters"})
        kernels->open(QString("%1/examples/kernels/%2.kernel").arg(test::source_folder, name));
    auto compiled = [&] { return kernels->entry(0).version && kernels->entry(1).version; };
    EXPECT_TRUE(QTest::qWaitFor(compiled, 60000));
    for (const char* name :
         {"layers", "properties", "brush", "inspector", "bookmarks", "materials", "kernels", "history"})
        save(*panel(name)->widget(), folder, std::string("panel-") + name);
    // The mesa's own rock.
    int painted = window.selection().layer();
    window.selection().select(window.document()->state().layers.front().id);
    save(*panel("minerals")->widget(), folder, "panel-minerals");
    window.selection().select(painted);
    panel("layers");
    panel("brush");
    studio.act("view.both");
    window.look().change([](LookSettings& look) { look.contours = true; });
    save(window, folder, "window-both");
    window.look().change([](LookSettings& look) { look.contours = false; });
    studio.act("view.scene");
    panel("properties");
    set_theme_setting(ThemeKind::light);
    window.apply_preferences();
    save(window, folder, "window-light");
    for (auto [width, height] : {std::pair{1280, 720}, {2560, 1440}}) {
        window.resize(width, height);
        save(window, folder, "size-" + std::to_string(width));
    }
    set_theme_setting(ThemeKind::dark);
    window.apply_preferences();
    {
        ExportDialog dialog(window.document(), &window);
        dialog.show();
        save(dialog, folder, "export");
        dialog.close();
        Preferences preferences(window.actions(), &window);
        preferences.show();
        preferences.show_page("devices");
        QTest::qWait(1500);
        save(preferences, folder, "preferences");
        preferences.close();
    }
    window.resize(1440, 900);
    studio.act("help.palette");
    window.findChild<CommandPalette*>()->findChild<QLineEdit*>()->setText("eros");
    save(window, folder, "palette");
    studio.close();
    std::filesystem::remove(folder + "/Mesa.caprock");
    std::filesystem::remove(bookmarks_file(folder + "/Mesa.caprock"));
    return 0;
}

}  // namespace caprock::editor
