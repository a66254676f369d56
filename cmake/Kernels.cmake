# Kernels: every *.kernel of a folder, compiled once per instruction set for the CPU, and kept as text for OpenCL.
#
#   caprock_kernels(NAME folder)
#
# defines the object library NAME and generates NAME.h with one `caprock::kernel::<name>` per KERNEL(...) in the
# folder. The folder kernels/ itself (the dialect and shared headers) may be included by all.

set(CAPROCK_LANES_portable 4)
set(CAPROCK_LANES_v2 4)
set(CAPROCK_LANES_v3 8)
set(CAPROCK_LANES_v4 16)
set(CAPROCK_LEVELS portable)
if(CAPROCK_SANITIZE)
  # One text at four levels: under sanitizers, where compiling wide lanes takes half a minute a file, every read is watched once.
  # That the levels agree is for the tests of the release to say.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/compute/cpu_device.cpp PROPERTIES
    COMPILE_DEFINITIONS CAPROCK_PORTABLE_KERNELS)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND CAPROCK_LEVELS v2 v3 v4)
endif()

# Of kernels everywhere, also of those that are compiled while the program runs (src/compute/cpu_compiler.cpp).
set(CAPROCK_KERNEL_OPTIONS -fno-math-errno -fno-trapping-math -Wno-psabi)

# caprock_dialect_texts(source_variable): writes the source of compute/dialect_texts.h, and gives its path.
function(caprock_dialect_texts source_variable)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/kernels
    ${PROJECT_SOURCE_DIR}/kernels/*.h ${PROJECT_SOURCE_DIR}/kernels/dialect/*.h)
  set(texts "")
  foreach(file ${files})
    caprock_embed(${PROJECT_SOURCE_DIR}/kernels/${file} ${file} texts)
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/generated/dialect_texts.cpp)
  file(WRITE ${source}.new
"// Made by cmake/Kernels.cmake.
#include \"compute/dialect_texts.h\"

namespace caprock {

namespace {
constexpr KernelText texts[] = {
${texts}};
}  // namespace

std::span<const KernelText> dialect_texts() { return texts; }

}  // namespace caprock
")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  list(JOIN CAPROCK_KERNEL_OPTIONS " " options)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/compute/cpu_compiler.cpp PROPERTIES
    COMPILE_DEFINITIONS "CAPROCK_KERNEL_OPTIONS=\"-O3 ${options}\"")
  set(${source_variable} ${source} PARENT_SCOPE)
endfunction()

function(caprock_kernels name folder)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  file(GLOB kernel_files CONFIGURE_DEPENDS ${folder}/*.kernel)
  file(GLOB shared_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/kernels
    ${PROJECT_SOURCE_DIR}/kernels/*.h ${PROJECT_SOURCE_DIR}/kernels/dialect/opencl.h
    ${PROJECT_SOURCE_DIR}/kernels/dialect/mathematics.h)

  # The texts, for compilers that run later.
  set(texts "")
  foreach(shared ${shared_files})
    caprock_embed(${PROJECT_SOURCE_DIR}/kernels/${shared} ${shared} texts)
  endforeach()
  foreach(file ${kernel_files})
    get_filename_component(file_name ${file} NAME)
    caprock_embed(${file} ${file_name} texts)
  endforeach()

  set(optimisation -O3)
  if(CAPROCK_SANITIZE)
    set(optimisation -O1)  # sanitized kernels are many times as long, and -O3 takes minutes over them
  endif()
  set(declarations "")
  set(externs "")
  set(definitions "")
  set(sources "")
  foreach(file ${kernel_files})
    get_filename_component(file_name ${file} NAME)
    get_filename_component(stem ${file} NAME_WE)
    file(READ ${file} text)
    string(REGEX MATCHALL "KERNEL\\([a-z0-9_]+" found "${text}")
    list(TRANSFORM found REPLACE "KERNEL\\(" "")
    foreach(kernel ${found})
      string(APPEND declarations "extern const Kernel ${kernel};\n")
      set(compiled "")
      foreach(level portable v2 v3 v4)
        if(level IN_LIST CAPROCK_LEVELS)
          string(APPEND externs "extern const lanes::Compiled ${kernel}_${level};\n")
          string(APPEND compiled "&compiled::${kernel}_${level}, ")
        else()
          string(APPEND compiled "nullptr, ")
        endif()
      endforeach()
      string(APPEND definitions "const Kernel ${kernel} = {\"${kernel}\", \"${file_name}\", texts, {${compiled}}};\n")
    endforeach()
    foreach(level ${CAPROCK_LEVELS})
      set(unit "// Made by cmake/Kernels.cmake from ${file_name}.\n#define CAPROCK_LANES ${CAPROCK_LANES_${level}}\n")
      string(APPEND unit "#include \"dialect/cpu.h\"\nnamespace {\n#include \"${file_name}\"\n}\n")
      string(APPEND unit "namespace caprock::compiled {\n")
      foreach(kernel ${found})
        string(APPEND unit "extern const lanes::Compiled ${kernel}_${level};\n"
          "const lanes::Compiled ${kernel}_${level} = {${kernel}_signature, Runner<${kernel}_cells>::run};\n")
      endforeach()
      string(APPEND unit "}  // namespace caprock::compiled\n")
      set(source ${generated}/${name}/${stem}_${level}.cpp)
      file(CONFIGURE OUTPUT ${source} CONTENT "${unit}" @ONLY)
      set(options ${optimisation} ${CAPROCK_KERNEL_OPTIONS}
        -Wno-uninitialized -Wno-maybe-uninitialized)  # GCC 12's own AVX-512 headers
      if(NOT level STREQUAL portable)
        list(APPEND options -march=x86-64-${level})
      endif()
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}")
      list(APPEND sources ${source})
    endforeach()
  endforeach()

  file(CONFIGURE OUTPUT ${generated}/${name}.h @ONLY CONTENT
"// Made by cmake/Kernels.cmake: one kernel per KERNEL(...) of the folder.
#pragma once

#include \"compute/kernel.h\"

namespace caprock::kernel {

${declarations}
}  // namespace caprock::kernel
")
  set(holder ${generated}/${name}/${name}.cpp)
  file(WRITE ${holder}.new
"// Made by cmake/Kernels.cmake.
#include \"${name}.h\"

namespace caprock {

namespace compiled {
${externs}}  // namespace compiled

namespace {
const KernelText texts[] = {
${texts}};
}  // namespace

namespace kernel {
${definitions}}  // namespace kernel

}  // namespace caprock
")
  file(COPY_FILE ${holder}.new ${holder} ONLY_IF_DIFFERENT)
  add_library(${name} OBJECT ${sources} ${holder})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PRIVATE ${folder})
  target_link_libraries(${name} PRIVATE caprock_settings)
  if(CAPROCK_SANITIZE MATCHES "undefined")
    target_compile_options(${name} PRIVATE -fsanitize=undefined)  # all of it, also what the rooms leave out
  endif()
  if(CAPROCK_CHECKED)
    target_compile_definitions(${name} PRIVATE CAPROCK_CHECKED)
  endif()
endfunction()

# Appends {name, text} to a list of texts, and makes CMake run again when the file changes.
macro(caprock_embed path text_name list_variable)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} embedded)
  string(APPEND ${list_variable} "    {\"${text_name}\", R\"caprock(${embedded})caprock\"},\n")
endmacro()
