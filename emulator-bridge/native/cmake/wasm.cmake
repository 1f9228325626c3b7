# As WebAssembly: the engine in virtual time (drivers/wasm) and the reader of traces (drivers/wasm_trace). The same files, another compiler. CMake knows one compiler a language and
# folder, so each batch is a command of its own. Where clang or its libraries for wasm32-wasi are missing, all else is built as ever.
if(PACELINE_SANITIZE)
  return()
endif()

find_program(WASM_CXX NAMES clang++-19)
find_program(WASM_LD NAMES wasm-ld-19)
find_path(WASM_LIBRARIES libc++.a PATHS /usr/lib/wasm32-wasi NO_DEFAULT_PATH)
file(GLOB wasm_builtins /usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a)
find_path(NLOHMANN_INCLUDE_DIR nlohmann/json.hpp REQUIRED)
if(NOT WASM_CXX OR NOT WASM_LD OR NOT WASM_LIBRARIES OR NOT wasm_builtins)
  message(STATUS "WebAssembly engine: not built, needs clang-19, lld-19, wasi-libc, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32 "
                 "and libclang-rt-19-dev-wasm32")
  return()
endif()

# Of /usr/include only this: the rest is of another machine.
set(wasm_folder ${CMAKE_BINARY_DIR}/wasm)
file(MAKE_DIRECTORY ${wasm_folder}/include)
file(CREATE_LINK ${NLOHMANN_INCLUDE_DIR}/nlohmann ${wasm_folder}/include/nlohmann SYMBOLIC)

# Floating point as natively (options.cmake). What the flags allow beyond the first WebAssembly every current browser has.
set(wasm_flags --target=wasm32-wasi -std=c++20 -DNDEBUG -DPACELINE_WITHOUT_PROSE -fno-exceptions -fno-threadsafe-statics -ffp-contract=off
    -msimd128 -mbulk-memory -msign-ext -mnontrapping-fptoint -fvisibility=hidden -ffunction-sections -fdata-sections
    -Wall -Wextra -Werror -ffile-prefix-map=${paceline_root}/=
    -I${CMAKE_CURRENT_SOURCE_DIR} -isystem ${wasm_folder}/include)
set(wasm_launcher ${CMAKE_CXX_COMPILER_LAUNCHER})

# What is done for every packet is made fast, across batches (a fifteenth of the time), the rest small.
function(paceline_wasm_batch name optimisation)
  set(batch ${wasm_folder}/${name}.cc)
  set(text "")
  foreach(file IN LISTS ARGN)
    string(APPEND text "#include \"${file}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${batch} CONTENT "${text}")
  add_custom_command(
    OUTPUT ${batch}.o
    COMMAND ${wasm_launcher} ${WASM_CXX} ${wasm_flags} ${optimisation} -MD -MF ${batch}.d -c ${batch} -o ${batch}.o
    DEPENDS ${batch} ${ARGN}
    DEPFILE ${batch}.d
    COMMENT "Building for WebAssembly: ${name}"
    VERBATIM)
  set(wasm_objects ${wasm_objects} ${batch}.o PARENT_SCOPE)
endfunction()

function(paceline_wasm_files result)
  file(GLOB found CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN})
  set(${result} ${found} PARENT_SCOPE)
endfunction()

set(wasm_objects "")
paceline_wasm_files(found core/*.cc link/*.cc queue/*.cc)
paceline_wasm_batch(core "-O2;-flto" ${found} trace/trace.cc trace/text.cc trace/error.cc)
foreach(letters a-c d-l m-p q-z)
  paceline_wasm_files(found cca/[${letters}]*.cc)
  paceline_wasm_batch(cca-${letters} "-O2;-flto" ${found})
endforeach()
paceline_wasm_files(found transport/*.cc metrics/*.cc)
paceline_wasm_batch(transport "-O2;-flto" ${found})
paceline_wasm_files(found path/*.cc)
paceline_wasm_batch(path "-O2;-flto" ${found})
paceline_wasm_files(found drivers/*.cc)
paceline_wasm_batch(drivers "-O2;-flto" ${found} plugin/algorithm.cc plugin/controller.cc)
paceline_wasm_batch(json -Oz manifest/fields.cc manifest/json_text.cc manifest/link.cc manifest/manifest.cc manifest/source.cc
                    manifest/weights_file.cc telemetry/describe_streams.cc telemetry/describe_summary.cc telemetry/telemetry.cc
                    telemetry/telemetry_formats.cc telemetry/virtual_run.cc)
paceline_wasm_files(found drivers/wasm/*.cc)
paceline_wasm_batch(host -Oz ${found} ${engine_version_file})

# The linker itself: clang would let a wasm-opt that happens to be installed have a go at it, and make other bytes.
function(paceline_wasm_module name target memory)
  set(module ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name}.wasm)
  add_custom_command(
    OUTPUT ${module}
    COMMAND ${WASM_LD} -m wasm32 -L${WASM_LIBRARIES} ${WASM_LIBRARIES}/crt1-reactor.o --entry _initialize ${ARGN}
            -lc++ -lc++abi -lc ${wasm_builtins} --gc-sections -O2 --lto-O2 --strip-all --max-memory=${memory} -z stack-size=262144
            -o ${module}
    DEPENDS ${ARGN} ${wasm_builtins}
    COMMENT "Linking ${name}.wasm"
    VERBATIM)
  add_custom_target(${target} DEPENDS ${module})
endfunction()
paceline_wasm_module(paceline paceline-wasm 536870912 ${wasm_objects})

# Formats register themselves: every object of theirs is linked, whoever refers to it. What is left out is of programs (files in folders,
# packings, libpcap) or writes.
set(wasm_objects "")
paceline_wasm_files(found formats/*.cc)
list(FILTER found EXCLUDE REGEX "/(delay_lines|libpcap|netem_script|packet_times|trace_file|trace_report|write.*)\\.cc$")
paceline_wasm_batch(trace-formats "-O2;-flto" ${found} channel/rate_integrator.cc io/byte_reader.cc)
paceline_wasm_files(found trace/*.cc)
list(REMOVE_ITEM found trace/edit.cc)
paceline_wasm_batch(trace-figures "-O2;-flto" ${found})
paceline_wasm_files(found drivers/wasm_trace/*.cc)
paceline_wasm_batch(trace-host -Oz ${found} drivers/wasm/without_exceptions.cc formats/trace_report.cc)
paceline_wasm_module(paceline-trace paceline-trace-wasm 268435456 ${wasm_objects})
