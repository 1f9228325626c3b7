// Copa (Arun and Balakrishnan, NSDI 2018): steers towards the rate 1 / (delta x queueing delay), so that the queue empties
// every few round trips; competes with buffer-filling rivals by lowering delta.

#include <algorithm>
#include <cmath>
#include <optional>

#include "cca/copa_mode.hh"
#include "cca/copa_velocity.hh"
#include "cca/registry.hh"
#include "cca/time_window.hh"

namespace paceline {
namespace {

class Copa final : public Controller {
 public:
  Copa(const Setup& setup, const Params& params)
      : mss_{setup.mss},
        profile_{copa_profile(params.choice("profile"))},
        least_window_{Duration::seconds(params.number("rtt_min_win_s"))},
        cwnd_{params.number("init_cwnd")},
        velocity_{profile_,
                  profile_ == CopaProfile::mvfst || (profile_ == CopaProfile::paper && params.flag("velocity_reset"))},
        mode_{params.number("delta"), params.choice("mode") == "auto" && profile_ != CopaProfile::mvfst,
              profile_ == CopaProfile::author ? 0 : kRoundsToEmpty} {}

  void on_ack(const AckEvent& ack) override {
    if (ack.recovery == Recovery::undone) undo_timeout();
    if (ack.acked_packets == 0) return;
    if (ack.rtt) sample(ack);
    if (least_.empty()) return;
    acked_ += ack.acked_packets;
    if (profile_ != CopaProfile::author || acked_ > kProbePackets) {
      if (round_ended(ack) && !slow_start_) end_round();
      steer(ack);
    }
    if (profile_ == CopaProfile::author) cut_at_heavy_loss(ack.now);
  }

  void on_loss(const LossEvent& loss) override {
    mode_.lost(loss.now);
    lost_ += loss.packet_count;
  }

  // The paper says nothing of timeouts: start over, as at the beginning but with the least RTT known.
  void on_timeout(const TimeoutEvent& timeout) override {
    if (!timeout.repeated) {
      prior_cwnd_ = cwnd_;
      prior_slow_start_ = slow_start_;
    }
    cwnd_ = kMinWindow;
    slow_start_ = true;
    standing_.clear();
    largest_.clear();
    mode_.start();
  }

  [[nodiscard]] Bytes cwnd() const override { return Bytes::packets(cwnd_, mss_); }
  [[nodiscard]] Rate pacing_rate() const override { return pace_; }

  [[nodiscard]] std::string_view phase() const override {
    return slow_start_ ? "slow start" : mode_.competitive() ? "competitive" : "default";
  }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Copa> kInternals;

 private:
  [[nodiscard]] double packet_mbit() const { return static_cast<double>(mss_.v) * 8e-6; }

  static constexpr double kMinWindow = 2;      // packets
  static constexpr int kRoundsToEmpty = 5;     // NSDI 2018, section 2.2
  static constexpr double kNearlyEmpty = 0.1;  // share of the largest queueing delay of the last four RTTs
  static constexpr int64_t kRttsOfLargest = 4;
  // genericCC: no control before two probing windows less one and another; more than 30 % lost over two RTTs, of more than 20
  // packets, cut the window by 30 %; the least RTT is remembered for at least 20 of it; the smoothed RTT takes a sixteenth of each.
  static constexpr int64_t kProbePackets = 19;
  static constexpr int64_t kSmoothing = 16;
  static constexpr int64_t kRttsOfLosses = 2;
  static constexpr int64_t kLossSamplePackets = 20;
  static constexpr double kHeavyLoss = 0.3;
  static constexpr double kHeavyLossKeeps = 0.7;
  static constexpr int64_t kLeastRttsRemembered = 20;

