#include "compute/kernel.h"

#include "base/error.h"
#include "base/text.h"
#include "compute/user_kernel.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>

namespace caprock {

bool is_field(ParameterKind kind) { return kind <= ParameterKind::tally; }
bool is_stack(ParameterKind kind) {
    return kind >= ParameterKind::in_stack && kind <= ParameterKind::around_stack;
}
bool is_written(ParameterKind kind) {
    return kind == ParameterKind::out || kind == ParameterKind::inout || kind == ParameterKind::out_stack ||
           kind == ParameterKind::inout_stack || kind == ParameterKind::tally;
}
bool is_overwritten(ParameterKind kind) {
    return kind == ParameterKind::out || kind == ParameterKind::out_stack;
}
bool is_table(ParameterKind kind) {
    return kind >= ParameterKind::table_float && kind <= ParameterKind::table_uint;
}
bool is_fold(ParameterKind kind) {
    return kind >= ParameterKind::fold_min && kind <= ParameterKind::fold_sum;
}
bool is_given(ParameterKind kind) { return kind < ParameterKind::fold_min; }

namespace {

ParameterKind kind_of(const std::string& word, const std::string& type) {
    static const std::map<std::string, ParameterKind> kinds = {
        {"IN", ParameterKind::in},
        {"OUT", ParameterKind::out},
        {"INOUT", ParameterKind::inout},
        {"AROUND", ParameterKind::around},
        {"IN_STACK", ParameterKind::in_stack},
        {"OUT_STACK", ParameterKind::out_stack},
        {"INOUT_STACK", ParameterKind::inout_stack},
        {"AROUND_STACK", ParameterKind::around_stack},
        {"FINER", ParameterKind::finer},
        {"COARSER", ParameterKind::coarser},
        {"ANYWHERE", ParameterKind::anywhere},
        {"UNIFORM float", ParameterKind::uniform_float},
        {"UNIFORM int", ParameterKind::uniform_int},
        {"UNIFORM uint", ParameterKind::uniform_uint},
        {"TABLE float", ParameterKind::table_float},
        {"TABLE int", ParameterKind::table_int},
        {"TABLE uint", ParameterKind::table_uint},
        {"FOLD_MIN", ParameterKind::fold_min},
        {"FOLD_MAX", ParameterKind::fold_max},
        {"FOLD_SUM", ParameterKind::fold_sum},
        {"TALLY", ParameterKind::tally},
        {"ALONG", ParameterKind::along},
        {"DOWN", ParameterKind::down},
    };
    auto found = kinds.find(type.empty() ? word : word + " " + type);
    if (found == kinds.end())
        throw Error("a kernel declares a parameter of unknown kind: " + word + " " + type);
    return found->second;
}

}  // namespace

std::vector<KernelParameter> parse_signature(const std::string& signature) {
    std::vector<KernelParameter> parameters;
    size_t at = 0;
    while (true) {
        size_t open = signature.find('(', at);
        if (open == std::string::npos) return parameters;
        size_t close = signature.find(')', open);
        std::string word = trimmed(signature.substr(at, open - at));
        std::vector<std::string> inside = split(signature.substr(open + 1, close - open - 1), ',');
        std::string type = inside.size() == 2 ? trimmed(inside[0]) : "";
        const std::string name = trimmed(inside.back());
        if (word == "VARYING" || word == "VARYING_AROUND") {
            // A field, where there is one, and the number of all cells where there is none.
            parameters.push_back({word == "VARYING" ? ParameterKind::in : ParameterKind::around, name});
            parameters.push_back({ParameterKind::uniform_float, name + "_everywhere"});
        } else {
            parameters.push_back({kind_of(word, type), name});
        }
        size_t comma = signature.find(',', close);
        if (comma == std::string::npos) return parameters;
        at = comma + 1;
    }
}

namespace {

struct Signature {
    std::vector<KernelParameter> all;
    std::vector<KernelParameter> given;
};

const Signature& signature_of(const Kernel& kernel) {
    static std::mutex guard;
    static std::map<const Kernel*, Signature> parsed;
    std::lock_guard lock(guard);
    auto [entry, is_new] = parsed.try_emplace(&kernel);
    Signature& signature = entry->second;
    if (is_new) {
        signature.all = parse_signature(kernel.user ? kernel.user->signature() : kernel.levels[0]->signature);
        std::ranges::copy_if(signature.all, std::back_inserter(signature.given),
                             [](const KernelParameter& parameter) { return is_given(parameter.kind); });
    }
    return signature;
}

}  // namespace

const std::vector<KernelParameter>& Kernel::parameters() const { return signature_of(*this).all; }

const std::vector<KernelParameter>& Kernel::given_parameters() const { return signature_of(*this).given; }

bool Kernel::has(ParameterKind kind) const {
    return std::ranges::any_of(parameters(),
                               [&](const KernelParameter& parameter) { return parameter.kind == kind; });
}
bool Kernel::folds() const {
    return std::ranges::any_of(parameters(),
                               [](const KernelParameter& parameter) { return is_fold(parameter.kind); });
}
bool Kernel::whole_rows() const { return has(ParameterKind::along) || has(ParameterKind::tally); }
bool Kernel::whole_columns() const { return has(ParameterKind::down); }

}  // namespace caprock
