// Aurora's control loop (Jay, Rotman, Godfrey, Schapira, Tamar: "A Deep Reinforcement Learning Perspective on Internet Congestion
// Control", ICML 2019, sections 3 and 4; the authors' PCC-RL and the branch deep-learning of PCC-Uspace; docs/reference.md 7.3): whatever
// is sent belongs to a monitor interval, and what came of it makes an agent raise or lower the rate by a share of it.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "cca/pcc.hh"
#include "cca/policy.hh"

namespace paceline {
namespace {

// Section 3: latency gradient, latency ratio, sending ratio.
constexpr std::array<std::string_view, 3> kAuroraInputs{"latency_gradient", "latency_ratio", "sending_ratio"};
enum : std::size_t { kGradient, kRatio, kSending };

constexpr uint64_t kLeastInInterval = 5;
constexpr Rate kSlowest = Rate::mbps(0.5);
constexpr Rate kFastest = Rate::mbps(1e5);  // the release ends at 300 Mbps
constexpr double kMostRatio = 1000;

class Aurora final : public PccController {
 public:
  Aurora(const Setup& setup, const Params& params)
      : PccController{setup, params, Rate::mbps(params.number("init_rate_mbps"))},
        agent_{agent_of(setup, params, "aurora", kAuroraInputs)},
        step_{params.number("step")},
        interval_rtts_{params.number("mi_rtts")},
        base_{rate_} {}

  void on_sent(const SentPacket& packet) override {
    now_ = packet.now;
    inflight_ = packet.inflight;
    PccController::on_sent(packet);
  }
  void on_ack(const AckEvent& ack) override {
    if (!std::exchange(heard_, true)) meter_.restart(ack.now);
    inflight_ = ack.inflight;
    meter_.on_ack(ack);
    PccController::on_ack(ack);
  }
  void on_loss(const LossEvent& loss) override {
    inflight_ = loss.inflight;
    meter_.on_lost(loss.bytes);
    PccController::on_loss(loss);
  }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Aurora> kInternals;

 private:
  IntervalPlan next_interval() override {
    if (settled_) decide(*std::exchange(settled_, std::nullopt));
    return {.rate = base_, .useful = true};
  }
  // Until the first RTT is known one interval goes on: shorter ones would all be decided on at once.
  bool interval_over(const MonitorInterval& current, Time now) override {
    return srtt_ > Duration::zero() && current.packets() >= kLeastInInterval &&
           now - current.first_sent >= scale(srtt_, interval_rtts_);
  }
  void after_silence(bool repeated) override {
    if (!repeated) base_ = bounded(base_ * 0.5);
  }

  void on_result(const MonitorInterval& interval) override { settled_ = interval; }

  // By the newest of what was settled while an interval was sent.
  void decide(const MonitorInterval& interval) {
    if (interval.rtt.count() > 0) latency_s_ = interval.rtt.mean() * 1e-6;
    if (latency_s_ > 0) least_s_ = std::min(least_s_, latency_s_);
    const double arrived = meter_.acked_per_s(now_);  // since it last decided
    const auto see = [this](std::size_t input, double value) { seen_[input] = static_cast<float>(value); };
    see(kGradient, interval.rtt_slope());
    see(kRatio, latency_s_ > 0 ? latency_s_ / least_s_ : 1);
    see(kSending, std::min(interval.sent_rate().bps / 8 / std::max(arrived, 1.0), kMostRatio));
    // Section 4.1: packets per second, seconds, a share.
    reward_ = 10 * arrived / static_cast<double>(mss_.v) - 1000 * latency_s_ - 2000 * interval.loss();
    action_ = agent_->act(seen_, period());
    // Equation 1.
    base_ = bounded(action_ >= 0 ? base_ * (1 + step_ * action_) : base_ * (1 / (1 - step_ * action_)));
    looked_ = true;
    meter_.restart(now_);
  }

