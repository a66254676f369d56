#include "field/field_file.h"

#include "base/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

namespace caprock {

namespace {

// Gone from the folder at once.
int unnamed_file(const std::string& folder) {
    std::string name = folder + "/.caprock-XXXXXX";
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor >= 0) ::unlink(name.c_str());
    return descriptor;
}

}  // namespace

FieldFile::FieldFile(const std::string& folder, const Rect& rect)
    : folder_(folder), rect_(rect), file_(unnamed_file(folder)) {
    if (file_.descriptor() < 0) fail("write");
    // The room is taken now: an hour later it would be a pity.
    const int failure = ::posix_fallocate(file_.descriptor(), 0, off_t(rect.cells()) * off_t(sizeof(float)));
    if (failure == 0 || failure == EOPNOTSUPP || failure == EINVAL) return;
    errno = failure;
    fail("write");
}

void FieldFile::fail(const char* what) const {
    throw Error(fmt::format("cannot {} {} x {} cells beside the output, in '{}': {}", what, rect_.width(),
                            rect_.height(), folder_, std::strerror(errno)));
}

uint64_t FieldFile::place_of(int x, int y) const {
    return (uint64_t(y - rect_.top) * uint64_t(rect_.width()) + uint64_t(x - rect_.left)) * sizeof(float);
}

Field FieldFile::read(const Rect& part) const {
    if (!rect_.contains(part)) throw std::logic_error("cells beyond a file of cells are read");
    Field field(part);
    Field::WritableRows rows = field.writable_rows();
    for (int y = part.top; y < part.bottom; y++)
        if (!file_.read(rows[y], size_t(part.width()) * sizeof(float), place_of(part.left, y))) fail("read");
    return field;
}

void FieldFile::write(const Field& field, const Rect& part) {
    if (!rect_.contains(part) || !field.rect().contains(part))
        throw std::logic_error("cells beyond a file of cells are written");
    Field::Rows rows = field.rows();
    for (int y = part.top; y < part.bottom; y++)
        if (!file_.write(rows[y] + (part.left - field.rect().left), size_t(part.width()) * sizeof(float),
                         place_of(part.left, y)))
            fail("write");
}

}  // namespace caprock
