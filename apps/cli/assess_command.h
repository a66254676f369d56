// caprock assess FILE ... [--like REFERENCE] [-o PICTURE.png]: is it like land?
#pragma once

#include "files.h"

#include <string>
#include <vector>

namespace caprock::cli {

struct AssessSettings {
    std::string like;
    std::string output;
    bool json = false;
    FileSettings file;
    DocumentReading document;
    QuietSettings quiet;

    void describe(Declaration& d);
};

int assess_command(const std::vector<std::string>& words);
const char* assess_remark();

}  // namespace caprock::cli
