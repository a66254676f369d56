// What the import dialogs of game engines ask for, of a heightmap that was written as shares of a height range.
#pragma once

#include "terrain/grid.h"

#include <QString>
#include <utility>
#include <vector>

namespace caprock::editor {

enum class Engine { unreal, unity, godot };

struct EngineSize {
    QString engine;
    int side = 0;
};
// Sides that engines take as they are, for lists of choices.
const std::vector<EngineSize>& engine_sizes();

using EngineNumbers = std::vector<std::pair<QString, QString>>;  // what it is called there, and its value
EngineNumbers engine_numbers(Engine engine, const Grid& grid, bool big_endian = false);
QString engine_name(Engine engine);
// One line for each, to be pasted.
QString engine_text(Engine engine, const Grid& grid, bool big_endian = false);

// Scale and place along Z of an Unreal landscape: 32768 lies at the actor, and 128 steps are a centimetre at scale 1.
struct UnrealHeight {
    double scale = 100;
    double location = 0;  // centimetres
};
UnrealHeight unreal_height(const Interval& range);

}  // namespace caprock::editor
