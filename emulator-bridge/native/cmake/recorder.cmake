# paceline-recorder runs on machines that have nothing of ours, a phone's terminal among them: it is linked statically where
# the toolchain can, so that one file is all there is to copy.

# What every program needs.
file(GLOB program_sources_shared CONFIGURE_DEPENDS program/*.cc)
add_library(paceline_program STATIC ${program_sources_shared} ${engine_version_file})
target_include_directories(paceline_program SYSTEM PRIVATE ${CLI11_INCLUDE_DIR})
target_compile_options(paceline_program PRIVATE ${app_options})
# It changes with every source; what shares its batch would be compiled as often.
set_source_files_properties(${engine_version_file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

file(GLOB recorder_sources CONFIGURE_DEPENDS recorder/*.cc)
add_library(paceline_recorder STATIC ${recorder_sources})
target_link_libraries(paceline_recorder PUBLIC paceline_engine paceline_clock paceline_program Threads::Threads)

add_executable(paceline-recorder apps/recorder.cc)
target_link_libraries(paceline-recorder PRIVATE paceline_recorder)

if(NOT PACELINE_SANITIZE)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static)
  check_cxx_source_compiles("#include <string>\nint main() { return static_cast<int>(std::string{}.size()); }"
                            PACELINE_STATIC_LINKS)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(PACELINE_STATIC_LINKS)
    target_link_options(paceline-recorder PRIVATE -static -s)
  else()
    message(STATUS "No static C++ library: paceline-recorder will need this machine's shared libraries")
  endif()
endif()
