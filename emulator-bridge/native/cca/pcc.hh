#pragma once
// What the PCC family shares: everything that is sent belongs to a monitor interval, the rate is the interval's, and the
// window is only a safety cap. An algorithm says what the next interval tries and what its result means.

#include <algorithm>

#include "cca/monitor_intervals.hh"
#include "cca/registry.hh"

namespace paceline {

class PccController : public Controller {
 public:
  void on_sent(const SentPacket& packet) override {
    if (restart_ || !intervals_.sending() || interval_over(intervals_.current(), packet.now)) {
      restart_ = false;
      const IntervalPlan plan = next_interval();
      rate_ = plan.rate;
      intervals_.begin(plan, packet);
      patience_ = plan.rate.time_for(mss_ * (kPatience * plan.packets));
      set_window();
    }
    intervals_.on_sent(packet);
  }

  void on_loss(const LossEvent& loss) override {
    intervals_.on_loss(loss);
    take_results();
  }

  void on_ack(const AckEvent& ack) override {
    note_rtt(ack);
    intervals_.on_ack(ack);
    take_results();
  }

  // What is under way says nothing about its rate any more.
  void on_timeout(const TimeoutEvent& timeout) override {
    discard();
    after_silence(timeout.repeated);
  }

  [[nodiscard]] Bytes cwnd() const override { return cwnd_; }
  [[nodiscard]] Rate pacing_rate() const override { return rate_; }

  // The parameter behind the cap. Two round trips, as in the authors' Linux module, hold a gradient ascent back where the RTT varies;
  // four hardly ever do.
  [[nodiscard]] static ParamSpec window_param(double initial = 4) {
    return {.name = "window_rtts",
            .label = "Window cap",
            .unit = "round trips",
            .initial = initial,
            .min = 0,
            .max = 20,
            .help =
                "Most data in flight, in round trips of the rate; it stops the flow when acknowledgements cease. 0: no "
                "cap, "
                "as in the authors' UDP programs."};
  }

  static constexpr Needs kNeeds{.pacing = Pacing::own, .paced_start = true, .prr = false, .acked_packets = true};

 protected:
  PccController(const Setup& setup, const Params& params, Rate first)
      : mss_{setup.mss}, rate_{first}, window_rtts_{params.number("window_rtts")} {
    set_window();
  }

  // What the next interval is to try.
  [[nodiscard]] virtual IntervalPlan next_interval() = 0;
  [[nodiscard]] virtual bool interval_over(const MonitorInterval& current, Time now) = 0;
  // The result of a useful interval, in the order in which they were sent.
  virtual void on_result(const MonitorInterval& interval) = 0;
  // A retransmission timeout; nothing is being measured. `repeated`: not the first of this silence.
  virtual void after_silence(bool repeated) = 0;

  // Nothing under way is to be judged, and the next packet begins a new interval.
  void discard() {
    intervals_.abandon();
    restart_ = true;
  }

  void note_rtt(const AckEvent& ack) {
    if (ack.srtt != srtt_) {
      srtt_ = ack.srtt;
      set_window();
    }
    min_rtt_ = ack.min_rtt;
  }

  void take_results() {
    while (const MonitorInterval* interval = intervals_.finished()) {
      const MonitorInterval result = *interval;
      intervals_.pop();
      on_result(result);
    }
  }

  // What is left of the current interval is sent at another rate.
  void retune(Rate rate) {
    rate_ = rate;
    set_window();
  }

  // For intervals of a number of packets. A filler ends with the decision, or the first RTT, that it was waiting for; and an
  // interval that has nothing to send ends by time.
  [[nodiscard]] bool enough_sent(const MonitorInterval& current, Time now) const {
    if (!current.plan.useful && intervals_.useful() == 0) return srtt_ > Duration::zero();
    const auto sent = static_cast<int64_t>(current.packets());
    return sent >= current.plan.packets || now - current.first_sent > patience_;
  }

  [[nodiscard]] int64_t packets_in(Rate rate, Duration time) const {
    return static_cast<int64_t>(rate.bytes_in(time).in_packets(mss_));
  }

  Bytes mss_{};
  Rate rate_{};
  MonitorIntervals intervals_{};
  Duration srtt_{};  // zero: not known yet
  Duration min_rtt_{};

 private:
  static constexpr Duration kUnknownRtt = Duration::millis(1000);  // RFC 6298's timeout before there is a sample
  static constexpr int64_t kLeastPackets = 4;
  static constexpr int64_t kPatience = 2;

  // Asked for at every packet, and changed by an RTT or an interval.
  void set_window() {
    const Duration time = srtt_ == Duration::zero() ? kUnknownRtt : scale(srtt_, window_rtts_);
    cwnd_ = window_rtts_ <= 0 ? Bytes::infinite() : std::max(mss_ * kLeastPackets, rate_.bytes_in(time));
  }

  double window_rtts_{};
  Bytes cwnd_{};
  Duration patience_{};  // of the current interval
  bool restart_{};
};

}  // namespace paceline
