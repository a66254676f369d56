// What the small pictures of layers show.
#include "core/composer.h"
#include "document/commands.h"
#include "studio.h"

#include <QTest>
#include <gtest/gtest.h>
#include <map>

namespace caprock::editor {
namespace {

struct Pictures {
    QImage content;
    QImage mask;
};

std::map<int, Pictures> thumbnails_of(Document& document) {
    std::map<int, Pictures> taken;
    Composer composer;
    QObject receiver;
    QObject::connect(&composer, &Composer::composed, &receiver, [&] { composer.taken(); });
    QObject::connect(&composer, &Composer::thumbnail, &receiver,
                     [&](int layer, const QImage& content, const QImage& mask) {
                         taken[layer] = {content, mask};
                     });
    composer.set_thumbnails(true);
    composer.show(document.snapshot(), Composer::Hurry::none);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !composer.busy(); }, 60000));
    QCoreApplication::processEvents();
    return taken;
}

std::unique_ptr<Document> new_document(const char* name) {
    Grid grid;
    grid.extent = {0, 0, 192, 128};
    return Document::create(fresh_test_path(name), grid);
}

TEST(Thumbnails, WhereNobodyPaintedThereIsNoPicture) {
    auto document = new_document("thumbnails-painted.caprock");
    for (const char* field : {"height", "hardness"}) {
        int layer = add_painted(*document, field, {});
        Rect painted = {0, 0, 96, 128};
        Field cells(painted, 0.0f);
        for (int y = 0; y < 128; y++)
            for (int x = 0; x < 96; x++) cells.set(x, y, float(x) / 96);
        paint(*document, layer, canvas_of(document->state(), layer, field), cells, "paint");
    }
    int empty = add_painted(*document, "height", {});
    std::map<int, Pictures> pictures = thumbnails_of(*document);
    ASSERT_EQ(pictures.size(), 3u);
    for (const auto& [layer, picture] : pictures) {
        const QImage& content = picture.content;
        int half = content.width() / 2;
        for (int y = 0; y < content.height(); y++)
            for (int x = 0; x < content.width(); x++) {
                bool there = layer != empty && x < half;
                ASSERT_EQ(content.pixelColor(x, y).alpha(), there ? 255 : 0)
                    << "layer " << layer << " at " << x << ", " << y;
            }
    }
}

TEST(Thumbnails, WhatCoversAllIsAllThere) {
    auto document = new_document("thumbnails-noise.caprock");
    std::vector<LayerOperation> operations;
    operations.emplace_back(make_operation("noise"));
    int layer = add_operations(*document, std::move(operations), {});
    paint_mask(*document, layer, 0.5f);
    std::map<int, Pictures> pictures = thumbnails_of(*document);
    const QImage& content = pictures[layer].content;
    ASSERT_FALSE(content.isNull());
    for (int y = 0; y < content.height(); y++)
        for (int x = 0; x < content.width(); x++) ASSERT_EQ(content.pixelColor(x, y).alpha(), 255);
    EXPECT_EQ(pictures[layer].mask.pixelColor(3, 3).value(), 127);
}

}  // namespace
}  // namespace caprock::editor
