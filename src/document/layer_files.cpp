#include "document/layer_files.h"

#include "base/error.h"
#include "base/text.h"
#include "document/setting_list.h"

#include <fmt/format.h>
#include <memory>

namespace caprock {

namespace {

// All layers together have 64 MB of text.
constexpr size_t most_kept = size_t(16) << 20;

// Each operation of a layer and of its mask that there is.
template <typename Action>
void for_each_operation(Layer& layer, const Action& action) {
    for (std::vector<LayerOperation>* steps : {&layer.operations, &layer.mask.operations})
        for (LayerOperation& step : *steps)
            if (step.operation) action(step);
}

void take_in(LayerOperation& step) {
    if (step.operation->files().empty() && !step.operation->has_lines_to_place()) return;
    std::shared_ptr<const Operation> read = with_files(*step.operation);
    for (const InputFile& file : read->files()) require_keepable(file);
    step.operation = std::move(read);
}

void add_notes(const Layer& layer, std::vector<FileNote>& notes) {
    for (const LayerSetting& setting : settings_of(layer)) {
        if (setting.type != ParameterType::file || setting.step == 0) continue;
        const std::vector<LayerOperation>& steps = setting.of_mask ? layer.mask.operations : layer.operations;
        std::string name = setting.name.substr(setting.name.find('.') + 1);
        const ParameterValue value = steps[size_t(setting.step) - 1].operation->value(name);
        const InputFile* file = std::get_if<InputFile>(&value);
        if (!file || !file->named()) continue;
        bool taken_in = file->read();
        if (taken_in && !file->differs_on_disk()) continue;
        notes.push_back({layer.id, layer.name, setting.name, file->path(), taken_in});
    }
    for (const Layer& inside : layer.layers) add_notes(inside, notes);
}

}  // namespace

void require_keepable(const InputFile& file) {
    if (file.text().size() > most_kept)
        throw Error(fmt::format("{}: larger than {}, which is the most that a document keeps of a file",
                                file.title(), bytes_text(most_kept)));
}

void take_in_files(std::vector<LayerOperation>& operations) {
    for (LayerOperation& step : operations) {
        if (!step.operation) continue;
        try {
            take_in(step);
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", step.operation->name(), error.what()));
        }
    }
}

void take_in_files(std::vector<Layer>& layers, std::vector<std::string>& told) {
    for (Layer& layer : layers) {
        for_each_operation(layer, [&](LayerOperation& step) {
            try {
                take_in(step);
            } catch (const Error& error) {
                told.push_back(
                    fmt::format("layer {} ({}): {}", layer.id, one_line(layer.name), error.what()));
            }
        });
        take_in_files(layer.layers, told);
    }
}

std::vector<FileNote> file_notes(const std::vector<Layer>& layers) {
    std::vector<FileNote> notes;
    for (const Layer& layer : layers) add_notes(layer, notes);
    return notes;
}

}  // namespace caprock
