#include "operation/kernel_program.h"

#include "base/text.h"
#include "operation/simulation.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace caprock {

namespace {

constexpr size_t longest_help = 200;

bool is_uniform(ParameterKind kind) {
    return kind == ParameterKind::uniform_float || kind == ParameterKind::uniform_int ||
           kind == ParameterKind::uniform_uint;
}

struct BuiltIn {
    UniformSource source;
    ParameterKind kind;
    const char* declaration;
};
const std::map<std::string, BuiltIn, std::less<>> built_in = {
    {"cell", {UniformSource::cell, ParameterKind::uniform_float, "UNIFORM(float, cell)"}},
    {"low", {UniformSource::low, ParameterKind::uniform_float, "UNIFORM(float, low)"}},
    {"high", {UniformSource::high, ParameterKind::uniform_float, "UNIFORM(float, high)"}},
    {"reach", {UniformSource::reach, ParameterKind::uniform_int, "UNIFORM(int, reach)"}},
    {"iteration", {UniformSource::iteration, ParameterKind::uniform_int, "UNIFORM(int, iteration)"}},
};

// "step: 40 m (1 .. 500) height of one step" in parts.
struct Entry {
    std::string word;
    std::string rest;
};
std::optional<Entry> entry_in(const std::string& comment) {
    size_t colon = comment.find(':');
    if (colon == std::string::npos) return std::nullopt;
    std::string word = trimmed(comment.substr(0, colon));
    std::ranges::replace(word, '-', '_');
    if (word.empty() ||
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
            std::string::npos)
        return std::nullopt;
    return Entry{word, trimmed(comment.substr(colon + 1))};
}

class Reader {
  public:
    Reader(const std::string& text, const std::string& file) {
        made_.file = file;
        made_.name = file.substr(file.rfind('/') + 1);
        made_.text = text;
        made_.scanned = scan_kernel(text, file);
    }

    KernelProgram read() {
        read_comments();
        for (const ScannedParameter& parameter : made_.scanned.parameters) {
            if (is_uniform(parameter.kind)) add_uniform(parameter);
            if (parameter.asked_for) made_.rules.optional.insert(parameter.name);
        }
        if (made_.steps_setting) add_stop_after();
        check_radius();
        check_optional();
        if (made_.summary.empty()) made_.summary = "a kernel of its own: " + made_.scanned.name;
        if (!problems_.empty()) {
            std::ranges::stable_sort(problems_, {}, &KernelProblem::line);
            throw KernelError(made_.file, problems_);
        }
        made_.kernel = &user_kernel(made_.scanned, made_.rules);
        return std::move(made_);
    }

  private:
    void problem(int line, std::string message) { problems_.push_back({line, std::move(message)}); }

    const ScannedParameter* parameter_named(std::string_view name) const {
        for (const ScannedParameter& parameter : made_.scanned.parameters)
            if (parameter.name == name) return &parameter;
        return nullptr;
    }

    // ---- comments ----------------------------------------------------------------------------------------

    void read_comments() {
        bool in_summary = true;
        for (const ScannedComment& comment : made_.scanned.comments) {
            bool taken = read_rule(comment.text) || read_entry(comment);
            if (taken || comment.text.empty()) {
                in_summary &= made_.summary.empty();
            } else if (in_summary) {
                made_.summary += (made_.summary.empty() ? "" : " ") + comment.text;
            }
        }
        // The first sentence says it.
        made_.summary = made_.summary.substr(0, made_.summary.find(". "));
        if (made_.summary.ends_with('.')) made_.summary.pop_back();
        made_.summary = in_a_line(made_.summary);
    }

    bool read_rule(std::string_view text) {
        if (text.ends_with('.')) text.remove_suffix(1);
        if (text.ends_with(" cells")) text.remove_suffix(6);
        if (text == "fills missing") return made_.rules.fills_missing = true;
        if (text == "makes missing") return made_.rules.makes_missing = true;
        return false;
    }

