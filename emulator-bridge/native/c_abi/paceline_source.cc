#include "c_abi/paceline_source.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/limits.gen.hh"
#include "transport/source.hh"

namespace paceline {
namespace {

constexpr uint32_t kMostAtOnce = 65536;
// A run is a day at most. Spells can be a millisecond each, and one after the other is gone through.
constexpr Duration kLongest = Duration::seconds(2 * limits::duration_s.most);

void check_bounds(double value, Bounds bounds, const char* name) {
  if (!(value >= bounds.least && value <= bounds.most))
    throw std::invalid_argument{std::string{name} + " must be from " + std::to_string(bounds.least) + " to " +
                                std::to_string(bounds.most)};
}

Source source_of(const paceline_source_plan& plan) {
  if (plan.rate_bps != 0) check_bounds(plan.rate_bps / 1e6, limits::rate_mbps, "rate_bps, in Mbps,");
  check_bounds(static_cast<double>(plan.packet_bytes), {1, 65535}, "packet_bytes");
  const Rate rate{plan.rate_bps};
  if (plan.on_s == 0 && plan.off_s == 0) return Source{rate};
  check_bounds(plan.on_s, limits::spell_s, "on_s");
  check_bounds(plan.off_s, limits::spell_s, "off_s");
  return Source{OnOffPlan{.on = Duration::seconds(plan.on_s),
                          .off = Duration::seconds(plan.off_s),
                          .exponential = plan.exponential != 0,
                          .rate = rate},
                Random{plan.seed, 0, "application"}};
}

}  // namespace
}  // namespace paceline

// Its own time begins at 0.
struct paceline_source {
  paceline_source(const paceline_source_plan& plan, int64_t start)
      : source{paceline::source_of(plan)}, packet{plan.packet_bytes}, start_ns{start} {
    source.start(paceline::Time::zero());
  }

  paceline::Time reach(int64_t ns) {
    const auto since = static_cast<uint64_t>(ns) - static_cast<uint64_t>(start_ns);  // no overflow
    const auto longest = static_cast<uint64_t>(paceline::kLongest.ns);
    const paceline::Time at{ns <= start_ns ? 0 : static_cast<int64_t>(std::min(since, longest))};
    now = std::max(now, at);
    return now;
  }

  paceline::Source source;
  paceline::Bytes packet;
  int64_t start_ns;
  paceline::Time now{};
};

paceline_source* paceline_source_create(const paceline_source_plan* plan, int64_t start_ns, char* error,
                                        size_t error_size) {
  try {
    return new paceline_source{*plan, start_ns};
  } catch (const std::exception& e) {
    if (error_size > 0) std::snprintf(error, error_size, "%s", e.what());
    return nullptr;
  }
}

void paceline_source_destroy(paceline_source* source) { delete source; }

uint32_t paceline_source_take(paceline_source* source, int64_t now_ns, uint32_t most) {
  if (source == nullptr) return 0;
  const paceline::Time now = source->reach(now_ns);
  const uint32_t wanted = std::min(most, paceline::kMostAtOnce);
  uint32_t taken = 0;
  for (; taken < wanted && source->source.next(source->packet, now) > paceline::Bytes::zero(); ++taken)
    source->source.take(source->packet, 0);
  return taken;
}

int64_t paceline_source_next(const paceline_source* source) {
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  if (source == nullptr) return kNever;
  const paceline::Time at = source->source.ready(source->packet);
  if (at.is_never() || at.ns > kNever - std::max<int64_t>(source->start_ns, 0)) return kNever;
  return source->start_ns + at.ns;
}
