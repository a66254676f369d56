// Writing what a document comes to, as it is or at another size: what the export dialog does, without a window.
#pragma once

#include "document/document.h"
#include "formats/formats.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace caprock::editor {

struct ExportRequest {
    std::string path;  // whose ending decides the format
    ByteOrder byte_order = ByteOrder::little;
    std::optional<Size> size;       // none: the document's cells, bit for bit
    std::optional<Interval> range;  // metres that 0 and 65535 stand for; none: the document's
    bool range_of_heights = false;  // the lowest and highest cell instead
    // None: the height. Formats that keep the height alone get a file for each of the others: land-hardness.png beside
    // land.png.
    std::vector<std::string> fields;
    std::string device = "auto";
};

struct ExportReport {
    std::vector<std::string> files;
    Grid grid;  // of what was written: size, cell and range
    std::vector<std::string> warnings;
};

// Progress goes from 0 to 1 once; `doing` is told what is being done. Throws Error, and Cancelled when the progress was
// cancelled; all files are there then as they were before.
ExportReport export_document(const Snapshot& snapshot, const ExportRequest& request, Progress& progress,
                             const std::function<void(const std::string& what)>& doing = {});

// The lowest and highest cell of what would be written.
Interval heights_of_export(const Snapshot& snapshot, const ExportRequest& request, Progress& progress);

// The grid that a request comes to. At another size cells stay squares: the first and last cell lie where those of the
// document do, along the side that is the shorter one for it; of the other side as much is cut off at both ends. Throws
// Error where there is no such size.
Grid exported_grid(const DocumentState& state, const ExportRequest& request);

// Whether a file of that name holds every field, or the height alone.
bool keeps_every_field(const std::string& path);
// Whether heights are written as shares of a range, not as metres.
bool writes_shares(const std::string& path);

}  // namespace caprock::editor
