// What a kernel is given for VARYING(name): one number for all cells, or a field of them.
#pragma once

#include "field/field.h"

#include <optional>
#include <utility>

namespace caprock {

class Varying {
  public:
    Varying(float everywhere) : everywhere_(everywhere) {}
    Varying(Field cells) : cells_(std::move(cells)) {}
    // The field, where there is one.
    Varying(const Field* cells, float otherwise) : everywhere_(otherwise) {
        if (cells) cells_ = *cells;
    }

    const Field* cells() const { return cells_ ? &*cells_ : nullptr; }
    float everywhere() const { return everywhere_; }

  private:
    std::optional<Field> cells_;
    float everywhere_ = 0;
};

}  // namespace caprock
