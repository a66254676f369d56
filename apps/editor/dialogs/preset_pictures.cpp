#include "dialogs/preset_pictures.h"

#include "base/error.h"
#include "compute/devices.h"
#include "graph/executor.h"
#include "graph/program_fingerprint.h"
#include "operation/presets.h"
#include "view/relief.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>

namespace caprock::editor {

const std::vector<PresetCard>& preset_cards() {
    static const std::vector<PresetCard> cards = [] {
        std::vector<PresetCard> found;
        for (const std::string& name : preset_names()) {
            if (name.find("figure-") != std::string::npos) continue;
            Recipe recipe = preset(name);
            if (recipe.title.empty() || !recipe.grid) continue;
            found.push_back({QString::fromStdString(name), QString::fromStdString(recipe.title),
                             QString::fromStdString(recipe.about), *recipe.grid});
        }
        return found;
    }();
    return cards;
}

const PresetCard* find_preset_card(const QString& name) {
    auto found = std::ranges::find(preset_cards(), name, &PresetCard::name);
    return found == preset_cards().end() ? nullptr : &*found;
}

QString preset_picture_file(const QString& name) {
    std::string made_by = recipe_text(preset(name.toStdString())) + std::string(program_fingerprint());
    QByteArray recipe = QByteArray::fromStdString(made_by);
    QString key = QCryptographicHash::hash(recipe, QCryptographicHash::Sha1).toHex().left(12);
    QDir folder(QStandardPaths::writableLocation(QStandardPaths::CacheLocation));
    return folder.filePath(QString("presets/%1-%2.png").arg(name, key));
}

QImage preset_picture(const QString& name, Progress& progress) {
    QString file = preset_picture_file(name);
    QImage kept(file);
    if (!kept.isNull()) return kept;

    // All of the land, with fewer and larger cells.
    Recipe recipe = preset(name.toStdString());
    Grid grid = recipe.grid.value_or(Grid());
    int side = preset_picture_size.width();
    double shrunk = double(std::min(grid.extent.width(), grid.extent.height())) / side;
    grid.cell *= shrunk;
    grid.extent = {0, 0, side, side};
    RunContext context;
    context.device = choose_device("cpu", 1, 0);
    context.progress = &progress;
    Terrain land = run_chain(recipe.operations, Terrain(grid), context);
    ReliefOptions options;
    options.longest_side = side;
    Picture relief = shaded_relief(land, options);
    QImage whole(relief.rgb.data(), relief.size.width, relief.size.height, relief.size.width * 3,
                 QImage::Format_RGB888);
    int top = (whole.height() - preset_picture_size.height()) / 2;
    QImage picture = whole.copy(QRect(QPoint(0, top), preset_picture_size));

    QDir().mkpath(QFileInfo(file).path());
    QSaveFile keeping(file);
    // A cache that cannot be written costs time, nothing else.
    if (keeping.open(QIODevice::WriteOnly) && picture.save(&keeping, "PNG")) keeping.commit();
    return picture;
}

}  // namespace caprock::editor
