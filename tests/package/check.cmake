# Installs the build into a folder of its own, looks at what a stranger finds there, and builds and runs examples/library against
# it. What the examples make is what the command makes.
set(scratch ${BUILD}/package-test)
set(prefix ${scratch}/prefix)
set(consumer ${scratch}/build)
file(REMOVE_RECURSE ${scratch})
set(output "")
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said WORKING_DIRECTORY ${BUILD})
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${said}")
  endif()
  message("${said}")
  set(output "${said}" PARENT_SCOPE)
endfunction()
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
set(caprock ${prefix}/bin/caprock)

# ---- the headers: ours and no others, each complete by itself ----

file(GLOB wanted RELATIVE ${SOURCE}/include ${SOURCE}/include/caprock/*.h)
list(APPEND wanted caprock/operations.h)
file(GLOB_RECURSE installed RELATIVE ${prefix}/include ${prefix}/include/*)
list(SORT wanted)
list(SORT installed)
if(NOT wanted STREQUAL installed)
  message(FATAL_ERROR "installed are the headers ${installed}, and it should be ${wanted}")
endif()
set(compile ${CXX} -std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I${prefix}/include -x c++)
foreach(header ${installed})
  file(STRINGS ${prefix}/include/${header} includes REGEX "^ *# *include")
  foreach(line ${includes})
    if(NOT line MATCHES "^#include <(caprock/[a-z]+\\.h|[a-z_]+)>$")
      message(FATAL_ERROR "${header}: ${line}")
    endif()
  endforeach()
  file(WRITE ${scratch}/alone.cpp "#include <${header}>\n#include <${header}>\n")
  step(${compile} ${scratch}/alone.cpp)
endforeach()

# ---- what is wrong does not compile ----

function(refused_by_the_compiler expression)
  file(WRITE ${scratch}/typo.cpp "#include <caprock/caprock.h>\nusing namespace caprock;\nauto made = ${expression};\n")
  execute_process(COMMAND ${compile} ${scratch}/typo.cpp RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    message(FATAL_ERROR "it compiles: ${expression}")
  endif()
endfunction()
file(WRITE ${scratch}/right.cpp "#include <caprock/caprock.h>\nusing namespace caprock;\n"
  "auto made = noise({.kind = NoiseKind::ridged, .feature = 2_km, .seed = 7}) | thermal_erosion({.talus = 30_deg});\n")
step(${compile} ${scratch}/right.cpp)
foreach(typo
    "noise({.sede = 7})"                                # no such parameter
    "noise({.kind = NoiseKind::rigded})"                # no such choice
    "noise({.kind = ThermalErosionRule::musgrave})"     # a choice of another operation
    "noise({.feature = 30_deg})"                        # another unit
    "nosie({.seed = 7})"                                # no such operation
    "noise() | read(\"a.tif\")")                        # a file comes first
  refused_by_the_compiler("${typo}")
endforeach()

# ---- the symbols: our own namespace, and what it takes to catch an exception ----

file(GLOB_RECURSE library ${prefix}/libcaprock.so.0)
get_filename_component(library_folder "${library}" DIRECTORY)
execute_process(COMMAND ${NM} -D --defined-only --demangle ${library} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" "," symbols "${symbols}")
string(REGEX REPLACE "\n" ";" symbols "${symbols}")
set(shown 0)
foreach(symbol ${symbols})
  if(NOT symbol MATCHES "^[0-9a-f]+ [A-Za-z] ((typeinfo|typeinfo name|vtable) for )?caprock::v1::")
    message(FATAL_ERROR "the library shows ${symbol}")
  endif()
  math(EXPR shown "${shown} + 1")
endforeach()
if(shown LESS 60)
  message(FATAL_ERROR "the library shows ${shown} symbols:\n${symbols}")
endif()

# ---- the examples ----

# CMake cannot say where libraries lie whose path has a comma in it: the environment can.
step(${CMAKE_COMMAND} -S ${SOURCE}/examples/library -B ${consumer} -G Ninja -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_SKIP_RPATH=ON "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
step(${CMAKE_COMMAND} --build ${consumer})
set(example ${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=${library_folder}")

# The first fingerprint in what was said last.
function(fingerprint_in text result)
  if(NOT text MATCHES "([0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f])")
    message(FATAL_ERROR "no fingerprint in: ${text}")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()
function(same_as_the_command said)
  step(${caprock} ${ARGN} -o ${scratch}/command.tif)
  step(${caprock} info ${scratch}/command.tif)
  fingerprint_in("${said}" theirs)
  fingerprint_in("${output}" ours)
  if(NOT theirs STREQUAL ours)
    message(FATAL_ERROR "the library makes ${theirs}, and the command ${ours}: ${ARGN}")
  endif()
endfunction()

step(${example} ${consumer}/hills ${scratch}/hills.tif)
same_as_the_command("${output}"
  noise --kind ridged --seed 7 --size 512x512 --cell 4 then thermal-erosion --steps 20)

step(${caprock} noise --seed 5 --size 256x256 --cell 2 --feature 200 --range 0:120 -o ${scratch}/ground.r32)
step(${example} ${consumer}/game_ground ${scratch}/ground.r32)
same_as_the_command("${output}" ${scratch}/ground.r32 --size 256x256 --cell 2 then thermal-erosion --steps 40 --talus 30)

step(${caprock} noise --size 180x140 --cell 10 then mask-noise --coverage 0.1 --feature 120 --field cut then cut-out -o ${scratch}/survey.tif)
step(${example} ${consumer}/survey ${scratch}/survey.tif ${scratch}/out.tif ${scratch}/out.json)
set(said "${output}")
same_as_the_command("${said}" ${scratch}/survey.tif then fill-holes then thermal-erosion --duration 20 then smooth --radius 12)
same_as_the_command("${said}" run ${scratch}/out.json)
string(REGEX REPLACE ".*mesa" "mesa" said "${said}")
same_as_the_command("${said}" run mesa --size 200x150 --cell 20 --seed 3)

# ---- the programs ----

# A file that is tried first, by a program of the package.
step(${caprock} convert ${scratch}/hills.tif ${scratch}/hills.nc)
step(${caprock} info ${scratch}/hills.nc)
file(GLOB_RECURSE trial ${prefix}/*/caprock/caprock-trial)
if(NOT trial)
  message(FATAL_ERROR "caprock-trial is not installed")
endif()
