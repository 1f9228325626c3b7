// The reader of traces as WebAssembly: a file of any form in, what `paceline-trace info` prints and the canonical text out. One file an
// instance: what was refused is left as it is.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/fail.hh"
#include "drivers/wasm/host.hh"
#include "drivers/wasm_trace/host.hh"
#include "drivers/wasm_trace/unpack.hh"
#include "formats/registry.hh"
#include "formats/trace_report.hh"
#include "io/sha256.hh"
#include "trace/write.hh"

#define PACELINE_EXPORT(name) [[clang::export_name(name)]]

namespace paceline {

namespace {

using nlohmann::json;

constexpr int kExitBadInput = 2;

// What was understood so far, for whoever has to choose, as long as the file is being read.
TraceFile& file_being_read() {
  static TraceFile file;
  return file;
}
bool reading = false;

template <typename T>
T asked_for(const json& asked, const char* name, T otherwise) {
  const auto found = asked.find(name);
  return found == asked.end() || found->is_null() ? otherwise : found->get<T>();
}

formats::FileSource source_of(const json& asked) {
  constexpr std::size_t kChunk = std::size_t{1} << 18U;
  const auto unpacked = asked_for<std::string>(asked, "unpacked", "");
  set_unpacked(unpacked == "cut"       ? Unpacked::cut
               : unpacked == "damaged" ? Unpacked::damaged
                                       : Unpacked::whole,
               asked_for<std::size_t>(asked, "unpacked_size", 0));
  const UnpackLimits any{};
  const UnpackLimits limits{.bytes = asked_for(asked, "unpacked_bytes", any.bytes),
                            .ratio = asked_for(asked, "unpacked_ratio", any.ratio)};
  // What is packed is there at once: what it may become is so many times its size.
  const std::size_t chunk = unpacked.empty() ? kChunk : asked_for<std::size_t>(asked, "file_bytes", kChunk);
  return formats::FileSource{[limits, chunk] {
    return ByteReader{[at = std::size_t{}, bytes = std::vector<char>(chunk)]() mutable -> std::span<const char> {
                        const std::size_t got = paceline_host_file(at, bytes.data(), bytes.size());
                        at += got;
                        return {bytes.data(), got};
                      },
                      limits};
  }};
}

// What it would take as it is stored.
void refuse_too_long(const std::vector<uint32_t>& counts, uint64_t most) {
  const auto mb = [](uint64_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; };
  const uint64_t bytes = stored_bytes(counts);
  if (bytes > most)
    fail(TraceError{"too_long",
                    "the trace would take " + mb(bytes) + " of storage; at most " + mb(most) + " are allowed here",
                    "Cut it to what is needed, or sample it more coarsely."});
}

void write(const json& value) {
  const std::string text = json_text(value);
  paceline_host_write(text.data(), text.size());
}

}  // namespace

const char* const kNoMemory = "the trace needs more memory than is set aside for reading it";

void give_up(const std::exception& error, int exit_code) {
  const auto* const refused = dynamic_cast<const TraceError*>(&error);
  if (refused == nullptr) paceline_host_fail(error.what(), std::strlen(error.what()), exit_code);
  json problem = trace_problem_json(*refused);
  if (reading && file_being_read().format != nullptr) problem["source"] = trace_source_json(file_being_read());
  const std::string text = json_text(problem);
  paceline_host_fail(text.data(), text.size(), kExitBadInput);
}

}  // namespace paceline

extern "C" {

using namespace paceline;

PACELINE_EXPORT("alloc") void* paceline_alloc(std::size_t size) { return ::operator new(size); }
PACELINE_EXPORT("free") void paceline_free(void* pointer) { ::operator delete(pointer); }

// The forms that are read, as JSON, in the order in which a file is asked whether it is one.
PACELINE_EXPORT("forms") void paceline_forms() {
  nlohmann::json all = nlohmann::json::array();
  for (const formats::Format* format : formats::registered_formats())
    all.push_back({{"id", format->id}, {"label", format->label}});
  write(all);
}

// Reads the file that the host has. `asked`: JSON (emulator-bridge/engine/trace-reader.ts). What is wrong with the file goes to the
// host's `fail` as a TraceProblem, with exit code 2.
PACELINE_EXPORT("read") void paceline_read(const char* asked_text, std::size_t size) {
  constexpr uint64_t kMostBins = 100'000;
  const auto asked = nlohmann::json::parse(std::string_view{asked_text, size}, nullptr, false);
  TraceFile& file = file_being_read();
  reading = true;
  formats::Choices choices;
  for (const auto& [name, value] : asked.at("options").items()) choices[name] = value.get<std::string>();
  formats::FileSource source = source_of(asked);
  read_trace_source(source, asked_for<std::string>(asked, "format", ""), choices, file);
  reading = false;
  if (asked_for(asked, "made", false)) file.origin = TraceOrigin::made;
  const std::vector<uint32_t>& counts = file.counts();
  refuse_too_long(counts, asked_for(asked, "stored_bytes", std::numeric_limits<uint64_t>::max()));
  Sha256 hash;
  write_ms_count(counts, [&hash](std::string_view text) {
    hash.update(text);
    paceline_host_text(text.data(), text.size());
  });
  const TracePreview preview =
      trace_preview(counts, std::clamp<uint64_t>(asked_for<uint64_t>(asked, "bins", 1000), 1, kMostBins),
                    std::min(asked_for<uint64_t>(asked, "from_ms", 0), kMaxTracePeriodMs),
                    std::clamp<uint64_t>(asked_for(asked, "to_ms", kMaxTracePeriodMs), 1, kMaxTracePeriodMs));
  nlohmann::json report{{"info", trace_info_json(file, trace_stats(counts), hash.finish())},
                        {"preview", trace_preview_json(preview)}};
  if (asked_for(asked, "dynamics", false)) report["dynamics"] = trace_dynamics_json(trace_dynamics(counts));
  write(report);
}
}
