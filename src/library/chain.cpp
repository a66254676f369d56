#include "library/inside.h"

namespace caprock {
inline namespace v1 {

namespace {

struct ToCore {
    ParameterValue operator()(const Interval& interval) const { return core_of(interval); }
    ParameterValue operator()(const Map& map) const {
        NumberMap made = NumberMap::parsed("@" + map.from);
        if (map.interval) made.interval = core_of(*map.interval);
        return made;
    }
    ParameterValue operator()(const LineSet& lines) const { return LinesValue(core_of(lines)); }
    ParameterValue operator()(const auto& same) const { return same; }
};

void set(Operation& operation, const Setting& setting) {
    const Parameter* parameter = operation.schema().find(setting.name);
    if (!parameter)
        throw core::Error(fmt::format("no parameter '{}'{}", one_line(setting.name),
                                      suggestion(setting.name, operation.schema().parameter_names())));
    // Now, as on the command line: the content of a file is what counts, not where it lies.
    const auto* word = std::get_if<std::string>(&setting.value);
    const bool of_file =
        std::holds_alternative<InputFile>(parameter->default_value()) || parameter->is_of_lines();
    if (word && !word->empty() && of_file) return operation.set_text(*parameter, *word);
    try {
        operation.set(*parameter, std::visit(ToCore(), setting.value));
    } catch (const std::logic_error& error) {
        throw core::Error(error.what());  // a value of another kind
    }
}

std::shared_ptr<const Operation> made(std::string_view name, std::span<const Setting> settings) {
    const std::string word(name);
    std::unique_ptr<Operation> operation =
        is_kernel_name(word) ? KernelFile(word).operation() : make_operation(word);
    try {
        for (const Setting& setting : settings) set(*operation, setting);
    } catch (const core::Error& error) {
        throw core::Error(fmt::format("{}: {}", operation->name(), error.what()));
    }
    return operation;
}

}  // namespace

Chain::Chain() : inside_(std::make_shared<const Inside>()) {}

Chain::Chain(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}

Chain::Chain(std::string_view operation, std::span<const Setting> settings)
    : inside_(
          translated([&] { return std::make_shared<const Inside>(Inside{{made(operation, settings)}}); })) {}

Chain::Chain(std::string_view operation, std::initializer_list<Setting> settings)
    : Chain(operation, std::span(settings.begin(), settings.size())) {}

std::vector<std::string> Chain::names() const {
    std::vector<std::string> names;
    for (const auto& operation : inside_->operations) names.emplace_back(operation->name());
    return names;
}

Land Chain::on(const Grid& grid) const {
    return translated([&] {
        return public_of(Land::Inside{core_of(grid), inside_->operations, "", "", {}, {}});
    });
}

Chain operator|(const Chain& first, const Chain& then) {
    Operations operations = first.inside().operations;
    const Operations& more = then.inside().operations;
    operations.insert(operations.end(), more.begin(), more.end());
    return Chain(std::make_shared<const Chain::Inside>(Chain::Inside{std::move(operations)}));
}

std::vector<OperationDescription> operations() {
    std::vector<OperationDescription> all;
    for (const std::string& name : operation_names()) {
        const std::unique_ptr<Operation> operation = make_operation(name);
        all.push_back({name, std::string(operation->room()), operation->schema().summary()});
    }
    return all;
}

}  // namespace v1
}  // namespace caprock
