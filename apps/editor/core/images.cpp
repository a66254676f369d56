#include "core/images.h"

namespace caprock::editor {

QImage image_of(const Picture& picture) {
    // A copy: Qt's image would end with the picture's bytes.
    return QImage(picture.rgb.data(), picture.size.width, picture.size.height, picture.size.width * 3,
                  QImage::Format_RGB888)
        .copy();
}

}  // namespace caprock::editor
