#include "terrain/line_set.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <xxhash.h>

namespace caprock {

namespace {

void put(std::string& bytes, uint64_t number) {
    for (int i = 0; i < 8; i++) bytes.push_back(char(number >> (8 * i)));
}
void put(std::string& bytes, double number) {
    // Every NaN is the same.
    put(bytes,
        std::bit_cast<uint64_t>(std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number));
}
void put(std::string& bytes, int64_t number) { put(bytes, uint64_t(number)); }
void put(std::string& bytes, const std::string& text) {
    put(bytes, uint64_t(text.size()));
    bytes += text;
}

bool same_bits(double a, double b) {
    return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

}  // namespace

bool LinePoint::operator==(const LinePoint& other) const {
    return same_bits(x, other.x) && same_bits(y, other.y) && same_bits(z, other.z);
}

double Line::length() const {
    double sum = 0;
    auto add = [&](const LinePoint& a, const LinePoint& b) {
        sum += std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
    };
    for (size_t i = 1; i < points.size(); i++) add(points[i - 1], points[i]);
    if (closed && points.size() > 1) add(points.back(), points.front());
    return sum;
}

bool Line::operator==(const Line& other) const {
    auto same = [](const auto& a, const auto& b) {
        if (a.first != b.first || a.second.index() != b.second.index()) return false;
        const double* number = std::get_if<double>(&a.second);
        return number ? same_bits(*number, std::get<double>(b.second)) : a.second == b.second;
    };
    return points == other.points && closed == other.closed &&
           std::ranges::equal(attributes, other.attributes, same);
}

const std::vector<Line>& LineSet::lines() const& {
    static const std::vector<Line> none;
    return lines_ ? *lines_ : none;
}

size_t LineSet::point_count() const {
    size_t count = 0;
    for (const Line& line : lines()) count += line.points.size();
    return count;
}

double LineSet::length() const {
    double sum = 0;
    for (const Line& line : lines()) sum += line.length();
    return sum;
}

bool LineSet::only_points() const {
    return std::ranges::all_of(lines(), [](const Line& line) { return line.points.size() == 1; });
}

bool LineSet::has_heights() const {
    auto high = [](const LinePoint& point) { return point.has_height(); };
    return std::ranges::any_of(lines(),
                               [&](const Line& line) { return std::ranges::any_of(line.points, high); });
}

bool LineSet::has_attributes() const {
    return std::ranges::any_of(lines(), [](const Line& line) { return !line.attributes.empty(); });
}

std::string LineSet::bytes() const {
    std::string all;
    put(all, uint64_t(size()));
    for (const Line& line : lines()) {
        put(all, uint64_t(line.points.size()));
        put(all, uint64_t(line.closed));
        for (const LinePoint& point : line.points)
            for (double number : {point.x, point.y, point.z}) put(all, number);
        put(all, uint64_t(line.attributes.size()));
        for (const auto& [name, value] : line.attributes) {
            put(all, name);
            put(all, uint64_t(value.index()));
            std::visit([&](const auto& content) { put(all, content); }, value);
        }
    }
    return all;
}

uint64_t LineSet::fingerprint() const {
    const std::string all = bytes();
    return XXH3_64bits(all.data(), all.size());
}

void LineSet::check() const {
    for (size_t i = 0; i < size(); i++) {
        const Line& line = lines()[i];
        if (line.points.empty()) throw Error(fmt::format("line {} has no points; give one or more", i + 1));
        for (const LinePoint& point : line.points)
            if (!std::isfinite(point.x) || !std::isfinite(point.y) || std::isinf(point.z))
                throw Error(fmt::format("line {} has the point {},{}: places are finite numbers", i + 1,
                                        point.x, point.y));
    }
}

bool LineSet::operator==(const LineSet& other) const {
    return lines_ == other.lines_ || lines() == other.lines();
}

void check_line_name(const std::string& name) {
    auto fits = [](char c) { return std::isalnum((unsigned char)(c)) || c == '-' || c == '_'; };
    if (name.empty() || !std::ranges::all_of(name, fits))
        throw Error(fmt::format("lines are called '{}'; a name is letters, digits, - and _", one_line(name)));
}

}  // namespace caprock
