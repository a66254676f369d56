// Cells as compressed bytes, and what changed between two states of a tile. Bit for bit, checked when they are read:
// bytes that are not what was written are refused, and never unpack into more than the cells that are asked for.
#pragma once

#include "graph/content_key.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace caprock {

std::string packed_cells(std::span<const float> cells);
// Throws Error where the bytes are damaged or of another number of cells.
void unpack_cells(std::string_view packed, std::span<float> to);

// Throws Error unless they are sound, of no more cells than that.
void check_packed(std::string_view packed, size_t most_cells);

// With a checksum of them and of the key they are kept under: cells of another key are no answer.
std::string sealed(const ContentKey& key, std::string_view packed);
// Nothing where they are damaged.
std::optional<std::string> unsealed(const ContentKey& key, std::string sealed);

// What turns one into the other, and back. Cells that did not change cost next to nothing.
std::string packed_difference(std::span<const float> before, std::span<const float> after);
enum class Direction { forward, backward };
// Changes `cells` from the state before to the one after, or the other way. Throws Error where the bytes are damaged;
// whether the cells were the right ones to begin with is for the caller to check.
void apply_difference(std::string_view packed, Direction direction, std::span<float> cells);

}  // namespace caprock
