// Reads a file for another process, which looks at what becomes of this one: see src/formats/gdal/trial.h. All that it does
// is in the module, whose path is the first word.
#include "formats/driver.h"

#include <dlfcn.h>

int main(int count, char** words) {
    void* library = count > 1 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
    void* symbol = library ? dlsym(library, caprock::trial_symbol) : nullptr;
    return symbol ? reinterpret_cast<caprock::TrialFunction>(symbol)(count, words) : 2;
}
