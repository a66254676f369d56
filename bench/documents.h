// How fast documents are: a slider that is moved, a stroke, undo, opening.
#pragma once

namespace caprock {

// `size`: side of the document, in cells.
void run_document_benchmarks(int size, int repeats);

}  // namespace caprock
