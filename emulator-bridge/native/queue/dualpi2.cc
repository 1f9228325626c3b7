// DualPI2, the coupled dual-queue AQM for L4S (RFC 9332 appendix A, with the constants of Linux sch_dualpi2.c): scalable flows
// (ECT(1)) get a shallow queue with a marking threshold, all others a queue under PI2; the marking of the one is coupled to the dropping
// of the other, so that both kinds of flow get about the same rate.

#include <algorithm>

#include "core/ring.hh"
#include "queue/registry.hh"

namespace paceline {
namespace {

class DualPi2 final : public QueueDiscipline {
 public:
  DualPi2(const QueueSetup& setup, const Params& params)
      : QueueDiscipline{setup},
        target_s_{params.number("target_ms") / 1e3},
        period_{Duration::seconds(params.number("update_ms") / 1e3)},
        alpha_{params.number("alpha_hz")},
        beta_{params.number("beta_hz")},
        coupling_{params.number("coupling")},
        step_{Duration::seconds(params.number("step_ms") / 1e3)},
        step_packets_{static_cast<std::size_t>(params.integer("step_packets"))},
        classic_share_{params.integer("classic_percent")},
        drop_on_overload_{params.flag("drop_on_overload")} {
    tick_at(Time::zero() + period_);
    rest_credit();
  }

  void enqueue(const Packet& packet, Time now, DropListener& drops) override {
    if (!fits(packet)) {
      drops.on_drop(packet, now);
      return;
    }
    const bool l4s = packet.ecn == EcnMark::ect1 || packet.ecn == EcnMark::ce;
    (l4s ? low_latency_ : classic_).push(packet);
    entered(packet);
  }

  bool dequeue(Packet& packet, Time now, DropListener& drops) override {
    while (packets() > 0) {
      const bool l4s = low_latency_next();
      const bool survives = l4s ? take_low_latency(packet, now) : take_classic(packet);
      if (survives) return true;
      drops.on_drop(packet, now);
    }
    rest_credit();
    return false;
  }

  // The PI controller works on the base probability p'; the classic one is its square (RFC 9332 appendix A.1).
  void on_tick(Time now, DropListener&) override {
    const double delay = std::max(waiting(classic_, now), waiting(low_latency_, now));
    const double most = drop_on_overload_ ? 1 : 1 / coupling_;
    const double step = alpha_ * (delay - target_s_) + beta_ * (delay - delay_before_);
    base_ = std::clamp(base_ + step, 0.0, std::min(1.0, most));
    delay_before_ = delay;
    tick_at(now + period_);
  }

 private:
  // Evenly spaced events at a given likelihood (RFC 9332 appendix A.1, recur()).
  class Recurrence {
   public:
    bool operator()(double likelihood) {
      sum_ += likelihood;
      if (sum_ <= 1) return false;
      sum_ -= 1;
      return true;
    }

   private:
    double sum_{};
  };

  static double waiting(const Ring<Packet>& queue, Time now) {
    return queue.empty() ? 0 : (now - queue.front().stamp).to_seconds();
  }

  [[nodiscard]] double classic_probability() const { return base_ * base_; }
  [[nodiscard]] double coupled_probability() const { return std::min(1.0, base_ * coupling_); }
  // Marking cannot slow the flows down any more: the L queue drops as the classic one does (RFC 9332 section 4.2.3).
  [[nodiscard]] bool overloaded() const { return drop_on_overload_ && base_ * coupling_ >= 1; }

  // Weighted round robin on credit, as Linux has it: while both wait, the classic queue gets its share of the bytes.
  bool low_latency_next() {
    if (classic_.empty()) return true;
    if (low_latency_.empty()) return false;
    const bool l4s = credit_ <= 0;
    const Packet& head = l4s ? low_latency_.front() : classic_.front();
    credit_ += l4s ? classic_share_ * head.size : -(100 - classic_share_) * head.size;
    return l4s;
  }
  void rest_credit() { credit_ = std::max(-classic_share_, classic_share_ - 100) * kMtu.v; }

