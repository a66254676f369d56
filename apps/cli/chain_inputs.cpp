#include "chain_inputs.h"

#include "base/error.h"
#include "base/text.h"
#include "files.h"

#include <fmt/format.h>

namespace caprock::cli {

namespace {

// A field of a file or a document, read window by window.
class SourceField : public TileSource {
  public:
    SourceField(TerrainSource& source, std::string name) : source_(source), name_(std::move(name)) {}

    Field read(const Rect& region) const override { return source_.read_field(name_, region); }
    // Of this process alone: the file may be another tomorrow.
    ContentKey key(const TileIndex& tile) const override {
        return KeyMaker()
            .add(int64_t(reinterpret_cast<intptr_t>(&source_)))
            .add(name_)
            .add(int64_t(tile.x))
            .add(int64_t(tile.y))
            .key();
    }

  private:
    TerrainSource& source_;
    std::string name_;
};

FileSettings settings_of(const std::string& name, const RecipeInput& input) {
    FileSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    const std::vector<std::string> known = {"to-metres", "as", "byte-order", "size"};
    for (const auto& [option, text] : input.reading) {
        if (!contains(known, option))
            throw Error(fmt::format("the recipe's input '{}' is read with '{}'; a file is read with {}", name,
                                    one_line(option), listed(known)));
        declaration.set_text(option, text);
    }
    if (input.cell) settings.cell = *input.cell;
    return settings;
}

}  // namespace

ChainStart start_of(TerrainSource& source) {
    const Terrain shape = source.shape();
    ChainStart start;
    start.grid = shape.grid();
    if (shape.georeference()) start.georeference = *shape.georeference();
    for (const std::string& name : source.names())
        start.fields.emplace_back(name, std::make_shared<SourceField>(source, name));
    return start;
}

ChainInputs::ChainInputs(const Recipe& recipe, const DocumentReading& document, Terminal& terminal)
    : steps_(recipe.steps) {
    for (const auto& [name, input] : recipe.inputs) {
        sources_.push_back(open_file(input.file, settings_of(name, input), terminal, document));
        starts_[name] = start_of(*sources_.back());
    }
}

ChainLinks ChainInputs::links(const std::function<void(const std::string&)>& tell) const {
    return {steps_, starts_, tell};
}

}  // namespace caprock::cli
