#include "core/images.h"

namespace caprock::editor {

QImage image_of(const Picture& picture) {
    // A copy, since Qt's image would end with the picture's bytes; and of the kind that is painted fastest.
    return QImage(picture.rgb.data(), picture.size.width, picture.size.height, picture.size.width * 3,
                  QImage::Format_RGB888)
        .convertToFormat(QImage::Format_RGB32);
}

}  // namespace caprock::editor
