// C2TCP version 2 (Abbasloo, Xu, Chao: "C2TCP: A Flexible Cellular TCP to Meet Stringent Delay Requirements"; the authors' kernel
// patch c2tcp-0521 and its user-space loop; docs/reference.md 6.2): Cubic, cut to one packet when the delay stays above
// a setpoint, with CoDel's timing. The window is Cubic's own (cca/cubic.cc), only moved from outside.

#include <algorithm>
#include <array>
#include <cmath>

#include "cca/adjustable_window.hh"
#include "cca/window_growth.hh"
#include "cca/window_params.hh"

namespace paceline {
namespace {

constexpr double kDecrease = 2;    // of alpha, per relative excess over the target
constexpr double kIncrease = 0.5;  // and per relative distance below it

class C2tcp final : public OnWindow {
 public:
  C2tcp(const Setup& setup, const Params& params)
      : OnWindow{setup, params},
        controlled_{params.flag("alpha_control")},
        alpha_{params.number("alpha_init")},
        alpha_min_{params.number("alpha_min")},
        alpha_max_{std::max(params.number("alpha_max"), alpha_min_)},
        target_ms_{params.number("target_ms")},
        period_{Duration::millis(params.integer("control_period_ms"))},
        fixed_setpoint_ms_{params.integer("v1_setpoint_ms")} {}

  void on_ack(const AckEvent& ack) override {
    base_->on_ack(ack);
    if (!ack.rtt) return;
    if (next_control_.is_never() && controlled_) next_control_ = ack.now + period_;
    const double rtt_ms = ack.rtt->to_millis();
    sum_ms_ += rtt_ms;
    ++samples_;
    least_ms_ = std::min(least_ms_, whole_ms(rtt_ms));
    watch(ack, whole_ms(rtt_ms));
  }

  // The user-space loop: moves the setpoint so that the mean RTT meets the application's target.
  void on_tick(Time now) override {
    next_control_ = now + period_;
    if (samples_ == 0) return;
    const double mean = sum_ms_ / static_cast<double>(samples_);
    const double target = target_ms_ > 0 ? target_ms_ : 2 * static_cast<double>(least_ms_);
    alpha_ *= mean > target ? 1 - kDecrease * (mean - target) / mean : 1 + kIncrease * (target - mean) / mean;
    alpha_ = std::clamp(alpha_, alpha_min_, alpha_max_);
    sum_ms_ = 0;
    samples_ = 0;
  }
  [[nodiscard]] Time next_tick() const override { return next_control_; }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<C2tcp> kInternals;

 private:
  static constexpr int64_t kUnknown = int64_t{1} << 40;

  // The patch computes in whole milliseconds.
  static int64_t whole_ms(double ms) { return std::max<int64_t>(static_cast<int64_t>(ms), 1); }

  [[nodiscard]] int64_t setpoint_ms() const {
    if (fixed_setpoint_ms_ > 0) return fixed_setpoint_ms_;
    return least_ms_ * static_cast<int64_t>(100 * alpha_ + 0.5) / 100;
  }

  void watch(const AckEvent& ack, int64_t rtt_ms) {
    const int64_t setpoint = setpoint_ms();
    const Duration interval = Duration::millis(setpoint);
    if (rtt_ms <= setpoint) {
      above_ = false;
      if (may_grow(ack)) base_->add_growth(setpoint / rtt_ms);  // the lower the delay, the faster
    } else if (!above_) {
      above_ = true;
      next_cut_ = ack.now + interval;
      cuts_ = 0;
    } else if (ack.now > next_cut_) {
      ++cuts_;
      next_cut_ = ack.now + scale(interval, 1 / std::sqrt(cuts_));
      base_->cut_to_one();
    }
  }

  bool controlled_{};
  double alpha_{};
  double alpha_min_{};
  double alpha_max_{};
  double target_ms_{};
  Duration period_{};
  int64_t fixed_setpoint_ms_{};

