// Reminis ("Reminis: A Simple and Efficient Congestion Control Scheme for 5G Networks and Beyond", section IV): ordinary AIMD
// on every acknowledgement, and a Guardian that looks at the delay once per interval and rescales the window.
//
// What the paper leaves open is decided in docs/reference.md 6.5 (R1–R11); each decision is marked where it is taken.

#include <algorithm>
#include <cmath>

#include "cca/adjustable_window.hh"
#include "cca/window_params.hh"
#include "core/math.hh"

namespace paceline {
namespace {

constexpr int64_t kLeastReminisWindow = 2;                // packets (R7)
constexpr Duration kLeastInterval = Duration::millis(1);  // of a timer in user space
constexpr double kLeastMargin = 1.1;  // a threshold nearer to the least RTT than this could not be met by anything

// What the Guardian found at its last look.
enum class Zone : uint8_t { none, exploration, slowdown, mitigation };

class Reminis final : public OnWindow {
 public:
  Reminis(const Setup& setup, const Params& params)
      : OnWindow{setup, params},
        mss_{setup.mss},
        random_{setup.random},
        aimd_{params.flag("aimd")},
        slow_start_again_{params.flag("slow_start_again")},
        relative_{params.choice("dtt_mode") == "multiple"},
        multiple_{params.number("dtt_factor")},
        absolute_{Duration::seconds(params.number("dtt_ms") / 1e3)},
        si_factor_{params.number("si_factor")},
        statistic_{params.choice("d_stat")},
        variance_below_zero_{params.choice("sigma_mode") == "abs"},
        first_is_least_{params.choice("first_d") == "mrtt"},
        mu_limit_{params.number("mu_clamp")},
        whole_packets_{params.flag("int_cwnd")} {}

  void on_sent(const SentPacket& packet) override {
    inflight_ = packet.inflight;
    if (packet.inflight_before == Bytes::zero()) waiting_since_ = packet.now;
    base_->on_sent(packet);
  }

  void on_ack(const AckEvent& ack) override {
    recovering_ = ack.recovery == Recovery::entered || ack.recovery == Recovery::in;
    if (aimd_ || (starting_ && base_->in_slow_start()) || recovering_ || ack.recovery == Recovery::undone)
      base_->on_ack(ack);
    inflight_ = ack.inflight;
    waiting_since_ = ack.now;
    if (ack.rtt) least_rtt_ = ack.min_rtt;
    if (ack.rtt && interval_end_.is_never()) begin_interval(ack.now);
    limited_ |= ack.window_limited;
    if (!ack.rtt) return;
    sum_ms_ += ack.rtt->to_millis();
    ++samples_;
    last_ms_ = ack.rtt->to_millis();
    lowest_ms_ = samples_ == 1 ? last_ms_ : std::min(lowest_ms_, last_ms_);
  }

  void on_loss(const LossEvent& loss) override {
    inflight_ = loss.inflight;
    if (!loss.new_episode) return;
    recovering_ = true;
    starting_ = false;
    if (!aimd_) return base_->end_slow_start();
    base_->on_loss(loss);
    excess_ = 0;
  }

  void on_timeout(const TimeoutEvent& timeout) override {
    inflight_ = timeout.inflight;
    recovering_ = false;
    starting_ = true;
    base_->on_timeout(timeout);
    excess_ = 0;
  }

  void on_tick(Time now) override {
    if (const std::optional<double> d = delay(now)) judge(*d, now);
    begin_interval(now);
  }
  [[nodiscard]] Time next_tick() const override { return interval_end_; }

  [[nodiscard]] Bytes cwnd() const override { return base_->cwnd() + Bytes::packets(excess_, mss_); }

  [[nodiscard]] std::string_view phase() const override {
    return recovering_ ? "recovery" : base_->in_slow_start() ? "slow start" : "guarded";
  }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Reminis> kInternals;

 private:
  [[nodiscard]] float if_judged(double value) const { return if_known(zone_ != Zone::none, value); }

  // R6: follows the least RTT down.
  [[nodiscard]] double threshold_ms() const {
    const double least = least_rtt_.to_millis();
    return relative_ ? least * multiple_ : std::max(absolute_.to_millis(), least * kLeastMargin);
  }

  // 1 at the least RTT, 0 at the threshold, negative beyond (equation 1).
  [[nodiscard]] double safe_zone(double d_ms) const {
    const double least = least_rtt_.to_millis();
    return 1 - (d_ms - least) / (threshold_ms() - least);
  }

  // R3: the paper's variance mu/4 has no meaning below zero.
  [[nodiscard]] double variance() const { return (variance_below_zero_ ? std::abs(mu_) : std::max(mu_, 0.0)) / 4; }

