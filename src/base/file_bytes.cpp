#include "base/file_bytes.h"

#include <cerrno>
#include <unistd.h>

namespace caprock {

FileBytes::~FileBytes() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileBytes::read(void* bytes, size_t count, uint64_t offset) const {
    auto* to = static_cast<char*>(bytes);
    while (count > 0) {
        const ssize_t got = ::pread(descriptor_, to, count, off_t(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = ENODATA;
        if (got <= 0) return false;
        to += got, offset += uint64_t(got), count -= size_t(got);
    }
    return true;
}

bool FileBytes::write(const void* bytes, size_t count, uint64_t offset) {
    const auto* from = static_cast<const char*>(bytes);
    while (count > 0) {
        const ssize_t put = ::pwrite(descriptor_, from, count, off_t(offset));
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return false;
        from += put, offset += uint64_t(put), count -= size_t(put);
    }
    return true;
}

}  // namespace caprock
