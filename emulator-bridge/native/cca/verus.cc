// Verus (Zaki, Pötsch, Chen, Subramanian, Görg: "Adaptive Congestion Control for Unpredictable Cellular Networks", SIGCOMM 2015) as
// its authors released it (yzaki/verus verus_server.cpp; docs/reference.md 6.1): every 5 ms a delay target moves by what
// the delay did, and a profile of past experience says which window leads to that delay.

#include <algorithm>
#include <array>
#include <cmath>

#include "cca/registry.hh"
#include "cca/send_budget.hh"
#include "cca/verus_profile.hh"
#include "core/ring.hh"

namespace paceline {
namespace {

constexpr double kFirstLeastDelay = 1000;  // ms, before anything was measured
constexpr double kNoDelay = -10;           // the largest delay before the first epoch
constexpr double kDelayMemory = 0.875;
constexpr double kLargestMemory = 0.2;
constexpr double kRise = 1e-4;         // ms: less is not a rise
constexpr double kStuckStep = 10;      // ms: the least delay grows so when the target cannot fall further
constexpr double kSlowStartLoss = 20;  // packets: a loss that leaves no larger window does not end slow start
constexpr int kKeptProfile = 100;      // packets: but never below
constexpr Duration kFirstPatience = Duration::millis(1000);
constexpr Duration kLeastPatience = Duration::millis(150);
constexpr Duration kMostPatience = Duration::millis(1000);
constexpr int64_t kPatience = 5;  // delays

class Verus final : public Controller {
 public:
  Verus(const Setup& setup, const Params& params)
      : mss_{setup.mss},
        ratio_{params.number("R")},
        decrease_ms_{params.number("delta1_ms")},
        increase_ms_{params.number("delta2_ms")},
        epoch_{Duration::seconds(params.number("epoch_ms") / 1e3)},
        refresh_{Duration::seconds(params.number("curve_refresh_s"))},
        kept_{params.number("M")},
        slow_start_exit_ms_{params.number("ss_exit_ms")},
        missing_after_{Duration::millis(params.integer("missing_ms"))},
        burst_{params.flag("burst")},
        budget_{setup.mss} {
    restart(setup.now);
  }

  void on_sent(const SentPacket& packet) override {
    budget_.on_sent(packet);
    if (next_epoch_.is_never()) {  // the first packet
      next_epoch_ = packet.now + epoch_;
      deadline_ = packet.now + kFirstPatience;
      heard_ = packet.now;
    }
    sent_.reserve(oldest_, packet.number + 1);
    sent_[packet.number] = {.window = tag(), .missing = false};
    next_number_ = packet.number + 1;
    ++inflight_;
  }

  void on_ack(const AckEvent& ack) override {
    budget_.in_flight(ack.inflight);
    for (const AckedPacket& packet : ack.packets) acknowledged(packet, ack.now);
    if (slow_start_) grant(std::max(0.0, std::floor(window_) - inflight_));
  }

  void on_loss(const LossEvent& loss) override { budget_.in_flight(loss.inflight); }
  void on_timeout(const TimeoutEvent& timeout) override { budget_.in_flight(timeout.inflight); }

  void on_tick(Time now) override {
    if (now >= deadline_) time_out(now);
    if (now >= next_epoch_) {
      next_epoch_ = now + epoch_;
      expire_missing(now);
      if (!slow_start_) epoch(now);
    }
    if (now >= next_fit_) {
      next_fit_ = now + refresh_;
      if (!profile_.fit()) restart(now);
    }
  }
  [[nodiscard]] Time next_tick() const override { return std::min({deadline_, next_epoch_, next_fit_}); }

  [[nodiscard]] Bytes cwnd() const override { return budget_.cwnd(); }
  [[nodiscard]] bool may_send(Time) const override { return budget_.may_send(); }
  [[nodiscard]] Rate pacing_rate() const override { return pace_; }
  [[nodiscard]] uint64_t tag() const override { return static_cast<uint64_t>(window_); }

  [[nodiscard]] std::string_view phase() const override {
    return slow_start_ ? "slow start" : loss_phase_ ? "loss" : "normal";
  }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Verus> kInternals;

 private:
  // The profile at a share of the windows it knows.
  [[nodiscard]] float profile_ms(double share) const {
    return profile_.fitted() ? static_cast<float>(*profile_.delay(profile_.most() * share)) : NAN;
  }

