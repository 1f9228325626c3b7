#pragma once
// What the learned algorithms share: the agent of a control loop, which is nothing, the loop's own rule, the network that was trained
// for it here (native/weights), or one that the user brings along (docs/weights.md). None of others is shipped.

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cca/agent.hh"
#include "cca/registry.hh"
#include "cca/trained.hh"
#include "core/feed_forward.hh"
#include "core/math.hh"

namespace paceline {

enum class Policy : uint8_t { neutral, rule, network, trained };

[[nodiscard]] inline Policy policy_of(const Setup& setup, const Params& params) {
  if (setup.agent) return Policy::network;
  const std::string_view name = params.choice("policy");
  if (name == "neutral") return Policy::neutral;
  if (name == "rule") return Policy::rule;
  return name == "trained" ? Policy::trained : Policy::network;
}

[[nodiscard]] inline ParamSpec policy_param(Prose help) {
  return {.name = "policy",
          .label = "Agent",
          .type = ParamType::choice,
          .unit = "",
          .initial = 3,
          .choices = {"neutral", "rule", "network", "trained"},
          .help = help};
}

[[nodiscard]] inline ParamSpec weights_param(std::string_view algorithm, std::span<const std::string_view> inputs) {
  return {.name = "weights",
          .label = "Weights",
          .type = ParamType::weights,
          .unit = "",
          .choices = {inputs.begin(), inputs.end()},
          .algorithm = algorithm,
          .needed_with = {"policy", "network"},
          .help = "The trained network that acts when the agent is a network: a weights file (JSON)."};
}

// A network that sees the latest steps of its loop, zeros before the first.
class NetworkAgent final : public Agent {
 public:
  // `offered`: what the loop measures in each step, by name.
  NetworkAgent(Params::Weights network, std::span<const std::string_view> offered)
      : inference_{std::move(network)}, seen_(inference_.network().width()) {
    for (const std::string& input : inference_.network().inputs)
      picks_.push_back(static_cast<std::size_t>(std::ranges::find(offered, input) - offered.begin()));
  }

  [[nodiscard]] double act(std::span<const float> measured, const AgentPeriod&) override {
    std::shift_left(seen_.begin(), seen_.end(), static_cast<std::ptrdiff_t>(picks_.size()));
    auto newest = seen_.end() - static_cast<std::ptrdiff_t>(picks_.size());
    for (const std::size_t pick : picks_) *newest++ = measured[pick];
    return static_cast<double>(inference_.run(seen_));
  }

 private:
  Inference inference_;
  std::vector<float> seen_;
  std::vector<std::size_t> picks_{};
};

// The agent of the loop of `algorithm`: somebody outside, else what the parameters say. Null: none acts.
[[nodiscard]] inline std::shared_ptr<Agent> agent_of(const Setup& setup, const Params& params,
                                                     std::string_view algorithm,
                                                     std::span<const std::string_view> offered) {
  if (setup.agent) return {std::shared_ptr<Agent>{}, setup.agent};
  switch (policy_of(setup, params)) {
    case Policy::network:
      return std::make_shared<NetworkAgent>(params.weights("weights"), offered);
    case Policy::trained:
      return std::make_shared<NetworkAgent>(trained_network(algorithm), offered);
    case Policy::neutral:
    case Policy::rule:
      return nullptr;
  }
  return nullptr;
}

// What the loop saw between two looks at it.
class PeriodMeter {
 public:
  void on_ack(const AckEvent& ack) {
    acked_ += ack.acked_bytes;
    if (!ack.rtt) return;
    rtt_sum_ += *ack.rtt;
    ++samples_;
  }
  void on_lost(Bytes bytes) { lost_ += bytes; }
  void restart(Time now) {
    start_ = now;
    acked_ = lost_ = Bytes::zero();
    rtt_sum_ = Duration::zero();
    samples_ = 0;
  }

  [[nodiscard]] int64_t samples() const { return samples_; }
  [[nodiscard]] double seconds(Time now) const { return std::max((now - start_).to_seconds(), 1e-6); }
  [[nodiscard]] Duration lasted(Time now) const { return now - start_; }
  [[nodiscard]] Bytes acked() const { return acked_; }
  [[nodiscard]] Bytes lost() const { return lost_; }
  [[nodiscard]] double acked_per_s(Time now) const { return static_cast<double>(acked_.v) / seconds(now); }  // bytes
  [[nodiscard]] double lost_per_s(Time now) const { return static_cast<double>(lost_.v) / seconds(now); }
  [[nodiscard]] double mean_rtt_s() const { return rtt_sum_.to_seconds() / static_cast<double>(samples_); }

 private:
  Time start_{};
  Bytes acked_{};
  Bytes lost_{};
  Duration rtt_sum_{};
  int64_t samples_{};
};

// A base to the power of the action, cut to hundredths as the authors' programs do.
[[nodiscard]] inline double factor_of(double base, double action) {
  return std::floor(100 * exact::pow(base, action) + 1e-9) / 100;
}

}  // namespace paceline
