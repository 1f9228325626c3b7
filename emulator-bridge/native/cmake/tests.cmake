# Every tests/**/*_test.cc is found by itself. A folder of tests makes one program, a file one ctest entry; files named
# *_threads_test.cc carry the label `threads` (they are what the thread sanitizer is run on), realtime_*_test.cc the label
# `realtime`: they wait nearly all of their time, so scripts/test/stages.mjs runs many of them at once. Those below that judge
# figures, of long runs, of memory or of times beside the kernel, carry the label `figures`: the sanitizers leave them out,
# because shorter runs go through the same code, and a sanitizer keeps what was freed.
set(PACELINE_FIGURES_TESTS cca/two_flows cca/cubic_link apps/reminis_traces apps/trace_memory apps/realtime_tun_handshake apps/realtime_tun_first_seconds
    drivers/realtime_agreement)

# They must agree with the kernel to the millisecond, or to the packets of a second, of programs that the kernel gives no precedence:
# each counts as two of those that run at once, so that two cores have two of them, or one beside two others.
set(PACELINE_QUIET_TESTS apps/realtime_tun_handshake apps/realtime_tun_first_seconds drivers/realtime_agreement)

# Random scenarios for every algorithm, as many as one likes (npm run hostile).
file(GLOB hostile_sources CONFIGURE_DEPENDS tests/hostile/*.cc)
list(FILTER hostile_sources EXCLUDE REGEX "_test\\.cc$")
add_executable(paceline-hostile EXCLUDE_FROM_ALL tests/hostile.cc ${hostile_sources} $<TARGET_OBJECTS:paceline_plugins>)
target_link_libraries(paceline-hostile PRIVATE paceline_drivers paceline_program)

find_path(DOCTEST_INCLUDE_DIR doctest/doctest.h)
if(NOT DOCTEST_INCLUDE_DIR)
  message(STATUS "doctest is not installed: the tests are not built")
  return()
endif()

enable_testing()

# The programs that hold tests of threads, and under the thread sanitizer nothing else.
add_custom_target(threads_tests)

# The test framework's own code is compiled once for all programs.
get_filename_component(repository ${CMAKE_CURRENT_SOURCE_DIR}/../.. ABSOLUTE)
set_source_files_properties(tests/repository.cc PROPERTIES COMPILE_DEFINITIONS
                            "PACELINE_REPOSITORY=\"${repository}\";PACELINE_BIN=\"${CMAKE_RUNTIME_OUTPUT_DIRECTORY}\"")
add_library(paceline_test_main OBJECT tests/main.cc tests/repository.cc)
target_include_directories(paceline_test_main PUBLIC ${DOCTEST_INCLUDE_DIR})

# What the tests themselves compute is not worth the time that optimising it takes, least of all instrumented; the engine they
# link is the product's.
if(PACELINE_SANITIZE)
  set(test_options -O0)
else()
  set(test_options -Og)
endif()
# But for these, which compute more than what they test.
set(PACELINE_COMPUTING_TESTS hostile)

include(cmake/test_batch.cmake)
file(GLOB test_folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${CMAKE_CURRENT_SOURCE_DIR}/tests/*)
foreach(folder IN LISTS test_folders)
  if(NOT IS_DIRECTORY ${folder})
    continue()
  endif()
  get_filename_component(room ${folder} NAME)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*_test.cc)
  file(GLOB_RECURSE helpers CONFIGURE_DEPENDS ${folder}/*.cc)
  list(REMOVE_ITEM helpers ${sources})
  if(PACELINE_SANITIZE STREQUAL "thread")
    list(FILTER sources INCLUDE REGEX "_threads_test\\.cc$")
  endif()
  if(NOT sources)
    continue()
  endif()
  test_batches(batches ${room} ${sources})
  add_executable(paceline-test-${room} ${batches} ${helpers} $<TARGET_OBJECTS:paceline_test_main>)
  target_include_directories(paceline-test-${room} PRIVATE ${DOCTEST_INCLUDE_DIR})
  if(room IN_LIST PACELINE_COMPUTING_TESTS)
    target_compile_options(paceline-test-${room} PRIVATE -O1)
  else()
    target_compile_options(paceline-test-${room} PRIVATE ${test_options})
  endif()
  target_compile_definitions(paceline-test-${room} PRIVATE PACELINE_SANITIZED=$<BOOL:${PACELINE_SANITIZE}>)
  target_link_libraries(paceline-test-${room} PRIVATE paceline_all)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "_test$" "" name ${name})
    # The whole path: a pattern of the name's end would run realtime_${name}_test.cc as well.
    file(RELATIVE_PATH within ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    add_test(NAME ${room}/${name} COMMAND paceline-test-${room} --source-file=*/${within}
             WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    set(labels "")
    if(name MATCHES "_threads$")
      list(APPEND labels threads)
      add_dependencies(threads_tests paceline-test-${room})
    endif()
    # What waits longest begins first: the others fill the time that it takes.
    set(cost 0)
    if(name MATCHES "^realtime_")
      list(APPEND labels realtime)
      math(EXPR cost "${cost} + 1")
    endif()
    if("${room}/${name}" IN_LIST PACELINE_FIGURES_TESTS)
      list(APPEND labels figures)
      math(EXPR cost "${cost} + 1")
    endif()
    if("${room}/${name}" IN_LIST PACELINE_QUIET_TESTS)
      set_tests_properties(${room}/${name} PROPERTIES PROCESSORS 2)
    endif()
    set_tests_properties(${room}/${name} PROPERTIES LABELS "${labels}" COST ${cost})
  endforeach()
endforeach()
