#pragma once
// One flow of an algorithm behind the plain C interface: what the transport tells is written into its structures, and what it asks is
// read from the last answer.

#include <array>
#include <vector>

#include "cca/controller.hh"
#include "cca/registry.hh"
#include "plugin/algorithm.hh"
#include "plugin/paceline_plugin.h"

namespace paceline {

class PluginController final : public Controller {
 public:
  PluginController(const paceline_algorithm& algorithm, const PhaseOf& phase_of, const Setup& setup,
                   const Params& params);

  void on_sent(const SentPacket& packet) override;
  void on_ack(const AckEvent& ack) override;
  void on_loss(const LossEvent& loss) override;
  void on_timeout(const TimeoutEvent& timeout) override;
  void on_idle_restart(Time now) override;
  void on_tick(Time now) override;

  [[nodiscard]] Bytes cwnd() const override { return {control_.cwnd_bytes}; }
  [[nodiscard]] Bytes ssthresh() const override { return {control_.ssthresh_bytes}; }
  [[nodiscard]] Rate pacing_rate() const override { return {control_.pacing_bps}; }
  [[nodiscard]] Rate media_rate() const override { return {control_.media_bps}; }
  [[nodiscard]] Bytes send_quantum() const override { return {control_.send_quantum_bytes}; }
  [[nodiscard]] bool may_send(Time now) const override { return now.ns >= control_.hold_until_ns; }
  [[nodiscard]] bool limits_itself() const override { return control_.limits_itself != 0; }
  [[nodiscard]] uint64_t tag() const override { return static_cast<uint64_t>(control_.tag); }
  [[nodiscard]] Time next_tick() const override;
  [[nodiscard]] std::string_view phase() const override;
  void internals(std::span<float> out) const override;

 private:
  void check();

  // The plug-in's own; there may be none (null).
  class State {
   public:
    explicit State(const paceline_algorithm& algorithm) : algorithm_{&algorithm} {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;
    ~State() {
      if (made_ && algorithm_->destroy != nullptr) algorithm_->destroy(state_);
    }
    void make(const paceline_setup& setup, const double* params, paceline_control& control) {
      state_ = algorithm_->create(algorithm_->context, &setup, params, &control);
      made_ = true;
    }
    [[nodiscard]] void* get() const { return state_; }

   private:
    const paceline_algorithm* algorithm_;
    void* state_{};
    bool made_{};
  };

  const paceline_algorithm* algorithm_;
  const PhaseOf* phase_of_;
  State state_;
  paceline_control control_{};
  Time now_{};
  bool receiver_timestamps_{};
  std::vector<paceline_acked_packet> acked_{};
  std::vector<paceline_lost_packet> lost_{};
  mutable std::vector<double> values_{};
};

}  // namespace paceline
