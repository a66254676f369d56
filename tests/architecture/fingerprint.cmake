# The fingerprint of what computes changes with every file that it is of, by content and by name, and with nothing else; and
# the files are those that they should be.
#
#   cmake -DSCRIPT=cmake/Fingerprint.cmake -DFILES=list -DSOURCE=folder -DFOLDER=scratch -P fingerprint.cmake

cmake_minimum_required(VERSION 3.25)

function(fingerprint_of names result)
  list(JOIN names "\n" lines)
  file(WRITE ${FOLDER}/names.txt "${lines}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -DFILES=${FOLDER}/names.txt -DROOT=${FOLDER} -DSOURCE=${FOLDER}/made.cpp
    -P ${SCRIPT} COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${FOLDER}/made.cpp made)
  string(REGEX MATCH "[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]+" found "${made}")
  string(LENGTH "${found}" length)
  if(NOT length EQUAL 64)
    message(FATAL_ERROR "no fingerprint in:\n${made}")
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
file(WRITE ${FOLDER}/a.kernel "one")
file(WRITE ${FOLDER}/b.cpp "two")
fingerprint_of("a.kernel;b.cpp" first)
fingerprint_of("a.kernel;b.cpp" again)
file(WRITE ${FOLDER}/b.cpp "2")
fingerprint_of("a.kernel;b.cpp" changed)
file(WRITE ${FOLDER}/b.cpp "two")
file(WRITE ${FOLDER}/c.cpp "two")
fingerprint_of("a.kernel;c.cpp" renamed)
fingerprint_of("a.kernel" fewer)
file(REMOVE_RECURSE ${FOLDER})
if(NOT first STREQUAL again)
  message(FATAL_ERROR "the same files have two fingerprints")
endif()
foreach(other ${changed} ${renamed} ${fewer})
  if(first STREQUAL other)
    message(FATAL_ERROR "other files have the same fingerprint")
  endif()
endforeach()

file(STRINGS ${FILES} files)
file(GLOB_RECURSE wanted RELATIVE ${SOURCE} ${SOURCE}/kernels/*.kernel ${SOURCE}/kernels/*.h
  ${SOURCE}/src/operation/*.cpp ${SOURCE}/src/operations/*.cpp ${SOURCE}/src/operations/*.h
  ${SOURCE}/src/graph/evaluator.cpp ${SOURCE}/src/document/placement.cpp ${SOURCE}/src/base/mathematics.*)
foreach(file ${wanted})
  if(NOT file IN_LIST files)
    message(FATAL_ERROR "${file} has no part in the fingerprint")
  endif()
endforeach()
