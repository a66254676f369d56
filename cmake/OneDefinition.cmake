# Two types or functions of one name that differ are linked without a word, and which of them a caller gets is anybody's guess.
# The compiler sees one file at a time; only link-time optimisation sees all of them together, and says so (-Wodr,
# -Wlto-type-mismatch).
#
# A whole build with it would take as long as the first. What it needs is types and signatures, no code: so the sources of the
# rooms are compiled once more, all files of a room at once, without optimisation and without machine code, and are linked
# into one object that stays in the compiler's own form.
#
#   caprock_one_definition(room...)

function(caprock_one_definition)
  set(objects "")
  foreach(room ${ARGN})
    if(room STREQUAL gdal)
      file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/formats/gdal/*.cpp)
    elseif(room STREQUAL cli OR room STREQUAL bench)
      set(folder ${PROJECT_SOURCE_DIR}/bench)
      if(room STREQUAL cli)
        set(folder ${PROJECT_SOURCE_DIR}/apps/cli)
      endif()
      file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
      list(FILTER sources EXCLUDE REGEX "/bench/(main|repair_errors)\\.cpp$")
    else()
      file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.cpp)
      list(FILTER sources EXCLUDE REGEX /formats/gdal/)
    endif()
    set(target one_definition_of_${room})
    add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources})
    # All files at once: headers are read once for each room.
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/bench ${PROJECT_SOURCE_DIR}/include
      $<TARGET_PROPERTY:GDAL::GDAL,INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${target} PRIVATE caprock_settings fmt::fmt nlohmann_json::nlohmann_json TBB::tbb OpenCL::OpenCL
      PkgConfig::XXHASH PkgConfig::ZSTD PkgConfig::SQLITE)
    target_compile_options(${target} PRIVATE -O0 -flto -fno-fat-lto-objects -Wno-subobject-linkage)
    list(APPEND objects $<TARGET_OBJECTS:${target}>)
  endforeach()
  set(together ${PROJECT_BINARY_DIR}/one_definition.o)
  add_custom_command(OUTPUT ${together}
    COMMAND ${CMAKE_CXX_COMPILER} -O0 -flto -flinker-output=rel -nostdlib -r -Werror=odr -Werror=lto-type-mismatch
      ${objects} -o ${together}
    DEPENDS ${objects} COMMENT "Every name has one definition" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(one_definition ALL DEPENDS ${together})
endfunction()
