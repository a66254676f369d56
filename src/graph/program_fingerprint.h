// Which program computes: of all its kernels and of the sources that decide what is computed. The build makes it
// (cmake/Fingerprint.cmake). Results that another program has left in a file are not taken for this one's, although both may
// call themselves by one version.
#pragma once

#include <string_view>

namespace caprock {

std::string_view program_fingerprint();  // 64 hexadecimal digits

}  // namespace caprock
