// How long the soaks take: seconds among the other tests, minutes with CAPROCK_SOAK=long (`./test slow`).
#pragma once

#include <cstdlib>
#include <string_view>

namespace caprock::test {

inline bool is_long_soak() {
    const char* wanted = std::getenv("CAPROCK_SOAK");
    return wanted && std::string_view(wanted) == "long";
}

}  // namespace caprock::test
