#include "compute/user_kernel.h"

#include "compute/cpu_compiler.h"
#include "compute/dialect_texts.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>

namespace caprock {

namespace {

constexpr int lanes_of_level[cpu_level_count] = {4, 4, 8, 16};
constexpr const char* code_symbol = "caprock_kernel";

// What an output is called where an input has its name: AROUND(height), OUT(height).
std::string made_name(const std::string& name) { return name + "_made"; }

bool is_input(ParameterKind kind) {
    return kind == ParameterKind::in || kind == ParameterKind::around || kind == ParameterKind::anywhere;
}

const ScannedParameter* input_of(const ScannedKernel& scanned, const std::string& name) {
    for (const ScannedParameter& parameter : scanned.parameters)
        if (parameter.name == name && is_input(parameter.kind)) return &parameter;
    return nullptr;
}

bool is_paired(const ScannedKernel& scanned, const ScannedParameter& parameter) {
    return parameter.kind == ParameterKind::out && input_of(scanned, parameter.name);
}

std::string declared_name(const ScannedKernel& scanned, const ScannedParameter& parameter) {
    return is_paired(scanned, parameter) ? made_name(parameter.name) : parameter.name;
}

void check_names(const ScannedKernel& scanned) {
    auto refuse = [&](const ScannedParameter& parameter, const std::string& why) {
        throw KernelError(scanned.file, {{parameter.line, why}});
    };
    std::set<std::string> taken;
    bool writes = false;
    for (const ScannedParameter& parameter : scanned.parameters) {
        writes |= is_written(parameter.kind);
        bool in_place = parameter.kind == ParameterKind::inout;
        for (const ScannedParameter& other : scanned.parameters)
            if (in_place && other.name == parameter.name && is_input(other.kind))
                refuse(other, fmt::format("'{0}' is read here and changed in place; to read around it write "
                                          "AROUND({0}), OUT({0})",
                                          parameter.name));
        if (!taken.insert(declared_name(scanned, parameter)).second)
            refuse(parameter, fmt::format("two parameters are called '{}'", parameter.name));
    }
    if (!writes)
        throw KernelError(scanned.file,
                          {{scanned.line, "it writes no field; give it INOUT(height) or OUT(mask)"}});
}

// A name that may stand in a #line and be found again in what a compiler says.
std::string safe_name(const std::string& file) {
    std::string name = file;
    for (char& c : name) {
        bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-' ||
                     c == '/' || static_cast<unsigned char>(c) >= 0x80;
        if (!plain) c = '_';
    }
    return name;
}

constexpr const char* words_of_cpu = R"(
#undef NEAR
#undef NEAR_KNOWN
#undef LOAD
#undef GATHER
#undef STORE
FN F lane_load(const Here& here, const Anywhere& plane) { return load_here(here, plane); }
FN int within_radius(const caprock::lanes::Plane& plane, int steps) {
    return clamped(steps, -plane.radius, plane.radius);
}
#define NEAR_OF(field, dx, dy) lane_near(here, field, within_radius(field, dx), within_radius(field, dy))
#define NEAR_KNOWN_OF(field, dx, dy) lane_near_known(here, field, within_radius(field, dx), within_radius(field, dy))
#define LOAD_OF(field) lane_load(here, field)
#define GATHER_OF(field, x, y) lane_gather(field, x, y)
#define PUT(field, value) lane_store(here, field, value)
)";

// The members x and y of a plane serve GATHER alone, so that those of an AROUND are free to hold the radius.
constexpr const char* words_of_opencl = R"(
#undef NEAR
#undef NEAR_KNOWN
#undef LOAD
#undef GATHER
#undef STORE
FN In plane_bounded(In plane, const int radius) {
    plane.x = radius;
    return plane;
}
#define within_radius(field, steps) clamp((int)(steps), -(field).x, (field).x)
#define NEAR_OF(field, dx, dy) plane_near(field, within_radius(field, dx), within_radius(field, dy))
#define NEAR_KNOWN_OF(field, dx, dy) plane_near_known(field, within_radius(field, dx), within_radius(field, dy))
#define LOAD_OF(field) (*(field).at)
#define GATHER_OF(field, to_x, to_y) plane_near(field, (to_x) - (field).x, (to_y) - (field).y)
#define PUT(field, value) (*(field).at = (value))
)";

