#pragma once
// What the engine as WebAssembly asks of whoever runs it: emulator-bridge/engine/engine.ts.

#include <cstddef>
#include <cstdint>

namespace paceline {

// What each module says when there is no more.
extern const char* const kNoMemory;

}  // namespace paceline

extern "C" {

// Takes bytes of the run's telemetry; they may be anything from a part of a frame to many.
[[clang::import_module("paceline"), clang::import_name("write")]] void paceline_host_write(const char* bytes,
                                                                                           std::size_t size);
// Says what is wrong, in plain words, and what a program would exit with. The host leaves this engine for good.
[[noreturn, clang::import_module("paceline"), clang::import_name("fail")]] void paceline_host_fail(const char* text,
                                                                                                   std::size_t size,
                                                                                                   int32_t exit_code);

// Own algorithms: their flows live with the host (emulator-bridge/engine/own). What goes wrong there never comes back either. All that is
// told and answered are doubles in the language's units, in the order of plugin/paceline_plugin.h; NaN: unknown.
[[clang::import_module("paceline"), clang::import_name("own_create")]] int32_t paceline_host_own_create(
    const char* id, std::size_t size, const double* setup, const double* params, double* answer);
[[clang::import_module("paceline"), clang::import_name("own_destroy")]] void paceline_host_own_destroy(int32_t flow);
[[clang::import_module("paceline"), clang::import_name("own_event")]] void paceline_host_own_event(
    int32_t flow, int32_t kind, const double* told, const double* packets, std::size_t count, double* answer);
[[clang::import_module("paceline"), clang::import_name("own_internals")]] void paceline_host_own_internals(
    int32_t flow, double* values);
// Writes the word for a phase, at most `room` bytes, and says how long it is.
[[clang::import_module("paceline"), clang::import_name("own_phase")]] std::size_t paceline_host_own_phase(
    int32_t flow, int32_t phase, char* word, std::size_t room);
}
