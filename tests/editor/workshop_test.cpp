#include "core/workshop.h"

#include "compute/devices.h"
#include "core/board.h"
#include "core/composer.h"
#include "document/commands.h"
#include "document/database.h"
#include "painting/brush_text.h"
#include "studio.h"

#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

// Workshop, composer and board, put together as the window does it.
struct Bench {
    Workshop workshop;
    Composer composer;
    Board board;
    DocumentViewPointer view;
    QStringList failures;

    Bench() {
        workshop.compose = [this](const Snapshot& snapshot, bool dragging, bool stroke) {
            composer.show(snapshot, stroke     ? Composer::Hurry::stroke
                                    : dragging ? Composer::Hurry::drag
                                               : Composer::Hurry::none);
        };
        QObject::connect(&workshop, &Workshop::changed, &board,
                         [this](const DocumentViewPointer& now) { view = now; });
        QObject::connect(&workshop, &Workshop::failed, &board,
                         [this](const QString& what) { failures << what; });
        QObject::connect(&composer, &Composer::failed, &board,
                         [this](const QString& what) { failures << what; });
        QObject::connect(&composer, &Composer::composed, &board, [this](const ComposedPointer& piece) {
            board.take(*piece);
            composer.taken();
        });
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !workshop.busy() && !composer.busy(); }, 60000));
        QCoreApplication::processEvents();
    }
};

TEST(Workshop, TheBoardShowsWhatTheDocumentComesTo) {
    Bench bench;
    Grid grid;
    grid.extent = {0, 0, 700, 500};
    bench.workshop.create(QString::fromStdString(fresh_test_path("board.caprock")), grid);
    bench.workshop.change("noise", [](Document& document, RunContext&) {
        std::vector<LayerOperation> operations;
        operations.emplace_back(operation_with("noise", {{"kind", std::string("ridged")}}));
        add_operations(document, std::move(operations), {});
    });
    bench.settle();
    ASSERT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
    EXPECT_EQ(fingerprint(bench.board.terrain().height()), composed_fingerprint(bench.view->snapshot));

    // A stroke, live and when it is finished.
    bench.workshop.begin_stroke({brush_named("raise"), std::nullopt, 1});
    for (int i = 0; i < 40; i++) bench.workshop.extend_stroke({1000.0 + 60 * i, 1500.0 + 20 * i});
    bench.settle();
    uint64_t live = fingerprint(bench.board.terrain().height());
    EXPECT_NE(live, composed_fingerprint(bench.view->snapshot));
    bench.workshop.finish_stroke();
    bench.settle();
    ASSERT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
    uint64_t painted = fingerprint(bench.board.terrain().height());
    EXPECT_EQ(painted, composed_fingerprint(bench.view->snapshot));

    bench.workshop.undo();
    bench.settle();
    EXPECT_EQ(fingerprint(bench.board.terrain().height()), composed_fingerprint(bench.view->snapshot));
    EXPECT_NE(fingerprint(bench.board.terrain().height()), painted);
    bench.workshop.redo();
    bench.settle();
    EXPECT_EQ(fingerprint(bench.board.terrain().height()), painted);
}

// A state that brings a field along and is overtaken before any of it was shown: the one that overtakes it brings the field
// along all the same.
TEST(Workshop, AFieldOfAStateThatWasOvertakenIsShown) {
    Bench bench;
    Grid grid;
    grid.extent = {0, 0, 640, 640};  // so large that it is shown roughly first
    auto add = [&](std::shared_ptr<Operation> operation) {
        bench.workshop.change("adding", [operation](Document& document, RunContext&) {
            std::vector<LayerOperation> operations;
            operations.emplace_back(operation->clone());
            add_operations(document, std::move(operations), {});
        });
    };
    bench.workshop.create(QString::fromStdString(fresh_test_path("overtaken.caprock")), grid);
    add(operation_with("noise"));
    bench.settle();
    ASSERT_FALSE(bench.board.terrain().has("water"));
    // While the first operation of the one is being computed, the other comes.
    std::atomic<bool> overtaken = false;
    QObject::connect(
        &bench.composer, &Composer::working, &bench.composer,
        [&] {
            if (overtaken.exchange(true)) return;
            add(operation_with("smooth"));
            bench.workshop.wait();
        },
        Qt::DirectConnection);
    add(operation_with("riverbed", {{"water", true}, {"particles", 50}}));
    bench.settle();
    EXPECT_TRUE(overtaken);
    ASSERT_EQ(bench.view->position, 3);
    ASSERT_TRUE(bench.board.terrain().has("water"));
    EXPECT_EQ(fingerprint(bench.board.terrain().field("water")),
              composed_fingerprint(bench.view->snapshot, "water"));
    EXPECT_EQ(fingerprint(bench.board.terrain().height()), composed_fingerprint(bench.view->snapshot));
}

TEST(Workshop, WhatIsLeftOfADamagedFileIsRescued) {
    Bench bench;
    QString path = QString::fromStdString(fresh_test_path("damaged.caprock"));
    QString to = QString::fromStdString(fresh_test_path("rescued.caprock"));
    QSignalSpy damaged(&bench.workshop, &Workshop::damaged);
    bench.workshop.create(path, Grid{{0, 0, 300, 300}});
    bench.workshop.change("noise", [](Document& document, RunContext&) {
        std::vector<LayerOperation> operations;
        operations.emplace_back(operation_with("noise"));
        add_operations(document, std::move(operations), {});
    });
    bench.workshop.close();
    bench.settle();
    EXPECT_EQ(damaged.count(), 0);
    // One of two texts, and then all that the file begins with.
    Database(path.toStdString(), Database::Access::write).run("UPDATE document SET text = '{' WHERE id = 1");
    for (bool can_be_opened : {true, false}) {
        if (!can_be_opened) {
            std::fstream file(path.toStdString(), std::ios::in | std::ios::out | std::ios::binary);
            file << std::string(4096, '\0');
        }
        bench.view = {};
        damaged.clear();
        bench.workshop.open(path);
        bench.settle();
        ASSERT_EQ(damaged.count(), 1);
        EXPECT_EQ(damaged[0][0].toString(), path);
        EXPECT_FALSE(damaged[0][1].toString().isEmpty());
        EXPECT_EQ(bench.view != nullptr, can_be_opened);
        std::filesystem::remove(to.toStdString());
        bench.workshop.rescue(path, to);
        bench.settle();
        ASSERT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
        EXPECT_EQ(bench.view->path, to.toStdString());
        EXPECT_FALSE(bench.view->read_only);
        EXPECT_EQ(bench.view->state().layers.size(), 1u);
    }
}

}  // namespace
}  // namespace caprock::editor
