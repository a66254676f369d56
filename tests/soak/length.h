// How long the soaks take: seconds among the other tests, minutes with CAPROCK_SOAK=long (`./test slow`).
#pragma once

#include <cstdlib>
#include <string_view>

namespace caprock::test {

// Under sanitizers everything takes several times as long: what is only a number of tries may be smaller there.
// Defined in a source that the build writes (tests/CMakeLists.txt), since tests are compiled alike with and without them.
extern const bool sanitized;

inline bool is_long_soak() {
    const char* wanted = std::getenv("CAPROCK_SOAK");
    return wanted && std::string_view(wanted) == "long";
}

}  // namespace caprock::test
