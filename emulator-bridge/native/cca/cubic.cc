// CUBIC (RFC 9438; Linux net/ipv4/tcp_cubic.c): the window is a cubic function of the time since the last loss.

#include <cmath>
#include <string_view>

#include "cca/cubic_curve.hh"
#include "cca/hystart.hh"
#include "cca/window_controller.hh"
#include "cca/window_params.hh"

namespace paceline {
namespace {

class Cubic final : public AdjustableWindowController {
 public:
  Cubic(const Setup& setup, const Params& params)
      : AdjustableWindowController{setup, params},
        linux_{is_linux(params.choice("profile"), setup.profile)},
        anew_when_unused_{!linux_ && params.choice("profile") != "rfc"},
        constants_{.c = params.number("C"),
                   .beta = params.number("beta"),
                   .fast_convergence = params.flag("fast_convergence"),
                   .friendliness = params.flag("friendliness")},
        linux_growth_{constants_},
        hystart_{HyStart::rule(params.choice("hystart"), setup.profile), params.choice("pacing") == "on"} {}

  void on_ack(const AckEvent& ack) override {
    follow(ack);
    if (ack.recovery == Recovery::undone) undo();
    if (ack.rtt) sample_delay(ack);
    if (may_grow(ack)) {
      grow(ack);
    } else if (!linux_ && !ack.window_limited && curve_.running) {
      if (anew_when_unused_) {
        curve_.running = false;  // quic-go and Chromium (OnApplicationLimited): from where the window then is
      } else {
        curve_.epoch_start +=
            ack.now - last_ack_;  // RFC 9438 section 5.8: the curve waits while the sender has too little to send
      }
    }
    last_ack_ = ack.now;
  }

  void on_loss(const LossEvent& loss) override {
    if (!loss.new_episode) return;
    recovering_ = true;
    hystart_.on_loss();
    reduce_curve();
    window_.reduce_to(reduced());
    fraction_ = 0;
  }

  void on_timeout(const TimeoutEvent& timeout) override {
    recovering_ = false;
    hystart_.on_timeout();
    growth_restarts_ = !linux_;
    if (!timeout.repeated) reduce_curve();
    window_.collapse(reduced(), timeout, mss_);
    fraction_ = 0;
    if (linux_) {  // bictcp_reset: forgets everything
      curve_ = {};
      linux_growth_.reset();
    }
  }

  void on_idle_restart(Time now) override {
    const Duration idle = now - last_sent_;
    AdjustableWindowController::on_idle_restart(now);
    if (curve_.running) curve_.epoch_start = std::min(now, curve_.epoch_start + idle);  // the curve waits
  }

  void set_window(int64_t packets) override {
    AdjustableWindowController::set_window(packets);
    fraction_ = 0;
  }
  void cut_to_one() override {
    hystart_.on_loss();
    reduce_curve();
    window_.reduce_to(reduced());
    set_window(1);
  }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Cubic> kInternals;

 private:
  static bool is_linux(std::string_view profile, TransportProfile transport) {
    return profile == "linux" || (profile == "stack" && transport == TransportProfile::tcp);
  }

  [[nodiscard]] double reno_window() const {
    return linux_ ? static_cast<double>(linux_growth_.reno_window()) : rfc_growth_.reno_window();
  }

  [[nodiscard]] int64_t reduced() const {
    return static_cast<int64_t>(static_cast<double>(window_.cwnd) * constants_.beta + 1e-9);
  }

  // To be called while the window is still what it was at the loss.
  void reduce_curve() {
    const double cwnd = static_cast<double>(window_.cwnd) + fraction_;
    before_loss_ = curve_;
    curve_.reduce(cwnd, constants_);
    rfc_growth_.reduced_from(cwnd);
  }

  void sample_delay(const AckEvent& ack) {
    // Linux: samples of the first second of an epoch still carry the queue of the loss
    if (linux_ && curve_.running && ack.now - curve_.epoch_start < Duration::millis(1000)) return;
    hystart_.observe(*ack.rtt);
    if (window_.in_slow_start() && hystart_.on_ack(ack, window_.cwnd, mss_)) window_.ssthresh = window_.cwnd;
  }

