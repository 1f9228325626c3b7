# Which engine this is: the product's version and a hash of every source that can change a result. Runs are stored by the
# engine that made them, so an engine that was mended never hands out what the one before it computed.
#
# Included, it defines engine_version_file and how it is made; as a script it makes it.

if(CMAKE_SCRIPT_MODE_FILE)
  set(hashes "")
  foreach(file IN LISTS FILES)
    file(SHA256 ${SOURCE}/${file} hash)
    string(APPEND hashes "${hash}  ${file}\n")
  endforeach()
  string(SHA256 hash "${hashes}")
  string(SUBSTRING ${hash} 0 12 hash)
  file(WRITE ${OUTPUT}
       "#include \"core/version.hh\"\n\nconst char* const paceline::kEngineVersion = \"${VERSION}+${hash}\";\n")
  return()
endif()

file(GLOB_RECURSE engine_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cc *.hh)
list(FILTER engine_files EXCLUDE REGEX "^(tests/|fuzz/|bench/|recorder/|apps/recorder\\.cc)")
list(APPEND engine_files cmake/options.cmake)
list(SORT engine_files)
set(engine_version_file ${CMAKE_BINARY_DIR}/engine_version.cc)
add_custom_command(
  OUTPUT ${engine_version_file}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DOUTPUT=${engine_version_file}
          -DVERSION=${package_version} "-DFILES=${engine_files}" -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${engine_files} ${CMAKE_CURRENT_LIST_FILE} ${package_json}
  COMMENT "Hashing the engine's sources"
  VERBATIM)