  void begin_interval(Time now) {
    interval_end_ = now + std::max(scale(least_rtt_, si_factor_), kLeastInterval);
    samples_ = 0;
    sum_ms_ = 0;
    limited_ = false;
  }

  // The interval's delay (R1). Without an acknowledgement the wait for one is the delay, once it is over the threshold (R2).
  [[nodiscard]] std::optional<double> delay(Time now) const {
    if (samples_ > 0)
      return statistic_ == "mean"   ? sum_ms_ / static_cast<double>(samples_)
             : statistic_ == "last" ? last_ms_
                                    : lowest_ms_;
    const double waited = (now - waiting_since_).to_millis();
    if (inflight_ > Bytes::zero() && waited > threshold_ms()) return waited;
    return std::nullopt;
  }

  void judge(double d, Time now) {
    if (!compared_) {  // R4: against what the first delay is held
      compared_ = true;
      d_ms_ = first_is_least_ ? least_rtt_.to_millis() : d;
      judged_ = now - std::max(scale(least_rtt_, si_factor_), kLeastInterval);
    }
    gradient_ = (d - d_ms_) / (now - judged_).to_millis();  // R5: without unit
    d_ms_ = d;
    judged_ = now;
    mu_ = std::clamp(mu_ - gradient_, -mu_limit_, mu_limit_);

    if (d > threshold_ms()) {
      zone_ = Zone::mitigation;
      safe_zone_ = safe_zone(d);
      rescale(0.5 * exact::exp2(safe_zone_));
    } else if (gradient_ > 0) {
      zone_ = Zone::slowdown;
      safe_zone_ = safe_zone(d + gradient_ * si_factor_ * least_rtt_.to_millis());
      rescale(exact::exp2(std::min(0.0, safe_zone_)));
    } else {
      zone_ = Zone::exploration;
      safe_zone_ = safe_zone(d);
      // the draw is made whether or not it is used, so that it depends on the zones alone
      const double x = mu_ + std::sqrt(variance()) * random_.normal();
      const double factor = exact::exp2(1 / (1 + exact::exp(-x)));
      rescale(limited_ ? factor : 1);  // an unused window says nothing about the path
    }
    if (zone_ == Zone::exploration) return;
    if (starting_ || !slow_start_again_) base_->end_slow_start();  // R9
    starting_ = false;
  }

  void rescale(double factor) {
    if (recovering_) factor = 1;  // the window is PRR's until the losses are repaired, whatever is written to it
    factor_ = factor;
    if (factor == 1) return;
    const double window = (static_cast<double>(base_->window()) + excess_) * factor;
    const auto whole = std::max(static_cast<int64_t>(window), kLeastReminisWindow);
    base_->set_window(whole);
    excess_ = whole_packets_ ? 0 : std::clamp(window - static_cast<double>(whole), 0.0, 1.0);  // R10
  }

  Bytes mss_{};
  Random random_;
  bool aimd_{};
  bool slow_start_again_{};
  bool relative_{};
  double multiple_{};
  Duration absolute_{};
  double si_factor_{};
  std::string_view statistic_{};
  bool variance_below_zero_{};
  bool first_is_least_{};
  double mu_limit_{};
  bool whole_packets_{};

  // The interval under way.
  Time interval_end_{Time::never()};
  int64_t samples_{};
  double sum_ms_{};
  double last_ms_{};
  double lowest_ms_{};
  bool limited_{};
  bool recovering_{};
  Time waiting_since_{};  // for an acknowledgement
  Bytes inflight_{};
  Duration least_rtt_{};
  bool starting_{true};  // the first slow start, or the one after a timeout

