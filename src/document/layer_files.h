// Files that the operations of layers and masks name. A document holds their contents: it goes on as it was wherever it is
// taken, whatever becomes of the files.
#pragma once

#include "document/layer.h"

#include <string>
#include <vector>

namespace caprock {

// Takes in the contents of the files that are named and not yet read. Throws Error where one cannot be read, or is larger
// than a document keeps.
void take_in_files(std::vector<LayerOperation>& operations);
// The same for all that layers have; what cannot be read is left as it is and told.
void take_in_files(std::vector<Layer>& layers, std::vector<std::string>& told);

// Throws Error for a content that is larger than a document keeps.
void require_keepable(const InputFile& file);

// A file whose content here is another than on disk, or that is only named, as documents of earlier versions have it.
struct FileNote {
    int layer = 0;
    std::string layer_name;
    std::string setting;  // that takes the file anew: table-file, 2.table-file, mask.points-file
    std::string path;
    bool taken_in = true;
};
std::vector<FileNote> file_notes(const std::vector<Layer>& layers);

}  // namespace caprock
