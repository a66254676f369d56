// Where the tests' own files lie. They are defined in one small source that the build writes (tests/CMakeLists.txt), so that
// no other has the path of a clone in it: a compiler cache then serves every clone.
#pragma once

namespace caprock::test {

extern const char* const source_folder;
extern const char* const build_folder;
extern const char* const caprock_program;
extern const char* const editor_program;  // null where the editor is not built
extern const char* const paint_driver;

}  // namespace caprock::test
