#include "c_abi/paceline_cca.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>

#include "c_abi/foreign_flow.hh"
#include "core/version.hh"

struct paceline_cca {
  paceline::ForeignFlow flow;
};

namespace paceline {
namespace {

// Why a foreign transport cannot run this algorithm; empty: it can.
std::string_view obstacle(const Descriptor& cca, const Needs& needs) {
  if (cca.kind != Kind::sender) return "is a reference of the simulation, not a sender";
  if (!cca.realtime) return "cannot run in real time";
  if (needs.channel_state) return "must be told the channel's state";
  if (needs.receiver_timestamps) return "needs the receiver's time stamps, which this transport does not carry";
  if (needs.ecn != Ecn::none) return "needs ECN marks per packet, which this transport does not report";
  if (cca.make_receiver_agent) return "needs its own part at the receiver";
  return {};
}

Params::Given given(std::span<const ParamSpec> specs, std::span<const paceline_cca_param> params) {
  Params::Given all;
  for (const auto& [name, text] : params) {
    const std::string_view value{text};
    const auto spec = std::ranges::find(specs, std::string_view{name}, &ParamSpec::name);
    double number{};
    const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool is_number = read.ec == std::errc{} && read.ptr == value.data() + value.size();
    if (spec != specs.end() && spec->type == ParamType::choice) {
      all[name] = std::string{value};
    } else if (value == "true" || value == "false") {
      all[name] = value == "true";
    } else if (is_number) {
      all[name] = number;
    } else {
      all[name] = std::string{value};
    }
  }
  return all;
}

std::unique_ptr<paceline_cca> create(std::string_view id, std::span<const paceline_cca_param> params,
                                     const paceline_cca_environment& environment) {
  const Descriptor* cca = find_cca(id);
  if (cca == nullptr) throw std::invalid_argument{"there is no CCA " + std::string{id}};
  const Params resolved{cca->params, given(cca->params, params)};
  if (const auto why = obstacle(*cca, needs_of(*cca, resolved)); !why.empty())
    throw std::invalid_argument{std::string{cca->label} + " " + std::string{why}};
  if (environment.mss_bytes < 1 || environment.mss_bytes > 65535)
    throw std::invalid_argument{"mss_bytes must be from 1 to 65535"};
  const Setup setup{.now = {environment.now_ns},
                    .mss = {environment.mss_bytes},
                    .profile = TransportProfile::quic,
                    .random = Random{environment.seed, 0, id}};
  return std::unique_ptr<paceline_cca>{new paceline_cca{ForeignFlow{*cca, resolved, setup}}};
}

// The registry's texts are literals: they end with a zero, unless they are absent.
const char* c_text(std::string_view text) { return text.data() == nullptr ? "" : text.data(); }

const InternalSpec& internal(const paceline_cca* cca, std::size_t index) {
  return cca->flow.descriptor().internals[index];
}

}  // namespace
}  // namespace paceline

using paceline::Bytes;
using paceline::Time;

const char* paceline_engine_version() noexcept { return paceline::kEngineVersion; }

const char* paceline_cca_id(size_t index) noexcept {
  for (const paceline::Descriptor* cca : paceline::registered_ccas()) {
    if (!paceline::obstacle(*cca, cca->needs).empty()) continue;
    if (index-- == 0) return paceline::c_text(cca->id);
  }
  return nullptr;
}

paceline_cca* paceline_cca_create(const char* id, const paceline_cca_param* params, size_t param_count,
                                  const paceline_cca_environment* environment, char* error,
                                  size_t error_size) noexcept {
  try {
    return paceline::create(id, {params, param_count}, *environment).release();
  } catch (const std::exception& e) {
    if (error_size > 0) std::snprintf(error, error_size, "%s", e.what());
    return nullptr;
  }
}

void paceline_cca_destroy(paceline_cca* cca) noexcept { delete cca; }

void paceline_cca_sent(paceline_cca* cca, int64_t now_ns, int64_t bytes, uint32_t packets) noexcept {
  cca->flow.sent(Time{now_ns}, Bytes{bytes}, packets);
}

void paceline_cca_paused(paceline_cca* cca, int nothing_to_send) noexcept { cca->flow.paused(nothing_to_send != 0); }

void paceline_cca_acked(paceline_cca* cca, int64_t sent_ns, int64_t bytes) noexcept {
  cca->flow.acked(Time{sent_ns}, Bytes{bytes});
}

void paceline_cca_lost(paceline_cca* cca, int64_t newest_sent_ns, int64_t bytes, int persistent) noexcept {
  cca->flow.lost(Time{newest_sent_ns}, Bytes{bytes}, persistent != 0);
}

void paceline_cca_settle(paceline_cca* cca, int64_t now_ns, int64_t inflight_bytes, int window_limited) noexcept {
  cca->flow.settle(Time{now_ns}, Bytes{inflight_bytes}, window_limited != 0);
}

int64_t paceline_cca_next_tick(const paceline_cca* cca) noexcept { return cca->flow.controller().next_tick().ns; }

void paceline_cca_tick(paceline_cca* cca, int64_t now_ns) noexcept { cca->flow.tick(Time{now_ns}); }

paceline_pacing paceline_cca_pacing(const paceline_cca* cca) noexcept {
  switch (cca->flow.pacing()) {
    case paceline::Pacing::window:
      return PACELINE_PACING_WINDOW;
    case paceline::Pacing::own:
      return PACELINE_PACING_OWN;
    case paceline::Pacing::none:
      return PACELINE_PACING_NONE;
  }
  return PACELINE_PACING_WINDOW;
}

int64_t paceline_cca_release(const paceline_cca* cca, int64_t now_ns) noexcept {
  return cca->flow.release(Time{now_ns}).ns;
}

void paceline_cca_look(const paceline_cca* cca, paceline_cca_view* view) noexcept {
  const paceline::Controller& controller = cca->flow.controller();
  *view = {.window_bytes = controller.cwnd().v,
           .ssthresh_bytes = controller.ssthresh().v,
           .pacing_bps = cca->flow.pacing() == paceline::Pacing::own ? controller.pacing_rate().bps : 0,
           .delivery_bps = cca->flow.delivery_rate().bps,
           .app_limited = cca->flow.app_limited() ? 1 : 0,
           .phase = paceline::c_text(controller.phase())};
}

size_t paceline_cca_internal_count(const paceline_cca* cca) noexcept { return cca->flow.descriptor().internals.size(); }

void paceline_cca_describe_internal(const paceline_cca* cca, size_t index, paceline_cca_internal* out) noexcept {
  const paceline::InternalSpec& spec = paceline::internal(cca, index);
  *out = {.name = paceline::c_text(spec.name),
          .label = paceline::c_text(spec.label),
          .unit = paceline::c_text(spec.unit),
          .states = spec.states.size()};
}

const char* paceline_cca_state_name(const paceline_cca* cca, size_t internal, size_t state) noexcept {
  return paceline::c_text(paceline::internal(cca, internal).states[state]);
}

void paceline_cca_internals(const paceline_cca* cca, float* out) noexcept {
  tell_internals(cca->flow.controller(), {out, cca->flow.descriptor().internals.size()});
}
