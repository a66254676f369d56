# Shaders: every file of src/view/shaders as text in the library, under the name of its file.
#
#   caprock_shaders(source_variable folder)
#
# writes the source that defines caprock::gl::shader_texts(), and gives its path.

function(caprock_shaders source_variable folder)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.glsl ${folder}/*.vert ${folder}/*.frag)
  list(SORT files)
  set(texts "")
  foreach(file ${files})
    get_filename_component(name ${file} NAME)
    caprock_embed(${file} ${name} texts)
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/generated/shader_texts.cpp)
  file(WRITE ${source}.new
"// Made by cmake/Shaders.cmake.
#include \"view/gl/shader_texts.h\"

namespace caprock::gl {

namespace {
constexpr ShaderText texts[] = {
${texts}};
}  // namespace

std::span<const ShaderText> shader_texts() { return texts; }

}  // namespace caprock::gl
")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  set(${source_variable} ${source} PARENT_SCOPE)
endfunction()
