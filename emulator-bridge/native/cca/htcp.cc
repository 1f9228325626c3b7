// H-TCP (Leith and Shorten, PFLDnet 2004; Linux net/ipv4/tcp_htcp.c): grows the faster, the longer the last loss is ago, and
// gives up only as much as empties the queue.

#include <algorithm>
#include <cmath>

#include "cca/htcp_path.hh"
#include "cca/registry.hh"
#include "cca/window_controller.hh"
#include "cca/window_params.hh"

namespace paceline {
namespace {

class Htcp final : public WindowController<> {
 public:
  Htcp(const Setup& setup, const Params& params)
      : WindowController{setup, params},
        rtt_scaling_{params.flag("rtt_scaling")},
        path_{params.flag("bw_switch"), setup.now} {}

  void on_ack(const AckEvent& ack) override {
    follow(ack);
    const bool open = !recovering_ && ack.recovery != Recovery::timeout;
    if (ack.recovery == Recovery::undone) {
      window_.undo();
      path_ = before_loss_;
    } else if (open && troubled_) {
      path_.restart_clock(ack.now);  // the time since the loss begins when it is repaired
    }
    troubled_ = !open;
    if (ack.rtt) path_.sample_rtt(*ack.rtt, open);
    path_.sample_rate(ack.now, ack.acked_packets, open, static_cast<double>(window_.cwnd) - std::max(alpha_, 1.0));
    if (!may_grow(ack)) return;
    int64_t acked = ack.acked_packets;
    if (slow_start(acked)) return;
    if (credit_ * alpha_ >= static_cast<double>(window_.cwnd)) {
      ++window_.cwnd;
      credit_ = 0;
      alpha_ = path_.alpha(ack.now, rtt_scaling_);
    }
    credit_ += static_cast<double>(acked);
  }

  void on_loss(const LossEvent& loss) override {
    if (!loss.new_episode) return;
    recovering_ = troubled_ = true;
    window_.reduce_to(reduced(loss.now));
  }

  void on_timeout(const TimeoutEvent& timeout) override {
    recovering_ = false;
    troubled_ = true;
    window_.collapse(timeout.repeated ? 0 : reduced(timeout.now), timeout, mss_);
  }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Htcp> kInternals;

 private:
  // A congestion event: what is kept, then how fast to grow from here.
  [[nodiscard]] int64_t reduced(Time now) {
    before_loss_ = path_;
    path_.congestion();
    alpha_ = path_.alpha(now, rtt_scaling_);
    path_.restart_clock(now);
    credit_ = 0;
    return static_cast<int64_t>(static_cast<double>(window_.cwnd) * path_.beta() + 1e-9);
  }

  bool rtt_scaling_{};
  HtcpPath path_;
  HtcpPath before_loss_{path_};
  double alpha_{1};
  double credit_{};  // acknowledged packets not yet turned into growth
  bool troubled_{};  // in an episode, or repairing a timeout
};

const Internals<Htcp> Htcp::kInternals = window_internals<Htcp>({
    {"alpha", "alpha", "packets/round trip", [](const Htcp& c) { return c.alpha_; }},
    {"beta", "beta", "", [](const Htcp& c) { return c.path_.beta(); }},
    {"rtt_min_ms", "RTT: least", "ms",
     [](const Htcp& c) { return if_known(c.path_.rtt_known(), c.path_.least_rtt().to_millis()); }},
    {"rtt_max_ms", "RTT: largest", "ms",
     [](const Htcp& c) { return if_known(c.path_.rtt_known(), c.path_.largest_rtt().to_millis()); }},
    {"rate_max_mbps", "largest rate since the loss", "Mbps",
     [](const Htcp& c) {
       return if_known(c.path_.largest_rate() > 0, c.path_.largest_rate() * static_cast<double>(c.mss_.v) * 8e-6);
     }},
});

const RegisterCca htcp{{
    .id = "htcp",
    .label = "H-TCP",
    .family = "loss",
    .summary =
        "Believes that a long time without a loss means much free capacity. Adds a packet per round trip in the first "
        "second after a loss, then more and more; at a loss it keeps the share of its window that just empties "
        "the queue.",
    .source = "Leith and Shorten, PFLDnet 2004; Linux net/ipv4/tcp_htcp.c",
    .identity = {.slot = 0, .marker = "cross", .hollow = false},
    .needs = {.pacing = Pacing::window},
    .needs_with = paced_if_asked,
    .params =
        {
            {.name = "rtt_scaling",
             .label = "Scale by the RTT",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .help = "Lets flows of different RTT grow alike in time; off grows alike in round trips."},
            {.name = "bw_switch",
             .label = "Bandwidth switch",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .help =
                 "Halves the window when the achieved rate changed by more than a fifth since the last loss, as other "
                 "flows may have come or gone; off always trusts the RTTs."},
            initial_window_param(),
            pacing_param(),
        },
    .internals = Htcp::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Htcp>(setup, params); },
}};

}  // namespace
}  // namespace paceline
