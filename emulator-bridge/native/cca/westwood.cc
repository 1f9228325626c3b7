// TCP Westwood+ (Mascolo et al., MobiCom 2001; Grieco and Mascolo, CCR 2004; Linux net/ipv4/tcp_westwood.c): Reno that
// restarts from the bandwidth-delay product it measured instead of from half its window.

#include <algorithm>
#include <cmath>

#include "cca/registry.hh"
#include "cca/window_controller.hh"
#include "cca/window_params.hh"

namespace paceline {
namespace {

class Westwood final : public WindowController<> {
 public:
  Westwood(const Setup& setup, const Params& params)
      : WindowController{setup, params},
        gain_{params.number("filter_gain")},
        least_sample_{Duration::seconds(params.number("min_window_ms") * 1e-3)},
        tick_{Duration::seconds(params.number("tick_ms") * 1e-3)},
        sample_start_{setup.now} {}

  void on_ack(const AckEvent& ack) override {
    const bool was_recovering = recovering_;
    follow(ack);
    if (ack.rtt) least_rtt_ = std::min(least_rtt_, in_ticks(*ack.rtt));
    measure(ack);
    if (ack.recovery == Recovery::undone) window_.undo();
    // The reduction completes only here: what the path carried during the episode counts, too.
    if (ack.recovery == Recovery::exited && was_recovering) window_.cwnd = window_.ssthresh = bdp();
    if (!may_grow(ack)) return;
    int64_t acked = ack.acked_packets;
    if (slow_start(acked)) return;
    window_.increase(window_.cwnd, acked);
  }

  void on_loss(const LossEvent& loss) override {
    if (!loss.new_episode) return;
    recovering_ = true;
    window_.reduce_to(window_.cwnd / 2);
  }

  void on_timeout(const TimeoutEvent& timeout) override {
    recovering_ = false;
    window_.collapse(bdp(), timeout, mss_);
    least_rtt_ = Duration::infinite();  // the path may be another one: taken from the next sample (Linux)
  }

  void on_idle_restart(Time now) override {
    WindowController::on_idle_restart(now);
    acked_ = Bytes::zero();  // an idle time is no measurement of the path
    sample_start_ = now;
  }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Westwood> kInternals;

 private:
  // Linux counts the RTT in whole jiffies, and part of one as one.
  [[nodiscard]] Duration in_ticks(Duration rtt) const {
    if (tick_ == Duration::zero()) return rtt;
    return {(rtt.ns + tick_.ns - 1) / tick_.ns * tick_.ns};
  }

  [[nodiscard]] bool known() const { return estimate_ > Rate::zero(); }

  // The estimate of the bandwidth times the least RTT. Without either: what Reno would do.
  [[nodiscard]] int64_t bdp() const {
    if (!known() || least_rtt_ == Duration::infinite()) return window_.cwnd / 2;
    return std::max(estimate_.bytes_in(least_rtt_).v / mss_.v, PacketWindow::kMinSsthresh);
  }

  // Acknowledged bytes over at least one round trip, through two low-pass filters in a row.
  void measure(const AckEvent& ack) {
    const Duration elapsed = ack.now - sample_start_;
    if (ack.srtt > Duration::zero() && elapsed > std::max(ack.srtt, least_sample_)) {
      const Rate sample = Rate::of(acked_, elapsed);
      if (!known()) {
        once_filtered_ = estimate_ = sample;
      } else {
        once_filtered_.bps += (sample.bps - once_filtered_.bps) * gain_;
        estimate_.bps += (once_filtered_.bps - estimate_.bps) * gain_;
      }
      acked_ = Bytes::zero();
      sample_start_ = ack.now;
    }
    acked_ += ack.acked_bytes;
  }

  double gain_{};
  Duration least_sample_{};
  Duration tick_{};
  Time sample_start_{};
  Bytes acked_{};
  Rate once_filtered_{};
  Rate estimate_{};
  Duration least_rtt_{Duration::infinite()};
};

const Internals<Westwood> Westwood::kInternals = window_internals<Westwood>({
    {"bandwidth_mbps", "estimated bandwidth", "Mbps",
     [](const Westwood& c) { return if_known(c.known(), c.estimate_.to_mbps()); }},
    {"bdp_packets", "estimated BDP", "packets", [](const Westwood& c) { return if_known(c.known(), c.bdp()); }},
    {"rtt_min_ms", "least RTT", "ms",
     [](const Westwood& c) { return if_known(c.least_rtt_ < Duration::infinite(), c.least_rtt_.to_millis()); }},
});

const RegisterCca westwood{{
    .id = "westwood",
    .label = "Westwood+",
    .family = "loss",
    .summary =
        "Believes that the rate of acknowledgements says what the path carries. Grows as Reno does, but after a loss "
        "continues with the window that this rate would fill without a queue, so that random losses cost it "
        "little.",
    .source = "Grieco and Mascolo, ACM CCR 34(2), 2004; Linux net/ipv4/tcp_westwood.c",
    .identity = {.slot = 5, .marker = "cross", .hollow = false},
    .needs = {.pacing = Pacing::window},
    .needs_with = paced_if_asked,
    .params =
        {
            {.name = "filter_gain",
             .label = "Filter gain",
             .unit = "",
             .initial = 0.125,
             .min = 0.03125,
             .max = 0.5,
             .help = "Weight of a new bandwidth sample in each of the two filters; raise it where the capacity changes "
                     "quickly."},
            {.name = "min_window_ms",
             .label = "Shortest sample",
             .unit = "ms",
             .initial = 50,
             .min = 10,
             .max = 500,
             .help = "A bandwidth sample lasts at least this long and a round trip; longer is steadier, and later."},
            {.name = "tick_ms",
             .label = "Step of the RTT",
             .unit = "ms",
             .initial = 0,
             .min = 0,
             .max = 10,
             .help = "The least RTT is rounded up to whole steps, so that more is kept in the queue: a Linux with 250 "
                     "ticks a second has 4 ms, one with 1000 has 1 ms; 0 is exact."},
            initial_window_param(),
            pacing_param(),
        },
    .internals = Westwood::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Westwood>(setup, params); },
}};

}  // namespace
}  // namespace paceline
