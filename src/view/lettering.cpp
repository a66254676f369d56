#include "view/lettering.h"

#include "base/mathematics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <string>

namespace caprock {

namespace {

// A letter is written like this, in units of which a capital is 10 high, y upwards from the baseline:
//   M x y                      lifts the pen and sets it down there
//   L x y                      a straight line
//   A cx cy rx ry from to      an arc about (cx, cy), from one angle to the other, degrees against the clock from
//                              the right; where the pen is down, a line leads to its beginning
struct Shape {
    char32_t letter;
    double width;
    const char* path;
};

constexpr Shape shapes[] = {
    {'0', 6, "M0 3.3 L0 6.7 A3 6.7 3 3.3 180 0 L6 3.3 A3 3.3 3 3.3 0 -180"},
    {'1', 6, "M1.2 8 L3.8 10 L3.8 0"},
    {'2', 6, "A3 7.1 2.8 2.9 165 -32 L0.2 0 L6 0"},
    {'3', 6, "A2.9 7.55 2.5 2.45 155 -90 L2.2 5.1 M2.9 5.1 A2.9 2.55 2.9 2.55 90 -155"},
    {'4', 6, "M4.5 0 L4.5 10 L0 2.9 L6.2 2.9"},
    {'5', 6, "M5.4 10 L1 10 L0.6 5.3 A2.9 3.2 3.1 3.2 138 -150"},
    {'6', 6, "M4.5 10 L0.45 4.65 A3 3.1 3 3.1 150 510"},
    {'7', 6, "M0.2 10 L6 10 L2 0"},
    {'8', 6, "A3 7.55 2.5 2.45 90 450 M3 5.1 A3 2.55 2.9 2.55 90 450"},
    {'9', 6, "M1.5 0 L5.55 5.35 A3 6.9 3 3.1 -30 330"},
    {'A', 6.8, "M0 0 L3.4 10 L6.8 0 M1.16 3.4 L5.64 3.4"},
    {'B', 6, "M3.3 5.2 A3.3 7.6 2.4 2.4 -90 90 L0 10 L0 0 L3.2 0 A3.2 2.6 2.8 2.6 -90 90 L0 5.2"},
    {'C', 6.2, "A3.3 6.7 3.2 3.3 30 180 L0.1 3.3 A3.3 3.3 3.2 3.3 180 330"},
    {'D', 6.2, "M0 0 L0 10 L2.7 10 A2.7 6.5 3.5 3.5 90 0 L6.2 3.5 A2.7 3.5 3.5 3.5 0 -90 L0 0"},
    {'E', 5.4, "M5.4 10 L0 10 L0 0 L5.4 0 M0 5.2 L4.6 5.2"},
    {'F', 5.2, "M5.2 10 L0 10 L0 0 M0 5.1 L4.4 5.1"},
    {'G', 6.4, "A3.3 6.7 3.2 3.3 30 180 L0.1 3.3 A3.3 3.3 3.2 3.3 180 360 L6.5 4.8 L3.9 4.8"},
    {'H', 6.4, "M0 0 L0 10 M6.4 0 L6.4 10 M0 5.2 L6.4 5.2"},
    {'I', 0, "M0 0 L0 10"},
    {'J', 4.4, "M4.4 10 L4.4 2.8 A2 2.8 2.4 2.8 0 -150"},
    {'K', 6.2, "M0 0 L0 10 M5.8 10 L0 3.9 M2 6 L6.2 0"},
    {'L', 5, "M0 10 L0 0 L5 0"},
    {'M', 7.8, "M0 0 L0 10 L3.9 3 L7.8 10 L7.8 0"},
    {'N', 6.4, "M0 0 L0 10 L6.4 0 L6.4 10"},
    {'O', 6.8, "M0 3.5 L0 6.5 A3.4 6.5 3.4 3.5 180 0 L6.8 3.5 A3.4 3.5 3.4 3.5 0 -180"},
    {'P', 6, "M0 0 L0 10 L3.3 10 A3.3 7.3 2.7 2.7 90 -90 L0 4.6"},
    {'Q', 6.8, "M0 3.5 L0 6.5 A3.4 6.5 3.4 3.5 180 0 L6.8 3.5 A3.4 3.5 3.4 3.5 0 -180 M4.2 2.4 L6.9 -0.4"},
    {'R', 6.2, "M0 0 L0 10 L3.3 10 A3.3 7.35 2.6 2.65 90 -90 L0 4.7 M3.2 4.7 L6.2 0"},
    {'S', 6, "A3 7.55 2.7 2.45 30 270 A3 2.55 2.9 2.55 90 -155"},
    {'T', 6.4, "M0 10 L6.4 10 M3.2 10 L3.2 0"},
    {'U', 6.4, "M0 10 L0 3.2 A3.2 3.2 3.2 3.2 180 360 L6.4 10"},
    {'V', 6.6, "M0 10 L3.3 0 L6.6 10"},
    {'W', 9.4, "M0 10 L2.3 0 L4.7 9 L7.1 0 L9.4 10"},
    {'X', 6.2, "M0.1 0 L6.1 10 M0.1 10 L6.1 0"},
    {'Y', 6.4, "M0 10 L3.2 4.7 L6.4 10 M3.2 4.7 L3.2 0"},
    {'Z', 6.2, "M0.2 10 L6 10 L0.1 0 L6.2 0"},
    {'a', 5.2, "A2.6 4.7 2.5 2.3 150 0 L5.1 0 M5.1 4 L2.3 4 A2.3 2 2.2 2 90 270 A2.3 2.4 2.8 2.4 270 350"},
    {'b', 5.6, "M0 10 L0 0 M0 3.5 A2.8 3.5 2.8 3.5 180 -180"},
    {'c', 5, "A2.8 3.5 2.8 3.5 48 312"},
    {'d', 5.6, "M5.6 10 L5.6 0 M5.6 3.5 A2.8 3.5 2.8 3.5 0 360"},
    {'e', 5.5, "M0.1 3.7 L5.5 3.7 A2.8 3.5 2.75 3.5 3 322"},
    {'f', 3.8, "M1.4 0 L1.4 7.8 A3.4 7.8 2 2.2 180 75 M0 6.8 L3.6 6.8"},
    {'g', 5.6, "M5.6 3.5 A2.8 3.5 2.8 3.5 0 360 M5.6 7 L5.6 -0.6 A2.9 -0.6 2.7 2.4 0 -145"},
    {'h', 5.2, "M0 0 L0 10 M0 4.2 A2.6 4.2 2.6 2.8 180 0 L5.2 0"},
    {'i', 0, "M0 0 L0 7 M0 9.5 L0 9.6"},
    {'j', 1.6, "M1.6 7 L1.6 -1 A0 -1 1.6 2 0 -80 M1.6 9.5 L1.6 9.6"},
    {'k', 5, "M0 0 L0 10 M4.7 7 L0 2.6 M1.8 4.3 L5 0"},
    {'l', 1.8, "M0 10 L0 2 A1.7 2 1.7 2 180 275"},
    {'m', 8.4, "M0 0 L0 7 M0 4.5 A2.1 4.5 2.1 2.5 180 0 L4.2 0 M4.2 4.5 A6.3 4.5 2.1 2.5 180 0 L8.4 0"},
    {'n', 5.2, "M0 0 L0 7 M0 4.2 A2.6 4.2 2.6 2.8 180 0 L5.2 0"},
    {'o', 5.6, "A2.8 3.5 2.8 3.5 0 360"},
    {'p', 5.6, "M0 7 L0 -3 M0 3.5 A2.8 3.5 2.8 3.5 180 -180"},
    {'q', 5.6, "M5.6 7 L5.6 -3 M5.6 3.5 A2.8 3.5 2.8 3.5 0 360"},
    {'r', 3.2, "M0 0 L0 7 M0 4 A2.6 4 2.6 3 180 75"},
    {'s', 4.8, "A2.4 5.3 2.1 1.7 35 270 A2.4 1.8 2.3 1.8 90 -150"},
    {'t', 3.8, "M1.4 9.2 L1.4 2 A3.2 2 1.8 2 180 288 M0 6.8 L3.6 6.8"},
    {'u', 5.2, "M0 7 L0 2.7 A2.6 2.7 2.6 2.7 180 360 M5.2 7 L5.2 0"},
    {'v', 5.2, "M0 7 L2.6 0 L5.2 7"},
    {'w', 7.8, "M0 7 L1.9 0 L3.9 6.2 L5.9 0 L7.8 7"},
    {'x', 5, "M0.1 0 L4.9 7 M0.1 7 L4.9 0"},
    {'y', 5.3, "M0 7 L2.75 0 M5.3 7 L1.75 -2.5 A0.7 -2.1 1.1 0.9 -22 -90"},
    {'z', 4.8, "M0.2 7 L4.6 7 L0.1 0 L4.8 0"},
    {'.', 0.4, "M0.2 0 L0.2 0.1"},
    {',', 0.8, "M0.7 0.3 L0.1 -1.8"},
    {':', 0.4, "M0.2 0.4 L0.2 0.5 M0.2 6 L0.2 6.1"},
    {';', 0.8, "M0.7 0.3 L0.1 -1.8 M0.6 6 L0.6 6.1"},
    {'-', 3.6, "M0 4.2 L3.6 4.2"},
    {U'\u2212', 5, "M0 4.8 L5 4.8"},
    {'+', 5, "M0 4.8 L5 4.8 M2.5 2.3 L2.5 7.3"},
    {'=', 5, "M0 3.4 L5 3.4 M0 6.2 L5 6.2"},
    {'<', 4.8, "M4.8 8 L0 4.8 L4.8 1.6"},
    {'>', 4.8, "M0 8 L4.8 4.8 L0 1.6"},
    {'/', 4, "M0 -1 L4 10.8"},
    {'\\', 4, "M0 10.8 L4 -1"},
    {'|', 0, "M0 -1.5 L0 11"},
    {'_', 5.6, "M0 -1.4 L5.6 -1.4"},
    {'(', 2, "A5 4.5 5 7.4 125 235"},
    {')', 2, "A-3 4.5 5 7.4 55 -55"},
    {'[', 2, "M2 11 L0 11 L0 -2 L2 -2"},
    {']', 2, "M0 11 L2 11 L2 -2 L0 -2"},
    {'%', 7.6, "A1.6 7.9 1.6 2.1 0 360 M6.8 10 L0.8 0 M7.6 2.1 A6 2.1 1.6 2.1 0 360"},
    {U'\u00b0', 3, "A1.5 8.5 1.5 1.5 0 360"},
    {'\'', 0, "M0 10.3 L0 7.8"},
    {'"', 2, "M0 10.3 L0 7.8 M2 10.3 L2 7.8"},
    {'!', 0.4, "M0.2 10 L0.2 3 M0.2 0 L0.2 0.1"},
    {'?', 4.8, "A2.4 7.7 2.4 2.3 165 -40 L2.4 4.4 L2.4 3 M2.4 0 L2.4 0.1"},
    {'*', 4, "M2 10 L2 5.4 M0 8.85 L4 6.55 M4 8.85 L0 6.55"},
    {'#', 6.4, "M1.4 0 L2.6 10 M3.8 0 L5 10 M0.2 6.8 L6.4 6.8 M0 3.2 L6.2 3.2"},
    {'&', 6.8, "M6.8 0 L1.6 7.2 A2.8 8 1.7 2 205 -35 L1.2 4.6 A2.4 2.6 2.4 2.6 120 270 A2.4 5 4 5 270 350"},
    {'~', 5, "A1.3 4.4 1.3 1.1 180 30 A3.7 5 1.3 1.1 210 360"},
    {U'\u2026', 6, "M0.4 0 L0.4 0.1 M3 0 L3 0.1 M5.6 0 L5.6 0.1"},
    {U'\u00d7', 4.4, "M0.2 2.6 L4.2 6.6 M0.2 6.6 L4.2 2.6"},
};
constexpr Shape unknown = {0, 5, "M0 0 L5 0 L5 9 L0 9 L0 0"};

constexpr double between_letters = 2.3;
constexpr double space_width = 2.4;
constexpr double unit_height = 10;

struct Glyph {
    double width = 0;
    std::vector<std::vector<PixelPoint>> lines;  // y upwards
};

Glyph drawn(const Shape& shape) {
    Glyph glyph{shape.width, {}};
    std::istringstream path(shape.path);
    bool down = false;
    auto to = [&](double x, double y) {
        if (!down) glyph.lines.emplace_back();
        down = true;
        glyph.lines.back().push_back({x, y});
    };
    char command = 0;
    while (path >> command) {
        if (command == 'A') {
            double cx = 0, cy = 0, rx = 0, ry = 0, from = 0, until = 0;
            path >> cx >> cy >> rx >> ry >> from >> until;
            int steps = std::max(2, int(std::ceil(std::fabs(until - from) / 15)));
            for (int i = 0; i <= steps; i++) {
                double angle = std::lerp(from, until, double(i) / steps) * pi / 180;
                to(cx + rx * std::cos(angle), cy + ry * std::sin(angle));
            }
        } else {
            double x = 0, y = 0;
            path >> x >> y;
            if (command == 'M') down = false;
            to(x, y);
        }
    }
    return glyph;
}

const Glyph& glyph_of(char32_t letter) {
    static const std::map<char32_t, Glyph> font = [] {
        std::map<char32_t, Glyph> made;
        for (const Shape& shape : shapes) made[shape.letter] = drawn(shape);
        made[' '] = Glyph{space_width, {}};
        return made;
    }();
    static const Glyph box = drawn(unknown);
    auto found = font.find(letter);
    return found == font.end() ? box : found->second;
}

// UTF-8; a byte that begins no letter is one of its own.
std::u32string letters_of(std::string_view text) {
    std::u32string letters;
    for (size_t i = 0; i < text.size();) {
        auto byte = [&](size_t at) { return at < text.size() ? uint8_t(text[at]) : uint8_t(0); };
        uint8_t first = byte(i);
        size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        char32_t letter = length == 1 ? first : char32_t(first & (0xff >> (length + 1)));
        for (size_t k = 1; k < length; k++) {
            if ((byte(i + k) & 0xc0) != 0x80) {
                length = k;
                break;
            }
            letter = letter << 6 | char32_t(byte(i + k) & 0x3f);
        }
        letters.push_back(letter);
        i += length;
    }
    return letters;
}

double units_wide(const std::u32string& letters) {
    double width = 0;
    for (char32_t letter : letters) width += glyph_of(letter).width + between_letters;
    return letters.empty() ? 0 : width - between_letters;
}

double pixels_wide(const std::u32string& letters, const Lettering& lettering) {
    return letters.empty() ? 0 : (units_wide(letters) / unit_height + lettering.weight) * lettering.height;
}

std::string utf8_of(const std::u32string& letters) {
    std::string text;
    for (char32_t letter : letters) {
        if (letter < 0x80) {
            text += char(letter);
        } else if (letter < 0x800) {
            text += {char(0xc0 | letter >> 6), char(0x80 | (letter & 0x3f))};
        } else if (letter < 0x10000) {
            text +=
                {char(0xe0 | letter >> 12), char(0x80 | (letter >> 6 & 0x3f)), char(0x80 | (letter & 0x3f))};
        } else {
            text += {char(0xf0 | letter >> 18), char(0x80 | (letter >> 12 & 0x3f)),
                     char(0x80 | (letter >> 6 & 0x3f)), char(0x80 | (letter & 0x3f))};
        }
    }
    return text;
}

}  // namespace

double text_width(std::string_view text, const Lettering& lettering) {
    return pixels_wide(letters_of(text), lettering);
}

void write_text(std::vector<InkLine>& strokes, std::string_view text, const PixelPoint& at,
                const Lettering& lettering, Anchor anchor, double angle) {
    std::u32string letters = letters_of(text);
    double width = pixels_wide(letters, lettering);
    double begin = anchor == Anchor::left ? 0 : anchor == Anchor::middle ? -width / 2 : -width;
    double scale = lettering.height / unit_height;
    double cosine = std::cos(angle * pi / 180), sine = std::sin(angle * pi / 180);
    double pen = begin + lettering.height * lettering.weight / 2;
    float thick = float(lettering.height * lettering.weight);
    for (char32_t letter : letters) {
        const Glyph& glyph = glyph_of(letter);
        auto placed = [&](const PixelPoint& point) {
            double x = pen + point.x * scale, y = -point.y * scale;
            return PixelPoint{at.x + x * cosine - y * sine, at.y + x * sine + y * cosine};
        };
        for (const std::vector<PixelPoint>& line : glyph.lines)
            for (size_t i = 1; i < line.size(); i++)
                strokes.push_back({placed(line[i - 1]), placed(line[i]), thick, 1});
        pen += (glyph.width + between_letters) * scale;
    }
}

std::vector<InkLine> halo_of(const std::vector<InkLine>& strokes, double margin) {
    std::vector<InkLine> halo = strokes;
    for (InkLine& stroke : halo) stroke.width += float(2 * margin);
    return halo;
}

std::string shortened_text(std::string_view text, const Lettering& lettering, double width) {
    std::u32string letters = letters_of(text);
    if (pixels_wide(letters, lettering) <= width) return std::string(text);
    for (size_t kept = letters.size(); kept-- > 0;) {
        // A little more of the end than of the beginning.
        size_t begin = kept / 2;
        std::u32string shorter =
            letters.substr(0, begin) + U'\u2026' + letters.substr(letters.size() - (kept - begin));
        if (pixels_wide(shorter, lettering) <= width) return utf8_of(shorter);
    }
    return "";
}

}  // namespace caprock
