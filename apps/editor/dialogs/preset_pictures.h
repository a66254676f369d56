// Presets as users choose them: with a title, and a small picture of the land they make.
#pragma once

#include "base/progress.h"
#include "terrain/grid.h"

#include <QImage>
#include <QSize>
#include <QString>
#include <vector>

namespace caprock::editor {

struct PresetCard {
    QString name;
    QString title;
    QString about;
    Grid grid;
};

// Those that are landscapes of their own, not figures of a paper.
const std::vector<PresetCard>& preset_cards();
const PresetCard* find_preset_card(const QString& name);

constexpr QSize preset_picture_size(192, 120);
// Computed at few cells the first time, and kept on disk from then on. Throws Error, and Cancelled. Not for the window's
// thread.
QImage preset_picture(const QString& name, Progress& progress);
// Where the picture is kept; another recipe of the same name has another.
QString preset_picture_file(const QString& name);

}  // namespace caprock::editor