  [[nodiscard]] AgentPeriod period() const {
    return {.now = now_,
            .lasted = meter_.lasted(now_),
            .acked = meter_.acked(),
            .lost = meter_.lost(),
            .samples = meter_.samples(),
            .mean_rtt_s = meter_.samples() > 0 ? meter_.mean_rtt_s() : latency_s_,
            .srtt = srtt_,
            .least_rtt = min_rtt_,
            .cwnd = cwnd(),
            .inflight = inflight_,
            .reward = reward_};
  }

  static Rate bounded(Rate rate) { return std::isfinite(rate.bps) ? std::clamp(rate, kSlowest, kFastest) : kFastest; }

  std::shared_ptr<Agent> agent_;
  double step_{};
  double interval_rtts_{};
  Rate base_{};  // of the next interval
  Time now_{};
  bool heard_{};
  PeriodMeter meter_{};  // since it has last decided
  std::optional<MonitorInterval> settled_{};
  Bytes inflight_{};
  double latency_s_{};  // of the newest interval that has any
  double least_s_{std::numeric_limits<double>::infinity()};

  bool looked_{};
  double reward_{};
  double action_{};
  std::array<float, kAuroraInputs.size()> seen_{};
};

const Internals<Aurora> Aurora::kInternals{{
    {"base_rate_mbps", "base rate", "Mbps", [](const Aurora& c) { return c.base_.to_mbps(); }},
    {"action", "action", "", [](const Aurora& c) { return if_known(c.looked_, c.action_); }},
    {"reward", "reward", "", [](const Aurora& c) { return if_known(c.looked_, c.reward_); }},
    {kAuroraInputs[kGradient], "latency gradient", "",
     [](const Aurora& c) { return if_known(c.looked_, c.seen_[kGradient]); }},
    {kAuroraInputs[kRatio], "latency ratio", "", [](const Aurora& c) { return if_known(c.looked_, c.seen_[kRatio]); }},
    {kAuroraInputs[kSending], "sending ratio", "",
     [](const Aurora& c) { return if_known(c.looked_, c.seen_[kSending]); }},
}};

const RegisterCca aurora{{
    .id = "aurora",
    .label = "Aurora loop",
    .family = "learning",
    .summary =
        "Believes that what became of the last few round trips says by which share to raise or lower the rate. The "
        "agent that decides was trained here, for Aurora's reward: the authors' own is not had. A network that you "
        "bring may act instead.",
    .source =
        "Jay, Rotman, Godfrey, Schapira, Tamar, ICML 2019, sections 3 and 4; authors' release; agent trained here",
    .identity = {.slot = 4, .marker = "cross", .hollow = true},
    .needs = PccController::kNeeds,
    .params =
        {
            {.name = "policy",
             .label = "Agent",
             .type = ParamType::choice,
             .unit = "",
             .initial = 1,
             .choices = {"network", "trained"},
             .help = "Trained is the network that comes with Paceline, trained for Aurora's reward. A network is one "
                     "that you trained."},
            weights_param("aurora", kAuroraInputs),
            {.name = "step",
             .label = "Step",
             .unit = "",
             .initial = 0.1,
             .min = 0.001,
             .max = 1,
             .help = "The share of the rate by which an action of 1 moves it. The paper has 0.025 and the release "
                     "0.05, for actions without a bound; here an action is from -1 to 1."},
            {.name = "mi_rtts",
             .label = "Monitor interval",
             .unit = "round trips",
             .initial = 0.5,
             .min = 0.25,
             .max = 4,
             .help = "How long an interval sends before the next one begins, at least five packets; longer ones "
                     "measure more surely and react later."},
            {.name = "init_rate_mbps",
             .label = "First rate",
             .unit = "Mbps",
             .initial = 6,
             .min = 0.5,
             .max = 1000,
             .help = "Rate until the agent has first decided; that of the release."},
            PccController::window_param(0),
        },
    .internals = Aurora::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Aurora>(setup, params); },
}};

}  // namespace
}  // namespace paceline