  void sample(const AckEvent& ack) {
    const Duration rtt = std::max(*ack.rtt, Duration::micros(1));
    Duration window = least_window_;
    if (profile_ == CopaProfile::author) window = std::max(window, least_.get(rtt) * kLeastRttsRemembered);
    least_.update(ack.now, window, rtt);
    latest_ = rtt;
    smoothed_ = smoothed_ > Duration::zero() ? smoothed_ + (rtt - smoothed_) / kSmoothing : rtt;
    const Duration srtt = profile_ == CopaProfile::author ? smoothed_ : ack.srtt;
    standing_.update(ack.now, srtt / 2, rtt);
    largest_.update(ack.now, srtt * kRttsOfLargest, rtt);
    if (profile_ == CopaProfile::author) lately_.update(ack.now, srtt * kRttsOfLargest, rtt);

    const Duration least = least_.get(rtt);
    const Duration standing = standing_.get(rtt);
    const Duration waiting = (profile_ == CopaProfile::mvfst ? rtt : standing) - least;
    waiting_s_ = std::max(waiting, Duration::zero()).to_seconds();
    standing_s_ = standing.to_seconds();
    paced_over_s_ = profile_ == CopaProfile::mvfst ? ack.srtt.to_seconds() : standing_s_;

    const Duration lowest = profile_ == CopaProfile::author ? lately_.get(rtt) : standing;
    const double most_waiting = (largest_.get(rtt) - least).to_seconds();
    // Less than one packet of its own in the queue is as empty as packets let it be.
    const double own_packet_s = profile_ == CopaProfile::paper ? 1.5 * standing_s_ / cwnd_ : 0;
    mode_.observe((lowest - least).to_seconds() <= std::max(kNearlyEmpty * most_waiting, own_packet_s), ack.now, rtt);
  }

  // The authors' program counts the time of the latest RTT, all others by what was sent when the last one ended.
  [[nodiscard]] bool round_ended(const AckEvent& ack) {
    if (profile_ == CopaProfile::author) {
      if (round_start_ && ack.now <= *round_start_ + latest_) return false;
      round_start_ = ack.now;
      return true;
    }
    if (ack.newest_number < round_end_) return false;
    round_end_ = ack.next_number;
    return true;
  }

  void end_round() {
    // The end of a swing of its own, which takes longer than five round trips where it began with a large queue.
    const bool own_swing = velocity_.value() > 1 && waiting_s_ < round_waiting_s_;
    mode_.round(own_swing);
    round_waiting_s_ = waiting_s_;
    velocity_.round(cwnd_, cwnd_ * mode_.delta());
  }

  void cut_at_heavy_loss(Time now) {
    const int64_t all = acked_ - loss_acked_ + lost_;
    if (now <= loss_start_ + latest_ * kRttsOfLosses || all <= kLossSamplePackets) return;
    if (static_cast<double>(lost_) > kHeavyLoss * static_cast<double>(all))
      cwnd_ = std::max(cwnd_ * kHeavyLossKeeps, kMinWindow);
    loss_start_ = now;
    loss_acked_ = acked_;
    lost_ = 0;
  }

  // One step towards the target rate, for each packet acknowledged.
  void steer(const AckEvent& ack) {
    const auto acked = static_cast<double>(ack.acked_packets);
    // rate <= target, without dividing by a queueing delay of zero
    const bool below = cwnd_ * waiting_s_ <= standing_s_ * mode_.inverse_delta();
    if (slow_start_) {
      if (!below) {
        slow_start_ = false;
        velocity_.start(cwnd_);
        round_start_.reset();
        if (profile_ != CopaProfile::author) mode_.start();
      } else if (ack.window_limited) {
        cwnd_ += acked;
      }
    } else {
      velocity_.step(below, cwnd_, cwnd_ * mode_.delta());
      const double step = acked * velocity_.value() * mode_.inverse_delta() / cwnd_;
      if (!below) {
        cwnd_ = std::max(cwnd_ - step, kMinWindow);
      } else if (ack.window_limited) {
        cwnd_ += step;
      }
    }
    pace_ = Rate{2 * cwnd_ * static_cast<double>(mss_.v) * 8 / paced_over_s_};
  }

  void undo_timeout() {
    if (prior_cwnd_ <= cwnd_) return;
    cwnd_ = prior_cwnd_;
    slow_start_ = prior_slow_start_;
    prior_cwnd_ = 0;
  }

  Bytes mss_{};
  CopaProfile profile_{};
  Duration least_window_{};
  double cwnd_{};  // packets
  bool slow_start_{true};
  CopaVelocity velocity_;
  CopaMode mode_;
  Rate pace_{};

  LeastOver<Duration> least_{};
  LeastOver<Duration> standing_{};
  LargestOver<Duration> largest_{};
  LeastOver<Duration> lately_{};
  double waiting_s_{};
  double round_waiting_s_{};  // at the end of the last round trip
  double standing_s_{};
  double paced_over_s_{};

