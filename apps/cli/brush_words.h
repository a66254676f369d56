// Brushes as they are typed: one that comes with the program, a file, or any operation, with settings.
#pragma once

#include "options.h"
#include "painting/brush.h"
#include "terminal.h"

#include <set>
#include <string>
#include <vector>

namespace caprock::cli {

class TypedBrush {
  public:
    // A name that 'caprock brushes' lists, a file of a brush (.json), or an operation.
    TypedBrush(const std::string& word, Terminal& terminal);

    // A setting of the brush, a parameter of its operation (with operation. before it where both have one of that name) or
    // of its blending (blend.), or --bind PARAMETER=SOURCE. False for what is none of these.
    bool apply(const OptionWord& option, Words& words);
    std::vector<std::string> names() const;
    // With the pictures that it names.
    Brush brush(Terminal& terminal) const;
    // That it is used as it comes, and so can be named instead of being written out.
    const std::string& plain_name() const { return plain_name_; }

  private:
    Brush brush_;
    std::shared_ptr<Operation> operation_;
    std::shared_ptr<Operation> blend_;
    std::string folder_;  // of its file
    std::string plain_name_;
    std::set<std::string> given_;
};

}  // namespace caprock::cli
