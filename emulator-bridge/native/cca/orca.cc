// Orca's control loop (Abbasloo, Yen, Chao: "Classic Meets Modern: A Pragmatic Learning-Based Congestion Control for the Internet",
// SIGCOMM 2020; the authors' release and kernel patch; docs/reference.md 7.1): Cubic, whose window an agent rescales every
// 20 ms.

#include <algorithm>
#include <array>
#include <cmath>

#include "cca/adjustable_window.hh"
#include "cca/policy.hh"
#include "core/math.hh"

namespace paceline {
namespace {

constexpr int64_t kLeastOrcaWindow = 4;  // packets
constexpr int64_t kMostWindow = int64_t{1}
                                << 20;   // far beyond any path: an agent that always asks for more overflows nothing
constexpr double kSlowStartBoost = 1.1;  // per period, until slow start has ended once
constexpr Duration kRetry = Duration::millis(2);  // when a period brought no RTT sample
constexpr double kMostPacingShare = 10;
constexpr double kRecent = 0.25;  // of a new period in the rule's throughput

// What the agent sees of a period; all but dt_s are ratios.
constexpr std::array<std::string_view, 7> kOrcaInputs{
    "throughput_share", "pacing_share", "loss_share", "samples_per_window", "dt_s", "least_rtt_share", "delay_metric"};
enum : std::size_t { kThroughput, kPacing, kLoss, kSamples, kDt, kLeastRtt, kDelayMetric };

class Orca final : public Controller {
 public:
  Orca(const Setup& setup, const Params& params)
      : base_{make_base("cubic", setup)},
        mss_{setup.mss},
        policy_{policy_of(setup, params)},
        agent_{agent_of(setup, params, "orca", kOrcaInputs)},
        period_{Duration::millis(params.integer("period_ms"))},
        act_base_{params.number("act_base")},
        loss_weight_{params.number("loss_weight")},
        delay_margin_{params.number("delay_margin")},
        acts_in_recovery_{params.flag("act_in_recovery")} {}

  void on_sent(const SentPacket& packet) override {
    inflight_ = packet.inflight;
    base_->on_sent(packet);
  }

  void on_ack(const AckEvent& ack) override {
    if (next_look_.is_never()) begin_period(ack.now);
    base_->on_ack(ack);
    meter_.on_ack(ack);
    recovering_ = ack.recovery == Recovery::entered || ack.recovery == Recovery::in;
    inflight_ = ack.inflight;
    srtt_ = ack.srtt;
    least_rtt_ = ack.min_rtt;
    if (policy_ == Policy::neutral && ack.now >= next_look_) on_tick(ack.now);
  }

  void on_loss(const LossEvent& loss) override {
    base_->on_loss(loss);
    meter_.on_lost(loss.bytes);
    inflight_ = loss.inflight;
    recovering_ |= loss.new_episode;
  }
  void on_timeout(const TimeoutEvent& timeout) override {
    base_->on_timeout(timeout);
    inflight_ = timeout.inflight;
    recovering_ = false;
  }
  void on_idle_restart(Time now) override { base_->on_idle_restart(now); }

  void on_tick(Time now) override {
    if (meter_.samples() == 0) {
      next_look_ = now + kRetry;
      return;
    }
    slow_start_passed_ |= base_->ssthresh() < base_->cwnd();
    if (slow_start_passed_ || policy_ == Policy::neutral) {
      look(now);
      action_ = decide(now);
      if (action_ != 0 && (!recovering_ || acts_in_recovery_)) rescale(factor_of(act_base_, action_));
    } else if (!recovering_) {
      rescale(kSlowStartBoost);
    }
    begin_period(now);
  }
  // Even a timer changes when packets leave: who does nothing has none, and looks when something is acknowledged.
  [[nodiscard]] Time next_tick() const override { return policy_ == Policy::neutral ? Time::never() : next_look_; }

  [[nodiscard]] Bytes cwnd() const override { return base_->cwnd(); }
  [[nodiscard]] Bytes ssthresh() const override { return base_->ssthresh(); }
  // The patched kernel paces at what is under way, or may be, per smoothed RTT.
  [[nodiscard]] Rate pacing_rate() const override {
    if (srtt_ == Duration::zero()) return Rate::zero();
    return Rate::of(std::max(base_->cwnd(), inflight_), srtt_);
  }
  [[nodiscard]] std::string_view phase() const override { return base_->phase(); }
  [[nodiscard]] const AdjustableWindow& base() const { return *base_; }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Orca> kInternals;

