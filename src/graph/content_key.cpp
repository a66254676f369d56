#include "graph/content_key.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <vector>
#include <xxhash.h>

namespace caprock {

namespace {

ContentKey key_of(XXH128_hash_t hash) { return {hash.low64, hash.high64}; }

}  // namespace

std::array<unsigned char, 16> ContentKey::bytes() const {
    std::array<unsigned char, 16> all;
    for (int i = 0; i < 8; i++) {
        all[size_t(i)] = (unsigned char)(low >> (8 * i));
        all[size_t(i) + 8] = (unsigned char)(high >> (8 * i));
    }
    return all;
}

ContentKey ContentKey::from_bytes(const unsigned char* bytes) {
    ContentKey key;
    for (int i = 0; i < 8; i++) {
        key.low |= uint64_t(bytes[i]) << (8 * i);
        key.high |= uint64_t(bytes[i + 8]) << (8 * i);
    }
    return key;
}

std::string ContentKey::text() const { return fmt::format("{:016x}{:016x}", high, low); }

KeyMaker& KeyMaker::add(std::string_view text) {
    add(int64_t(text.size()));
    parts_.append(text);
    return *this;
}

KeyMaker& KeyMaker::add(int64_t number) {
    for (int i = 0; i < 8; i++) parts_.push_back(char(uint64_t(number) >> (8 * i)));
    return *this;
}

KeyMaker& KeyMaker::add(double number) { return add(std::bit_cast<int64_t>(number)); }

KeyMaker& KeyMaker::add(const ContentKey& key) {
    add(int64_t(key.low));
    return add(int64_t(key.high));
}

ContentKey KeyMaker::key() const { return key_of_bytes(parts_.data(), parts_.size()); }

uint32_t program_mark(std::string_view fingerprint) {
    return uint32_t(key_of_bytes(fingerprint.data(), fingerprint.size()).low);
}

ContentKey key_of_bytes(const void* data, size_t size) { return key_of(XXH3_128bits(data, size)); }

ContentKey key_of_cells(const float* cells, size_t count) {
    // NaN of any bits count as one; most tiles have none.
    if (std::none_of(cells, cells + count, [](float value) { return std::isnan(value); }))
        return key_of_bytes(cells, count * sizeof(float));
    std::vector<float> same(cells, cells + count);
    for (float& value : same)
        if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();
    return key_of_bytes(same.data(), count * sizeof(float));
}

}  // namespace caprock
