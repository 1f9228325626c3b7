// TCP Vegas (Brakmo and Peterson, JSAC 1995; arithmetic of Linux net/ipv4/tcp_vegas.c): keeps a few packets waiting at the
// bottleneck, by comparing each round's least RTT with the least ever.

#include <algorithm>
#include <cmath>

#include "cca/registry.hh"
#include "cca/time_window.hh"
#include "cca/window_controller.hh"
#include "cca/window_params.hh"

namespace paceline {
namespace {

class Vegas final : public WindowController<> {
 public:
  Vegas(const Setup& setup, const Params& params)
      : WindowController{setup, params},
        alpha_{params.number("alpha")},
        beta_{std::max(alpha_, params.number("beta"))},
        gamma_{params.number("gamma")},
        base_window_{Duration::seconds(params.number("base_rtt_window_s"))} {}

  void on_ack(const AckEvent& ack) override {
    follow(ack);
    if (ack.recovery == Recovery::undone) window_.undo();
    if (ack.rtt) sample(ack.now, *ack.rtt);
    if (recovering_ || ack.recovery == Recovery::timeout) {
      measuring_ = false;
      if (!recovering_) grow_as_reno(ack);
      return;
    }
    if (!measuring_) {
      measuring_ = true;
      start_round(ack.next_number);
    }
    if (ack.acked_packets == 0) return;
    if (ack.newest_number >= round_end_) {
      if (round_samples_ < kLeastSamples) {
        grow_as_reno(ack);
      } else {
        adjust(ack);
      }
      start_round(ack.next_number);
    } else if (window_.in_slow_start() && may_grow(ack)) {
      window_.slow_start(ack.acked_packets);
    }
  }

  void on_loss(const LossEvent& loss) override {
    if (!loss.new_episode) return;
    recovering_ = true;
    window_.reduce_to(window_.cwnd / 2);
  }

  void on_timeout(const TimeoutEvent& timeout) override {
    recovering_ = false;
    window_.collapse(window_.cwnd / 2, timeout, mss_);
  }

  void on_idle_restart(Time now) override {
    WindowController::on_idle_restart(now);
    base_.clear();  // the path may be another one by now
    base_rtt_ = Duration::infinite();
    measuring_ = false;
  }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Vegas> kInternals;

 private:
  static constexpr int64_t kLeastSamples = 3;  // a round of fewer may have met nothing but held-back ACKs (Linux)
  static constexpr int64_t kMinWindow = 2;     // packets

  void sample(Time now, Duration rtt) {
    rtt += Duration::micros(1);  // Linux: never zero, it is divided by
    if (base_window_ > Duration::zero()) {
      base_.update(now, base_window_, rtt);
      base_rtt_ = base_.get(rtt);
    } else {
      base_rtt_ = std::min(base_rtt_, rtt);
    }
    round_rtt_ = std::min(round_rtt_, rtt);
    ++round_samples_;
  }

  void start_round(uint64_t next_number) {
    round_end_ = next_number;
    round_rtt_ = Duration::infinite();
    round_samples_ = 0;
  }

  void grow_as_reno(const AckEvent& ack) {
    if (!may_grow(ack)) return;
    int64_t acked = ack.acked_packets;
    if (slow_start(acked)) return;
    window_.increase(window_.cwnd, acked);
  }

  // Once per round trip. `diff` is how many of the window's packets waited at the bottleneck.
  void adjust(const AckEvent& ack) {
    last_round_rtt_ = round_rtt_;
    const double relative = static_cast<double>((round_rtt_ - base_rtt_).ns) / static_cast<double>(base_rtt_.ns);
    diff_ = static_cast<double>(window_.cwnd) * std::min(relative, kMostRelative);
    if (window_.in_slow_start()) {
      if (diff_ > gamma_) {
        const auto fits = static_cast<int64_t>(static_cast<double>(window_.cwnd) / (1 + relative));
        window_.cwnd = std::min(window_.cwnd, fits + 1);
        window_.ssthresh = std::min(window_.ssthresh, window_.cwnd);
      } else if (may_grow(ack)) {
        window_.slow_start(ack.acked_packets);
      }
    } else if (diff_ > beta_) {
      --window_.cwnd;
      window_.ssthresh = std::min(window_.ssthresh, window_.cwnd);  // else the next ACK would be one of slow start
    } else if (diff_ < alpha_ && may_grow(ack)) {
      ++window_.cwnd;
    }
    window_.cwnd = std::max(window_.cwnd, kMinWindow);
    window_.ssthresh = std::max(window_.ssthresh, window_.cwnd / 2 + window_.cwnd / 4);
  }

  static constexpr double kMostRelative = 1e6;  // keeps the estimate finite when the least RTT is almost nothing

  double alpha_{};
  double beta_{};
  double gamma_{};
  Duration base_window_{};
  LeastOver<Duration> base_{};
  Duration base_rtt_{Duration::infinite()};
  Duration round_rtt_{Duration::infinite()};
  int64_t round_samples_{};
  uint64_t round_end_{};
  bool measuring_{};
  Duration last_round_rtt_{};
  double diff_{};
};

const Internals<Vegas> Vegas::kInternals = window_internals<Vegas>({
    {"base_rtt_ms", "RTT: least ever", "ms",
     [](const Vegas& c) { return if_known(c.base_rtt_ < Duration::infinite(), c.base_rtt_.to_millis()); }},
    {"round_rtt_ms", "RTT: least of the last round", "ms",
     [](const Vegas& c) { return if_known(c.last_round_rtt_ > Duration::zero(), c.last_round_rtt_.to_millis()); }},
    {"queue_estimate_packets", "estimated queue", "packets",
     [](const Vegas& c) { return if_known(c.last_round_rtt_ > Duration::zero(), c.diff_); }},
});

const RegisterCca vegas{{
    .id = "vegas",
    .label = "Vegas",
    .family = "delay",
    .summary =
        "Believes that a round trip longer than the shortest one ever means packets waiting in a queue. Keeps two "
        "to four of them waiting: adds a packet per round trip when there are fewer, takes one away when there "
        "are more.",
    .source = "Brakmo and Peterson, JSAC 1995; Linux net/ipv4/tcp_vegas.c",
    .identity = {.slot = 4, .marker = "square", .hollow = true},
    .needs = {.pacing = Pacing::window},
    .needs_with = paced_if_asked,
    .params =
        {
            {.name = "alpha",
             .label = "Least queue (alpha)",
             .unit = "packets",
             .initial = 2,
             .min = 1,
             .max = 50,
             .help =
                 "The window grows while it estimates fewer packets than this in the queue; raise it on links whose "
                 "delay jitters."},
            {.name = "beta",
             .label = "Most queue (beta)",
             .unit = "packets",
             .initial = 4,
             .min = 1,
             .max = 100,
             .help = "The window shrinks while it estimates more packets than this in the queue; taken as alpha when "
                     "smaller."},
            {.name = "gamma",
             .label = "Slow-start queue (gamma)",
             .unit = "packets",
             .initial = 1,
             .min = 1,
             .max = 50,
             .help = "Slow start ends when it estimates more packets than this in the queue; raise it to fill a link "
                     "sooner."},
            {.name = "base_rtt_window_s",
             .label = "Memory of the least RTT",
             .unit = "s",
             .initial = 0,
             .min = 0,
             .max = 600,
             .help = "How long the least RTT is believed; 0 is for ever, as published. Set some seconds where the path "
                     "itself can get longer, as on the move."},
            initial_window_param(),
            pacing_param(),
        },
    .internals = Vegas::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Vegas>(setup, params); },
}};

}  // namespace
}  // namespace paceline
