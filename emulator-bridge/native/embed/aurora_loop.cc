// Aurora's loop (Jay, Rotman, Godfrey, Schapira, Tamar: "A Deep Reinforcement Learning Perspective on Internet Congestion Control", ICML
// 2019, sections 3 and 4): everything sent belongs to a monitor interval of about a round trip, and what came of it makes whoever
// decides raise or lower the rate by a share of it. No network of theirs comes with it.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cca/pcc.hh"
#include "embed/loops.hh"

namespace paceline {
namespace {

// Section 3: latency gradient, latency ratio, sending ratio. The paper's agent sees ten intervals; whoever decides keeps what was before.
constexpr std::array<std::string_view, 3> kAuroraInputs{"latency_gradient", "latency_ratio", "sending_ratio"};
constexpr Duration kShortest = Duration::millis(10);
constexpr uint64_t kLeastInInterval = 2;
constexpr Rate kFirstRate = Rate::mbps(1);
constexpr Rate kLeast{8e4};
constexpr Rate kMost = Rate::mbps(1e5);
// Nothing came back: as if every packet but one of very many was lost.
constexpr double kMostRatio = 1000;

class AuroraLoop final : public PccController {
 public:
  AuroraLoop(const Setup& setup, const Params& params)
      : PccController{setup, params, kFirstRate},
        agent_{agent_here(setup, params, kAuroraInputs)},
        step_{params.number("step")},
        base_{kFirstRate} {}

  void on_sent(const SentPacket& packet) override {
    inflight_ = packet.inflight;
    PccController::on_sent(packet);
  }
  void on_ack(const AckEvent& ack) override {
    now_ = ack.now;
    inflight_ = ack.inflight;
    PccController::on_ack(ack);
  }
  void on_loss(const LossEvent& loss) override {
    now_ = loss.now;
    inflight_ = loss.inflight;
    PccController::on_loss(loss);
  }

 private:
  IntervalPlan next_interval() override { return {.rate = base_, .useful = true}; }
  bool interval_over(const MonitorInterval& current, Time now) override {
    return current.packets() >= kLeastInInterval && now - current.first_sent >= std::max(srtt_, kShortest);
  }
  void after_silence(bool repeated) override {
    if (!repeated) base_ = bounded(base_ * 0.5);
  }

  void on_result(const MonitorInterval& interval) override {
    if (!agent_) return;
    const double mean = interval.rtt.count() > 0 ? interval.rtt.mean() * 1e-6 : latency_s_;
    latency_s_ = mean;
    if (mean > 0) least_s_ = std::min(least_s_, mean);
    const double acked = static_cast<double>(interval.bytes_acked.v);
    const double sent = static_cast<double>(interval.bytes_sent.v);
    const std::array<float, kAuroraInputs.size()> seen{
        static_cast<float>(interval.rtt_slope()), static_cast<float>(mean > 0 ? mean / least_s_ : 1),
        static_cast<float>(acked > 0 ? std::min(sent / acked, kMostRatio) : kMostRatio)};
    const Duration lasted = interval.duration();
    // Section 4.1: packets per second, seconds, a share.
    const double throughput = interval.delivered_rate().bps / 8 / static_cast<double>(mss_.v);
    const double action = agent_->act(seen, {.now = now_,
                                             .lasted = lasted,
                                             .acked = interval.bytes_acked,
                                             .lost = interval.bytes_lost,
                                             .samples = interval.rtt.count(),
                                             .mean_rtt_s = mean,
                                             .srtt = srtt_,
                                             .least_rtt = min_rtt_,
                                             .cwnd = cwnd(),
                                             .inflight = inflight_,
                                             .reward = 10 * throughput - 1000 * mean - 2000 * interval.loss()});
    base_ = bounded(action >= 0 ? base_ * (1 + step_ * action) : base_ * (1 / (1 - step_ * action)));
  }

  static Rate bounded(Rate rate) { return std::isfinite(rate.bps) ? std::clamp(rate, kLeast, kMost) : kMost; }

  std::shared_ptr<Agent> agent_;
  double step_{};
  Rate base_{};
  Time now_{};
  Bytes inflight_{};
  double latency_s_{};
  double least_s_{std::numeric_limits<double>::infinity()};
};

}  // namespace

Descriptor aurora_loop() {
  // Equation 1: alpha.
  const ParamSpec step{.name = "step",
                       .label = "Step",
                       .unit = "",
                       .initial = 0.025,
                       .min = 0.001,
                       .max = 1,
                       .help = "The share of the rate by which an action of 1 moves it."};
  return {
      .id = "aurora",
      .label = "Aurora loop",
      .family = "learning",
      .summary =
          "Believes that what became of the last round trips says by which share to raise or lower the rate. "
          "This is Aurora's "
          "control loop without its trained agent: somebody outside decides, or a network that you bring.",
      .source = "Jay, Rotman, Godfrey, Schapira, Tamar, ICML 2019, sections 3 and 4",
      .needs = PccController::kNeeds,
      .params = {agent_weights("aurora", kAuroraInputs), step, PccController::window_param(0)},
      .make = [](const Setup& setup, const Params& params) { return std::make_unique<AuroraLoop>(setup, params); },
  };
}

}  // namespace paceline
