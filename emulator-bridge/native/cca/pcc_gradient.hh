#pragma once
// What Vivace and Proteus have in common: utilities of rate, RTT slope and loss, and what is shown of a gradient ascent.

#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "cca/pcc.hh"

namespace paceline {

// Vivace's utility (NSDI 2018, section 4): more rate is worth less and less; a growing RTT and loss cost in proportion to the rate.
struct VivaceUtility {
  double exponent{0.9};
  double latency{900};  // per second of RTT gained per second
  double loss{11.35};

  [[nodiscard]] double operator()(double mbps, double rtt_slope, double loss_share) const {
    return std::pow(mbps, exponent) - mbps * (latency * rtt_slope + loss * loss_share);
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

  void write(std::span<float> out) const {
    const double values[]{base_mbps,  static_cast<double>(mode),
                          utility,    gradient,
                          step_mbps,  amplifier,
                          rtt_slope,  rtt_deviation_ms,
                          loss * 100, static_cast<double>(interval),
                          length_ms};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(values[i]);
  }

  // In the order of write().
  [[nodiscard]] static std::vector<InternalSpec> specs() {
    return {{.name = "base_rate_mbps", .label = "base rate", .unit = "Mbps"},
            {.name = "state", .label = "state", .unit = "", .states = {kModes.begin(), kModes.end()}},
            {.name = "utility", .label = "utility", .unit = ""},
            {.name = "gradient", .label = "utility gradient", .unit = "1/Mbps"},
            {.name = "step_mbps", .label = "last step", .unit = "Mbps"},
            {.name = "amplifier", .label = "step amplifier", .unit = ""},
            {.name = "rtt_slope", .label = "RTT slope that counts", .unit = "s/s"},
            {.name = "rtt_deviation_ms", .label = "RTT deviation", .unit = "ms"},
            {.name = "mi_loss_pct", .label = "loss of the interval", .unit = "%"},
            {.name = "mi_number", .label = "monitor interval", .unit = ""},
            {.name = "mi_length_ms", .label = "length of the interval", .unit = "ms"}};
  }
};

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
