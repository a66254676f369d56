# JSON files that come with the library: every *.json of a folder as text, under the name of its file.
#
#   caprock_presets(source_variable folder header type function)
#
# writes the source that defines `std::span<const caprock::type> caprock::function()`, which the header declares, and
# gives its path. The type is a struct of a name and a text.

function(caprock_presets source_variable folder header type function)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.json)
  list(SORT files)
  set(texts "")
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WLE)
    if(NOT name MATCHES "^[a-z0-9]+(-[a-z0-9]+)*$")
      message(FATAL_ERROR "${file}: its name must be lower-case words with '-' between them")
    endif()
    caprock_embed(${file} ${name} texts)
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/generated/${function}.cpp)
  file(WRITE ${source}.new
"// Made by cmake/Presets.cmake.
#include \"${header}\"

namespace caprock {

namespace {
constexpr ${type} texts[] = {
${texts}};
}  // namespace

std::span<const ${type}> ${function}() { return texts; }

}  // namespace caprock
")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  set(${source_variable} ${source} PARENT_SCOPE)
endfunction()
