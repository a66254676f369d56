#include "dialogs/engine_numbers.h"

#include <QCoreApplication>
#include <QStringList>

namespace caprock::editor {

namespace {

class EngineWords {
    Q_DECLARE_TR_FUNCTIONS(EngineNumbers)
};

// As many digits as matter, and no zeros behind them.
QString number(double value, int decimals = 4) {
    QString text = QString::number(value, 'f', decimals);
    if (text.contains('.')) {
        while (text.endsWith('0')) text.chop(1);
        if (text.endsWith('.')) text.chop(1);
    }
    return text == "-0" ? QString("0") : text;
}

QString size_words(const Grid& grid) {
    return QString("%1 x %2").arg(grid.extent.width()).arg(grid.extent.height());
}

}  // namespace

const std::vector<EngineSize>& engine_sizes() {
    static const std::vector<EngineSize> sizes = {
        {"Unreal", 1009}, {"Unreal", 2017}, {"Unreal", 4033}, {"Unreal", 8129},
        {"Unity", 513},   {"Unity", 1025},  {"Unity", 2049},  {"Unity", 4097},
        {"Godot", 1024},  {"Godot", 2048},  {"Godot", 4096},
    };
    return sizes;
}

UnrealHeight unreal_height(const Interval& range) {
    // The lowest height is 0 and the highest 65535, so the range is 65535 steps: not quite 512 metres at scale 100.
    UnrealHeight height;
    height.scale = range.span() * 100 * 128 / 65535;
    height.location = range.low * 100 + 32768.0 / 128 * height.scale;
    return height;
}

QString engine_name(Engine engine) {
    switch (engine) {
        case Engine::unreal:
            return "Unreal";
        case Engine::unity:
            return "Unity";
        case Engine::godot:
            return "Godot";
    }
    return {};
}

EngineNumbers engine_numbers(Engine engine, const Grid& grid, bool big_endian) {
    double width = (grid.extent.width() - 1) * grid.cell;
    double length = (grid.extent.height() - 1) * grid.cell;
    switch (engine) {
        case Engine::unreal: {
            UnrealHeight height = unreal_height(grid.range);
            return {{EngineWords::tr("Overall resolution"), size_words(grid)},
                    {EngineWords::tr("Scale X, Y"), number(grid.cell * 100)},
                    {EngineWords::tr("Scale Z"), number(height.scale)},
                    {EngineWords::tr("Location Z"), number(height.location, 2)}};
        }
        case Engine::unity:
            return {{EngineWords::tr("Resolution"), size_words(grid)},
                    {EngineWords::tr("Depth, byte order"),
                     big_endian ? EngineWords::tr("16 bit, Mac") : EngineWords::tr("16 bit, Windows")},
                    {EngineWords::tr("Flip vertically"), EngineWords::tr("on")},
                    {EngineWords::tr("Terrain width"), number(width)},
                    {EngineWords::tr("Terrain length"), number(length)},
                    {EngineWords::tr("Terrain height"), number(grid.range.span())},
                    {EngineWords::tr("Position Y"), number(grid.range.low)}};
        case Engine::godot:
            return {{EngineWords::tr("R16 size"), size_words(grid)},
                    {EngineWords::tr("R16 range"),
                     QString("%1, %2").arg(number(grid.range.low), number(grid.range.high))},
                    {EngineWords::tr("Import scale"), number(grid.range.span())},
                    {EngineWords::tr("Import offset"), number(grid.range.low)},
                    {EngineWords::tr("Vertex spacing"), number(grid.cell)}};
    }
    return {};
}

QString engine_text(Engine engine, const Grid& grid, bool big_endian) {
    QStringList lines{engine_name(engine)};
    for (const auto& [name, value] : engine_numbers(engine, grid, big_endian)) lines << name + ": " + value;
    return lines.join('\n') + '\n';
}

}  // namespace caprock::editor
