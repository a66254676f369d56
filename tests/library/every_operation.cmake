# The typed functions of caprock/operations.h, called with nothing, as a source: for the test that looks at all of them.
#
#   cmake -DHEADER=operations.h -DSOURCE=path -P every_operation.cmake
file(READ ${HEADER} header)
string(REGEX MATCHALL "inline Chain [a-z0-9_]+\\(" functions "${header}")
set(chains "")
foreach(function ${functions})
  string(REGEX REPLACE "inline Chain ([a-z0-9_]+)\\(" "\\1" name "${function}")
  string(APPEND chains "        caprock::${name}(),\n")
endforeach()
file(WRITE ${SOURCE}
"// Made by tests/library/every_operation.cmake.
#include \"library/every_operation.h\"

namespace caprock::test {

std::vector<Chain> every_typed_operation() {
    return {
${chains}    };
}

}  // namespace caprock::test
")
