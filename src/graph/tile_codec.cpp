#include "graph/tile_codec.h"

#include "base/error.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>
#include <xxhash.h>
#include <zstd.h>

namespace caprock {

namespace {

// One byte says how the numbers are written, eight check them, and four say how many there are.
enum class Form : unsigned char { one_value = 1, planes = 2 };
constexpr size_t head_bytes = 13;
// Faster levels save little time, slower ones little room: three of the four planes of bytes are nearly noise.
constexpr int level = 1;

using Numbers = std::vector<uint32_t>;

void put(std::string& to, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) to.push_back(char(number >> (8 * i)));
}

uint64_t taken(std::string_view from, size_t at, int bytes) {
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) number |= uint64_t((unsigned char)from[at + size_t(i)]) << (8 * i);
    return number;
}

// Numbers near zero, of either sign, become small ones.
uint32_t zigzag(uint32_t number) { return (number << 1) ^ (0u - (number >> 31)); }
uint32_t zagzig(uint32_t number) { return (number >> 1) ^ (0u - (number & 1)); }

// Each number as its difference from the one before, then all first bytes, all second bytes and so on: neighbours are
// alike in their upper bytes, and what is alike is compressed.
std::string planes_of(const Numbers& numbers) {
    std::string bytes(numbers.size() * 4, '\0');
    uint32_t before = 0;
    char* plane = bytes.data();
    const size_t count = numbers.size();
    for (size_t i = 0; i < count; i++) {
        uint32_t coded = zigzag(numbers[i] - before);
        before = numbers[i];
        plane[i] = char(coded);
        plane[i + count] = char(coded >> 8);
        plane[i + 2 * count] = char(coded >> 16);
        plane[i + 3 * count] = char(coded >> 24);
    }
    return bytes;
}

void numbers_of(const std::string& bytes, Numbers& numbers) {
    uint32_t before = 0;
    const size_t count = numbers.size();
    const auto* plane = reinterpret_cast<const unsigned char*>(bytes.data());
    for (size_t i = 0; i < count; i++) {
        uint32_t coded = uint32_t(plane[i]) | uint32_t(plane[i + count]) << 8 |
                         uint32_t(plane[i + 2 * count]) << 16 | uint32_t(plane[i + 3 * count]) << 24;
        before += zagzig(coded);
        numbers[i] = before;
    }
}

std::string packed(const Numbers& numbers) {
    bool one_value = std::ranges::all_of(numbers, [&](uint32_t n) { return n == numbers.front(); });
    std::string to;
    to.push_back(char(one_value ? Form::one_value : Form::planes));
    put(to, XXH3_64bits(numbers.data(), numbers.size() * sizeof(uint32_t)), 8);
    put(to, numbers.size(), 4);
    if (one_value) {
        put(to, numbers.empty() ? 0 : numbers.front(), 4);
        return to;
    }
    std::string bytes = planes_of(numbers);
    size_t most = ZSTD_compressBound(bytes.size());
    to.resize(head_bytes + most);
    size_t size = ZSTD_compress(to.data() + head_bytes, most, bytes.data(), bytes.size(), level);
    if (ZSTD_isError(size))
        throw Error(std::string("cells cannot be compressed: ") + ZSTD_getErrorName(size));
    to.resize(head_bytes + size);
    // Thousands of them are kept: what was only room for the worst case goes back.
    to.shrink_to_fit();
    return to;
}

Numbers unpacked(std::string_view from, size_t count) {
    auto refuse = [](const char* why) { throw Error(std::string("damaged cells: ") + why); };
    if (from.size() < head_bytes) refuse("too short");
    if (taken(from, 9, 4) != count) refuse("another number of cells");
    Numbers numbers(count);
    std::string_view body = from.substr(head_bytes);
    switch (Form((unsigned char)from[0])) {
        case Form::one_value:
            if (body.size() != 4) refuse("not one value");
            std::ranges::fill(numbers, uint32_t(taken(body, 0, 4)));
            break;
        case Form::planes: {
            // Whatever the bytes say of themselves, no more is unpacked than there is room for.
            std::string bytes(count * 4, '\0');
            size_t size = ZSTD_decompress(bytes.data(), bytes.size(), body.data(), body.size());
            if (ZSTD_isError(size)) refuse(ZSTD_getErrorName(size));
            if (size != bytes.size()) refuse("too few of them");
            numbers_of(bytes, numbers);
            break;
        }
        default:
            refuse("an unknown form");
    }
    if (XXH3_64bits(numbers.data(), count * sizeof(uint32_t)) != taken(from, 1, 8)) refuse("wrong checksum");
    return numbers;
}

}  // namespace

std::string packed_cells(std::span<const float> cells) {
    Numbers numbers(cells.size());
    std::memcpy(numbers.data(), cells.data(), cells.size_bytes());
    return packed(numbers);
}

void unpack_cells(std::string_view from, std::span<float> to) {
    Numbers numbers = unpacked(from, to.size());
    std::memcpy(to.data(), numbers.data(), to.size_bytes());
}

void check_packed(std::string_view from, size_t most_cells) {
    size_t count = from.size() < head_bytes ? 0 : size_t(taken(from, 9, 4));
    if (count > most_cells) throw Error("damaged cells: too many of them");
    unpacked(from, count);
}

namespace {

constexpr size_t seal_bytes = 8;
uint64_t seal_of(const ContentKey& key, std::string_view packed) {
    return XXH3_64bits_withSeed(packed.data(), packed.size(), key.low ^ (key.high * 0x9e3779b97f4a7c15u));
}

}  // namespace

std::string sealed(const ContentKey& key, std::string_view packed) {
    std::string bytes(packed);
    put(bytes, seal_of(key, packed), seal_bytes);
    return bytes;
}

std::optional<std::string> unsealed(const ContentKey& key, std::string sealed) {
    if (sealed.size() < seal_bytes) return std::nullopt;
    uint64_t seal = taken(sealed, sealed.size() - seal_bytes, seal_bytes);
    sealed.resize(sealed.size() - seal_bytes);
    if (seal != seal_of(key, sealed)) return std::nullopt;
    return sealed;
}

std::string packed_difference(std::span<const float> before, std::span<const float> after) {
    Numbers numbers(after.size());
    for (size_t i = 0; i < after.size(); i++)
        numbers[i] = std::bit_cast<uint32_t>(after[i]) - std::bit_cast<uint32_t>(before[i]);
    return packed(numbers);
}

void apply_difference(std::string_view from, Direction direction, std::span<float> cells) {
    Numbers numbers = unpacked(from, cells.size());
    for (size_t i = 0; i < cells.size(); i++) {
        uint32_t bits = std::bit_cast<uint32_t>(cells[i]);
        uint32_t step = numbers[i];
        uint32_t changed = direction == Direction::forward ? bits + step : bits - step;
        // Through memory: a float register may make a signalling NaN quiet.
        std::memcpy(&cells[i], &changed, sizeof changed);
    }
}

}  // namespace caprock
