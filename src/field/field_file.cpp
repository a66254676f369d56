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

FieldFile::FieldFile(const std::string& folder, const Rect& rect) : folder_(folder), rect_(rect) {
    std::string name = folder + "/.caprock-XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail("write");
    ::unlink(name.c_str());
    // The room is taken now: an hour later it would be a pity.
    const int failure = ::posix_fallocate(descriptor_, 0, off_t(rect.cells()) * off_t(sizeof(float)));
    if (failure == 0 || failure == EOPNOTSUPP || failure == EINVAL) return;
    ::close(descriptor_);
    errno = failure;
    fail("write");
}

FieldFile::~FieldFile() { ::close(descriptor_); }

void FieldFile::fail(const char* what) const {
    throw Error(fmt::format("cannot {} {} x {} cells beside the output, in '{}': {}", what, rect_.width(),
                            rect_.height(), folder_, std::strerror(errno)));
}

Field FieldFile::read(const Rect& part) const {
    if (!rect_.contains(part)) throw std::logic_error("cells beyond a file of cells are read");
    Field field(part);
    Field::WritableRows rows = field.writable_rows();
    for (int y = part.top; y < part.bottom; y++) {
        auto* to = reinterpret_cast<char*>(rows[y]);
        size_t count = size_t(part.width()) * sizeof(float);
        off_t offset =
            (off_t(y - rect_.top) * rect_.width() + (part.left - rect_.left)) * off_t(sizeof(float));
        while (count > 0) {
            const ssize_t got = ::pread(descriptor_, to, count, offset);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) fail("read");
            to += got, offset += got, count -= size_t(got);
        }
    }
    return field;
}

void FieldFile::write(const Field& field, const Rect& part) {
    if (!rect_.contains(part) || !field.rect().contains(part))
        throw std::logic_error("cells beyond a file of cells are written");
    Field::Rows rows = field.rows();
    for (int y = part.top; y < part.bottom; y++) {
        const auto* from = reinterpret_cast<const char*>(rows[y] + (part.left - field.rect().left));
        size_t count = size_t(part.width()) * sizeof(float);
        off_t offset =
            (off_t(y - rect_.top) * rect_.width() + (part.left - rect_.left)) * off_t(sizeof(float));
        while (count > 0) {
            const ssize_t put = ::pwrite(descriptor_, from, count, offset);
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) fail("write");
            from += put, offset += put, count -= size_t(put);
        }
    }
}

}  // namespace caprock
