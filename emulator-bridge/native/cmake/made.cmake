# What `npm run new` makes compiles and passes the tests that come with it, beside all that is there.
find_program(NODE_PROGRAM node)
if(NOT DOCTEST_INCLUDE_DIR OR NOT NODE_PROGRAM OR PACELINE_SANITIZE STREQUAL "thread")
  return()
endif()

get_filename_component(project_root ${CMAKE_CURRENT_SOURCE_DIR}/../.. ABSOLUTE)
file(GLOB_RECURSE makers CONFIGURE_DEPENDS ${project_root}/scripts/new/*)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${makers} ${project_root}/scripts/new.mjs)

set(made ${CMAKE_BINARY_DIR}/made)
file(REMOVE_RECURSE ${made})
foreach(kind cca queue element format)
  execute_process(COMMAND ${NODE_PROGRAM} ${project_root}/scripts/new.mjs ${kind} example-of-${kind} --into ${made}
                  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE reason)
  if(failed)
    message(FATAL_ERROR "npm run new -- ${kind}: ${reason}")
  endif()
endforeach()

file(GLOB_RECURSE made_sources ${made}/*.cc)
add_executable(paceline-test-made ${made_sources} tests/cca/registry_test.cc tests/queue/every_discipline_test.cc
               tests/path/every_element_test.cc tests/formats/every_format_test.cc
               $<TARGET_OBJECTS:paceline_test_main>)
target_include_directories(paceline-test-made PRIVATE ${DOCTEST_INCLUDE_DIR})
target_compile_options(paceline-test-made PRIVATE -O0)
target_link_libraries(paceline-test-made PRIVATE paceline_all)
add_test(NAME made/all COMMAND paceline-test-made WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
