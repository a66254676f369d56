// How a run ends: its last words, and its exit code.
//
// 0: done. 2: what was asked for was wrong, or could not be carried out. 130: cancelled, as shells have it for Ctrl-C. 3: all was done
// and is in its file, and only what there was to print could not be: to ask again would be to do it twice.
#pragma once

#include <functional>
#include <string>

namespace caprock::cli {

// A file now has what was asked for, whatever happens to the rest: who hears of a failure afterwards hears of this as well.
void note_written(const std::string& path);

// Does it and says how it ended. Never throws.
int concluded(const std::function<int()>& work);

}  // namespace caprock::cli
