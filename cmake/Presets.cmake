# Presets: every *.json of presets/ as text in the library, under the name of its file.
#
#   caprock_presets(source_variable folder)
#
# writes the source that defines caprock::preset_texts(), and gives its path.

function(caprock_presets source_variable folder)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.json)
  list(SORT files)
  set(texts "")
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WLE)
    if(NOT name MATCHES "^[a-z0-9]+(-[a-z0-9]+)*$")
      message(FATAL_ERROR "${file}: a preset's name is lower-case words with '-' between them")
    endif()
    caprock_embed(${file} ${name} texts)
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/generated/preset_texts.cpp)
  file(WRITE ${source}.new
"// Made by cmake/Presets.cmake.
#include \"operation/preset_texts.h\"

namespace caprock {

namespace {
constexpr PresetText texts[] = {
${texts}};
}  // namespace

std::span<const PresetText> preset_texts() { return texts; }

}  // namespace caprock
")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  set(${source_variable} ${source} PARENT_SCOPE)
endfunction()
