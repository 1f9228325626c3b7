#include "embed/paceline_lab.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include "core/version.hh"
#include "embed/algorithms.hh"
#include "embed/crew.hh"
#include "embed/episode.hh"
#include "embed/library.hh"
#include "embed/loops.hh"
#include "embed/whole_run.hh"

// What the outside holds; opaque there.
struct paceline_lab {
  paceline::Library library{};
};
struct paceline_run {
  std::unique_ptr<paceline::WholeRun> whole{};
};
struct paceline_episode {
  paceline::Episode episode;
  std::string error{};
};
struct paceline_crew {
  paceline::Crew crew;
};

namespace {

using namespace paceline;

constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kMostThreads = 1024;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

void tell(std::string_view what, char* error, std::size_t room) {
  if (room == 0) return;
  const std::size_t length = std::min(what.size(), room - 1);
  std::memcpy(error, what.data(), length);
  error[length] = '\0';
}

// What `work` answers; `otherwise` and why, when it throws.
template <typename Answer, typename Work>
Answer guarded(Answer otherwise, char* error, std::size_t room, Work work) noexcept {
  try {
    tell("", error, room);
    return work();
  } catch (const std::bad_alloc&) {
    tell("there is no memory left", error, room);
  } catch (const std::exception& e) {
    tell(e.what(), error, room);
  } catch (...) {
    tell("something is wrong that has no name", error, room);
  }
  return otherwise;
}

paceline_decision told(const Decision& decision) {
  const AgentPeriod& period = decision.period;
  return {.flow = static_cast<int32_t>(decision.flow),
          .inputs = static_cast<int32_t>(decision.seen.size()),
          .now = period.now.to_seconds(),
          .lasted = period.lasted.to_seconds(),
          .acked_bytes = static_cast<double>(period.acked.v),
          .lost_bytes = static_cast<double>(period.lost.v),
          .rtt_samples = static_cast<double>(period.samples),
          .mean_rtt = period.mean_rtt_s,
          .capacity_bps = decision.capacity.bps,
          .reward = period.reward,
          .srtt = period.srtt.to_seconds(),
          .least_rtt = period.least_rtt.to_seconds(),
          .cwnd_bytes = period.cwnd == Bytes::infinite() ? std::numeric_limits<double>::infinity()
                                                         : static_cast<double>(period.cwnd.v),
          .inflight_bytes = static_cast<double>(period.inflight.v)};
}

constexpr paceline_decision nothing(int32_t flow) {
  return {flow,     0,        kUnknown, kUnknown, kUnknown, kUnknown, kUnknown,
          kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};
}

paceline_decision step(paceline_episode& held, double action, float* seen, std::size_t width) noexcept {
  if (!held.error.empty()) return nothing(-2);
  try {
    // An answer that is no number would go through the whole run.
    const bool asked = held.episode.waits();
    if (asked && !std::isfinite(action)) throw std::invalid_argument("an action must be a finite number");
    const Decision* decision =
        held.episode.over() ? nullptr : held.episode.next(asked ? std::clamp(action, -1.0, 1.0) : 0);
    if (!decision) return nothing(-1);
    std::copy_n(decision->seen.begin(), std::min(width, decision->seen.size()), seen);
    return told(*decision);
  } catch (const std::exception& e) {
    held.error = e.what();
  }
  return nothing(-2);
}

}  // namespace