  // False: to be dropped.
  bool take_low_latency(Packet& packet, Time now) {
    const bool step = low_latency_.size() > step_packets_ && now - low_latency_.front().stamp > step_;
    take(low_latency_, packet);
    if (overloaded() && low_latency_drops_(classic_probability())) return false;
    if (coupled_(coupled_probability()) || step) mark(packet);
    return true;
  }

  bool take_classic(Packet& packet) {
    take(classic_, packet);
    if (!classic_drops_(classic_probability())) return true;
    return !overloaded() && mark(packet);
  }

  void take(Ring<Packet>& queue, Packet& packet) {
    packet = queue.front();
    queue.pop();
    left(packet);
  }

  double target_s_;
  Duration period_;
  double alpha_;
  double beta_;
  double coupling_;
  Duration step_;
  std::size_t step_packets_;
  int64_t classic_share_;  // %
  bool drop_on_overload_;

  double base_{};
  double delay_before_{};
  int64_t credit_{};  // > 0: the classic queue's turn
  Recurrence classic_drops_{};
  Recurrence low_latency_drops_{};
  Recurrence coupled_{};
  Ring<Packet> classic_{1024};
  Ring<Packet> low_latency_{256};
};

const RegisterQueue dualpi2{{
    .id = "dualpi2",
    .label = "DualPI2",
    .summary = "Two queues for two kinds of flow. Those that understand fine-grained marks (L4S: Prague) wait about a "
               "millisecond; the others wait for the target, and both get about the same rate.",
    .source = "RFC 9332; Linux sch_dualpi2.c",
    .params =
        {
            {.name = "target_ms",
             .label = "Target",
             .unit = "ms",
             .initial = 15,
             .min = 1,
             .max = 1000,
             .help = "Queueing delay of the classic queue that the controller steers to."},
            {.name = "step_ms",
             .label = "Marking threshold",
             .unit = "ms",
             .initial = 1,
             .min = 0.1,
             .max = 100,
             .help = "Every packet that waited longer than this in the low-latency queue is marked."},
            {.name = "step_packets",
             .label = "Least queue to mark",
             .type = ParamType::integer,
             .unit = "packets",
             .initial = 1,
             .min = 0,
             .max = 1000,
             .help =
                 "The threshold marks nothing while the low-latency queue holds no more than this; on a slow link a "
                 "single packet takes longer than the threshold."},
            {.name = "coupling",
             .label = "Coupling factor",
             .unit = "",
             .initial = 2,
             .min = 1,
             .max = 8,
             .help =
                 "How much more often scalable flows are marked than the root of the classic flows' drop rate; 2 gives "
                 "both the same rate at equal round trips."},
            {.name = "classic_percent",
             .label = "Protected share",
             .type = ParamType::integer,
             .unit = "%",
             .initial = 10,
             .min = 1,
             .max = 99,
             .help = "Share of the link that the classic queue gets at least while both wait."},
            {.name = "update_ms",
             .label = "Update period",
             .unit = "ms",
             .initial = 16,
             .min = 1,
             .max = 1000,
             .help = "How often the probability is worked out anew."},
            {.name = "alpha_hz",
             .label = "Integral gain",
             .unit = "Hz",
             .initial = 0.16,
             .min = 0.001,
             .max = 100,
             .help = "How strongly the probability follows the distance from the target."},
            {.name = "beta_hz",
             .label = "Proportional gain",
             .unit = "Hz",
             .initial = 3.2,
             .min = 0.01,
             .max = 100,
             .help = "How strongly the probability follows the growth of the delay."},
            {.name = "drop_on_overload",
             .label = "Drop when overloaded",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .help = "When marking every packet is not enough, packets of both queues are dropped; without it only the "
                     "queue limit stops flows that do not react."},
        },
    .make = [](const QueueSetup& setup, const Params& params) { return std::make_unique<DualPi2>(setup, params); },
}};

}  // namespace
}  // namespace paceline
