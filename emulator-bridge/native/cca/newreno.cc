// NewReno: additive increase, multiplicative decrease (RFC 5681, RFC 6582, with the window counted in packets as Linux does).

#include <cmath>

#include "cca/hystart.hh"
#include "cca/window_controller.hh"
#include "cca/window_params.hh"

namespace paceline {
namespace {

class NewReno final : public AdjustableWindowController {
 public:
  NewReno(const Setup& setup, const Params& params)
      : AdjustableWindowController{setup, params},
        beta_{params.number("beta")},
        slow_start_limit_{params.integer("abc_limit")},
        hystart_{HyStart::rule(params.choice("hystart"), setup.profile), params.choice("pacing") == "on"} {}

  void on_ack(const AckEvent& ack) override {
    follow(ack);
    if (ack.recovery == Recovery::undone) window_.undo();
    if (ack.rtt) {
      hystart_.observe(*ack.rtt);
      if (window_.in_slow_start() && hystart_.on_ack(ack, window_.cwnd, mss_)) window_.ssthresh = window_.cwnd;
    }
    if (!may_grow(ack)) return;
    int64_t acked = ack.acked_packets;
    if (window_.in_slow_start()) {
      acked = hystart_.growth(slow_start_limit_ > 0 ? std::min(acked, slow_start_limit_) : acked);
      if (slow_start(acked)) return;
    }
    window_.increase(window_.cwnd, acked);
  }

  void on_loss(const LossEvent& loss) override {
    if (!loss.new_episode) return;
    recovering_ = true;
    hystart_.on_loss();
    window_.reduce_to(reduced());
  }

  void on_timeout(const TimeoutEvent& timeout) override {
    recovering_ = false;
    hystart_.on_timeout();
    window_.collapse(reduced(), timeout, mss_);
  }

  void cut_to_one() override {
    hystart_.on_loss();
    window_.reduce_to(reduced());
    window_.cwnd = 1;
  }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<NewReno> kInternals;

 private:
  [[nodiscard]] int64_t reduced() const {
    return static_cast<int64_t>(static_cast<double>(window_.cwnd) * beta_ + 1e-9);
  }

  double beta_{};
  int64_t slow_start_limit_{};
  HyStart hystart_;
};

const Internals<NewReno> NewReno::kInternals = window_internals<NewReno>({});

const RegisterCca newreno{{
    .id = "newreno",
    .label = "NewReno",
    .family = "loss",
    .summary =
        "Believes that a lost packet means a full queue. Adds one packet to its window per round trip, and halves the "
        "window when a packet is lost.",
    .source = "RFC 5681, RFC 6582; Linux tcp_cong.c",
    .identity = {.slot = 1, .marker = "square", .hollow = false},
    .needs = {.pacing = Pacing::window},
    .needs_with = paced_if_asked,
    .params =
        {
            initial_window_param(),
            {.name = "beta",
             .label = "Decrease factor",
             .type = ParamType::number,
             .unit = "",
             .initial = 0.5,
             .min = 0.1,
             .max = 0.95,
             .help = "Share of the window kept after a loss; raise it to give up less throughput and leave more queue "
                     "standing."},
            {.name = "abc_limit",
             .label = "Slow-start step limit",
             .type = ParamType::integer,
             .unit = "packets",
             .initial = 0,
             .min = 0,
             .max = 64,
             .help = "Most packets added per ACK in slow start (RFC 3465); 0 means no limit, as in Linux."},
            {.name = "hystart",
             .label = "Early slow-start exit",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"off", "hystart", "hystart++"},
             .help = "Ends slow start when delay rises instead of at the first loss; Linux does this for Cubic only."},
            pacing_param(),
        },
    .internals = NewReno::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<NewReno>(setup, params); },
}};

}  // namespace
}  // namespace paceline
