// Our pictures as Qt has them.
#pragma once

#include "base/picture.h"

#include <QImage>

namespace caprock::editor {

QImage image_of(const Picture& picture);

}  // namespace caprock::editor
