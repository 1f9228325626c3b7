// DeepCC's control loop (Abbasloo, Yen, Chao: "Wanna Make Your TCP Scheme Great for Cellular Networks? Let Machines Do It for You!",
// JSAC 2021; the authors' release DeepCC.v1.0; docs/reference.md 7.2): any algorithm, under a cap of its window that an agent
// moves every 20 ms so that the delay meets a target.

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "cca/policy.hh"
#include "cca/running_scale.hh"
#include "core/fail.hh"

namespace paceline {
namespace {

constexpr int64_t kLeastCap = 4;  // packets
constexpr int64_t kMostCap = 40'000;
constexpr double kActBase = 2;
constexpr double kTrainedRttS = 0.021;  // least RTT of the authors' training: delay and target are moved to it
constexpr double kLeastRoomS = 0.001;   // of the target above the least RTT
constexpr double kMostReward = 100;

// The rule of docs/reference.md 7.2, on the delay above the least RTT.
constexpr double kCut = -1;                    // half
constexpr double kLift = 0.32192809488736235;  // a quarter more: log2 of 1.25
constexpr double kLiftBelow = 0.5;             // of the target

// What the agent sees of a period. Where the delay is over the target it sees nothing but by how much.
constexpr std::array<std::string_view, 5> kDeepccInputs{"over_target", "under_target", "samples", "throughput",
                                                        "window"};

std::unique_ptr<Controller> make_under(std::string_view id, const Setup& setup) {
  const Descriptor* cca = find_cca(id);
  if (!cca) fail(std::logic_error("DeepCC offers a base that does not exist: " + std::string{id}));
  return cca->make(setup, Params{cca->params, {}});
}

class DeepCc final : public Controller {
 public:
  DeepCc(const Setup& setup, const Params& params)
      : base_{make_under(params.choice("base"), setup)},
        mss_{setup.mss},
        policy_{policy_of(setup, params)},
        agent_{agent_of(setup, params, "deepcc", kDeepccInputs)},
        period_{Duration::millis(params.integer("period_ms"))},
        target_s_{params.number("target_ms") * 1e-3} {}

  void on_sent(const SentPacket& packet) override {
    inflight_ = packet.inflight;
    base_->on_sent(packet);
  }

  void on_ack(const AckEvent& ack) override {
    if (next_look_.is_never()) begin_period(ack.now);
    AckEvent seen = ack;
    seen.window_limited = ack.window_limited && !capped();  // it is not the base's window that holds the flow back
    base_->on_ack(seen);
    meter_.on_ack(ack);
    inflight_ = ack.inflight;
    repairing_ = ack.recovery == Recovery::entered || ack.recovery == Recovery::in;
    srtt_ = ack.srtt;
    least_rtt_s_ = ack.min_rtt.to_seconds();
    if (policy_ == Policy::neutral && ack.now >= next_look_) end_period(ack.now);
  }

  void on_loss(const LossEvent& loss) override {
    base_->on_loss(loss);
    meter_.on_lost(loss.bytes);
    inflight_ = loss.inflight;
    repairing_ |= loss.new_episode;
  }
  void on_timeout(const TimeoutEvent& timeout) override {
    base_->on_timeout(timeout);
    inflight_ = timeout.inflight;
    repairing_ = false;
  }
  void on_idle_restart(Time now) override { base_->on_idle_restart(now); }

  void on_tick(Time now) override {
    if (base_->next_tick() <= now) base_->on_tick(now);
    if (now >= next_look_) end_period(now);
  }
  // Even a timer changes when packets leave: who does nothing has none, and looks when something is acknowledged.
  [[nodiscard]] Time next_tick() const override {
    return policy_ == Policy::neutral ? base_->next_tick() : std::min(next_look_, base_->next_tick());
  }