  struct Sent {
    uint64_t window{};
    bool missing{};
  };
  struct Missing {
    uint64_t number{};
    Time since{};
  };

  void acknowledged(const AckedPacket& packet, Time now) {
    if (packet.number < session_) return;  // from before a restart
    const double delay = packet.rtt.to_millis();
    const auto window = static_cast<double>(packet.tag);
    if (slow_start_ && delay > slow_start_exit_ms_) {
      window_ = std::max(1.0, kept_ * window);
      aim_at_window();
      loss_phase_ = exiting_ = true;
      end_slow_start(now);
    }
    patience_ = std::clamp(packet.rtt * kPatience, kLeastPatience, kMostPatience);
    deadline_ = now + patience_;
    if (loss_phase_ && window <= window_) {
      loss_phase_ = exiting_ = false;
      epoch_largest_ms_ = kNoDelay;
    }
    if (packet.number >= expected_) heard_ = now;
    if (counts(packet.number, now)) learn(window, delay);
    if (slow_start_) window_ = std::min(window_ + 1, static_cast<double>(VerusProfile::kMostPackets));
  }

  void learn(double window, double delay) {
    inflight_ = std::max(inflight_ - 1, 0.0);
    epoch_largest_ms_ = std::max(epoch_largest_ms_, delay);
    mean_ms_ = measured_ ? kDelayMemory * mean_ms_ + (1 - kDelayMemory) * delay : delay;
    measured_ = true;
    least_ms_ = std::min(least_ms_, delay);
    if (!loss_phase_) {
      // a window that was not used says nothing about the path
      if (inflight_ + 1 >= window / 2) profile_.add(static_cast<int>(window), delay);
    } else {
      window_ += 1 / window_;
      if (profile_.fitted()) target_ms_ = std::min(target_ms_, *profile_.delay(window_));
    }
  }

  // False: the packet was given up, or forgotten with all that was under way.
  bool counts(uint64_t number, Time now) {
    if (number < expected_) {
      if (number < oldest_ || !sent_[number].missing) return false;
      sent_[number].missing = false;  // late, but here it is
    } else {
      for (; expected_ < number; ++expected_) {
        sent_[expected_].missing = true;
        missing_.push({expected_, now});
      }
      expected_ = number + 1;
    }
    forget_settled();
    return true;
  }

  void forget_settled() {
    while (!missing_.empty() && !sent_[missing_.front().number].missing) missing_.pop();
    oldest_ = missing_.empty() ? expected_ : missing_.front().number;
  }

  void expire_missing(Time now) {
    for (bool first = true; !missing_.empty() && now - missing_.front().since >= missing_after_; first = false) {
      Sent& lost = sent_[missing_.front().number];
      lost.missing = false;
      missing_.pop();
      inflight_ = std::max(inflight_ - 1, 0.0);
      if (first) lose(static_cast<double>(lost.window), now);
      forget_settled();
    }
  }

  void lose(double lost_window, Time now) {
    if (!loss_phase_) {
      loss_phase_ = true;
      window_ = std::max(1.0, std::min(window_, kept_ * lost_window));
      aim_at_window();
    }
    if (slow_start_ && std::floor(window_) > kSlowStartLoss) {
      profile_.drop_from(std::max(kKeptProfile, static_cast<int>(lost_window)));
      end_slow_start(now);
      forget_flight();
    }
  }

  // The profile is there from then on.
  void end_slow_start(Time now) {
    slow_start_ = false;
    next_fit_ = now;
  }

  // What is under way does not count any more, and what is missing of it is not waited for.
  void forget_flight() {
    inflight_ = 0;
    missing_.clear();
    expected_ = oldest_ = next_number_;
  }

  void aim_at_window() { target_ms_ = profile_.delay(window_).value_or(least_ms_); }

  void time_out(Time now) {
    deadline_ = now + patience_;
    // Nothing is waited for, and nothing keeps the application from sending.
    if (measured_ && budget_.in_flight() == Bytes::zero() && budget_.may_send()) return;
    if (!measured_) return restart(now);
    if (slow_start_) return end_slow_start(now);
    loss_phase_ = true;
    target_ms_ = least_ms_;
    forget_flight();
  }

