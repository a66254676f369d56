// A field that is larger than memory: its cells lie in a file without a name, which goes with the program, however that ends.
#pragma once

#include "base/file_bytes.h"
#include "field/field.h"

#include <cstdint>
#include <string>

namespace caprock {

class FieldFile {
  public:
    // Cells are not set. Throws Error where there is no room in the folder.
    FieldFile(const std::string& folder, const Rect& rect);

    const Rect& rect() const { return rect_; }
    Field read(const Rect& part) const;
    // The cells of `part`, which the field covers. Any number of threads may write parts that have none in common.
    void write(const Field& field, const Rect& part);

  private:
    [[noreturn]] void fail(const char* what) const;
    uint64_t place_of(int x, int y) const;

    std::string folder_;
    Rect rect_;
    FileBytes file_;
};

}  // namespace caprock
