#pragma once
// What Vivace and Proteus have in common: utilities of rate, RTT slope and loss, and what is shown of a gradient ascent.

#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "cca/pcc.hh"
#include "core/math.hh"

namespace paceline {

// Vivace's utility (NSDI 2018, section 4): more rate is worth less and less; a growing RTT and loss cost in proportion to the rate.
struct VivaceUtility {
  double exponent{0.9};
  double latency{900};  // per second of RTT gained per second
  double loss{11.35};

  [[nodiscard]] double operator()(double mbps, double rtt_slope, double loss_share) const {
    return exact::pow(mbps, exponent) - mbps * (latency * rtt_slope + loss * loss_share);
  }
};

enum class GradientMode : uint8_t { starting, probing, moving };

// The last judged interval and the last step, for plots.
struct GradientView {
  double base_mbps{};
  GradientMode mode{};
  double utility{};
  double gradient{};
  double step_mbps{};
  double amplifier{};
  double rtt_slope{};
  double rtt_deviation_ms{};
  double loss{};
  double length_ms{};
  uint64_t interval{};

  static constexpr std::array<std::string_view, 3> kModes{"STARTING", "PROBING", "MOVING"};

  [[nodiscard]] std::string_view phase() const { return kModes[static_cast<std::size_t>(mode)]; }

  void note(const MonitorInterval& result, double its_utility, double slope) {
    utility = its_utility;
    rtt_slope = slope;
    rtt_deviation_ms = result.rtt.deviation() * 1e-3;
    loss = result.loss();
    length_ms = result.duration().to_millis();
    interval = result.id;
  }
};

[[nodiscard]] inline const Internals<GradientView>& gradient_internals() {
  using View = const GradientView&;
  static const Internals<GradientView> all{{
      {"base_rate_mbps", "base rate", "Mbps", [](View v) { return v.base_mbps; }},
      {"state", "state", "", [](View v) { return v.mode; }, {GradientView::kModes.begin(), GradientView::kModes.end()}},
      {"utility", "utility", "", [](View v) { return v.utility; }},
      {"gradient", "utility gradient", "1/Mbps", [](View v) { return v.gradient; }},
      {"step_mbps", "last step", "Mbps", [](View v) { return v.step_mbps; }},
      {"amplifier", "step amplifier", "", [](View v) { return v.amplifier; }},
      {"rtt_slope", "RTT slope that counts", "s/s", [](View v) { return v.rtt_slope; }},
      {"rtt_deviation_ms", "RTT deviation", "ms", [](View v) { return v.rtt_deviation_ms; }},
      {"mi_loss_pct", "loss of the interval", "%", [](View v) { return v.loss * 100; }},
      {"mi_number", "monitor interval", "", [](View v) { return v.interval; }},
      {"mi_length_ms", "length of the interval", "ms", [](View v) { return v.length_ms; }},
  }};
  return all;
}

// Parameters that the members of the family share.
[[nodiscard]] inline ParamSpec exponent_param() {
  return {.name = "exponent",
          .label = "Exponent of the rate",
          .unit = "",
          .initial = 0.9,
          .min = 0.1,
          .max = 0.99,
          .help = "How much a higher rate is worth; below 1, so that flows that share a link end up at equal rates."};
}
[[nodiscard]] inline ParamSpec latency_param() {
  return {.name = "b_latency",
          .label = "Weight of a growing RTT",
          .unit = "",
          .initial = 900,
          .min = 0,
          .max = 100000,
          .help =
              "Cost of an RTT that grows by a second per second; 0 is the variant that only minds loss, and fills the "
              "queue."};
}
[[nodiscard]] inline ParamSpec loss_param() {
  return {.name = "c_loss",
          .label = "Weight of loss",
          .unit = "",
          .initial = 11.35,
          .min = 0,
          .max = 1000,
          .help = "Cost of losing everything; 11.35 tolerates up to 5 % of random loss at 100 Mbps."};
}

}  // namespace paceline
