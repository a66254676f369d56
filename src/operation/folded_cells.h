// A few numbers of all cells, such as the lowest and the highest height: put together from those of parts, in any order.
#pragma once

#include "compute/device.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace caprock {

class FoldedCells {
  public:
    // Of no cells.
    FoldedCells() = default;
    // What a kernel's folds made of some.
    FoldedCells(const Kernel& kernel, const std::vector<Folded>& numbers) {
        size_t index = 0;
        for (const KernelParameter& parameter : kernel.parameters())
            if (is_fold(parameter.kind)) {
                kinds_.push_back(parameter.kind);
                numbers_.push_back(numbers[index++]);
            }
    }

    void merge(const FoldedCells& others) {
        if (numbers_.empty())
            *this = others;
        else
            for (size_t i = 0; i < others.numbers_.size(); i++)
                caprock::merge(kinds_[i], numbers_[i], others.numbers_[i]);
    }

    // By name, as the kernel's struct has them.
    template <typename Folds>
    Folds as() const {
        return Folds(numbers_);
    }

  private:
    std::vector<ParameterKind> kinds_;
    std::vector<Folded> numbers_;
};

}  // namespace caprock