 private:
  // The period in the agent's terms, and the authors' reward: throughput less five times the losses, as a share of the best
  // throughput so far, less where the RTT is more than a quarter above its least.
  void look(Time now) {
    looked_ = true;
    const double throughput = meter_.acked_per_s(now);
    const double lost = loss_weight_ * meter_.lost_per_s(now);
    best_ = std::max(best_, throughput);
    // a look that had to wait for its first sample measured the silence before it
    if (meter_.seconds(now) < 2 * period_.to_seconds()) recent_ += (throughput - recent_) * (recent_ > 0 ? kRecent : 1);
    const double best = std::max(best_, 1.0);
    const double rtt_ratio = least_rtt_.to_seconds() / std::max(srtt_.to_seconds(), 1e-9);
    const double delay_metric = std::min(delay_margin_ * rtt_ratio, 1.0);
    reward_ = (throughput - lost) / best * delay_metric;
    const auto see = [this](std::size_t input, double value) { seen_[input] = static_cast<float>(value); };
    see(kThroughput, throughput / best);
    see(kPacing, std::min(pacing_rate().bps / 8 / best, kMostPacingShare));
    see(kLoss, lost / best);
    see(kSamples, static_cast<double>(meter_.samples()) / static_cast<double>(base_->window()));
    see(kDt, meter_.seconds(now));
    see(kLeastRtt, rtt_ratio);
    see(kDelayMetric, delay_metric);
  }

  [[nodiscard]] AgentPeriod period(Time now) const {
    return {.now = now,
            .lasted = meter_.lasted(now),
            .acked = meter_.acked(),
            .lost = meter_.lost(),
            .samples = meter_.samples(),
            .mean_rtt_s = meter_.mean_rtt_s(),
            .srtt = srtt_,
            .least_rtt = least_rtt_,
            .cwnd = base_->cwnd(),
            .inflight = inflight_,
            .reward = reward_};
  }

  double decide(Time now) {
    switch (policy_) {
      case Policy::neutral:
        return 0;
      case Policy::rule:
        return towards_best_reward();
      case Policy::network:
      case Policy::trained:
        return agent_->act(seen_, period(now));
    }
    return 0;
  }

  // To where the reward is highest, if the capacity is what lately arrived: the window that makes the RTT just as long as delay
  // still costs nothing (Little's law). Where nothing queues that is more than the window, and it grows.
  [[nodiscard]] double towards_best_reward() const {
    if (recent_ == 0) return 0;
    const double window = recent_ * delay_margin_ * least_rtt_.to_seconds() / static_cast<double>(mss_.v);
    const double factor = std::max(window, 1.0) / static_cast<double>(base_->window());
    return std::clamp(exact::log(factor) / exact::log(act_base_), -1.0, 1.0);
  }

  void rescale(double factor) {
    const auto window = static_cast<int64_t>(factor * static_cast<double>(base_->window()) + 1e-9);
    base_->set_window(std::clamp(window, kLeastOrcaWindow, kMostWindow));
  }

  void begin_period(Time now) {
    next_look_ = now + period_;
    meter_.restart(now);
  }

  std::unique_ptr<AdjustableWindow> base_;
  Bytes mss_{};
  Policy policy_{};
  std::shared_ptr<Agent> agent_;
  Duration period_{};
  double act_base_{};
  double loss_weight_{};
  double delay_margin_{};
  bool acts_in_recovery_{};

  Time next_look_{Time::never()};
  PeriodMeter meter_{};
  Bytes inflight_{};
  Duration srtt_{};
  Duration least_rtt_{};
  bool recovering_{};
  bool slow_start_passed_{};

