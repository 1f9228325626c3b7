// NewReno: additive increase, multiplicative decrease (RFC 5681, RFC 6582, with the window counted in packets as Linux does).

#include <cmath>

#include "cca/adjustable_window.hh"
#include "cca/hystart.hh"
#include "cca/window_growth.hh"

namespace paceline {
namespace {

class NewReno final : public AdjustableWindow {
 public:
  NewReno(const Setup& setup, const Params& params)
      : mss_{setup.mss},
        beta_{params.number("beta")},
        slow_start_limit_{params.integer("abc_limit")},
        window_{params.integer("init_cwnd"), setup.profile},
        hystart_{HyStart::rule(params.choice("hystart"), setup.profile), params.choice("pacing") == "on"} {}

  void on_sent(const SentPacket& packet) override { last_sent_ = packet.now; }

  void on_ack(const AckEvent& ack) override {
    srtt_ = ack.srtt;
    rttvar_ = ack.rttvar;
    recovering_ = ack.recovery == Recovery::entered || ack.recovery == Recovery::in;
    if (ack.recovery == Recovery::undone) window_.undo();
    if (ack.rtt) {
      hystart_.observe(*ack.rtt);
      if (window_.in_slow_start() && hystart_.on_ack(ack, window_.cwnd, mss_)) window_.ssthresh = window_.cwnd;
    }
    if (!may_grow(ack)) return;
    int64_t acked = ack.acked_packets;
    if (window_.in_slow_start()) {
      const int64_t limited = slow_start_limit_ > 0 ? std::min(acked, slow_start_limit_) : acked;
      acked = window_.slow_start(hystart_.growth(limited));
      if (window_.in_slow_start() || acked == 0) return;
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

  void on_idle_restart(Time now) override {
    window_.restart_after_idle(now - last_sent_, idle_threshold(srtt_, rttvar_));
  }

  [[nodiscard]] Bytes cwnd() const override { return window_.cwnd_bytes(mss_); }
  [[nodiscard]] Bytes ssthresh() const override { return window_.ssthresh_bytes(mss_); }

  [[nodiscard]] int64_t window() const override { return window_.cwnd; }
  [[nodiscard]] bool in_slow_start() const override { return window_.in_slow_start(); }
  void set_window(int64_t packets) override { window_.cwnd = packets; }
  void end_slow_start() override { window_.ssthresh = std::min(window_.ssthresh, window_.cwnd); }
  void add_growth(int64_t packets) override { window_.increase(window_.cwnd, packets); }
  void cut_to_one() override {
    hystart_.on_loss();
    window_.reduce_to(reduced());
    window_.cwnd = 1;
  }

  [[nodiscard]] std::string_view phase() const override {
    return recovering_ ? "recovery" : window_.in_slow_start() ? "slow start" : "avoidance";
  }

  void internals(std::span<float> out) const override {
    out[0] = recovering_ ? 2.0F : window_.in_slow_start() ? 0.0F : 1.0F;
    out[1] = window_.ssthresh == PacketWindow::kUnset ? NAN : static_cast<float>(window_.ssthresh);
  }

 private:
  [[nodiscard]] int64_t reduced() const {
    return static_cast<int64_t>(static_cast<double>(window_.cwnd) * beta_ + 1e-9);
  }

  Bytes mss_{};
  double beta_{};
  int64_t slow_start_limit_{};
  PacketWindow window_;
  HyStart hystart_;
  bool recovering_{};
  Time last_sent_{};
  Duration srtt_{};
  Duration rttvar_{};
};

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
    .needs_with =
        [](const Params& p) { return Needs{.pacing = p.choice("pacing") == "on" ? Pacing::window : Pacing::none}; },
    .params =
        {
            {.name = "init_cwnd",
             .label = "Initial window",
             .type = ParamType::integer,
             .unit = "packets",
             .initial = 10,
             .min = 1,
             .max = 100,
             .help = "Packets sent in the first round trip; smaller starts more gently, 10 is what the internet uses "
                     "(RFC 6928)."},
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
            {.name = "pacing",
             .label = "Pacing",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"on", "off"},
             .help = "Spreads packets over the round trip instead of sending bursts; Linux does so under the fq packet "
                     "scheduler."},
        },
    .internals = {{.name = "state", .label = "state", .unit = "", .states = {"slow start", "avoidance", "recovery"}},
                  {.name = "ssthresh_packets", .label = "ssthresh", .unit = "packets"}},
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<NewReno>(setup, params); },
}};

}  // namespace
}  // namespace paceline
