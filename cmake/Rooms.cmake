# A room is a folder of src/ and a static library. It links the rooms it may use and no others (docs/architecture.md),
# so that a call in the wrong direction does not link; tests/architecture checks the includes as well.

add_library(caprock_settings INTERFACE)
target_compile_features(caprock_settings INTERFACE cxx_std_20)
target_include_directories(caprock_settings INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/kernels ${PROJECT_BINARY_DIR}/generated)
# The same bits everywhere: a * b + c is two roundings on every machine.
target_compile_options(caprock_settings INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic
  -Wno-restrict)  # GCC 12 sees an overlap in every "text" + std::string (its bug 105651)
# GCC looks through all it holds for what it may let go of, again and again: with a quarter more memory it is an eighth quicker.
target_compile_options(caprock_settings INTERFACE --param=ggc-min-expand=200 --param=ggc-min-heapsize=524288)
# Files are compiled a dozen at a time (CMAKE_UNITY_BUILD, in every preset but debug): their headers are read once, and a whole
# build takes half the time. So within a room a name means one thing, also in anonymous namespaces.
if(CMAKE_UNITY_BUILD)
  # A test's fixture in an anonymous namespace is one of an included file there.
  target_compile_options(caprock_settings INTERFACE -Wno-subobject-linkage)
endif()
if(CAPROCK_WARNINGS_AS_ERRORS)
  target_compile_options(caprock_settings INTERFACE -Werror)
endif()
if(CAPROCK_SANITIZE)
  set(sanitizing -O1 -g1 -UNDEBUG -fsanitize=${CAPROCK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    -Wno-maybe-uninitialized)  # GCC 12 sees ghosts in the standard library under sanitizers
  if(CAPROCK_SANITIZE MATCHES "undefined")
    # These look at every use of every pointer, and take a third of the build. A null pointer and an access beyond an object
    # are AddressSanitizer's to find; addresses are odd where cells are, in kernels, which are built with all checks.
    list(APPEND sanitizing -fno-sanitize=null,alignment,object-size)
  endif()
  # Targets with the property CAPROCK_AS_IN_RELEASE are compiled with no other option than those of a release.
  target_compile_options(caprock_settings INTERFACE
    "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:CAPROCK_AS_IN_RELEASE>>>:${sanitizing}>")
  target_link_options(caprock_settings INTERFACE -fsanitize=${CAPROCK_SANITIZE})
endif()

# caprock_room(NAME [USES room...] [LINKS library...] [SOURCES file...])
function(caprock_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LINKS;SOURCES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX /formats/gdal/)  # a module of its own
  add_library(caprock_${name} STATIC ${sources} ${ROOM_SOURCES})
  set_target_properties(caprock_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  list(TRANSFORM ROOM_USES PREPEND caprock_)
  target_link_libraries(caprock_${name} PUBLIC caprock_settings ${ROOM_USES} PRIVATE ${ROOM_LINKS})
endfunction()
