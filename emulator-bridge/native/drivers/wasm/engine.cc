// The engine as WebAssembly: a manifest in, the telemetry out that paceline-simulate writes, byte for byte. It knows no file, clock or
// socket; traces and weights are handed in. One run at a time, in slices, so that the host may give it up between two of them.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/fail.hh"
#include "core/version.hh"
#include "drivers/virtual.hh"
#include "drivers/wasm/host.hh"
#include "drivers/wasm/own.hh"
#include "manifest/manifest.hh"
#include "manifest/weights_file.hh"
#include "program/refusal.hh"
#include "telemetry/virtual_run.hh"
#include "trace/text.hh"

#define PACELINE_EXPORT(name) [[clang::export_name(name)]]

namespace {

using namespace paceline;

// What the host has handed in, by hash.
class Memory final : public Shelf {
 public:
  std::shared_ptr<const Trace> trace(const std::string& sha256, const std::string& where) override {
    return found(traces, sha256, where, "trace");
  }
  Params::Weights network(const std::string& sha256, const std::string& where) override {
    return found(networks, sha256, where, "weights");
  }

  std::map<std::string, std::shared_ptr<const Trace>, std::less<>> traces{};
  std::map<std::string, Params::Weights, std::less<>> networks{};

 private:
  template <typename Kept>
  static Kept found(const std::map<std::string, Kept, std::less<>>& all, const std::string& sha256,
                    const std::string& where, const char* what) {
    const auto known = all.find(sha256);
    if (known == all.end()) fail(Refusal{where, std::string{"this "} + what + " was not handed in"});
    return known->second;
  }
};

struct Run {
  RunPlan plan{};
  TelemetryWriter writer{frame_format(), [](std::string_view bytes) {
                           paceline_host_write(bytes.data(), bytes.size());
                           return true;
                         }};
  std::unique_ptr<Simulation> simulation{};
};

Memory& memory() {
  static Memory all;
  return all;
}

std::unique_ptr<Run>& current() {
  static std::unique_ptr<Run> run;
  return run;
}

constexpr std::size_t kHashDigits = 64;

}  // namespace

// `sha256` is always 64 characters; what is handed in is copied, and the host's to free.
extern "C" {

PACELINE_EXPORT("alloc") void* paceline_alloc(std::size_t size) { return ::operator new(size); }
PACELINE_EXPORT("free") void paceline_free(void* pointer) { ::operator delete(pointer); }

// "0.1.0+0123456789ab", ended by a zero.
PACELINE_EXPORT("version") const char* paceline_version() { return kEngineVersion; }

// A trace in its stored form (docs/traces.md), as text.
PACELINE_EXPORT("trace") void paceline_trace(const char* sha256, const char* text, std::size_t size) {
  TraceTextParser parser{TraceTextParser::Ambiguous::accept};
  parser.feed({text, size});
  memory().traces[{sha256, kHashDigits}] = std::make_shared<const Trace>(parser.finish().counts);
}

// A weights file (docs/weights.md).
PACELINE_EXPORT("weights") void paceline_weights(const char* sha256, const char* text, std::size_t size) {
  memory().networks[{sha256, kHashDigits}] = std::make_shared<const FeedForward>(weights_of({text, size}));
}

// An own algorithm, whose flows live with the host: `own_create` and the others are asked whenever a run has one.
PACELINE_EXPORT("own") void paceline_own(const char* declaration, std::size_t size) { add_own({declaration, size}); }

PACELINE_EXPORT("own_layouts") void paceline_own_layouts(const char* text, std::size_t size) {
  set_own_layouts({text, size});
}

PACELINE_EXPORT("forget") void paceline_forget() {
  current().reset();
  forget_own();
  memory().traces.clear();
  memory().networks.clear();
}

// Starts a run and says `hello`; one that is under way is given up.
PACELINE_EXPORT("begin") void paceline_begin(const char* manifest, std::size_t size, int32_t with_samples) {
  current() = std::make_unique<Run>();
  Run& run = *current();
  run.plan = plan_of(json_of({manifest, size}, "the manifest"), memory(), Engine::virtual_time);
  greet(run.plan, with_samples != 0, run.writer);
  run.simulation = start_simulation(run.plan, run.writer);
}

// Goes on for so many events at most; 1 as long as there is more to come. The last slice says `summary` and `end`.
PACELINE_EXPORT("advance") int32_t paceline_advance(uint32_t events) {
  std::unique_ptr<Run>& run = current();
  if (!run) return 0;
  if (run->simulation->advance(events)) return 1;
  run->writer.control(summary_message(run->simulation->summary()));
  run->writer.control(end_message(run->plan));
  run.reset();
  return 0;
}

PACELINE_EXPORT("cancel") void paceline_cancel() { current().reset(); }
}
