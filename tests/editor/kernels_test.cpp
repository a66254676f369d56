#include "document/commands.h"
#include "document/layer_settings.h"
#include "editor/test_folder.h"
#include "panels/kernels_panel.h"

#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

const char* rice(const char* formula) {
    static std::string text;
    text = std::string(
               "// Steps like rice fields.\n//\n// step: 40 m (1 .. 500) height of one step\n"
               "KERNEL(rice, INOUT(height), UNIFORM(float, step))\n{\n    F before = LOAD(height);\n    "
               "STORE(height, ") +
           formula + ");\n}\n";
    return text.c_str();
}

struct Kernels {
    Workshop workshop;
    KernelsPanel panel{workshop};
    DocumentViewPointer view;
    QStringList failures;
    std::filesystem::path folder = test_folder() / "kernels";

    explicit Kernels(const std::string& name) {
        QObject::connect(&workshop, &Workshop::changed, &panel, [this](const DocumentViewPointer& now) {
            view = now;
            panel.set_document(now);
        });
        QObject::connect(&workshop, &Workshop::failed, &panel,
                         [this](const QString& what) { failures << what; });
        std::filesystem::create_directories(folder);
        std::filesystem::path path = folder / (name + ".caprock");
        std::filesystem::remove(path);
        Grid grid;
        grid.extent = {0, 0, 64, 64};
        workshop.create(QString::fromStdString(path.string()), grid);
        panel.resize(280, 400);
        panel.show();
        settle();
    }
    QString write(const char* text) {
        std::filesystem::path path = folder / "rice.kernel";
        std::ofstream(path) << text;
        return QString::fromStdString(path.string());
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !workshop.busy(); }, 60000));
        QCoreApplication::processEvents();
        EXPECT_TRUE(failures.isEmpty()) << failures.join("; ").toStdString();
    }
    bool becomes(KernelsPanel::State state) {
        return QTest::qWaitFor([&] { return panel.count() == 1 && panel.entry(0).state == state; }, 90000);
    }
};

TEST(KernelsPanel, ALayerFollowsItsFile) {
    Kernels bench("kernels-layer");
    EXPECT_TRUE(bench.panel.findChild<QLabel*>("kernels_invitation")->isVisible());
    bench.panel.open(bench.write(rice("FLOOR(before / step) * step")));
    ASSERT_TRUE(bench.becomes(KernelsPanel::State::ready)) << bench.panel.entry(0).error.toStdString();
    EXPECT_TRUE(bench.panel.findChild<QLabel*>("kernels_about")->text().startsWith("Steps like rice"));
    bench.panel.findChild<QPushButton*>("kernels_layer")->click();
    bench.settle();
    ASSERT_EQ(bench.view->state().layers.size(), 1u);
    int id = bench.view->state().layers[0].id;
    bench.workshop.change("set", [id](Document& document, RunContext&) {
        set_layer(document, id, {{"step", "25"}});
    });
    bench.settle();

    // It is saved anew: the layer has the new text and the old value.
    bench.write(rice("FLOOR(before / step + 0.5f) * step"));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const Layer& layer = bench.view->state().layers[0];
            return layer.operations[0].operation->text().find("0.5f") != std::string_view::npos;
        },
        90000));
    bench.settle();
    EXPECT_EQ(setting_text(bench.view->state().layers[0], "step"), "25");
    bench.workshop.undo();
    bench.settle();
    EXPECT_EQ(bench.view->state().layers[0].operations[0].operation->text().find("0.5f"),
              std::string_view::npos);
    EXPECT_TRUE(bench.panel.findChild<QPushButton*>("kernels_update")->isVisible());
    bench.panel.findChild<QPushButton*>("kernels_update")->click();
    bench.settle();
    EXPECT_FALSE(bench.panel.findChild<QPushButton*>("kernels_update")->isVisible());
}

TEST(KernelsPanel, ErrorsAreShownWithTheirLines) {
    Kernels bench("kernels-errors");
    bench.panel.open(bench.write(rice("before * stp")));
    ASSERT_TRUE(bench.becomes(KernelsPanel::State::failed));
    auto* errors = bench.panel.findChild<QPlainTextEdit*>("kernels_errors");
    EXPECT_TRUE(errors->isVisible());
    EXPECT_TRUE(errors->toPlainText().contains("Line 7")) << errors->toPlainText().toStdString();
    EXPECT_TRUE(errors->toPlainText().contains("7 | STORE(height, before * stp);"));
    EXPECT_FALSE(bench.panel.findChild<QPushButton*>("kernels_brush")->isEnabled());

    bench.write(rice("before * step"));
    bench.panel.reload_all();
    ASSERT_TRUE(bench.becomes(KernelsPanel::State::ready));
    EXPECT_FALSE(errors->isVisible());

    // While a new version does not compile, the old one is there.
    bench.write(rice("before * stepp * 2.0f"));
    bench.panel.reload_all();
    ASSERT_TRUE(bench.becomes(KernelsPanel::State::failed));
    ASSERT_TRUE(bench.panel.entry(0).version);
    QSignalSpy wanted(&bench.panel, &KernelsPanel::brush_wanted);
    bench.panel.findChild<QPushButton*>("kernels_brush")->click();
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted[0][0].toString(), "rice.kernel");
    bench.panel.close(0);
    EXPECT_EQ(bench.panel.count(), 0);
    EXPECT_TRUE(bench.panel.findChild<QLabel*>("kernels_invitation")->isVisible());
}

}  // namespace
}  // namespace caprock::editor
