# Files that come with the library as texts, each under its name: presets, material sets, shaders.
#
#   caprock_texts(source_variable header type function file...)
#
# writes the source that defines `std::span<const caprock::type> caprock::function()`, which the header declares, and
# gives its path. The type is a struct of a name and a text. JSON files are known without their ending, which users do
# not type.

function(caprock_texts source_variable header type function)
  set(texts "")
  set(files ${ARGN})
  list(SORT files)
  foreach(file ${files})
    get_filename_component(name ${file} NAME)
    if(name MATCHES "\\.json$")
      get_filename_component(name ${file} NAME_WLE)
      if(NOT name MATCHES "^[a-z0-9]+(-[a-z0-9]+)*$")
        message(FATAL_ERROR "${file}: its name must be lower-case words with '-' between them")
      endif()
    endif()
    caprock_embed(${file} ${name} texts)
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/generated/${function}.cpp)
  file(WRITE ${source}.new
"// Made by cmake/Texts.cmake.
#include \"${header}\"

namespace caprock {

namespace {
constexpr ${type} all_${function}[] = {
${texts}};
}  // namespace

std::span<const ${type}> ${function}() { return all_${function}; }

}  // namespace caprock
")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  set(${source_variable} ${source} PARENT_SCOPE)
endfunction()
