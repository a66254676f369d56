#include "library/inside.h"

namespace caprock {
inline namespace v1 {

namespace {

// What a recipe says of a file, in the words of the command line.
struct Reading {
    bool to_metres = false;
    core::PictureMeaning meaning = core::PictureMeaning::usual;
    core::ByteOrder byte_order = core::ByteOrder::little;
    std::string size;

    void describe(Declaration& d) const {
        d.flag("to-metres", to_metres);
        d.choice("as", meaning, {"usual", "frontier"});
        d.choice("byte-order", byte_order, {"little", "big"});
        d.text("size", size);
    }
};

NamedFile file_of(const std::string& path, const std::map<std::string, std::string>& said) {
    Reading reading;
    Declaration words;
    reading.describe(words);
    for (const auto& [name, text] : said) {
        if (!words.schema().find(name))
            throw core::Error(fmt::format("the recipe's \"reading\" has '{}'; a file is read with {}", name,
                                          listed(words.schema().parameter_names())));
        words.set_text(name, text);
    }
    NamedFile file{path, {}};
    file.options.to_metres = reading.to_metres;
    file.options.meaning = reading.meaning;
    file.options.byte_order = reading.byte_order;
    if (!reading.size.empty()) {
        file.options.size = parse_size(reading.size);
        if (!file.options.size)
            throw core::Error(
                fmt::format("size {}: must be WIDTHxHEIGHT, such as 1024x512, each 1 to {} cells",
                            reading.size, largest_side));
    }
    return file;
}

std::map<std::string, std::string> said_of(const NamedFile& file) {
    const core::ReadOptions& options = file.options;
    Reading reading{options.to_metres, options.meaning, options.byte_order, ""};
    if (options.size) reading.size = fmt::format("{}x{}", options.size->width, options.size->height);
    Declaration words;
    reading.describe(words);
    const Reading usual;
    Declaration defaults;
    usual.describe(defaults);
    std::map<std::string, std::string> said;
    for (const std::string& name : words.schema().parameter_names())
        if (words.value_text(name) != defaults.value_text(name)) said[name] = words.value_text(name);
    return said;
}

Land land_of(Recipe recipe) {
    Land::Inside land;
    land.title = recipe.title;
    land.about = recipe.about;
    if (recipe.grid) {
        land.start = *recipe.grid;
    } else {
        NamedFile file = file_of(recipe.file, recipe.reading);
        file.options.cell = recipe.cell;
        file.options.range = recipe.range;
        land.start = std::move(file);
    }
    land.steps = std::move(recipe.steps);
    for (const auto& [name, input] : recipe.inputs) {
        land.inputs[name] = file_of(input.file, input.reading);
        land.inputs[name].options.cell = input.cell;
    }
    for (auto& operation : recipe.operations) land.operations.push_back(std::move(operation));
    return public_of(std::move(land));
}

// Recipes have a few kilobytes; thousands of operations still fit. A device that never ends does not.
constexpr size_t longest_recipe = 16 << 20;

}  // namespace

std::string Land::recipe() const {
    return translated([&] {
        Recipe recipe;
        recipe.title = inside_->title;
        recipe.about = inside_->about;
        if (const auto* grid = std::get_if<core::Grid>(&inside_->start)) {
            recipe.grid = *grid;
        } else if (const auto* file = std::get_if<NamedFile>(&inside_->start)) {
            recipe.file = file->path;
            recipe.cell = file->options.cell;
            recipe.range = file->options.range;
            recipe.reading = said_of(*file);
        } else {
            throw core::Error(
                "land that begins with a terrain is no recipe: write it to a file first, and read that");
        }
        recipe.steps = inside_->steps;
        for (const auto& [name, input] : inside_->inputs)
            recipe.inputs[name] = {input.path, input.options.cell, said_of(input)};
        for (const auto& operation : inside_->operations) recipe.operations.push_back(operation->clone());
        return recipe_text(recipe);
    });
}

std::vector<std::string> preset_names() { return core::preset_names(); }

Land preset(std::string_view name, const Tell& tell) {
    return translated([&] { return land_of(core::preset(name, tell)); });
}

Land recipe(const std::string& text, const Tell& tell) {
    return translated([&] { return land_of(parse_recipe(text, tell)); });
}

Land recipe_file(const std::string& path, const Tell& tell) {
    return translated([&] {
        std::string text;
        try {
            text = text_of_file(path, longest_recipe, "that is no recipe");
        } catch (const core::Error& error) {
            throw core::Error(fmt::format("cannot read '{}': {}", path, error.what()));
        }
        try {
            return land_of(parse_recipe(text, tell));
        } catch (const core::Error& error) {
            throw core::Error(fmt::format("'{}': {}", path, error.what()));
        }
    });
}

}  // namespace v1
}  // namespace caprock
