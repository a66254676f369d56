// Commands of a seed, done to a document, and whether it is then what the plain model says.
#pragma once

#include "document/commands.h"
#include "document/document.h"
#include "document/driver/commands_of_a_seed.h"

#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <string>

namespace caprock::test {

inline Rect driver_rect() { return Rect::of({driver_side, driver_side}); }
constexpr int driver_ground = 1;
constexpr int driver_layer = 2;

inline std::unique_ptr<Document> made_for_driver(const std::string& path, uint64_t memory = 0) {
    DocumentOptions options;
    options.memory = memory;
    auto document = Document::create(path, Grid{driver_rect(), 4, {0, 300}}, options);
    std::vector<LayerOperation> noise;
    noise.emplace_back(operation_with("noise", {{"feature", 300.0}}));
    Layer ground;
    ground.name = "Ground";
    add_operations(*document, std::move(noise), ground);
    Layer painted;
    painted.name = "Painted";
    painted.blend = make_blend("add");
    add_painted(*document, "height", painted);
    // The model begins here.
    document->compact(true);
    return document;
}

// The number of the change, where it has one.
inline int64_t do_command(Document& document, const DriverCommand& command) {
    switch (command.kind) {
        case DriverCommand::Kind::stroke: {
            int canvas = canvas_of(document.state(), driver_layer, "");
            Rect around{command.x - command.radius, command.y - command.radius,
                        command.x + command.radius + 1, command.y + command.radius + 1};
            around = around.intersected(driver_rect());
            return document.change(command.title, [&](Edit& edit) {
                Field cells = edit.read(canvas, around);
                Field::WritableRows rows = cells.writable_rows();
                for (int y = around.top; y < around.bottom; y++)
                    for (int x = around.left; x < around.right; x++) {
                        float& cell = rows[y][x - around.left];
                        cell = painted_cell(cell, x, y, command);
                    }
                edit.write(canvas, cells);
            });
        }
        case DriverCommand::Kind::undo:
            document.undo();
            return 0;
        case DriverCommand::Kind::redo:
            document.redo();
            return 0;
        case DriverCommand::Kind::opacity:
            set_layer(document, driver_layer, {{"opacity", command.opacity}});
            return 0;
        case DriverCommand::Kind::forget:
            document.compact(true);
            return 0;
    }
    return 0;
}

inline Field painted_field(Document& document) {
    int canvas = canvas_of(document.state(), driver_layer, "");
    return document.snapshot().canvas(canvas).read(driver_rect());
}

inline Field model_field(const DriverModel& model) {
    Field field(driver_rect());
    std::memcpy(field.writable_rows()[0], model.cells().data(), model.cells().size() * sizeof(float));
    return field;
}

// Empty where the document is what the model says.
inline std::string difference_from(Document& document, const DriverModel& model) {
    if (document.position() != model.position() || document.entries() != model.entries())
        return fmt::format("at {} of {} entries, not {} of {}", document.position(), document.entries(),
                           model.position(), model.entries());
    double opacity = layer_opacity(layer_of(document.state(), driver_layer));
    if (std::abs(opacity - std::stod(model.opacity())) > 1e-9)
        return fmt::format("opacity {}, not {}", opacity, model.opacity());
    if (!model.title().empty() && document.history_line(model.position()).title != model.title())
        return fmt::format("the last entry is '{}', not '{}'", document.history_line(model.position()).title,
                           model.title());
    if (fingerprint(painted_field(document)) != fingerprint(model_field(model))) return "other cells";
    return "";
}

}  // namespace caprock::test