constexpr const char* words_for_present = R"(
#define NEAR(field, dx, dy) NEAR_OF(field, dx, dy)
#define NEAR_KNOWN(field, dx, dy) NEAR_KNOWN_OF(field, dx, dy)
#define LOAD(field) LOAD_OF(field)
#define GATHER(field, x, y) GATHER_OF(field, x, y)
)";

// A field that is not there is missing everywhere.
constexpr const char* words_for_absent = R"(
#define NEAR(field, dx, dy) (HAS(field) ? NEAR_OF(field, dx, dy) : (F)(MISSING))
#define NEAR_KNOWN(field, dx, dy) (HAS(field) ? NEAR_KNOWN_OF(field, dx, dy) : (F)(MISSING))
#define LOAD(field) (HAS(field) ? LOAD_OF(field) : (F)(MISSING))
#define GATHER(field, x, y) (HAS(field) ? GATHER_OF(field, x, y) : (F)(MISSING))
)";

}  // namespace

struct UserKernel::Codes {
    std::mutex guard;
    std::array<const lanes::Compiled*, cpu_level_count> levels = {};
};

UserKernel::UserKernel(const ScannedKernel& scanned, const UserKernelRules& rules)
    : file_(scanned.file),
      called_(safe_name(scanned.file)),
      // No name of the dialect or of a device begins so.
      name_("custom_" + scanned.name),
      codes_(std::make_unique<Codes>()) {
    check_names(scanned);
    write_words(scanned, rules);
    write_text(scanned, rules);
    texts_.assign(dialect_texts().begin(), dialect_texts().end());
    texts_.push_back({called_.c_str(), text_.c_str()});
    kernel_ = {name_.c_str(), called_.c_str(), texts_, {}, this};
}

UserKernel::~UserKernel() = default;

void UserKernel::write_words(const ScannedKernel& scanned, const UserKernelRules& rules) {
    words_ = rules.optional.empty() ? words_for_present : words_for_absent;
    words_ += "FN F kept_value(F before, F value) { return ";
    std::string value = rules.makes_missing ? "value" : "SEL(IS_MISSING(value), before, value)";
    words_ += rules.fills_missing ? value : fmt::format("SEL(IS_MISSING(before), before, {})", value);
    words_ += "; }\n#define STORE(field, value) STORE_##field(value)\n";
    for (const ScannedParameter& parameter : scanned.parameters) {
        if (!is_written(parameter.kind)) continue;
        std::string to = declared_name(scanned, parameter);
        bool has_before = parameter.kind == ParameterKind::inout || is_paired(scanned, parameter);
        // A mask or another field that is new is 0 where nothing is known.
        std::string kept = has_before            ? fmt::format("kept_value(LOAD({}), value)", parameter.name)
                           : rules.makes_missing ? "(F)(value)"
                                                 : "new_value(value)";
        words_ += fmt::format("#define STORE_{}(value) PUT({}, {})\n", parameter.name, to, kept);
    }
    words_ += "FN F new_value(F value) { return SEL(IS_MISSING(value), 0.0f, value); }\n";
}

