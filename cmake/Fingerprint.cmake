# Which program it is: a hash of all that decides what bits operations and documents make. Made anew whenever one of these
# files changes, into one small source.
#
#   caprock_fingerprint(source_variable)          while configuring
#   cmake -DFILES=list -DROOT=folder -DSOURCE=path -P Fingerprint.cmake     while building

if(CMAKE_SCRIPT_MODE_FILE)
  file(STRINGS ${FILES} files)
  set(hashes "")
  foreach(file ${files})
    file(SHA256 ${ROOT}/${file} hash)
    string(APPEND hashes "${file} ${hash}\n")
  endforeach()
  string(SHA256 fingerprint "${hashes}")
  file(WRITE ${SOURCE}
"// Made by cmake/Fingerprint.cmake.
#include \"graph/program_fingerprint.h\"

namespace caprock {

std::string_view program_fingerprint() {
    return \"${fingerprint}\";
}

}  // namespace caprock
")
  return()
endif()

set(CAPROCK_FINGERPRINT_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(caprock_fingerprint source_variable)
  set(root ${PROJECT_SOURCE_DIR})
  set(patterns kernels/*.kernel kernels/*.h)
  foreach(room base compute field terrain hydrology operation operations graph)
    list(APPEND patterns src/${room}/*.cpp src/${room}/*.h)
  endforeach()
  foreach(name canvas layer placement plan)
    list(APPEND patterns src/document/${name}.cpp src/document/${name}.h)
  endforeach()
  list(TRANSFORM patterns PREPEND ${root}/)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${root} ${patterns})
  list(SORT files)
  list(JOIN files "\n" lines)
  set(list ${PROJECT_BINARY_DIR}/generated/fingerprinted-files.txt)
  file(CONFIGURE OUTPUT ${list} CONTENT "${lines}\n" @ONLY)
  set(source ${PROJECT_BINARY_DIR}/generated/program_fingerprint.cpp)
  list(TRANSFORM files PREPEND ${root}/)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DFILES=${list} -DROOT=${root} -DSOURCE=${source} -P ${CAPROCK_FINGERPRINT_SCRIPT}
    DEPENDS ${files} ${list} ${CAPROCK_FINGERPRINT_SCRIPT}
    COMMENT "Fingerprint of what computes" VERBATIM)
  set(${source_variable} ${source} PARENT_SCOPE)
endfunction()