extern "C" {

uint32_t paceline_lab_version() noexcept { return PACELINE_LAB_VERSION; }
const char* paceline_lab_engine_version() noexcept { return kEngineVersion; }

const char* paceline_lab_listing() noexcept { return listing_now(); }

int paceline_lab_algorithm(const paceline_algorithm* algorithm, const char* revision, char* error,
                           size_t room) noexcept {
  return guarded(1, error, room, [&] {
    add_algorithm(*algorithm, revision);
    return 0;
  });
}

paceline_lab* paceline_lab_create() noexcept {
  return guarded<paceline_lab*>(nullptr, nullptr, 0, [] {
    add_agent_loops();
    return new paceline_lab{};
  });
}
void paceline_lab_destroy(paceline_lab* lab) noexcept { delete lab; }

int paceline_lab_trace(paceline_lab* lab, const char* sha256, const char* text, size_t size, char* error,
                       size_t room) noexcept {
  return guarded(1, error, room, [&] {
    lab->library.keep_trace({sha256, kHashDigits}, {text, size});
    return 0;
  });
}
int paceline_lab_weights(paceline_lab* lab, const char* sha256, const char* text, size_t size, char* error,
                         size_t room) noexcept {
  return guarded(1, error, room, [&] {
    lab->library.keep_network({sha256, kHashDigits}, {text, size});
    return 0;
  });
}

paceline_run* paceline_run_create(paceline_lab* lab, const char* manifest, size_t size, int with_samples,
                                  const volatile int* cancelled, char* error, size_t room) noexcept {
  return guarded<paceline_run*>(nullptr, error, room, [&]() -> paceline_run* {
    auto whole = run_whole({manifest, size}, lab->library, with_samples != 0, [&] { return *cancelled != 0; });
    if (!whole) {
      tell("cancelled", error, room);
      return nullptr;
    }
    return new paceline_run{std::move(whole)};
  });
}
void paceline_run_destroy(paceline_run* run) noexcept { delete run; }
const char* paceline_run_hello(const paceline_run* run) noexcept { return run->whole->hello.c_str(); }
const char* paceline_run_summary(const paceline_run* run) noexcept { return run->whole->summary.c_str(); }
const char* paceline_run_events(const paceline_run* run) noexcept { return run->whole->events.c_str(); }

int paceline_run_series(const paceline_run* run, uint16_t stream, paceline_series* out) noexcept {
  for (const Series& series : run->whole->series) {
    if (series.stream != stream) continue;
    *out = {series.times.size(), series.columns, series.times.data(), series.values.data()};
    return 0;
  }
  return 1;
}

const char* paceline_loop_id(size_t loop) noexcept {
  return loop < agent_loops().size() ? agent_loops()[loop]->id.data() : nullptr;
}
const char* paceline_loop_input(size_t loop, size_t input) noexcept {
  if (loop >= agent_loops().size()) return nullptr;
  const auto inputs = loop_inputs(*agent_loops()[loop]);
  return input < inputs.size() ? inputs[input].data() : nullptr;
}

paceline_episode* paceline_episode_create(paceline_lab* lab, const char* manifest, size_t size, const uint32_t* agents,
                                          size_t agent_count, char* error, size_t room) noexcept {
  return guarded<paceline_episode*>(nullptr, error, room, [&] {
    return new paceline_episode{Episode{{manifest, size}, lab->library, {agents, agent_count}}};
  });
}
void paceline_episode_destroy(paceline_episode* episode) noexcept { delete episode; }
const char* paceline_episode_summary(paceline_episode* episode) noexcept {
  const std::string& summary = episode->episode.summary();
  return summary.empty() ? nullptr : summary.c_str();
}
const char* paceline_episode_error(const paceline_episode* episode) noexcept {
  return episode->error.empty() ? nullptr : episode->error.c_str();
}

paceline_crew* paceline_crew_create(size_t threads) noexcept {
  if (threads == 0 || threads > kMostThreads) return nullptr;
  return guarded<paceline_crew*>(nullptr, nullptr, 0, [&] { return new paceline_crew{Crew{threads}}; });
}
void paceline_crew_destroy(paceline_crew* crew) noexcept { delete crew; }

void paceline_crew_step(paceline_crew* crew, paceline_episode* const* episodes, const double* actions, size_t count,
                        paceline_decision* decisions, float* seen, size_t width) noexcept {
  crew->crew.share(count,
                   [&](std::size_t i) { decisions[i] = step(*episodes[i], actions[i], seen + i * width, width); });
}
}
