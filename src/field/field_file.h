// A field that is larger than memory: its cells lie in a file without a name, which goes with the program, however that ends.
#pragma once

#include "field/field.h"

#include <string>

namespace caprock {

class FieldFile {
  public:
    // Cells are not set. Throws Error where there is no room in the folder.
    FieldFile(const std::string& folder, const Rect& rect);
    ~FieldFile();
    FieldFile(const FieldFile&) = delete;
    FieldFile& operator=(const FieldFile&) = delete;

    const Rect& rect() const { return rect_; }
    Field read(const Rect& part) const;
    // The cells of `part`, which the field covers. Any number of threads may write parts that have none in common.
    void write(const Field& field, const Rect& part);

  private:
    [[noreturn]] void fail(const char* what) const;

    std::string folder_;
    Rect rect_;
    int descriptor_ = -1;
};

}  // namespace caprock
