#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace caprock {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    size_t start = 0;
    while (true) {
        size_t end = text.find(separator, start);
        parts.emplace_back(text.substr(start, end - start));
        if (end == std::string_view::npos) return parts;
        start = end + 1;
    }
}

std::string trimmed(std::string_view text, std::string_view spaces) {
    size_t first = text.find_first_not_of(spaces);
    if (first == std::string_view::npos) return "";
    return std::string(text.substr(first, text.find_last_not_of(spaces) - first + 1));
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

namespace {

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
    // from_chars knows no plus sign; "+-3" is still no number.
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    Number value{};
    auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
    std::optional<double> value = parse_whole<double>(text);
    if (value && !std::isfinite(*value)) return std::nullopt;
    return value;
}

std::optional<int64_t> parse_integer(std::string_view text) { return parse_whole<int64_t>(text); }

std::optional<Interval> parse_interval(std::string_view text) {
    size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::optional<double> low = parse_number(text.substr(0, colon));
    std::optional<double> high = parse_number(text.substr(colon + 1));
    if (!low || !high) return std::nullopt;
    return Interval{*low, *high};
}

std::optional<Size> parse_size(std::string_view text) {
    size_t cross = text.find_first_of("xX");
    std::optional<int64_t> width = parse_integer(text.substr(0, cross));
    std::optional<int64_t> height =
        cross == std::string_view::npos ? width : parse_integer(text.substr(cross + 1));
    constexpr int64_t most = INT32_MAX;
    if (!width || !height || *width < 0 || *height < 0 || *width > most || *height > most)
        return std::nullopt;
    return Size{int(*width), int(*height)};
}

std::string number_text(double value) { return fmt::format("{}", value); }

std::string interval_text(const Interval& interval) {
    return number_text(interval.low) + ":" + number_text(interval.high);
}

std::string bytes_text(uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = double(bytes) / 1024;
    int unit = 0;
    // What one decimal would round to 1024.0 is one of the next unit.
    for (; value >= 1023.95 && unit < 5; unit++) value /= 1024;
    return fmt::format("{:.1f} {}", value, units[unit]);
}

std::optional<uint64_t> parse_bytes(std::string_view text) {
    int shift = 0;
    if (!text.empty()) {
        switch (text.back()) {
            case 'K':
            case 'k':
                shift = 10;
                break;
            case 'M':
            case 'm':
                shift = 20;
                break;
            case 'G':
            case 'g':
                shift = 30;
                break;
            default:
                break;
        }
    }
    if (shift) text.remove_suffix(1);
    std::optional<int64_t> count = parse_integer(text);
    if (!count || *count < 0 || *count > (INT64_MAX >> shift)) return std::nullopt;
    return uint64_t(*count) << shift;
}

namespace {

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? char(letter + 'a' - 'A') : letter; }

}  // namespace

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char letter) { return lower(letter); });
    return result;
}

namespace {

// Letters to add, leave out, change, or swap with the next one, to make b of a; capitals do not matter.
size_t edit_distance(std::string_view a, std::string_view b) {
    auto same = [&](size_t i, size_t j) { return lower(a[i - 1]) == lower(b[j - 1]); };
    std::vector<size_t> before_last(b.size() + 1);
    std::vector<size_t> last(b.size() + 1);
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t(0));
    for (size_t i = 1; i <= a.size(); i++) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i;
        for (size_t j = 1; j <= b.size(); j++) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + !same(i, j)});
            if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j))
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
    // About a third of the letters may be wrong; the beginning of a longer word counts as close.
    size_t best = std::max<size_t>(1, (word.size() + 1) / 3) + 1;
    std::optional<std::string> nearest;
    for (const std::string& candidate : candidates) {
        bool beginning = word.size() >= 3 && candidate.starts_with(word);
        size_t distance = beginning ? 1 : edit_distance(word, candidate);
        if (distance < best && distance < candidate.size()) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
    std::optional<std::string> nearest = nearest_word(word, candidates);
    return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

bool is_utf8(std::string_view text) {
    for (size_t i = 0; i < text.size();) {
        auto first = (unsigned char)(text[i]);
        size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
        if (length == 0 || i + length > text.size()) return false;
        for (size_t k = 1; k < length; k++)
            if (((unsigned char)(text[i + k]) & 0xc0) != 0x80) return false;
        // Not in the shortest form, one half of a pair, or beyond the last character there is.
        auto second = length > 2 ? (unsigned char)(text[i + 1]) : 0;
        if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
            (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90))
            return false;
        i += length;
    }
    return true;
}

std::string one_line(std::string_view text) {
    constexpr size_t longest = 60;
    std::string line(text.substr(0, longest));
    if (text.size() > longest) {
        // Not in the middle of a letter of several bytes.
        while (!line.empty() && (text[line.size()] & 0xc0) == 0x80) line.pop_back();
        line += "...";
    }
    for (char& letter : line)
        if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = ' ';
    return line;
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
    std::string text;
    for (size_t i = 0; i < words.size(); i++) {
        if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
        text += words[i];
    }
    return text;
}

}  // namespace caprock
