// How fast terrains are drawn in three dimensions, whatever OpenGL is here.
#pragma once

namespace caprock {

// Prints its tables, or one line where there is no OpenGL. Terrains that memory is too short for are left out, saying so.
void run_rendering_benchmarks(int repeats);

}  // namespace caprock