  // The last judgement.
  Zone zone_{};
  bool compared_{};
  Time judged_{};
  double d_ms_{};
  double gradient_{};
  double mu_{};
  double safe_zone_{};
  double factor_{1};
  double excess_{};  // the part of the window below a whole packet
};

const Internals<Reminis> Reminis::kInternals{{
    {"zone", "zone", "", [](const Reminis& c) { return c.zone_; }, {"none", "exploration", "slowdown", "mitigation"}},
    {"interval_delay_ms", "delay: of the interval", "ms", [](const Reminis& c) { return c.if_judged(c.d_ms_); }},
    {"gradient", "gradient of the delay", "", [](const Reminis& c) { return c.if_judged(c.gradient_); }},
    {"mu", "µ", "", [](const Reminis& c) { return c.if_judged(c.mu_); }},
    {"sigma_squared", "σ²", "", [](const Reminis& c) { return c.if_judged(c.variance()); }},
    {"safe_zone", "SafeZone", "", [](const Reminis& c) { return c.if_judged(c.safe_zone_); }},
    {"factor", "factor of the window", "", [](const Reminis& c) { return c.if_judged(c.factor_); }},
    {"dtt_ms", "delay: tolerance threshold", "ms",
     [](const Reminis& c) { return if_known(!c.interval_end_.is_never(), c.threshold_ms()); }},
    {"mrtt_ms", "delay: least RTT", "ms",
     [](const Reminis& c) { return if_known(!c.interval_end_.is_never(), c.least_rtt_.to_millis()); }},
}};

const RegisterCca reminis{{
    .id = "reminis",
    .label = "Reminis",
    .family = "cellular",
    .summary = "Believes that an application tolerates a certain delay, and that within it 5G capacity has to be tried "
               "out. Every two least RTTs it multiplies its window: by a random factor up to 2 while the delay is low "
               "and falls, down when the threshold comes near, to less than half beyond it. In between it grows and "
               "shrinks like Cubic.",
    .source = "Reminis (papers/reminis, section IV)",
    .identity = {.slot = 7, .marker = "square", .hollow = true},
    .needs = {.pacing = Pacing::window},
    .needs_with = paced_if_asked,
    .params =
        {
            {.name = "dtt_mode",
             .label = "Delay threshold given as",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"multiple", "absolute"},
             .help =
                 "A multiple of the least RTT seen (the paper's default), or milliseconds that the application names."},
            {.name = "dtt_factor",
             .label = "Threshold as a multiple",
             .unit = "least RTTs",
             .initial = 1.5,
             .min = 1.1,
             .max = 20,
             .matters_with = {"dtt_mode", {"multiple"}},
             .help = "Delay tolerance threshold in least RTTs; 1.5 is the paper's default, 2 its throughput version."},
            {.name = "dtt_ms",
             .label = "Threshold in milliseconds",
             .unit = "ms",
             .initial = 60,
             .min = 1,
             .max = 1000,
             .matters_with = {"dtt_mode", {"absolute"}},
             .help = "Delay tolerance threshold in absolute mode; the paper tries 20 ms at the edge to 300 ms, and 30, "
                     "40 and "
                     "60 ms in the field."},
            {.name = "aimd",
             .label = "AIMD between the looks",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .help = "Grow on acknowledgements and reduce at losses between the Guardian's looks; off leaves slow "
                     "start and "
                     "timeouts only, as in the paper's figure 12."},
            {.name = "base",
             .label = "AIMD of",
             .type = ParamType::choice,
             .unit = "",
             .initial = 1,
             .choices = {"reno", "cubic"},
             .help = "What runs between the looks; the paper says standard AIMD, which is Reno's. A stock kernel runs "
                     "Cubic, and with it the paper's figures are met."},
            {.name = "slow_start_again",
             .label = "Slow start after a cut",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 0,
             .max = 1,
             .help = "What the Guardian cuts after the first slow start is climbed back by AIMD; on: by slow start, as "
                     "where a program writes a kernel's window and leaves its threshold alone."},
            pacing_param(),
            {.name = "si_factor",
             .label = "Interval between looks",
             .unit = "least RTTs",
             .initial = 2,
             .min = 0.5,
             .max = 4,
             .help = "How often the Guardian looks. The paper says one least RTT, with which a queue that overshoots "
                     "is punished two or three times; with two, an action shows before the next and the paper's "
                     "figures are met."},
            {.name = "d_stat",
             .label = "Delay of an interval",
             .type = ParamType::choice,
             .unit = "",
             .initial = 1,
             .choices = {"mean", "last", "min"},
             .help = "Which of an interval's RTTs the Guardian goes by; the paper does not say."},
            {.name = "sigma_mode",
             .label = "Spread while µ is negative",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"abs", "clamp0"},
             .help =
                 "The paper's variance µ/4 is negative there: take it without its sign, or draw without any spread."},
            {.name = "first_d",
             .label = "First delay is compared with",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"mrtt", "sample"},
             .matters_with = {"d_stat", {"mean", "last"}},
             .help = "The least RTT, or the first sample itself, which slow start may have inflated and which makes "
                     "exploration bolder for good."},
            {.name = "mu_clamp",
             .label = "Bounds of µ",
             .unit = "",
             .initial = 8,
             .min = 0.1,
             .max = 100,
             .help = "µ adds up all changes of delay; an outage must not saturate it for long."},
            {.name = "int_cwnd",
             .label = "Whole packets only",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 0,
             .max = 1,
             .help = "Cuts the window down to whole packets each time, as a kernel would; matters for windows of a few "
                     "packets."},
        },
    .internals = Reminis::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Reminis>(setup, params); },
}};

}  // namespace
}  // namespace paceline
