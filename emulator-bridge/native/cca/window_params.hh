#pragma once
// Parameters that many window algorithms declare, in the same words.

#include "cca/registry.hh"

namespace paceline {

[[nodiscard]] inline ParamSpec initial_window_param() {
  return {.name = "init_cwnd",
          .label = "Initial window",
          .type = ParamType::integer,
          .unit = "packets",
          .initial = 10,
          .min = 1,
          .max = 100,
          .help =
              "Packets sent in the first round trip; smaller starts more gently, 10 is what the internet uses "
              "(RFC 6928)."};
}

[[nodiscard]] inline ParamSpec pacing_param() {
  return {.name = "pacing",
          .label = "Pacing",
          .type = ParamType::choice,
          .unit = "",
          .initial = 0,
          .choices = {"on", "off"},
          .help =
              "Spreads packets over the round trip instead of sending bursts; Linux does so under the fq packet "
              "scheduler."};
}
[[nodiscard]] inline Needs paced_if_asked(const Params& params) {
  return {.pacing = params.choice("pacing") == "on" ? Pacing::window : Pacing::none};
}

}  // namespace paceline
