// Words and numbers as users type and read them.
#pragma once

#include "base/interval.h"
#include "base/rect.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

std::vector<std::string> split(std::string_view text, char separator);
// Without the spaces before and behind it.
std::string trimmed(std::string_view text, std::string_view spaces = " \t\n");
bool contains(const std::vector<std::string>& words, std::string_view word);

// Whole-text conversions: "12abc", "" and " 3" are not numbers. They do not depend on the locale.
std::optional<double> parse_number(std::string_view text);
std::optional<int64_t> parse_integer(std::string_view text);
std::optional<Interval> parse_interval(std::string_view text);  // "low:high"
std::optional<Size> parse_size(std::string_view text);          // "WxH" or "N" for a square

// The shortest text that reads back as the same number.
std::string number_text(double value);
std::string interval_text(const Interval& interval);

// "16.0 GiB", "512 B".
std::string bytes_text(uint64_t bytes);
// "512", "64K", "16M", "2G": powers of 1024.
std::optional<uint64_t> parse_bytes(std::string_view text);

// The candidate closest to a mistyped word, when one is close enough to be what was meant.
std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& candidates);
// "; did you mean 'noise'?" or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

// Something a user or a file gave, as it can stand in a message of one line: cut where long, control
// characters as spaces.
std::string one_line(std::string_view text);
// Letters of ASCII as small ones, all else as it is.
std::string lower(std::string_view text);

// Whether JSON can hold it.
bool is_utf8(std::string_view text);

// "a, b and c"
std::string listed(const std::vector<std::string>& words, std::string_view last = "and");

}  // namespace caprock
