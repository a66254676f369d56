// 128 bits that stand for a content: two of one key are taken for equal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace caprock {

struct ContentKey {
    uint64_t low = 0;
    uint64_t high = 0;

    bool operator==(const ContentKey&) const = default;
    auto operator<=>(const ContentKey&) const = default;

    // 16 bytes, the same on every machine: keys are kept in files.
    std::array<unsigned char, 16> bytes() const;
    static ContentKey from_bytes(const unsigned char* bytes);
    std::string text() const;  // 32 hexadecimal digits

    // Of what a program computed, a key carries which program it was: the last four of its bytes.
    ContentKey of_program(uint32_t mark) const { return {low, (high & 0xffffffffu) | uint64_t(mark) << 32}; }
    uint32_t program() const { return uint32_t(high >> 32); }
};

struct ContentKeyHash {
    size_t operator()(const ContentKey& key) const { return size_t(key.low); }
};

// Puts a key together from what the content depends on. The order counts, and so does where one part ends and the
// next begins.
class KeyMaker {
  public:
    KeyMaker& add(std::string_view text);
    KeyMaker& add(int64_t number);
    KeyMaker& add(double number);  // to the last bit
    KeyMaker& add(const ContentKey& key);
    ContentKey key() const;

  private:
    std::string parts_;
};

// That results of the program of this fingerprint carry.
uint32_t program_mark(std::string_view fingerprint);

ContentKey key_of_bytes(const void* data, size_t size);
// Of cells: all NaN are one value, as in fingerprints.
ContentKey key_of_cells(const float* cells, size_t count);

}  // namespace caprock
