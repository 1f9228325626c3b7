#pragma once
// What the engine as WebAssembly asks of whoever runs it: emulator-bridge/engine/engine.ts.

#include <cstddef>
#include <cstdint>

extern "C" {

// Takes bytes of the run's telemetry; they may be anything from a part of a frame to many.
[[clang::import_module("paceline"), clang::import_name("write")]] void paceline_host_write(const char* bytes,
                                                                                           std::size_t size);
// Says what is wrong, in plain words, and what a program would exit with. The host leaves this engine for good.
[[noreturn, clang::import_module("paceline"), clang::import_name("fail")]] void paceline_host_fail(const char* text,
                                                                                                   std::size_t size,
                                                                                                   int32_t exit_code);
}
