// Every function of caprock/operations.h, with all parameters left out.
#pragma once

#include <caprock/operations.h>
#include <vector>

namespace caprock::test {

std::vector<Chain> every_typed_operation();

}  // namespace caprock::test