  [[nodiscard]] Bytes cwnd() const override { return std::min(base_->cwnd(), cap_); }
  // What is spent while losses are repaired lands here: under the cap as well.
  [[nodiscard]] Bytes ssthresh() const override {
    return repairing_ ? std::min(base_->ssthresh(), cap_) : base_->ssthresh();
  }
  [[nodiscard]] Rate pacing_rate() const override { return base_->pacing_rate(); }
  [[nodiscard]] Bytes send_quantum() const override { return base_->send_quantum(); }
  [[nodiscard]] bool may_send(Time now) const override { return base_->may_send(now); }
  [[nodiscard]] bool limits_itself() const override { return base_->limits_itself(); }
  [[nodiscard]] uint64_t tag() const override { return base_->tag(); }
  [[nodiscard]] std::string_view phase() const override { return base_->phase(); }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<DeepCc> kInternals;

 private:
  [[nodiscard]] bool capped() const { return cap_ < base_->cwnd(); }
  [[nodiscard]] float packets(Bytes bytes) const {
    return static_cast<float>(static_cast<double>(bytes.v) / static_cast<double>(mss_.v));
  }

  // How far the target is above the least RTT; an RTT below the least cannot be had.
  [[nodiscard]] double room_s() const { return std::max(target_s_ - least_rtt_s_, kLeastRoomS); }

  void look(Time now) {
    mean_rtt_s_ = meter_.mean_rtt_s();
    const double before = share_;
    share_ = (mean_rtt_s_ - least_rtt_s_ + kTrainedRttS) / (room_s() + kTrainedRttS);
    const double samples = samples_scale_.scaled(static_cast<double>(meter_.samples()));
    const double throughput = throughput_scale_.scaled(meter_.acked_per_s(now));
    const double window = window_scale_.scaled(static_cast<double>(cwnd().v / mss_.v));
    const bool over = share_ > 1;
    const std::array<double, kDeepccInputs.size()> seen{over ? share_ : 0, over ? 0 : 1 - share_, over ? 0 : samples,
                                                        over ? 0 : throughput, window};
    std::ranges::transform(seen, seen_.begin(), [](double value) { return static_cast<float>(value); });
    const double mean_share = looked_ ? (share_ + before) / 2 : share_;
    const double size = std::min(samples * throughput * share_, kMostReward);
    reward_ = mean_share > 1 ? -size : size;
    looked_ = true;
  }

  [[nodiscard]] AgentPeriod period(Time now) const {
    return {.now = now,
            .lasted = meter_.lasted(now),
            .acked = meter_.acked(),
            .lost = meter_.lost(),
            .samples = meter_.samples(),
            .mean_rtt_s = mean_rtt_s_,
            .srtt = srtt_,
            .least_rtt = Duration::seconds(least_rtt_s_),
            .cwnd = cwnd(),
            .inflight = inflight_,
            .reward = reward_};
  }

  void decide(Time now) {
    switch (policy_) {
      case Policy::neutral:
        return;
      case Policy::rule:
        return follow_rule(now);
      case Policy::network:
      case Policy::trained:
        return cap_to(agent_->act(seen_, period(now)));
    }
  }

  // Half while over the target, a quarter more while below half of it; after a cut, a round trip until it shows.
  void follow_rule(Time now) {
    const double above = mean_rtt_s_ - least_rtt_s_;
    if (now < shows_from_) return;
    if (above > room_s()) {
      cap_to(kCut);
      shows_from_ = now + srtt_;
    } else if (above < kLiftBelow * room_s()) {
      cap_to(kLift);
    }
  }

  void cap_to(double action) {
    action_ = action;
    const auto cap = static_cast<int64_t>(factor_of(kActBase, action) * static_cast<double>(cwnd().v / mss_.v) + 1e-9);
    cap_ = mss_ * std::clamp(cap, kLeastCap, kMostCap);
  }

  void end_period(Time now) {
    if (meter_.samples() > 0) {
      look(now);
      decide(now);
    }
    begin_period(now);
  }

  void begin_period(Time now) {
    next_look_ = now + period_;
    meter_.restart(now);
  }

  std::unique_ptr<Controller> base_;
  Bytes mss_{};
  Policy policy_{};
  std::shared_ptr<Agent> agent_;
  Duration period_{};
  double target_s_{};

  Bytes cap_{Bytes::infinite()};
  Time next_look_{Time::never()};
  PeriodMeter meter_{};
  Duration srtt_{};
  double least_rtt_s_{};
  Bytes inflight_{};
  bool repairing_{};
  Time shows_from_{};

