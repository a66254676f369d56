#include "view/contact_sheet.h"

#include "base/error.h"
#include "base/memory.h"
#include "view/lettering.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace caprock {

namespace {

constexpr int most_columns_unasked = 4;
constexpr uint8_t ground = 0xf3;  // of each of the three colours

// What programs that read pictures can be expected to take.
constexpr int64_t largest_picture_side = 65536;

constexpr Lettering caption_lettering = {9, 0.14};
constexpr int caption_height = 22;
constexpr Bytes caption_ink = bytes_of(0x2b2a28u);

void paste(Picture& sheet, const Picture& picture, int left, int top) {
    size_t row_bytes = size_t(picture.size.width) * 3;
    for (int y = 0; y < picture.size.height; y++)
        std::memcpy(sheet.rgb.data() + (size_t(top + y) * sheet.size.width + left) * 3,
                    picture.rgb.data() + size_t(y) * row_bytes, row_bytes);
}

}  // namespace

Picture contact_sheet(std::span<const Picture> pictures, const ContactSheetOptions& options) {
    if (pictures.empty()) return {};
    Size box;
    for (const Picture& picture : pictures) {
        box.width = std::max(box.width, picture.size.width);
        box.height = std::max(box.height, picture.size.height);
    }
    int count = int(pictures.size());
    int columns = std::min(options.columns > 0 ? options.columns : most_columns_unasked, count);
    int rows = (count + columns - 1) / columns;
    int gap = std::max(options.gap, 0);
    int below = options.captions.empty() ? 0 : caption_height;
    auto side = [&](int boxes, int length) { return int64_t(boxes) * (int64_t(length) + gap) + gap; };
    int64_t width = side(columns, box.width);
    int64_t height = side(rows, box.height + below);
    if (width > largest_picture_side || height > largest_picture_side)
        throw Error(
            fmt::format("the sheet would have {} x {} pixels, and a picture may have {} each way; draw its "
                        "terrains smaller, or in another number of columns",
                        width, height, largest_picture_side));
    require_memory(uint64_t(width) * uint64_t(height) * 3,
                   fmt::format("a sheet of {} x {} pixels", width, height));

    Picture sheet{{int(width), int(height)},
                  std::vector<uint8_t>(size_t(width) * size_t(height) * 3, ground)};
    std::vector<InkLine> letters;
    for (int i = 0; i < count; i++) {
        const Picture& picture = pictures[size_t(i)];
        int left = gap + i % columns * (box.width + gap);
        int top = gap + i / columns * (box.height + below + gap);
        paste(sheet, picture, left + (box.width - picture.size.width) / 2,
              top + (box.height - picture.size.height) / 2);
        if (size_t(i) >= options.captions.size()) continue;
        std::string caption = shortened_text(options.captions[size_t(i)], caption_lettering, box.width);
        // As far from the picture as from the next box.
        double baseline = top + box.height + (caption_height + caption_lettering.height) / 2.0;
        write_text(letters, caption, {left + box.width / 2.0, baseline}, caption_lettering, Anchor::middle);
    }
    if (!letters.empty()) {
        Ink ink(sheet.size);
        ink.draw(letters);
        ink.print(sheet, caption_ink);
    }
    return sheet;
}

}  // namespace caprock
