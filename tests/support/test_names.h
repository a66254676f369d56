// Names of tests that have a parameter.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace caprock::test {

// Operations, presets and brushes: googletest takes no hyphens.
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::ranges::replace(name, '-', '_');
    return name;
}

}  // namespace caprock::test