  void epoch(Time now) {
    const double largest =
        epoch_largest_ms_ != kNoDelay ? epoch_largest_ms_ : std::max(largest_ms_, (now - heard_).to_millis());
    epoch_largest_ms_ = kNoDelay;
    if (largest_ms_ == kNoDelay) largest_ms_ = largest;
    const bool stuck = move_target(largest - largest_ms_);
    const std::optional<int> window = profile_.window(target_ms_);
    if (!window) return restart(now);  // beyond all experience
    window_ = std::max(1, *window);
    // over how many epochs the packets under way are spread
    const double spread = std::ceil(mean_ms_ / epoch_.to_millis());
    const double send = spread > 1 ? window_ + inflight_ * (2 - spread) / (spread - 1) : window_ - inflight_;
    largest_ms_ = kLargestMemory * largest_ms_ + (1 - kLargestMemory) * largest;
    if (!stuck) grant(std::max(0.0, send));
  }

  // True: the target cannot fall further, and nothing may be sent.
  bool move_target(double rise) {
    if (largest_ms_ / least_ms_ > ratio_) {
      if (exiting_) return false;
      target_ms_ = std::max(least_ms_, target_ms_ - increase_ms_);
      if (target_ms_ > least_ms_) return false;
      if (inflight_ >= 2) return true;
      least_ms_ += kStuckStep;
    } else if (rise > kRise) {
      target_ms_ = std::max(least_ms_, target_ms_ - decrease_ms_);
    } else {
      target_ms_ += increase_ms_;
    }
    return false;
  }

  // Adds to what is left from before, of which an application without data leaves much.
  void grant(double packets) {
    budget_.set(slow_start_ ? packets : std::min(budget_.packets() + packets, packets + window_));
    if (!burst_) pace_ = Rate::of(Bytes::packets(std::max(budget_.packets(), 1.0), mss_), epoch_);
  }

  void restart(Time now) {
    profile_.clear();
    missing_.clear();
    slow_start_ = true;
    loss_phase_ = exiting_ = measured_ = false;
    window_ = 1;
    inflight_ = 0;
    patience_ = kFirstPatience;
    target_ms_ = mean_ms_ = 0;
    least_ms_ = kFirstLeastDelay;
    largest_ms_ = epoch_largest_ms_ = kNoDelay;
    session_ = expected_ = oldest_ = next_number_;
    if (!next_epoch_.is_never()) deadline_ = now + patience_;
    next_fit_ = Time::never();
    budget_.set(1);
    pace_ = Rate::zero();
  }

  Bytes mss_{};
  double ratio_{};
  double decrease_ms_{};
  double increase_ms_{};
  Duration epoch_{};
  Duration refresh_{};
  double kept_{};
  double slow_start_exit_ms_{};
  Duration missing_after_{};
  bool burst_{};

  SendBudget budget_;
  VerusProfile profile_{};
  Rate pace_{};
  bool slow_start_{true};
  bool loss_phase_{};
  bool exiting_{};     // slow start, for too much delay
  bool measured_{};    // at least one delay since the (re)start
  double window_{1};   // packets
  double inflight_{};  // packets, as the algorithm counts them
  double target_ms_{};
  double mean_ms_{};
  double least_ms_{};
  double largest_ms_{kNoDelay};  // of the epochs, smoothed
  double epoch_largest_ms_{kNoDelay};
  Time heard_{};  // of the receiver
  Duration patience_{kFirstPatience};
  Time deadline_{Time::never()};
  Time next_epoch_{Time::never()};
  Time next_fit_{Time::never()};

