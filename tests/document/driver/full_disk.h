// Documents on a disk that gets full, and has room again.
#pragma once

#include <string>
#include <vector>

namespace caprock::test {

// The folder lies on a small disk of its own that is filled up, or files are limited in their size: each says "no room"
// to whoever writes. One line for each thing that was tried: "ok ..." or "failed ...".
std::vector<std::string> full_disks(const std::string& folder, const std::string& way);

}  // namespace caprock::test
