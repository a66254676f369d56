// How fast documents are: a slider that is moved, a stroke, undo, opening.
#pragma once

#include "base/progress.h"

namespace caprock {

// `size`: side of the document, in cells.
void run_document_benchmarks(int size, int repeats, Progress* progress = nullptr);

}  // namespace caprock