  bool looked_{};
  RunningScale samples_scale_{};
  RunningScale throughput_scale_{};
  RunningScale window_scale_{};
  double mean_rtt_s_{};
  double share_{};  // delay as a share of the target
  double reward_{};
  double action_{};
  std::array<float, kDeepccInputs.size()> seen_{};
};

Needs needs_of_base(const Params& params) {
  const Descriptor* base = find_cca(params.choice("base"));
  return base ? needs_of(*base, Params{base->params, {}}) : Needs{};
}

const Internals<DeepCc> DeepCc::kInternals{{
    {"base_window_packets", "window of the algorithm underneath", "packets",
     [](const DeepCc& c) { return c.packets(c.base_->cwnd()); }},
    {"cap_packets", "cap", "packets",
     [](const DeepCc& c) { return if_known(c.cap_ != Bytes::infinite(), c.packets(c.cap_)); }},
    {"limit", "what holds", "", [](const DeepCc& c) { return c.capped(); }, {"its own window", "the cap"}},
    {"action", "action", "", [](const DeepCc& c) { return if_known(c.looked_, c.action_); }},
    {"reward", "reward", "", [](const DeepCc& c) { return if_known(c.looked_, c.reward_); }},
    {"period_rtt_ms", "mean RTT of the period", "ms",
     [](const DeepCc& c) { return if_known(c.looked_, c.mean_rtt_s_ * 1e3); }},
    {"delay_share", "delay, of the target", "", [](const DeepCc& c) { return if_known(c.looked_, c.share_); }},
    {kDeepccInputs[0], "input: over the target", "", [](const DeepCc& c) { return if_known(c.looked_, c.seen_[0]); }},
    {kDeepccInputs[1], "input: under the target", "", [](const DeepCc& c) { return if_known(c.looked_, c.seen_[1]); }},
    {kDeepccInputs[2], "input: RTT samples", "", [](const DeepCc& c) { return if_known(c.looked_, c.seen_[2]); }},
    {kDeepccInputs[3], "input: throughput", "", [](const DeepCc& c) { return if_known(c.looked_, c.seen_[3]); }},
    {kDeepccInputs[4], "input: window", "", [](const DeepCc& c) { return if_known(c.looked_, c.seen_[4]); }},
}};

const RegisterCca deepcc{{
    .id = "deepcc",
    .label = "DeepCC loop",
    .family = "learning",
    .summary =
        "Believes that any algorithm suits applications that need low delay once an agent caps its window. The agent "
        "was trained here, for DeepCC's reward: the authors' own is not had. A rule or a network that you bring may "
        "move the cap instead; neutral is the algorithm underneath.",
    .source = "DeepCC (JSAC 2021); authors' release v1.0, its control loop; agent trained here",
    .identity = {.slot = 7, .marker = "star", .hollow = true},
    .needs = {.pacing = Pacing::window},
    .needs_with = needs_of_base,
    .params =
        {
            {.name = "base",
             .label = "Runs on",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"cubic", "bbr", "westwood", "illinois"},
             .help = "The algorithm under the cap, with its own defaults."},
            policy_param("Trained is the network that comes with Paceline, trained for DeepCC's reward. Neutral caps "
                         "nothing. The rule halves the cap while the RTT is over the target and lifts it by a quarter "
                         "while the delay is below half of it. A network is one that you trained."),
            weights_param("deepcc", kDeepccInputs),
            {.name = "target_ms",
             .label = "Target",
             .unit = "ms",
             .initial = 50,
             .min = 1,
             .max = 2000,
             .help =
                 "The RTT that the application asks for; below the path's least RTT, the cap stays near the least."},
            {.name = "period_ms",
             .label = "Period",
             .type = ParamType::integer,
             .unit = "ms",
             .initial = 20,
             .min = 5,
             .max = 200,
             .help = "How often the agent looks and acts; shorter than a round trip means acting before the effect is "
                     "seen."},
        },
    .internals = DeepCc::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<DeepCc>(setup, params); },
}};

}  // namespace
}  // namespace paceline