    bool read_entry(const ScannedComment& comment) {
        std::optional<Entry> entry = entry_in(comment.text);
        if (!entry) return false;
        if (built_in.contains(entry->word) && parameter_named(entry->word)) {
            problem(comment.line,
                    fmt::format("'{}' is filled in by the program; it is not declared", entry->word));
            return true;
        }
        const ScannedParameter* parameter = parameter_named(entry->word);
        if (parameter && !is_uniform(parameter->kind)) {
            if (entry->rest.starts_with("optional")) made_.rules.optional.insert(entry->word);
            return true;
        }
        // What was written before steps had that name says iterations.
        const bool counts_steps = entry->word == "iterations" || (entry->word == "steps" && !parameter);
        if (!parameter && entry->word != "radius" && !counts_steps) {
            // Prose has colons too. What looks like a declaration is one that is misspelt.
            if (!parse_number(entry->rest.substr(0, entry->rest.find(' ')))) return false;
            std::vector<std::string> words = {"radius", "steps"};
            for (const ScannedParameter& known : made_.scanned.parameters)
                if (is_uniform(known.kind)) words.push_back(known.name);
            problem(comment.line, fmt::format("the kernel has no uniform '{}'{}", one_line(entry->word),
                                              suggestion(entry->word, words)));
            return true;
        }
        const ParameterKind without =
            counts_steps ? ParameterKind::uniform_int : ParameterKind::uniform_float;
        add_setting(*entry, parameter ? parameter->kind : without, counts_steps, comment.line);
        return true;
    }

    void add_setting(const Entry& entry, ParameterKind kind, bool counts_steps, int line) {
        for (const KernelSetting& other : made_.settings)
            if (other.word == entry.word)
                return problem(
                    line, fmt::format("'{}' is declared twice, first in line {}", entry.word, other.line));
        KernelSetting setting;
        setting.word = setting.name = entry.word;
        setting.counts_steps = counts_steps;
        if (counts_steps && !parameter_named("steps")) setting.name = "steps";
        std::ranges::replace(setting.name, '_', '-');
        setting.line = line;
        if (entry.word == "radius" && read_fixed_radius(entry.rest)) return;
        std::optional<std::string> wrong = read_setting(entry.rest, kind, setting);
        if (wrong)
            return problem(line, fmt::format("{}: {}; a parameter is declared like this: "
                                             "{}: 40 m (1 .. 500) what it does",
                                             entry.word, *wrong, entry.word));
        if (setting.name == "help") return problem(line, "no parameter can be called 'help'");
        if (entry.word == "radius") made_.radius_setting = made_.settings.size();
        if (counts_steps) {
            if (made_.steps_setting) return problem(line, "how many steps there are is declared twice");
            made_.steps_setting = made_.settings.size();
        }
        made_.settings.push_back(std::move(setting));
    }

    // "1 cell": always the same, so no parameter.
    bool read_fixed_radius(const std::string& rest) {
        if (rest.find('(') != std::string::npos) return false;
        std::vector<std::string> words = split(rest, ' ');
        std::optional<double> value = parse_number(words[0]);
        if (!value || words.size() < 2 || !(*value >= 0 && *value <= 1e6)) return false;
        bool cells = words[1].starts_with("cell");
        if (!cells && words[1] != "m") return false;
        made_.radius = *value;
        made_.radius_in_cells = cells;
        fixed_radius_ = true;
        return true;
    }

    // What is wrong with it, if anything is.
    std::optional<std::string> read_setting(const std::string& rest, ParameterKind kind,
                                            KernelSetting& setting) {
        size_t end = std::min(rest.find_first_of(" \t(,;"), rest.size());
        std::string value = rest.substr(0, end);
        std::string after = trimmed(rest.substr(end));
        bool whole = kind != ParameterKind::uniform_float;
        if (value == "yes" || value == "no") {
            if (!whole) return "yes and no are for a UNIFORM(int, ...)";
            setting.type = ParameterType::flag;
            setting.initial = value == "yes";
            setting.range = {0, 1};
            return read_help(after, setting);
        }
        size_t open = after.find('(');
        size_t close = after.find(')');
        bool enclosed = open != std::string::npos && close != std::string::npos && open < close;
        std::string inside = enclosed ? after.substr(open + 1, close - open - 1) : "";
        std::optional<double> number = parse_number(value);
        if (kind == ParameterKind::uniform_uint && setting.word == "seed") {
            setting.type = ParameterType::seed;
            if (!number || *number != std::floor(*number) || *number < 0 || *number > 4294967295.0)
                return "a seed is a whole number";
            setting.initial = *number;
            return read_help(after, setting);
        }
        if (!enclosed) return "its range (LOW .. HIGH) is missing";
        if (!number && inside.find('|') != std::string::npos) {
            if (!whole) return "choices are for a UNIFORM(int, ...)";
            setting.type = ParameterType::choice;
            for (const std::string& choice : split(inside, '|')) setting.choices.push_back(trimmed(choice));
            auto found = std::ranges::find(setting.choices, value);
            if (found == setting.choices.end())
                return fmt::format("'{}' is none of its choices", one_line(value));
            std::set<std::string> different(setting.choices.begin(), setting.choices.end());
            if (different.size() != setting.choices.size() || different.contains("") ||
                setting.choices.size() > 64)
                return "its choices must be different words";
            setting.initial = double(found - setting.choices.begin());
            return read_help(after.substr(close + 1), setting);
        }
        if (!number) return fmt::format("'{}' is no number", one_line(value));
        return read_number(*number, whole, kind == ParameterKind::uniform_uint,
                           trimmed(after.substr(0, open)), inside, after.substr(close + 1), setting);
    }

