// Operations as JSON, to be kept in files and under version control.
//
//   {"caprock": 1, "grid": {"size": [1024, 1024], "cell": 8, "range": [0, 1000]},
//    "operations": [{"operation": "noise", "version": 1, "parameters": {"octaves": 8, ...}}]}
//
// "title" (one line) and "about" (what it is and where it comes from) may stand beside them; presets have both.
// A recipe that starts from a file has "file" instead of "grid", "cell" and "range" where the file was read with
// others than it has itself, and "reading" with whatever else was said of it: {"to-metres": "true"}.
//
// Operations follow one another, unless an entry of "operations" says otherwise. It may have a "name", by which others refer to
// what there is after it; "from", the name of an earlier one, to begin with what there was there; and "take", fields that it
// gets besides, each under a name of its own: {"source": "soft.height"} is the height after the step soft. What is taken is a
// field of the terrain from there on. An entry may have no operation, and only these. Other files are "inputs", which have
// names as well, and are resampled onto the grid of whoever takes from them:
//
//   {"caprock": 2, "file": "dem.tif", "inputs": {"rock": {"file": "rock.tif"}},
//    "operations": [{"name": "raw"},
//                   {"operation": "smooth", ..., "name": "soft"},
//                   {"from": "raw", "take": {"source": "soft.height", "hardness": "rock"}, "operation": "blend", ...}]}
#pragma once

#include "operation/operation.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace caprock {

// A field from elsewhere, under the name that it has from there on.
struct TakenField {
    std::string field;
    std::string from;     // a step before, or an input
    std::string of = {};  // the field there; empty: the one of the new name, the only one, or the height
};

// What happens one after the other where steps are linked: all of it in this order, and all of it may be missing.
struct RecipeStep {
    std::string from = {};  // the step or the input that it begins with; empty: the one before
    std::vector<TakenField> takes = {};
    std::optional<size_t> operation = {};  // its number
    std::string name = {};                 // of what there is then; empty: nobody asks for it
};

// Whether it is more than an operation after the one before.
inline bool is_linked(const RecipeStep& step) {
    return !step.from.empty() || !step.takes.empty() || !step.name.empty();
}

// A second file.
struct RecipeInput {
    std::string file;
    std::optional<double> cell = {};
    std::map<std::string, std::string> reading = {};  // as that of the recipe's file
};

struct Recipe {
    std::string title;  // empty where it has none
    std::string about;
    std::optional<Grid> grid;
    std::string file;
    std::optional<double> cell;                  // of the file
    std::optional<Interval> range;               // of the file
    std::map<std::string, std::string> reading;  // other options that the file was read with, as typed
    std::vector<std::unique_ptr<Operation>> operations;
    std::map<std::string, RecipeInput> inputs;  // by the names that steps have for them
    // None where the operations simply follow one another. Otherwise each of them is in one of these, in their order.
    std::vector<RecipeStep> steps;
};

// "soft.height" or "soft". Throws Error unless it is two names.
TakenField parse_taken(const std::string& field, const std::string& text);
std::string taken_text(const TakenField& taken);
// Throws Error, with `what` it is, unless others can refer to it by that: letters, digits, - and _.
void check_step_name(const std::string& name, std::string_view what);
// Throws Error where a step or an input has a name twice, or one refers to what there is not, or not yet.
void check_links(const Recipe& recipe);

std::string recipe_text(const Recipe& recipe);

// Throws Error for what is not a recipe, names an operation there is not, or has a value that is refused.
// Parameters that are unknown or not given keep their defaults; `tell` is told their names.
Recipe parse_recipe(const std::string& text, const std::function<void(const std::string&)>& tell);

// An operation that is a user's kernel has "text", the whole of the kernel, and is called by its file: rice.kernel.
// A file that a parameter names is there with its content: {"file": "rocks.json", "text": "[0.75, 1]"}, or "bytes" in the
// place of "text" where it is no UTF-8, each character one byte. A path alone is the file as it is when it is needed: so it is
// in recipes of earlier versions, and where a file is too large for a recipe.

// One operation alone: {"operation": ..., "version": ..., "parameters": {...}}.
std::string operation_text(const Operation& operation);
std::unique_ptr<Operation> parse_operation(const std::string& text,
                                           const std::function<void(const std::string&)>& tell);

// What decides what an operation makes of a terrain: like operation_text, but of files the contents and not the paths. For an
// operation whose files have been read.
std::string operation_meaning(const Operation& operation);

// The values of parameters alone: {"octaves": 8, ...}.
std::string parameters_text(const Configurable& values);
// Sets those that are given; `tell` is told the names of those there are not. Throws Error for a value that is refused.
void set_parameters(Configurable& values, const std::string& text,
                    const std::function<void(const std::string&)>& tell);

}  // namespace caprock