  int64_t least_ms_{kUnknown};
  bool above_{};
  Time next_cut_{};
  int cuts_{};  // in this stretch above the setpoint

  Time next_control_{Time::never()};
  double sum_ms_{};
  int64_t samples_{};
};

const Internals<C2tcp> C2tcp::kInternals = internals_on_window<C2tcp>({
    {"overshoot", "delay", "", [](const C2tcp& c) { return c.above_; }, {"within", "above the setpoint"}},
    {"setpoint_ms", "setpoint", "ms",
     [](const C2tcp& c) { return if_known(c.least_ms_ != kUnknown, c.setpoint_ms()); }},
    {"alpha", "setpoint in least RTTs", "", [](const C2tcp& c) { return c.alpha_; }},
    {"cuts", "cuts in a row", "", [](const C2tcp& c) { return c.cuts_; }},
});

const RegisterCca c2tcp{{
    .id = "c2tcp",
    .label = "C2TCP",
    .family = "cellular",
    .summary = "Believes that Cubic only needs to be stopped when the delay stays too high. Runs Cubic, adds to its "
               "growth while the "
               "RTT is below a setpoint, and cuts the window to one packet when it was above for that long, then more "
               "and more often.",
    .source = "C2TCP (IFIP Networking 2018, JSAC 2019); authors' Linux patch c2tcp-0521",
    .identity = {.slot = 3, .marker = "diamond", .hollow = true},
    .needs = {.pacing = Pacing::window},
    .needs_with = paced_if_asked,
    .params =
        {
            {.name = "alpha_init",
             .label = "Setpoint at first",
             .unit = "least RTTs",
             .initial = 2,
             .min = 1,
             .max = 10,
             .help = "The RTT above which the delay counts as too high, in least RTTs; the authors' sample script "
                     "starts at "
                     "1.5."},
            {.name = "alpha_control",
             .label = "Move the setpoint",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .help = "Lowers the setpoint while the mean RTT is above the target and raises it below; off keeps it "
                     "where it "
                     "starts."},
            {.name = "target_ms",
             .label = "Target",
             .unit = "ms",
             .initial = 0,
             .min = 0,
             .max = 2000,
             .matters_with = {"alpha_control", {"true"}},
             .help = "Mean RTT that the application asks for; 0 means twice the least RTT."},
            {.name = "alpha_min",
             .label = "Least setpoint",
             .unit = "least RTTs",
             .initial = 1,
             .min = 1,
             .max = 10,
             .matters_with = {"alpha_control", {"true"}},
             .help = "The control never goes below; at 1 every queue counts as too much."},
            {.name = "alpha_max",
             .label = "Largest setpoint",
             .unit = "least RTTs",
             .initial = 10,
             .min = 1,
             .max = 100,
             .matters_with = {"alpha_control", {"true"}},
             .help = "The control never goes above; raise it for applications that tolerate long queues."},
            {.name = "control_period_ms",
             .label = "Control period",
             .type = ParamType::integer,
             .unit = "ms",
             .initial = 500,
             .min = 10,
             .max = 10'000,
             .matters_with = {"alpha_control", {"true"}},
             .help = "How often the setpoint moves; shorter follows the channel and its noise."},
            {.name = "v1_setpoint_ms",
             .label = "Fixed setpoint (version 1)",
             .type = ParamType::integer,
             .unit = "ms",
             .initial = 0,
             .min = 0,
             .max = 2000,
             .help =
                 "A setpoint in milliseconds as in the first version, which used 100; 0 takes the one in least RTTs."},
            {.name = "base",
             .label = "Runs on",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"cubic", "reno"},
             .help = "The window algorithm that is cut; the authors patched Cubic."},
            pacing_param(),
        },
    .internals = C2tcp::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<C2tcp>(setup, params); },
}};

}  // namespace
}  // namespace paceline
