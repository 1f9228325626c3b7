// Additive increase, multiplicative decrease, as a plug-in: `paceline run … --cca-plugin build/aimd.so`.

#include <algorithm>
#include <array>
#include <cmath>

#include "paceline_plugin.h"

namespace {

enum Param { kIncrease, kDecrease };
enum Phase { kSlowStart, kAvoidance };

class Aimd {
 public:
  Aimd(const paceline_setup& setup, const double* params)
      : mss_{static_cast<double>(setup.mss_bytes)},
        increase_{params[kIncrease]},
        decrease_{params[kDecrease]},
        cwnd_{mss_ * static_cast<double>(setup.initial_window_packets)} {}

  void on_ack(const paceline_ack& ack) {
    // Grows only what held the sender back, and not while losses are being repaired.
    if (!ack.window_limited) return;
    if (ack.recovery != PACELINE_RECOVERY_NONE && ack.recovery != PACELINE_RECOVERY_TIMEOUT) return;
    const auto acked = static_cast<double>(ack.acked_bytes);
    cwnd_ += cwnd_ < ssthresh_ ? acked : increase_ * mss_ * acked / cwnd_;
  }

  void on_loss(const paceline_loss& loss) {
    if (!loss.new_episode) return;
    cwnd_ = ssthresh_ = std::max(2 * mss_, cwnd_ * decrease_);
  }

  void on_timeout(const paceline_timeout& timeout) {
    if (!timeout.repeated)
      ssthresh_ = std::max(2 * mss_, static_cast<double>(timeout.inflight_before_bytes) * decrease_);
    cwnd_ = mss_;
  }

  void answer(paceline_control& control) const {
    control.cwnd_bytes = static_cast<int64_t>(cwnd_);
    control.ssthresh_bytes = std::isinf(ssthresh_) ? PACELINE_NEVER : static_cast<int64_t>(ssthresh_);
    control.phase = cwnd_ < ssthresh_ ? kSlowStart : kAvoidance;
  }

  void internals(double* values) const { values[0] = std::isinf(ssthresh_) ? NAN : ssthresh_ / mss_; }

 private:
  double mss_;
  double increase_;
  double decrease_;
  double cwnd_;
  double ssthresh_ = INFINITY;
};

Aimd& flow(void* state) { return *static_cast<Aimd*>(state); }

constexpr std::array kParams{
    paceline_param{.name = "increase",
                   .label = "Increase",
                   .unit = "packets",
                   .help = "Packets that the window grows by in a round trip.",
                   .type = PACELINE_PARAM_NUMBER,
                   .initial = 1,
                   .min = 0.1,
                   .max = 10,
                   .choices = nullptr,
                   .choice_count = 0},
    paceline_param{.name = "decrease",
                   .label = "Decrease factor",
                   .unit = "",
                   .help = "Share of the window that is kept after a loss.",
                   .type = PACELINE_PARAM_NUMBER,
                   .initial = 0.5,
                   .min = 0.1,
                   .max = 0.95,
                   .choices = nullptr,
                   .choice_count = 0},
};

constexpr std::array kInternals{paceline_internal{
    .name = "ssthresh_packets", .label = "ssthresh", .unit = "packets", .states = nullptr, .state_count = 0}};

constexpr std::array<const char*, 2> kPhases{"slow start", "avoidance"};

const paceline_algorithm kAimd{
    .id = "example-aimd",
    .label = "AIMD (example)",
    .family = "loss",
    .summary = "Adds to its window in every round trip and multiplies it after a loss.",
    .source = "Chiu and Jain, 1989",
    .pacing = PACELINE_PACE_WINDOW,
    .ecn = PACELINE_ECN_NONE,
    .needs = 0,
    .params = kParams.data(),
    .param_count = kParams.size(),
    .internals = kInternals.data(),
    .internal_count = kInternals.size(),
    .phases = kPhases.data(),
    .phase_count = kPhases.size(),
    .context = nullptr,
    .create = [](const void*, const paceline_setup* setup, const double* params, paceline_control* control) -> void* {
      auto* const made = new Aimd{*setup, params};
      made->answer(*control);
      return made;
    },
    .destroy = [](void* state) { delete &flow(state); },
    .on_ack =
        [](void* state, const paceline_ack* ack, const paceline_acked_packet*, size_t, paceline_control* control) {
          flow(state).on_ack(*ack);
          flow(state).answer(*control);
        },
    .on_loss =
        [](void* state, const paceline_loss* loss, const paceline_lost_packet*, size_t, paceline_control* control) {
          flow(state).on_loss(*loss);
          flow(state).answer(*control);
        },
    .on_timeout =
        [](void* state, const paceline_timeout* timeout, paceline_control* control) {
          flow(state).on_timeout(*timeout);
          flow(state).answer(*control);
        },
    .on_sent = nullptr,
    .on_tick = nullptr,
    .on_idle_restart = nullptr,
    .read_internals = [](void* state, double* values) { flow(state).internals(values); },
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const paceline_plugin* paceline_get_plugin() {
  static const paceline_plugin plugin{.abi = PACELINE_PLUGIN_ABI,
                                      .algorithm_bytes = sizeof(paceline_algorithm),
                                      .algorithms = &kAimd,
                                      .algorithm_count = 1};
  return &plugin;
}
