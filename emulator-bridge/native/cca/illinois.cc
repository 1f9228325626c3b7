// TCP-Illinois (Liu, Başar, Srikant, 2006; Linux net/ipv4/tcp_illinois.c): loss decides that the window shrinks, delay by how
// much, and how fast it grows again.

#include <algorithm>
#include <cmath>

#include "cca/registry.hh"
#include "cca/window_controller.hh"
#include "cca/window_params.hh"

namespace paceline {
namespace {

class Illinois final : public WindowController<> {
 public:
  Illinois(const Setup& setup, const Params& params)
      : WindowController{setup, params},
        most_alpha_{params.number("alpha_max")},
        least_beta_{params.number("beta_min")},
        theta_{params.integer("theta")},
        alpha_{most_alpha_} {}

  void on_ack(const AckEvent& ack) override {
    follow(ack);
    if (ack.recovery == Recovery::undone) window_.undo();
    if (ack.rtt) {
      base_rtt_ = std::min(base_rtt_, *ack.rtt);
      largest_rtt_ = std::max(largest_rtt_, *ack.rtt);
      round_sum_ += *ack.rtt;
      ++round_samples_;
    }
    if (recovering_ || ack.acked_packets == 0) return;
    if (ack.newest_number >= round_end_) {
      round_end_ = ack.next_number;
      adapt();
    }
    if (!may_grow(ack)) return;
    int64_t acked = ack.acked_packets;
    if (slow_start(acked)) return;
    // All that was acknowledged since the last growth counts with the alpha of now, as in Linux: when the queue is gone, what was
    // saved up with a small alpha is spent at once.
    credit_ += acked;
    const double growth = static_cast<double>(credit_) * alpha_ / static_cast<double>(window_.cwnd);
    if (growth >= 1) {
      window_.cwnd += static_cast<int64_t>(growth);
      credit_ = 0;
    }
  }

  void on_loss(const LossEvent& loss) override {
    if (!loss.new_episode) return;
    recovering_ = true;
    window_.reduce_to(reduced());
    credit_ = 0;
  }

  void on_timeout(const TimeoutEvent& timeout) override {
    recovering_ = false;
    window_.collapse(reduced(), timeout, mss_);
    alpha_ = kBaseAlpha;
    beta_ = kBaseBeta;
    low_rounds_ = 0;
    seen_queue_ = false;
    forget_round();
    credit_ = 0;
  }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Illinois> kInternals;

 private:
  static constexpr double kLeastAlpha = 0.3;
  static constexpr double kBaseAlpha = 1;
  static constexpr double kBaseBeta = 0.5;
  static constexpr int64_t kSmallWindow = 15;  // packets: below it, plain Reno
  // Where alpha starts to fall, and beta to rise and to be full: shares of the largest queueing delay.
  static constexpr double kLowDelay = 0.01;
  static constexpr double kBetaFrom = 0.1;
  static constexpr double kBetaTo = 0.8;

  [[nodiscard]] int64_t reduced() const {
    const auto cwnd = static_cast<double>(window_.cwnd);
    return static_cast<int64_t>(cwnd - cwnd * beta_ + 1e-9);
  }

  void forget_round() {
    round_sum_ = Duration::zero();
    round_samples_ = 0;
  }

  // Once per round trip.
  void adapt() {
    if (window_.cwnd < kSmallWindow) {
      alpha_ = kBaseAlpha;
      beta_ = kBaseBeta;
    } else if (round_samples_ > 0) {
      const double mean = round_sum_.to_seconds() / round_samples_ - base_rtt_.to_seconds();
      const double largest = (largest_rtt_ - base_rtt_).to_seconds();
      round_delay_ms_ = static_cast<float>(mean * 1e3);
      adapt_alpha(mean, largest);
      beta_ = mean <= kBetaFrom * largest ? least_beta_
              : mean >= kBetaTo * largest
                  ? kBaseBeta
                  : least_beta_ + (kBaseBeta - least_beta_) * (mean / largest - kBetaFrom) / (kBetaTo - kBetaFrom);
    }
    forget_round();
  }

  void adapt_alpha(double mean, double largest) {
    const double low = kLowDelay * largest;
    if (mean <= low) {
      // After a queue has been seen, one quiet round trip is no proof that it is gone.
      if (seen_queue_ && ++low_rounds_ < theta_) return;
      low_rounds_ = 0;
      seen_queue_ = false;
      alpha_ = most_alpha_;
      return;
    }
    seen_queue_ = true;
    low_rounds_ = 0;
    const double span = largest - low;
    alpha_ = span * most_alpha_ / (span + (mean - low) * (most_alpha_ - kLeastAlpha) / kLeastAlpha);
  }

  double most_alpha_{};
  double least_beta_{};
  int64_t theta_{};
  double alpha_{};
  double beta_{kBaseBeta};
  int64_t credit_{};  // acknowledged packets, not yet turned into growth
  Duration base_rtt_{Duration::infinite()};
  Duration largest_rtt_{};
  Duration round_sum_{};
  int round_samples_{};
  float round_delay_ms_{NAN};
  uint64_t round_end_{};
  bool seen_queue_{};
  int64_t low_rounds_{};
};

const Internals<Illinois> Illinois::kInternals = window_internals<Illinois>({
    {"alpha", "alpha", "packets/round trip", [](const Illinois& c) { return c.alpha_; }},
    {"beta", "beta", "", [](const Illinois& c) { return c.beta_; }},
    {"queueing_delay_ms", "queueing delay: mean of the last round", "ms",
     [](const Illinois& c) { return c.round_delay_ms_; }},
    {"queueing_delay_max_ms", "queueing delay: largest", "ms",
     [](const Illinois& c) {
       return if_known(c.largest_rtt_ > Duration::zero(), (c.largest_rtt_ - c.base_rtt_).to_millis());
     }},
});

const RegisterCca illinois{{
    .id = "illinois",
    .label = "Illinois",
    .family = "loss",
    .summary =
        "Believes that a lost packet means a full queue only if delay says so, too. Adds up to ten packets per round "
        "trip while the queue is empty and a third of one when it is nearly full; gives up an eighth of its window "
        "at a loss with little delay, and half with much.",
    .source = "Liu, Başar and Srikant, VALUETOOLS 2006; Linux net/ipv4/tcp_illinois.c",
    .identity = {.slot = 0, .marker = "plus", .hollow = false},
    .needs = {.pacing = Pacing::window},
    .needs_with = paced_if_asked,
    .params =
        {
            {.name = "alpha_max",
             .label = "Largest increase",
             .unit = "packets/round trip",
             .initial = 10,
             .min = 1,
             .max = 100,
             .help = "Packets added per round trip while the queue is empty; raise it on long fat paths."},
            {.name = "beta_min",
             .label = "Least decrease",
             .unit = "",
             .initial = 0.125,
             .min = 0.01,
             .max = 0.5,
             .help = "Share of the window given up at a loss while the queue is short; lower it on lossy links."},
            {.name = "theta",
             .label = "Quiet round trips",
             .type = ParamType::integer,
             .unit = "round trips",
             .initial = 5,
             .min = 1,
             .max = 50,
             .help = "How many round trips in a row must see no queue before the increase jumps back to its largest."},
            initial_window_param(),
            pacing_param(),
        },
    .internals = Illinois::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Illinois>(setup, params); },
}};

}  // namespace
}  // namespace paceline