  Duration latest_{};
  Duration smoothed_{};
  std::optional<Time> round_start_{};
  uint64_t round_end_{};
  int64_t acked_{};  // packets, ever
  int64_t loss_acked_{};
  int64_t lost_{};
  Time loss_start_{};
  double prior_cwnd_{};
  bool prior_slow_start_{};
};

const Internals<Copa> Copa::kInternals{{
    {"mode",
     "mode",
     "",
     [](const Copa& c) { return c.slow_start_           ? 0
                                : c.mode_.competitive() ? 2
                                                        : 1; },
     {"slow start", "default", "competitive"}},
    {"target_rate_mbps", "target rate", "Mbps",
     [](const Copa& c) {
       return if_known(!c.least_.empty() && c.waiting_s_ > 0, c.packet_mbit() / (c.mode_.delta() * c.waiting_s_));
     }},
    {"rate_mbps", "rate", "Mbps",
     [](const Copa& c) { return if_known(!c.least_.empty(), c.packet_mbit() * c.cwnd_ / c.standing_s_); }},
    {"delta", "delta", "1/packets", [](const Copa& c) { return c.mode_.delta(); }},
    {"velocity", "velocity", "", [](const Copa& c) { return c.velocity_.value(); }},
    {"queueing_delay_ms", "estimated queueing delay", "ms",
     [](const Copa& c) { return if_known(!c.least_.empty(), c.waiting_s_ * 1e3); }},
    {"rtt_standing_ms", "RTT: standing", "ms",
     [](const Copa& c) { return if_known(!c.least_.empty(), c.standing_s_ * 1e3); }},
    {"rtt_min_ms", "RTT: least", "ms",
     [](const Copa& c) { return if_known(!c.least_.empty(), c.least_.get({}).to_millis()); }},
}};

const RegisterCca copa{{
    .id = "copa",
    .label = "Copa",
    .family = "delay",
    .summary =
        "Believes that the best rate is one packet per delta times the queueing delay: the shorter the queue, the "
        "faster. Circles around that rate so closely that the queue empties every few round trips, and competes "
        "harder when it does not.",
    .source = "Arun and Balakrishnan, NSDI 2018; genericCC and mvfst for the profiles author and mvfst",
    .identity = {.slot = 3, .marker = "diamond", .hollow = false},
    .needs = {.pacing = Pacing::own, .prr = false},
    .params =
        {
            {.name = "delta",
             .label = "Delta",
             .unit = "1/packets",
             .initial = 0.5,
             .min = 0.004,
             .max = 1,
             .help = "Weight of delay against throughput: about 1.25/delta packets wait on average. Pantheon runs Copa "
                     "with 0.1, mvfst with 0.05."},
            {.name = "mode",
             .label = "Modes",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"auto", "default_only"},
             .matters_with = {"profile", {"paper", "author"}},
             .help = "auto lowers delta when a rival fills the queue; default_only never does, and yields to such "
                     "rivals."},
            {.name = "rtt_min_win_s",
             .label = "Memory of the least RTT",
             .unit = "s",
             .initial = 10,
             .min = 1,
             .max = 600,
             .help = "How long the least RTT is believed; shorter follows a path that gets longer sooner, and believes "
                     "in a standing queue sooner."},
            {.name = "profile",
             .label = "Profile",
             .type = ParamType::choice,
             .unit = "",
             .initial = 1,
             .choices = {"paper", "author", "mvfst"},
             .help = "Whose rules: those of the authors' program, which was measured in the paper, by Pantheon and in "
                     "Zeus (velocity "
                     "doubles every round trip), the paper's text, or mvfst's (no competitive mode, latest RTT)."},
            {.name = "velocity_reset",
             .label = "Velocity ends at the target",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .matters_with = {"profile", {"paper"}},
             .help = "Profile paper: starts the velocity over as soon as the rate crosses its target; off is the paper "
                     "to the letter, "
                     "which checks once per round trip and can swing for ever on long paths."},
            {.name = "init_cwnd",
             .label = "Initial window",
             .type = ParamType::integer,
             .unit = "packets",
             .initial = 10,
             .min = 2,
             .max = 100,
             .help = "Packets sent in the first round trip; smaller starts more gently, 10 is what the internet uses "
                     "(RFC 6928)."},
        },
    .internals = Copa::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Copa>(setup, params); },
}};

}  // namespace
}  // namespace paceline
