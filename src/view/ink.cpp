#include "view/ink.h"

#include "view/surface.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

constexpr int band_rows = 32;

// The part of a stroke's pixels that lies in rows [top, bottom).
void draw_within(const InkLine& stroke, uint8_t* cover, Size size, int top, int bottom) {
    float x0 = float(stroke.from.x), y0 = float(stroke.from.y);
    float dx = float(stroke.to.x) - x0, dy = float(stroke.to.y) - y0;
    float square = dx * dx + dy * dy;
    float per_square = square > 0 ? 1 / square : 0;
    float reach = stroke.width * 0.5f + 0.5f;
    // Thinner than a pixel is paler, not narrower.
    float full = std::min(stroke.width, 1.0f) * stroke.strength * 255;
    float soft = std::max(reach, 1.0f);
    auto first = [](float at, int least) { return int(std::max(std::floor(at), float(least))); };
    auto last = [](float at, int most) { return int(std::min(std::ceil(at), float(most))); };
    int from_y = first(std::min(y0, y0 + dy) - soft, top), to_y = last(std::max(y0, y0 + dy) + soft, bottom);
    int from_x = first(std::min(x0, x0 + dx) - soft, 0),
        to_x = last(std::max(x0, x0 + dx) + soft, size.width);
    for (int y = from_y; y < to_y; y++) {
        uint8_t* row = cover + size_t(y) * size_t(size.width);
        float py = float(y) + 0.5f - y0;
        for (int x = from_x; x < to_x; x++) {
            float px = float(x) + 0.5f - x0;
            float along = std::clamp((px * dx + py * dy) * per_square, 0.0f, 1.0f);
            float ex = px - along * dx, ey = py - along * dy;
            float far = ex * ex + ey * ey;
            if (far >= soft * soft) continue;
            float covered = std::clamp(soft - std::sqrt(far), 0.0f, 1.0f);
            uint8_t value = uint8_t(covered * full + 0.5f);
            if (value > row[x]) row[x] = value;
        }
    }
}

uint8_t blended(uint8_t ground, uint8_t ink, int share) {
    return uint8_t((ground * (255 - share) + ink * share + 127) / 255);
}

}  // namespace

void Ink::draw(std::span<const InkLine> strokes) {
    int bands = (size_.height + band_rows - 1) / band_rows;
    if (bands == 0 || size_.width <= 0) return;
    // Each band is drawn by one thread, so that no two write the same pixel.
    std::vector<std::vector<const InkLine*>> of_band{size_t(bands)};
    for (const InkLine& stroke : strokes) {
        double reach = stroke.width * 0.5 + 1.5;
        double top = std::min(stroke.from.y, stroke.to.y) - reach;
        double bottom = std::max(stroke.from.y, stroke.to.y) + reach;
        // Also turns away what is not a number.
        if (!(bottom > 0 && top < size_.height)) continue;
        double left = std::min(stroke.from.x, stroke.to.x) - reach;
        double right = std::max(stroke.from.x, stroke.to.x) + reach;
        if (!(right > 0 && left < size_.width)) continue;
        inked_ = inked_.united({int(std::max(left, 0.0)), int(std::max(top, 0.0)),
                                int(std::ceil(std::min(right, double(size_.width)))),
                                int(std::ceil(std::min(bottom, double(size_.height))))});
        int first = int(std::max(top, 0.0)) / band_rows;
        int last = std::min(int(std::min(bottom, double(size_.height))) / band_rows, bands - 1);
        for (int band = first; band <= last; band++) of_band[size_t(band)].push_back(&stroke);
    }
    for_bands(bands, [&](int band) {
        int top = band * band_rows;
        int bottom = std::min(top + band_rows, size_.height);
        for (const InkLine* stroke : of_band[size_t(band)])
            draw_within(*stroke, cover_.data(), size_, top, bottom);
    });
}

void Ink::spare(const Ink& other) {
    Rect both = inked_.intersected(other.inked_);
    for (int y = both.top; y < both.bottom; y++) {
        uint8_t* cover = cover_.data() + size_t(y) * size_t(size_.width);
        const uint8_t* others = other.cover_.data() + size_t(y) * size_t(size_.width);
        for (int x = both.left; x < both.right; x++) cover[x] = uint8_t(cover[x] * (255 - others[x]) / 255);
    }
}

void Ink::print(Picture& picture, const Bytes& colour, float opacity) const {
    int strength = int(std::lround(std::clamp(opacity, 0.0f, 1.0f) * 256));
    for_rows(inked_.height(), [&](int row) {
        size_t first = size_t(inked_.top + row) * size_t(size_.width);
        const uint8_t* cover = cover_.data() + first;
        uint8_t* pixel = picture.rgb.data() + (first + size_t(inked_.left)) * 3;
        for (int x = inked_.left; x < inked_.right; x++, pixel += 3) {
            if (!cover[x]) continue;
            int share = cover[x] * strength >> 8;
            pixel[0] = blended(pixel[0], colour.red, share);
            pixel[1] = blended(pixel[1], colour.green, share);
            pixel[2] = blended(pixel[2], colour.blue, share);
        }
    });
}

void print_box(Picture& picture, const Rect& box, const Bytes& colour, float opacity) {
    Rect inside = box.intersected(Rect::of(picture.size));
    int share = int(std::lround(std::clamp(opacity, 0.0f, 1.0f) * 255));
    for (int y = inside.top; y < inside.bottom; y++) {
        uint8_t* pixel =
            picture.rgb.data() + (size_t(y) * size_t(picture.size.width) + size_t(inside.left)) * 3;
        for (int x = inside.left; x < inside.right; x++, pixel += 3) {
            pixel[0] = blended(pixel[0], colour.red, share);
            pixel[1] = blended(pixel[1], colour.green, share);
            pixel[2] = blended(pixel[2], colour.blue, share);
        }
    }
}

}  // namespace caprock