    std::optional<std::string> read_number(double number, bool whole, bool positive, const std::string& unit,
                                           const std::string& inside, const std::string& help,
                                           KernelSetting& setting) {
        size_t dots = inside.find("..");
        std::optional<double> low = parse_number(trimmed(inside.substr(0, dots)));
        std::optional<double> high;
        if (dots != std::string::npos) high = parse_number(trimmed(inside.substr(dots + 2)));
        if (!low || !high) return fmt::format("'({})' is no range", one_line(inside));
        if (!(*low <= *high)) return "its range is empty";
        if (number < *low || number > *high)
            return fmt::format("{} is outside its range {} to {}", number, *low, *high);
        auto is_whole = [](double value) {
            return value == std::floor(value) && std::abs(value) <= INT32_MAX;
        };
        if (whole && !(is_whole(number) && is_whole(*low) && is_whole(*high))) return "it is a whole number";
        if (positive && *low < 0) return "a uint is not negative";
        if (std::abs(*low) > FLT_MAX || std::abs(*high) > FLT_MAX)
            return "its range is larger than floats are";
        setting.type = whole ? ParameterType::integer : ParameterType::number;
        setting.initial = number;
        setting.range = {*low, *high};
        setting.unit = one_line(unit);
        if (setting.word == "radius") {
            made_.radius_in_cells = unit.starts_with("cell");
            if (!made_.radius_in_cells && unit != "m") return "a radius is in m or in cells";
            if (*low < 0) return "a radius is not negative";
            if (whole && !made_.radius_in_cells)
                return "a radius in m is a float; how many cells that are is UNIFORM(int, reach)";
        }
        if (setting.counts_steps && (*low < 0 || *high > 100000)) return "steps are 0 .. 100000 at most";
        return read_help(help, setting);
    }

    static std::optional<std::string> read_help(const std::string& text, KernelSetting& setting) {
        std::string help = trimmed(text);
        size_t first = help.find_first_not_of(",;: ");
        setting.help = first == std::string::npos ? "" : in_a_line(help.substr(first, longest_help));
        return std::nullopt;
    }

    // ---- the kernel ---------------------------------------------------------------------------------------

    void add_uniform(const ScannedParameter& parameter) {
        auto known = built_in.find(parameter.name);
        if (known != built_in.end()) {
            if (known->second.kind != parameter.kind)
                problem(parameter.line, fmt::format("'{}' is filled in by the program: declare it as {}",
                                                    parameter.name, known->second.declaration));
            made_.uniforms.push_back({known->second.source, 0});
            return;
        }
        for (size_t i = 0; i < made_.settings.size(); i++)
            if (made_.settings[i].word == parameter.name) {
                made_.uniforms.push_back({UniformSource::setting, i});
                return;
            }
        if (parameter.name == "seed" && parameter.kind == ParameterKind::uniform_uint) {
            KernelSetting seed;
            seed.word = seed.name = "seed";
            seed.type = ParameterType::seed;
            seed.help = "another number, another result";
            made_.uniforms.push_back({UniformSource::setting, made_.settings.size()});
            made_.settings.push_back(seed);
            return;
        }
        if (parameter.name == "radius" && fixed_radius_)
            return problem(parameter.line, "a radius that is always the same is no uniform");
        bool told = std::ranges::any_of(problems_, [&](const KernelProblem& other) {
            return other.message.starts_with(parameter.name + ": ");
        });
        if (!told)
            problem(parameter.line,
                    fmt::format("no comment says what '{0}' is; add a line such as: // {0}: 40 m "
                                "(1 .. 500) what it does",
                                parameter.name));
    }