  bool looked_{};
  double best_{};    // bytes per second
  double recent_{};  // the same, smoothed
  double reward_{};
  double action_{};
  std::array<float, kOrcaInputs.size()> seen_{};
};

const Internals<Orca> Orca::kInternals = internals_on_window<Orca>({
    {"action", "action", "", [](const Orca& c) { return if_known(c.looked_, c.action_); }},
    {"factor", "factor of the window", "",
     [](const Orca& c) { return if_known(c.looked_, factor_of(c.act_base_, c.action_)); }},
    {"reward", "reward", "", [](const Orca& c) { return if_known(c.looked_, c.reward_); }},
    {"best_mbps", "best throughput", "Mbps", [](const Orca& c) { return if_known(c.looked_, c.best_ * 8e-6); }},
    {kOrcaInputs[kThroughput], "throughput, of the best", "",
     [](const Orca& c) { return if_known(c.looked_, c.seen_[kThroughput]); }},
    {kOrcaInputs[kPacing], "pacing rate, of the best throughput", "",
     [](const Orca& c) { return if_known(c.looked_, c.seen_[kPacing]); }},
    {kOrcaInputs[kLoss], "weighted losses, of the best throughput", "",
     [](const Orca& c) { return if_known(c.looked_, c.seen_[kLoss]); }},
    {kOrcaInputs[kSamples], "RTT samples per packet of the window", "",
     [](const Orca& c) { return if_known(c.looked_, c.seen_[kSamples]); }},
    {kOrcaInputs[kDt], "time since the last look", "s",
     [](const Orca& c) { return if_known(c.looked_, c.seen_[kDt]); }},
    {kOrcaInputs[kLeastRtt], "least RTT, of the smoothed one", "",
     [](const Orca& c) { return if_known(c.looked_, c.seen_[kLeastRtt]); }},
    {kOrcaInputs[kDelayMetric], "delay metric", "",
     [](const Orca& c) { return if_known(c.looked_, c.seen_[kDelayMetric]); }},
});

const RegisterCca orca{{
    .id = "orca",
    .label = "Orca loop",
    .family = "learning",
    .summary =
        "Believes that an agent which sees throughput, loss and delay every 20 ms can correct Cubic's window. The "
        "agent "
        "was trained here, for Orca's reward: the authors' own is not had. A rule or a network that you bring may act "
        "instead; neutral is Cubic.",
    .source = "Orca (SIGCOMM 2020); authors' release, its control loop; agent trained here",
    .identity = {.slot = 5, .marker = "star", .hollow = true},
    .needs = {.pacing = Pacing::own},
    .needs_with =
        [](const Params& p) { return Needs{.pacing = p.choice("pacing") == "orca" ? Pacing::own : Pacing::window}; },
    .params =
        {
            policy_param(
                "Trained is the network that comes with Paceline, trained for Orca's reward. Neutral leaves Cubic's "
                "window alone. The rule is a heuristic: it goes to the window that should earn the most reward. A "
                "network is one that you trained."),
            weights_param("orca", kOrcaInputs),
            {.name = "period_ms",
             .label = "Period",
             .type = ParamType::integer,
             .unit = "ms",
             .initial = 20,
             .min = 5,
             .max = 200,
             .help = "How often the agent looks and acts; shorter than a round trip means acting before the effect is "
                     "seen."},
            {.name = "act_base",
             .label = "Base of the action",
             .unit = "",
             .initial = 4,
             .min = 2,
             .max = 4,
             .matters_with = {"policy", {"rule", "network", "trained"}},
             .help = "An action a multiplies the window by this to the power of a; 4 in the release."},
            {.name = "loss_weight",
             .label = "Weight of losses",
             .unit = "",
             .initial = 5,
             .min = 0,
             .max = 100,
             .help = "How much lost throughput counts against delivered throughput in the reward."},
            {.name = "delay_margin",
             .label = "Free delay",
             .unit = "least RTTs",
             .initial = 1.25,
             .min = 1,
             .max = 10,
             .help = "RTT up to which delay costs nothing in the reward."},
            {.name = "act_in_recovery",
             .label = "Act during recovery",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 0,
             .max = 1,
             .matters_with = {"policy", {"rule", "network", "trained"}},
             .help = "The authors' kernel forces the window even while losses are repaired."},
            {.name = "pacing",
             .label = "Pacing",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"orca", "cubic"},
             .help = "Orca paces at exactly a window per round trip; Cubic's own pacing leaves some room above it."},
        },
    .internals = Orca::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Orca>(setup, params); },
}};

}  // namespace
}  // namespace paceline
