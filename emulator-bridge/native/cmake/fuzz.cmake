# The readers of trace files under libFuzzer (scripts/fuzz.mjs), in a build folder of its own. Only what they need is compiled for it.
if(NOT PACELINE_SANITIZE STREQUAL "fuzzer")
  return()
endif()

file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/*.cc)
file(GLOB fuzzed_sources CONFIGURE_DEPENDS trace/*.cc io/*.cc)
add_library(paceline_fuzzed STATIC EXCLUDE_FROM_ALL ${fuzzed_sources} channel/rate_integrator.cc)
# A file at a time: only so does the linker leave out what is not needed here.
set_target_properties(paceline_fuzzed PROPERTIES UNITY_BUILD OFF)
add_executable(paceline-fuzz-traces EXCLUDE_FROM_ALL ${fuzz_sources} $<TARGET_OBJECTS:paceline_formats>)
target_link_libraries(paceline-fuzz-traces PRIVATE paceline_fuzzed ZLIB::ZLIB ${ZSTD_LIBRARY} ${PCAP_LIBRARY} OpenSSL::Crypto)
target_link_options(paceline-fuzz-traces PRIVATE -fsanitize=fuzzer,address,undefined)
