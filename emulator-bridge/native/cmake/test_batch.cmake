# Files of tests in batches, as CMake's unity builds make them, but for one thing: each file is in a namespace of its own, so that what
# two files call by the same name does not meet. Their headers come first, outside every namespace.
#
# Included, it defines test_batches; as a script it writes one batch.

if(CMAKE_SCRIPT_MODE_FILE)
  set(headers "")
  set(files "")
  foreach(file IN LISTS FILES)
    file(STRINGS ${file} includes REGEX "^#include")
    list(APPEND headers ${includes})
    get_filename_component(name ${file} NAME_WE)
    string(APPEND files "namespace ${name} {\n#include \"${file}\"\n}\n")
  endforeach()
  list(REMOVE_DUPLICATES headers)
  list(JOIN headers "\n" headers)
  file(WRITE ${OUTPUT} "${headers}\n\n${files}")
  return()
endif()

set(test_batch_script ${CMAKE_CURRENT_LIST_FILE})

# test_batches(VARIABLE ROOM FILE...) leaves the batches' names in VARIABLE. A file that is alone stays as it is.
function(test_batches variable room)
  if(NOT CMAKE_UNITY_BUILD)
    set(${variable} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(most ${CMAKE_UNITY_BUILD_BATCH_SIZE})
  if(NOT most GREATER 0)  # CMake's word for all of them
    set(most ${ARGC})
  endif()
  set(batches "")
  set(files ${ARGN})
  while(files)
    list(SUBLIST files 0 ${most} batch)
    list(REMOVE_ITEM files ${batch})
    list(LENGTH batch size)
    if(size EQUAL 1)
      list(APPEND batches ${batch})
      continue()
    endif()
    list(LENGTH batches number)
    set(output ${CMAKE_BINARY_DIR}/tests/${room}_${number}.cc)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} "-DFILES=${batch}" -P ${test_batch_script}
      DEPENDS ${batch} ${test_batch_script}
      COMMENT "Batching tests of ${room}"
      VERBATIM)
    set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    list(APPEND batches ${output})
  endwhile()
  set(${variable} ${batches} PARENT_SCOPE)
endfunction()
