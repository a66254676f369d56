// Where a bookmark of a document stands, for pictures of it.
#pragma once

#include "view/camera.h"

#include <string>

namespace caprock::cli {

// In metres from the corner of what is shown of the document, as a picture of it is counted. Throws Error where the file is
// no document, and where there is no such bookmark, naming those there are.
Camera bookmarked_camera(const std::string& path, const std::string& name);

}  // namespace caprock::cli
