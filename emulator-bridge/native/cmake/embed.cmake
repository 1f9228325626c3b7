# The engine as a shared library for other programs (embed/paceline_lab.h), by which emulator-bridge/python has it: of the system it takes
# nothing but the C++ library.
if(PACELINE_SANITIZE)
  return()
endif()
add_library(paceline_embedded SHARED $<TARGET_OBJECTS:paceline_embed> $<TARGET_OBJECTS:paceline_plugins>
            $<TARGET_OBJECTS:paceline_virtual> $<TARGET_OBJECTS:paceline_run_json> $<TARGET_OBJECTS:paceline_foreign> drivers/wasm/no_kernel.cc
            ${engine_version_file})
target_link_libraries(paceline_embedded PRIVATE paceline_engine Threads::Threads)
# Nothing but what the header names is seen from outside, and nothing is missing.
target_link_options(paceline_embedded PRIVATE -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--no-undefined
                    -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/embed/exports.map)
set_target_properties(paceline_embedded PROPERTIES OUTPUT_NAME paceline LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
                      LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/embed/exports.map)
list(APPEND program_targets paceline_embedded)
