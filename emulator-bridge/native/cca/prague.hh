#pragma once
// Prague's state (docs/reference.md 9.1). Windows in bytes and rates in bytes per second, both with fractions.

#include <algorithm>
#include <array>

#include "cca/registry.hh"

namespace paceline {

class Prague final : public Controller {
 public:
  Prague(const Setup& setup, const Params& params);

  void on_ack(const AckEvent& ack) override;
  void on_loss(const LossEvent& loss) override;
  void on_timeout(const TimeoutEvent& timeout) override;

  [[nodiscard]] Bytes cwnd() const override;
  [[nodiscard]] Rate pacing_rate() const override;
  [[nodiscard]] Bytes send_quantum() const override;
  [[nodiscard]] std::string_view phase() const override;
  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Prague> kInternals;

 private:
  // Constants of prague_cc.cpp.
  static constexpr double kBytesPerMegabit = 125'000;
  static constexpr double kInitialRate = 12'500;  // B/s, the least rate, too
  static constexpr double kRateStep = 1'920'000;  // B/s for which it waits one round trip longer …
  static constexpr double kLeastRounds = 7;       // … than this before it grows faster
  static constexpr double kUnsteadyRtt = 0.002;   // s
  static constexpr double kLeastRtt = 1e-6;       // s: its clock's unit; it is divided by
  static constexpr double kBurst = 250e-6;        // s: what may leave back to back
  static constexpr double kPaceOffset = 1.03;     // faster in the first half of a round trip, slower in the second
  static constexpr double kLeastWindow = 2;       // packets
  static constexpr double kInitialWindow = 10;    // packets

  enum class State : uint8_t { start, increase, after_marks, after_loss };

  [[nodiscard]] double virtual_rtt_s() const { return std::max(srtt_s_, reference_rtt_s_); }
  void choose_mode();
  void update_alpha(Time now);
  void grow(double packets);
  void reduce_for_marks(Time now);
  void reduced(State state, Time now);
  void leave_reduction(Time now);
  void undo();
  void align();

  double packet_{};
  double reference_rtt_s_{};
  double gain_{};
  double growth_s_{};
  double most_rate_{};

  State state_{State::start};
  bool by_rate_{};
  double window_{};
  double rate_{kInitialRate};
  double start_packets_{kInitialWindow};
  double srtt_s_{};
  bool fast_half_{true};

  double alpha_{};
  double share_{};
  uint64_t received_{};  // since alpha was updated
  uint64_t marked_{};
  double rounds_to_growth_{};
  Time alpha_began_{};
  uint64_t alpha_end_{};  // transmission that ends the window

  uint64_t newest_{};
  uint64_t next_{};
  Time reduced_at_{};
  uint64_t reduction_end_{};
  double lost_window_{};  // what the last loss took, until it is undone
  double lost_rate_{};
  double rounds_added_{};
};

}  // namespace paceline
