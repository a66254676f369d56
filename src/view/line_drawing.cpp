#include "view/line_drawing.h"

#include "view/ink.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace caprock {

Bytes colour_of_lines(size_t number) {
    constexpr std::array<uint32_t, 6> colours = {0xc0392b, 0x1f5fa8, 0xd6870f, 0x7d3c98, 0x0e7c66, 0x3b3f45};
    return bytes_of(colours[number % colours.size()]);
}

std::optional<Bytes> parse_colour(const std::string& text) {
    const std::string digits = text.starts_with('#') ? text.substr(1) : text;
    uint32_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto [read, failure] = std::from_chars(digits.data(), end, number, 16);
    if (digits.size() != 6 || failure != std::errc() || read != end) return std::nullopt;
    return bytes_of(number);
}

void print_lines(Picture& picture, const MapView& view, const DrawnLines& drawn, double detail) {
    const Size size = picture.size;
    const auto width = float(drawn.width * detail);
    std::vector<InkLine> strokes;
    auto add = [&](const LinePoint& from, const LinePoint& to, float wide) {
        const PixelPoint a = pixel_at(view, size, from.place()), b = pixel_at(view, size, to.place());
        const double margin = double(wide) + 1;
        const bool beside = std::max(a.x, b.x) < -margin || std::max(a.y, b.y) < -margin ||
                            std::min(a.x, b.x) > size.width + margin ||
                            std::min(a.y, b.y) > size.height + margin;
        if (!beside) strokes.push_back({a, b, wide, 1});
    };
    for (const Line& line : drawn.lines.lines()) {
        if (line.points.size() == 1) add(line.points.front(), line.points.front(), 2 * width);
        for (size_t i = 1; i < line.points.size(); i++) add(line.points[i - 1], line.points[i], width);
        if (line.closed && line.points.size() > 1) add(line.points.back(), line.points.front(), width);
    }
    if (strokes.empty()) return;
    Ink ink(size);
    ink.draw(strokes);
    ink.print(picture, drawn.colour);
}

}  // namespace caprock
