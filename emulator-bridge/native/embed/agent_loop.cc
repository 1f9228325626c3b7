// The loop that nothing stands under: whoever decides has the window, and what he is shown needs no scale but the flow's own.

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "cca/policy.hh"
#include "core/math.hh"
#include "embed/loops.hh"

namespace paceline {
namespace {

constexpr std::array<std::string_view, 6> kAgentInputs{"throughput", "delay",  "delay_change",
                                                       "loss",       "window", "inflight"};
enum : std::size_t { kThroughput, kDelay, kDelayChange, kLoss, kWindow, kInflight };

constexpr double kMostAgentWindow = 1 << 20;
constexpr double kLeastAgentWindow = 2;
constexpr double kMostDelay = 100;  // least RTTs
constexpr double kMostWindow = 100;
// Without anything new to see; then a silence is over, or the timeout has come.
constexpr Duration kLookAgain = Duration::millis(1);

class AgentLoop final : public Controller {
 public:
  AgentLoop(const Setup& setup, const Params& params)
      : mss_{setup.mss},
        agent_{agent_here(setup, params, kAgentInputs)},
        period_{Duration::millis(params.integer("period_ms"))},
        packets_{static_cast<double>(setup.initial_window_packets)} {}

  void on_sent(const SentPacket& packet) override { inflight_ = packet.inflight; }
  void on_ack(const AckEvent& ack) override {
    if (next_look_.is_never()) begin_period(ack.now);
    meter_.on_ack(ack);
    inflight_ = ack.inflight;
    srtt_ = ack.srtt;
    least_rtt_ = ack.min_rtt;
  }
  void on_loss(const LossEvent& loss) override {
    meter_.on_lost(loss.bytes);
    inflight_ = loss.inflight;
  }
  // Whoever decides is not asked while nothing comes back: what is under way is not to be sent again all at once.
  void on_timeout(const TimeoutEvent& timeout) override {
    inflight_ = timeout.inflight;
    packets_ = std::max(packets_ / 2, kLeastAgentWindow);
  }
  void on_tick(Time now) override {
    if (meter_.samples() == 0) {
      next_look_ = now + kLookAgain;
      return;
    }
    if (agent_) look(now);
    begin_period(now);
  }
  [[nodiscard]] Time next_tick() const override { return next_look_; }
  [[nodiscard]] Bytes cwnd() const override { return mss_ * static_cast<int64_t>(packets_); }

 private:
  void look(Time now) {
    const double seconds = meter_.seconds(now);
    const double delivered = meter_.acked_per_s(now);
    const double mean = meter_.mean_rtt_s();
    const double least = std::max(least_rtt_.to_seconds(), 1e-9);
    best_ = std::max(best_, delivered);
    const double of_all = static_cast<double>((meter_.acked() + meter_.lost()).v);
    const double lost = of_all > 0 ? static_cast<double>(meter_.lost().v) / of_all : 0;
    const double window = static_cast<double>(cwnd().v);
    std::array<float, kAgentInputs.size()> seen{};
    const auto see = [&](std::size_t input, double value) { seen[input] = static_cast<float>(value); };
    see(kThroughput, best_ > 0 ? delivered / best_ : 0);
    see(kDelay, std::min(mean / least - 1, kMostDelay));
    see(kDelayChange, before_s_ > 0 ? std::clamp((mean - before_s_) / least, -kMostDelay, kMostDelay) : 0);
    see(kLoss, lost);
    see(kWindow, best_ > 0 ? std::min(window / (best_ * least), kMostWindow) : 0);
    see(kInflight, static_cast<double>(inflight_.v) / window);
    before_s_ = mean;
    const double action = agent_->act(seen, {.now = now,
                                             .lasted = Duration::seconds(seconds),
                                             .acked = meter_.acked(),
                                             .lost = meter_.lost(),
                                             .samples = meter_.samples(),
                                             .mean_rtt_s = mean,
                                             .srtt = srtt_,
                                             .least_rtt = least_rtt_,
                                             .cwnd = cwnd(),
                                             .inflight = inflight_,
                                             .reward = std::numeric_limits<double>::quiet_NaN()});
    packets_ = std::clamp(packets_ * exact::pow(2, std::clamp(action, -1.0, 1.0)), kLeastAgentWindow, kMostAgentWindow);
  }

  void begin_period(Time now) {
    next_look_ = now + period_;
    meter_.restart(now);
  }

  Bytes mss_{};
  std::shared_ptr<Agent> agent_;
  Duration period_{};
  double packets_{};
  Time next_look_{Time::never()};
  PeriodMeter meter_{};
  Bytes inflight_{};
  Duration srtt_{};
  Duration least_rtt_{};
  double best_{};  // bytes per second
  double before_s_{};
};

}  // namespace

Descriptor agent_loop() {
  return {
      .id = "agent",
      .label = "Agent",
      .family = "learning",
      .summary = "Believes whatever somebody outside believes, who is asked every 20 ms and has the whole window.",
      .source = "Paceline",
      .needs = {.prr = false},
      .params = {{.name = "period_ms",
                  .label = "Period",
                  .type = ParamType::integer,
                  .unit = "ms",
                  .initial = 20,
                  .min = 1,
                  .max = 10'000,
                  .help = "How often somebody is asked."},
                 agent_weights("agent", kAgentInputs)},
      .make = [](const Setup& setup, const Params& params) { return std::make_unique<AgentLoop>(setup, params); },
  };
}

}  // namespace paceline
