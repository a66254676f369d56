// Operations as JSON, to be kept in files and under version control.
//
//   {"caprock": 1, "grid": {"size": [1024, 1024], "cell": 8, "range": [0, 1000]},
//    "operations": [{"operation": "noise", "version": 1, "parameters": {"octaves": 8, ...}}]}
//
// "title" (one line) and "about" (what it is and where it comes from) may stand beside them; presets have both.
// A recipe that starts from a file has "file" instead of "grid", "cell" and "range" where the file was read with
// others than it has itself, and "reading" with whatever else was said of it: {"to-metres": "true"}.
#pragma once

#include "operation/operation.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace caprock {

struct Recipe {
    std::string title;  // empty where it has none
    std::string about;
    std::optional<Grid> grid;
    std::string file;
    std::optional<double> cell;                  // of the file
    std::optional<Interval> range;               // of the file
    std::map<std::string, std::string> reading;  // other options that the file was read with, as typed
    std::vector<std::unique_ptr<Operation>> operations;
};

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
