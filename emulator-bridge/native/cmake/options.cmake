# Build types, warnings and sanitizers. Release is the product; a sanitizer turns the build into a debug build.

set(PACELINE_SANITIZE "" CACHE STRING "address (with undefined behaviour), thread, or fuzzer (address, undefined behaviour and what libFuzzer needs; clang only); empty for none")
set_property(CACHE PACELINE_SANITIZE PROPERTY STRINGS "" address thread fuzzer)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Most of what a compiler reads here is headers: so many files at a time share them. (-DCMAKE_UNITY_BUILD=OFF: a file at a time.)
set(CMAKE_UNITY_BUILD ON CACHE BOOL "Compile files in batches")
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16 CACHE STRING "How many files make a batch")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# What is compiled says where it lies as seen from here, and the cache takes every checkout for the same: what one has compiled none
# compiles again.
get_filename_component(paceline_root ${CMAKE_CURRENT_SOURCE_DIR}/../.. ABSOLUTE)
add_compile_options(-ffile-prefix-map=${paceline_root}/=)
option(PACELINE_CCACHE "Compile through ccache where it is installed" ON)
find_program(CCACHE ccache)
if(PACELINE_CCACHE AND CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${paceline_root} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

# Telemetry must be the same bytes from every build and machine: floating point stays exactly as written.
add_compile_options(-ffp-contract=off)
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror
                    -Wno-missing-field-initializers)

if(PACELINE_SANITIZE STREQUAL "address")
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1 -fno-omit-frame-pointer")
  # float-cast-overflow is no part of `undefined`: a NaN or an infinity made into a number of bytes or nanoseconds.
  add_compile_options(-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_link_options(-fsanitize=address,undefined,float-cast-overflow)
elseif(PACELINE_SANITIZE STREQUAL "thread")
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1 -fno-omit-frame-pointer")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
elseif(PACELINE_SANITIZE STREQUAL "fuzzer")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -fno-omit-frame-pointer")
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  add_compile_definitions(_GLIBCXX_ASSERTIONS PACELINE_SHORT_DAYS=1)
elseif(PACELINE_SANITIZE)
  message(FATAL_ERROR "PACELINE_SANITIZE must be empty, address, thread or fuzzer, not '${PACELINE_SANITIZE}'")
else()
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1 -DNDEBUG")
endif()