void UserKernel::write_text(const ScannedKernel& scanned, const UserKernelRules& rules) {
    struct Edit {
        size_t begin, end;
        std::string text;
    };
    std::vector<Edit> edits;
    auto lines_between = [&](size_t begin, size_t end) {
        return std::string(size_t(std::count(scanned.text.begin() + ptrdiff_t(begin),
                                             scanned.text.begin() + ptrdiff_t(end), '\n')),
                           '\n');
    };
    for (const ScannedInclude& include : scanned.includes)
        edits.push_back(
            {include.begin, include.end,
             fmt::format("#include \"{}\"{}", include.name, lines_between(include.begin, include.end))});
    edits.push_back({scanned.begin, scanned.comma + 1,
                     fmt::format("KERNEL({},{}", name_, lines_between(scanned.begin, scanned.comma + 1))});
    std::string first;
    for (const ScannedParameter& parameter : scanned.parameters) {
        std::string name = declared_name(scanned, parameter);
        if (name != parameter.name) edits.push_back({parameter.begin, parameter.end, name});
        if (parameter.kind == ParameterKind::out)
            first += fmt::format(" PUT({}, {});", name,
                                 name != parameter.name ? fmt::format("LOAD({})", parameter.name)
                                 : rules.makes_missing  ? "MISSING"
                                                        : "0.0f");
        std::string type;
        const char* kind = "IN";
        switch (parameter.kind) {
            case ParameterKind::out:
                kind = "OUT";
                break;
            case ParameterKind::inout:
                kind = "INOUT";
                break;
            case ParameterKind::around:
                kind = "AROUND";
                break;
            case ParameterKind::anywhere:
                kind = "ANYWHERE";
                break;
            case ParameterKind::uniform_float:
                kind = "UNIFORM", type = "float, ";
                break;
            case ParameterKind::uniform_int:
                kind = "UNIFORM", type = "int, ";
                break;
            case ParameterKind::uniform_uint:
                kind = "UNIFORM", type = "uint, ";
                break;
            default:
                break;
        }
        signature_ += fmt::format("{}{}({}{})", signature_.empty() ? "" : ", ", kind, type, name);
    }
    edits.push_back({scanned.brace, scanned.brace + 1, "{" + first});
    std::ranges::sort(edits, {}, &Edit::begin);
    size_t done = 0;
    for (const Edit& edit : edits) {
        text_ += scanned.text.substr(done, edit.begin - done) + edit.text;
        done = edit.end;
    }
    text_ += scanned.text.substr(done);
}

std::string UserKernel::words(const char* of_platform) const {
    return fmt::format("#line 1 \"(words)\"{}{}", of_platform, words_);
}

std::string UserKernel::words_for_opencl() const { return words(words_of_opencl); }

std::string UserKernel::cpu_source(CpuLevel level) const {
    std::string source = fmt::format("#define CAPROCK_LANES {}\n", lanes_of_level[size_t(level)]);
    std::set<std::string> included;
    append_with_includes(texts_, "dialect/cpu.h", included, source);
    source += "namespace {\n" + words(words_of_cpu);
    append_with_includes(texts_, called_, included, source);
    source += fmt::format(
        "#line 1 \"(entry)\"\n}}\n"
        "extern \"C\" {{ extern const caprock::lanes::Compiled {0};\n"
        "const caprock::lanes::Compiled {0} = {{{1}_signature, Runner<{1}_cells>::run}}; }}\n",
        code_symbol, name_);
    return source;
}

const lanes::Compiled* UserKernel::code(CpuLevel level) const {
    std::lock_guard lock(codes_->guard);
    const lanes::Compiled*& compiled = codes_->levels[size_t(level)];
    if (!compiled) {
        std::optional<CpuCompiler> compiler = find_cpu_compiler();
        if (!compiler) return nullptr;
        CompilerAnswer answer = compile_for_cpu(*compiler, cpu_source(level), level, code_symbol);
        if (!answer.symbol) {
            std::vector<KernelProblem> problems = problems_in(answer.said, called_);
            if (problems.empty())
                problems.push_back({0, fmt::format("{} {}", compiler->path, answer.failure)});
            throw KernelError(file_, problems);
        }
        compiled = static_cast<const lanes::Compiled*>(answer.symbol);
    }
    return compiled;
}

const UserKernel& user_kernel(const ScannedKernel& scanned, const UserKernelRules& rules) {
    const char* allowed = std::getenv("CAPROCK_KERNELS");
    if (allowed && std::string_view(allowed) == "off")
        throw Error(
            fmt::format("'{}' is a kernel of its own, and CAPROCK_KERNELS=off allows none", scanned.file));
    using Key = std::tuple<std::string, std::string, UserKernelRules>;
    static std::mutex guard;
    // Never taken down: devices that outlive other objects know these.
    static auto* const known = new std::map<Key, std::unique_ptr<UserKernel>>;
    std::lock_guard lock(guard);
    Key key(scanned.file, scanned.text, rules);
    auto found = known->find(key);
    if (found == known->end())
        found = known->emplace(std::move(key), std::make_unique<UserKernel>(scanned, rules)).first;
    return *found->second;
}

}  // namespace caprock
