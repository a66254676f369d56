// caprock render FILE[:FIELD] ... -o PICTURE.png
#pragma once

#include "files.h"
#include "view/contact_sheet.h"
#include "view/relief.h"

#include <string>
#include <vector>

namespace caprock::cli {

struct RenderSettings {
    std::string output;
    std::string field;  // empty: the relief
    Interval values = {0, 0};
    ReliefOptions relief;
    bool grey = false;
    ContactSheetOptions sheet;
    FileSettings file;

    void describe(Declaration& d);
};

int render_command(const std::vector<std::string>& words);

}  // namespace caprock::cli
