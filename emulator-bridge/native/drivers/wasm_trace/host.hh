#pragma once
// What the reader of traces as WebAssembly asks of whoever runs it beside what the engine does (drivers/wasm/host.hh):
// emulator-bridge/engine/trace-reader.ts.

#include <cstddef>
#include <cstdint>

extern "C" {

// Bytes of the file from `at` on, at most `room`; how many there were, 0 at its end.
[[clang::import_module("paceline"), clang::import_name("file")]] std::size_t paceline_host_file(std::size_t at,
                                                                                                char* into,
                                                                                                std::size_t room);
// The same of what the host has unpacked of it.
[[clang::import_module("paceline"), clang::import_name("unpacked")]] std::size_t paceline_host_unpacked(
    std::size_t at, char* into, std::size_t room);
// Takes a part of the trace's canonical text.
[[clang::import_module("paceline"), clang::import_name("text")]] void paceline_host_text(const char* bytes,
                                                                                         std::size_t size);
}