    // As every simulation has it.
    void add_stop_after() {
        constexpr const char* word = "stop_after";
        const ScannedParameter* own = parameter_named(word);
        if (own && is_uniform(own->kind))
            return problem(own->line,
                           fmt::format("a kernel that counts steps has '{}' without saying so: the "
                                       "uniform needs another name",
                                       word));
        KernelSetting setting;
        setting.word = word;
        setting.name = "stop-after";
        setting.type = ParameterType::integer;
        made_.stop_after_setting = made_.settings.size();
        made_.settings.push_back(std::move(setting));
    }

    void check_radius() {
        bool around = made_.has(ParameterKind::around);
        if (around && !fixed_radius_ && !made_.radius_setting && problems_.empty())
            problem(made_.scanned.line,
                    "AROUND needs a comment that says how far it looks, such as: // radius: 1 cell");
        if (!around && fixed_radius_)
            problem(made_.scanned.line, "a radius is for AROUND, and the kernel has none");
    }

    void check_optional() {
        for (const ScannedParameter& parameter : made_.scanned.parameters) {
            if (!made_.rules.optional.contains(parameter.name) || !is_field(parameter.kind)) continue;
            bool written = is_written(parameter.kind);
            if (written && parameter.kind == ParameterKind::inout)
                problem(parameter.line,
                        fmt::format("'{}' is changed, so it cannot be optional", parameter.name));
            for (const ScannedParameter& other : made_.scanned.parameters)
                if (written && &other != &parameter && other.name == parameter.name)
                    problem(parameter.line,
                            fmt::format("'{}' is changed, so it cannot be optional", parameter.name));
        }
    }

    KernelProgram made_;
    std::vector<KernelProblem> problems_;
    bool fixed_radius_ = false;
};

ParameterValue initial_value(const KernelSetting& setting) {
    switch (setting.type) {
        case ParameterType::flag:
            return setting.initial != 0;
        case ParameterType::choice:
            return setting.choices[size_t(setting.initial)];
        case ParameterType::seed:
            return uint32_t(setting.initial);
        case ParameterType::integer:
            return int(setting.initial);
        default:
            return setting.initial;
    }
}

Schema schema_of(const KernelProgram& program) {
    Schema schema;
    schema.set_summary(program.summary);
    for (size_t i = 0; i < program.settings.size(); i++) {
        const KernelSetting& setting = program.settings[i];
        Parameter& parameter = schema.add(setting.name, setting.type, initial_value(setting));
        if (i == program.stop_after_setting) {
            describe_stop_after(parameter);
            continue;
        }
        if (parameter.numeric()) parameter.range(setting.range.low, setting.range.high);
        parameter.choices(setting.choices).unit(setting.unit).help(setting.help);
        if (setting.counts_steps && setting.word != setting.name) parameter.once_called(setting.word);
    }
    return schema;
}

FieldUse fields_of(const KernelProgram& program) {
    FieldUse use;
    for (const ScannedParameter& parameter : program.scanned.parameters) {
        if (!is_field(parameter.kind)) continue;
        bool optional = program.rules.optional.contains(parameter.name);
        if (parameter.kind != ParameterKind::out)
            (optional ? use.optional_inputs : use.inputs).push_back(parameter.name);
        if (is_written(parameter.kind)) use.outputs.push_back(parameter.name);
    }
    use.work_fields = int(use.outputs.size());
    // Before and after a step.
    if (program.steps_setting) use.work_fields += int(program.paired_outputs());
    use.fills_missing = program.rules.fills_missing;
    use.makes_missing = program.rules.makes_missing;
    return use;
}

}  // namespace

bool KernelProgram::has(ParameterKind kind) const {
    return std::ranges::any_of(scanned.parameters,
                               [&](const ScannedParameter& parameter) { return parameter.kind == kind; });
}

bool KernelProgram::is_paired(const ScannedParameter& parameter) const {
    return parameter.kind == ParameterKind::out &&
           std::ranges::any_of(scanned.parameters, [&](const ScannedParameter& other) {
               return other.kind != ParameterKind::out && is_field(other.kind) &&
                      other.name == parameter.name;
           });
}

size_t KernelProgram::paired_outputs() const {
    return size_t(std::ranges::count_if(
        scanned.parameters, [&](const ScannedParameter& parameter) { return is_paired(parameter); }));
}

bool is_kernel_name(std::string_view word) {
    constexpr std::string_view ending = ".kernel";
    return word.size() > ending.size() && word.ends_with(ending);
}

std::shared_ptr<const KernelProgram> read_kernel_program(const std::string& text, const std::string& file) {
    auto program = std::make_shared<KernelProgram>(Reader(text, file).read());
    program->schema = schema_of(*program);
    program->fields = fields_of(*program);
    return program;
}

}  // namespace caprock