  void grow(const AckEvent& ack) {
    int64_t acked = ack.acked_packets;
    if (window_.in_slow_start()) {
      acked = hystart_.growth(acked);
      if (slow_start(acked)) return;
    }
    if (linux_) {
      // unknown after a timeout until the first unambiguous sample: Linux then looks no further ahead
      const Duration known = hystart_.least_rtt() == Duration::infinite() ? Duration::zero() : hystart_.least_rtt();
      const int64_t count = linux_growth_.count(ack.now, known, window_.cwnd, acked, curve_, constants_);
      window_.increase(count, acked);
      return;
    }
    const double cwnd = static_cast<double>(window_.cwnd) + fraction_;
    if (growth_restarts_) {  // RFC 9438 section 4.8: after a timeout the curve starts at its plateau
      curve_.w_max = cwnd;
      growth_restarts_ = false;
    }
    const double grown = rfc_growth_.grow(ack.now, ack.srtt, cwnd, static_cast<double>(acked), curve_, constants_);
    window_.cwnd = static_cast<int64_t>(grown);
    fraction_ = grown - static_cast<double>(window_.cwnd);
  }

  void undo() {
    window_.undo();
    if (!linux_) curve_ = before_loss_;  // Linux gives back window and ssthresh only
    growth_restarts_ = false;
  }

  bool linux_{};
  bool anew_when_unused_{};
  CubicConstants constants_{};
  CubicCurve curve_{};
  CubicCurve before_loss_{};
  LinuxCubicGrowth linux_growth_;
  RfcCubicGrowth rfc_growth_{};
  HyStart hystart_;
  double fraction_{};  // RFC profile: the part of the window below a whole packet
  bool growth_restarts_{};
  Time last_ack_{};
};

const Internals<Cubic> Cubic::kInternals = window_internals<Cubic>({
    {"w_max_packets", "W_max", "packets", [](const Cubic& c) { return if_known(c.curve_.w_max > 0, c.curve_.w_max); }},
    {"k_s", "K", "s", [](const Cubic& c) { return if_known(c.curve_.running, c.curve_.k); }},
    {"w_est_packets", "Reno's window", "packets",
     [](const Cubic& c) { return if_known(c.curve_.running, c.reno_window()); }},
});

const RegisterCca cubic{{
    .id = "cubic",
    .label = "Cubic",
    .family = "loss",
    .baseline = true,
    .summary =
        "Believes that a lost packet means a full queue. After a loss it returns quickly to just below the window "
        "where "
        "the loss happened, waits there, then probes beyond; the time since the loss counts, not the round trips.",
    .source = "RFC 9438; Linux net/ipv4/tcp_cubic.c",
    .identity = {.slot = 0, .marker = "circle", .hollow = false},
    .needs = {.pacing = Pacing::window},
    .needs_with = paced_if_asked,
    .params =
        {
            {.name = "profile",
             .label = "Profile",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"linux", "rfc", "quic-go", "stack"},
             .help =
                 "Whose arithmetic: Linux' whole packets and counters; RFC 9438 to the letter; quic-go, whose "
                 "curve begins anew whenever the window is not used; stack is Linux' over TCP, quic-go's over QUIC."},
            {.name = "C",
             .label = "Growth constant C",
             .type = ParamType::number,
             .unit = "packets/s³",
             .initial = 0.4,
             .min = 0.01,
             .max = 10,
             .help = "Steepness of the curve; raise it to come back to a lost window sooner."},
            {.name = "beta",
             .label = "Decrease factor",
             .type = ParamType::number,
             .unit = "",
             .initial = 0.7,
             .min = 0.5,
             .max = 0.9,
             .help = "Share of the window kept after a loss; raise it to give up less throughput and leave more queue "
                     "standing."},
            {.name = "fast_convergence",
             .label = "Fast convergence",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .help = "A flow whose window shrinks from loss to loss gives up a bit more, so that newcomers get their "
                     "share sooner."},
            {.name = "friendliness",
             .label = "Reno-friendly region",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .help = "Never grow slower than Reno would; matters on short or slow paths."},
            {.name = "hystart",
             .label = "Early slow-start exit",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"auto", "off", "hystart", "hystart++"},
             .help = "Ends slow start when delay rises instead of at the first loss; auto is hystart over TCP, "
                     "hystart++ over QUIC."},
            initial_window_param(),
            pacing_param(),
        },
    .internals = Cubic::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Cubic>(setup, params); },
}};

}  // namespace
}  // namespace paceline
