# Kernels: every *.kernel of a folder, compiled once per instruction set for the CPU, and kept as text for OpenCL.
#
#   caprock_kernels(NAME folder)
#
# defines the object library NAME and generates NAME.h with one `caprock::kernel::<name>` per KERNEL(...) in the
# folder, and the struct of its arguments. The folder kernels/ itself (the dialect and shared headers) may be included by all.

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

# caprock_kernel_type(kernel signature types_variable type_variable): the C++ text that declares the arguments and folds of a
# kernel, from what stands between the parentheses behind its name, and the type of kernel that takes them.
function(caprock_kernel_type kernel signature types_variable type_variable)
  set(word "")
  string(REPLACE "_" ";" parts ${kernel})
  foreach(part ${parts})
    string(SUBSTRING ${part} 0 1 first)
    string(SUBSTRING ${part} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND word ${first}${rest})
  endforeach()
  set(fields_IN In)
  set(fields_OUT Out)
  set(fields_INOUT InOut)
  set(fields_AROUND Around)
  set(fields_IN_STACK InStack)
  set(fields_OUT_STACK OutStack)
  set(fields_INOUT_STACK InOutStack)
  set(fields_AROUND_STACK AroundStack)
  set(fields_FINER Finer)
  set(fields_COARSER Coarser)
  set(fields_ANYWHERE Anywhere)
  set(fields_TALLY Tally)
  set(numbers_float float)
  set(numbers_int int32_t)
  set(numbers_uint uint32_t)
  set(members "")
  set(listed "")
  set(count 0)
  set(folds "")
  set(folded "")
  set(fold_count 0)
  string(REGEX MATCHALL "[A-Z_]+\\([^()]*\\)" parameters "${signature}")
  foreach(parameter ${parameters})
    set(member "")
    if(parameter MATCHES "^([A-Z_]+)\\( *([a-z0-9_]+) *\\)$")
      set(parameter_name ${CMAKE_MATCH_2})
      set(kind ${CMAKE_MATCH_1})
      if(DEFINED fields_${kind})
        set(member "given::${fields_${kind}}")
      elseif(kind MATCHES "^VARYING(_AROUND)?$")
        # A field, or one number in its place: two arguments.
        string(APPEND members "    given::Varying ${parameter_name};\n")
        list(APPEND listed "given.${parameter_name}.cells()" "given.${parameter_name}.everywhere()")
        math(EXPR count "${count} + 2")
        continue()
      elseif(kind MATCHES "^FOLD_(MIN|MAX|SUM)$")
        if(kind STREQUAL FOLD_SUM)
          string(APPEND folds "    uint64_t ${parameter_name};\n")
          list(APPEND folded "${parameter_name}(folds[${fold_count}].sum)")
        else()
          string(APPEND folds "    float ${parameter_name};\n")
          list(APPEND folded "${parameter_name}(folds[${fold_count}].extreme)")
        endif()
        math(EXPR fold_count "${fold_count} + 1")
        continue()
      elseif(kind MATCHES "^(ALONG|DOWN)$")
        continue()  # the kernel's own
      endif()
    elseif(parameter MATCHES "^(UNIFORM|TABLE)\\( *(float|int|uint) *, *([a-z0-9_]+) *\\)$")
      set(parameter_name ${CMAKE_MATCH_3})
      set(number ${numbers_${CMAKE_MATCH_2}})
      if(CMAKE_MATCH_1 STREQUAL UNIFORM)
        set(member "given::Uniform<${number}>")
      else()
        set(member "given::Table<${number}>")
      endif()
    endif()
    if(NOT member)
      message(FATAL_ERROR "kernel ${kernel}: '${parameter}' is no parameter that the dialect knows")
    endif()
    string(APPEND members "    ${member} ${parameter_name};\n")
    list(APPEND listed "given.${parameter_name}.argument()")
    math(EXPR count "${count} + 1")
  endforeach()
  list(JOIN listed ",\n            " listed)
  set(types
"struct ${word}Arguments {
    given::ByName by_name = given::ByName::only();
${members}};
inline std::array<Argument, ${count}> arguments_in_order(const ${word}Arguments& given) {
    return {${listed}};
}
")
  set(type "TypedKernel<${word}Arguments>")
  if(folds)
    list(JOIN folded ", " folded)
    string(APPEND types
"struct ${word}Folds {
    explicit ${word}Folds(std::span<const Folded> folds) : ${folded} {}
${folds}};
")
    set(type "TypedKernel<${word}Arguments, ${word}Folds>")
  endif()
  set(${types_variable} "${types}" PARENT_SCOPE)
  set(${type_variable} "${type}" PARENT_SCOPE)
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
    # Every lane of every expression would be watched on the stack, which takes the compiler ten times as long and the kernel thirty.
    # What is watched is what kernels are given: fields and tables, which lie elsewhere; UBSan looks after arrays of known length.
    set(optimisation -O2 --param=asan-stack=0)
    if(CAPROCK_SANITIZE MATCHES "undefined")
      # A check of every address that is computed takes the compiler five minutes over a kernel of forty fields; what lies beyond a
      # field is AddressSanitizer's to find.
      list(APPEND optimisation -fno-sanitize=pointer-overflow)
    endif()
  endif()
  set(declarations "")
  set(externs "")
  set(definitions "")
  set(sources "")
  foreach(file ${kernel_files})
    get_filename_component(file_name ${file} NAME)
    get_filename_component(stem ${file} NAME_WE)
    file(READ ${file} text)
    # Up to the brace that begins its body.
    string(REGEX MATCHALL "KERNEL\\([a-z0-9_]+,[^{;]*\\)[ \t\r\n]*{" signatures "${text}")
    string(REGEX MATCHALL "KERNEL\\([a-z0-9_]+" begun "${text}")
    list(LENGTH signatures declared_count)
    list(LENGTH begun begun_count)
    if(NOT declared_count EQUAL begun_count)
      message(FATAL_ERROR "${file_name}: ${begun_count} kernels begin, but ${declared_count} are declared as "
        "KERNEL(name, parameters) with a body")
    endif()
    set(found "")
    set(file_types "")
    foreach(declared ${signatures})
      string(REGEX REPLACE "[ \t\r\n]+" " " declared "${declared}")
      string(REGEX MATCH "^KERNEL\\(([a-z0-9_]+),(.*)\\) *{$" declared "${declared}")
      set(kernel ${CMAKE_MATCH_1})
      set(signature "${CMAKE_MATCH_2}")
      list(APPEND found ${kernel})
      # Kernels of one file with the same parameters are variants of each other, and have one type.
      string(MD5 key "${signature}")
      list(FIND file_types ${key} known)
      if(known EQUAL -1)
        caprock_kernel_type(${kernel} "${signature}" types type)
        string(APPEND declarations "${types}")
        list(APPEND file_types ${key})
        set(type_${key} "${type}")
      endif()
      set(type "${type_${key}}")
      string(APPEND declarations "extern const ${type} ${kernel};\n\n")
      set(compiled "")
      foreach(level portable v2 v3 v4)
        if(level IN_LIST CAPROCK_LEVELS)
          string(APPEND externs "extern const lanes::Compiled ${kernel}_${level};\n")
          string(APPEND compiled "&compiled::${kernel}_${level}, ")
        else()
          string(APPEND compiled "nullptr, ")
        endif()
      endforeach()
      string(APPEND definitions "const ${type} ${kernel} = {{\"${kernel}\", \"${file_name}\", texts, {${compiled}}}};\n")
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
"// Made by cmake/Kernels.cmake: one kernel per KERNEL(...) of the folder, and the arguments it is given.
#pragma once

#include \"compute/typed_kernel.h\"

#include <array>
#include <cstdint>
#include <span>

namespace caprock::kernel {

${declarations}}  // namespace caprock::kernel
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