  uint64_t session_{};   // first packet since the last restart
  uint64_t expected_{};  // one past the highest acknowledged
  uint64_t oldest_{};    // that is still missing, or else expected_
  uint64_t next_number_{};
  WindowRing<Sent> sent_{4096};
  Ring<Missing> missing_{1024};
};

const Internals<Verus> Verus::kInternals{{
    {"state",
     "state",
     "",
     [](const Verus& c) { return c.slow_start_   ? 0
                                 : c.loss_phase_ ? 2
                                                 : 1; },
     {"slow start", "normal", "loss"}},
    {"window_packets", "window: now", "packets", [](const Verus& c) { return c.window_; }},
    {"target_delay_ms", "delay: target", "ms", [](const Verus& c) { return if_known(!c.slow_start_, c.target_ms_); }},
    {"least_delay_ms", "delay: least", "ms", [](const Verus& c) { return if_known(c.measured_, c.least_ms_); }},
    {"largest_delay_ms", "delay: largest of the epochs", "ms",
     [](const Verus& c) { return if_known(c.largest_ms_ != kNoDelay, c.largest_ms_); }},
    {"counted_inflight_packets", "window: in flight, as it counts", "packets",
     [](const Verus& c) { return c.inflight_; }},
    {"profile_packets", "window: largest in the profile", "packets",
     [](const Verus& c) { return if_known(c.profile_.fitted(), c.profile_.most()); }},
    {"profile_25_ms", "delay profile: at a quarter of the largest window", "ms",
     [](const Verus& c) { return c.profile_ms(0.25); }},
    {"profile_50_ms", "delay profile: at a half", "ms", [](const Verus& c) { return c.profile_ms(0.5); }},
    {"profile_75_ms", "delay profile: at three quarters", "ms", [](const Verus& c) { return c.profile_ms(0.75); }},
    {"profile_100_ms", "delay profile: at its end", "ms", [](const Verus& c) { return c.profile_ms(1); }},
}};

const RegisterCca verus{{
    .id = "verus",
    .label = "Verus",
    .family = "cellular",
    .summary = "Believes that a cellular channel is too erratic to be modelled, but that experience says which window "
               "leads to which "
               "delay. Every 5 ms it moves a delay target down when the delay rises and up otherwise, and takes the "
               "window from its "
               "delay profile.",
    .source = "Verus (SIGCOMM 2015); authors' release verus_server.cpp",
    .identity = {.slot = 7, .marker = "square", .hollow = false},
    .needs = {.pacing = Pacing::none, .prr = false, .acked_packets = true},
    .needs_with =
        [](const Params& p) {
          return Needs{.pacing = p.flag("burst") ? Pacing::none : Pacing::own, .prr = false, .acked_packets = true};
        },
    .params =
        {
            {.name = "R",
             .label = "Largest delay ratio R",
             .unit = "",
             .initial = 6,
             .min = 2,
             .max = 20,
             .help = "The largest delay over the least that is tolerated; the release uses 6, the paper 2, 4 and 6."},
            {.name = "delta1_ms",
             .label = "Target down",
             .unit = "ms",
             .initial = 1,
             .min = 0.1,
             .max = 20,
             .help = "How far the delay target falls in an epoch in which the delay rose."},
            {.name = "delta2_ms",
             .label = "Target up",
             .unit = "ms",
             .initial = 2,
             .min = 0.1,
             .max = 20,
             .help = "How far the target rises otherwise, and falls once R is exceeded; raise it to follow capacity "
                     "faster."},
            {.name = "epoch_ms",
             .label = "Epoch",
             .unit = "ms",
             .initial = 5,
             .min = 1,
             .max = 20,
             .help = "How often the target moves and packets are released."},
            {.name = "curve_refresh_s",
             .label = "Profile refresh",
             .unit = "s",
             .initial = 1,
             .min = 0.1,
             .max = 10,
             .help = "How often a new curve is laid through the profile's points; longer trusts old experience more."},
            {.name = "M",
             .label = "Decrease factor",
             .unit = "",
             .initial = 0.7,
             .min = 0.1,
             .max = 0.95,
             .help = "Share of the lost packet's window that is kept; the release uses 0.7, the paper 0.5."},
            {.name = "ss_exit_ms",
             .label = "Slow-start exit",
             .unit = "ms",
             .initial = 500,
             .min = 10,
             .max = 5000,
             .help = "Delay at which slow start ends even without a loss."},
            {.name = "missing_ms",
             .label = "Patience with gaps",
             .type = ParamType::integer,
             .unit = "ms",
             .initial = 150,
             .min = 10,
             .max = 1000,
             .help = "How long a skipped packet may be late before it counts as lost."},
            {.name = "burst",
             .label = "Epoch bursts",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .help = "Sends an epoch's packets at once, as the release does; off spreads them over the epoch."},
        },
    .internals = Verus::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Verus>(setup, params); },
}};

}  // namespace
}  // namespace paceline
