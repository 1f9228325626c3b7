// Prague, the scalable congestion control of L4S (prague_cc.cpp of the L4S team's udp_prague): follows the share of
// marked packets instead of single losses, so that a queue that marks at a millisecond keeps the link full.

#include "cca/prague.hh"

#include <algorithm>
#include <cmath>

namespace paceline {

Prague::Prague(const Setup& setup, const Params& params)
    : packet_{static_cast<double>(setup.mss.v)},
      reference_rtt_s_{params.number("ref_rtt_ms") * 1e-3},
      gain_{params.number("alpha_gain")},
      growth_s_{params.number("growth_ms") * 1e-3},
      most_rate_{params.number("max_rate_mbps") * kBytesPerMegabit},
      window_{kInitialWindow * packet_},
      rounds_to_growth_{kLeastRounds},
      alpha_began_{setup.now} {}

void Prague::on_ack(const AckEvent& ack) {
  if (ack.rtt) {
    const double sample = std::max(kLeastRtt, ack.rtt->to_seconds());
    srtt_s_ = srtt_s_ > 0 ? srtt_s_ + (sample - srtt_s_) / 8 : sample;
  }
  if (srtt_s_ <= 0 || ack.acked_packets == 0) return;
  newest_ = std::max(newest_, ack.newest_number);
  next_ = ack.next_number;
  received_ += ack.acked_packets;
  marked_ += ack.ce_packets;
  if (state_ == State::start) {
    window_ = rate_ * srtt_s_;
    state_ = State::increase;
  }
  choose_mode();
  update_alpha(ack.now);
  if (ack.recovery == Recovery::undone) undo();
  leave_reduction(ack.now);
  // What the application did not fill says nothing about the path.
  if (state_ != State::after_loss && !ack.rate.app_limited)
    grow(static_cast<double>(ack.acked_packets - std::min(ack.acked_packets, ack.ce_packets)));
  if (state_ == State::increase && ack.ce_packets > 0) reduce_for_marks(ack.now);
  align();
  fast_half_ = (ack.now - alpha_began_).to_seconds() < virtual_rtt_s() / 2;
}

void Prague::on_loss(const LossEvent& loss) {
  if (loss.packet_count == 0 || state_ == State::start) return;
  leave_reduction(loss.now);
  if (state_ == State::after_loss) return;
  // After this many round trips a flow at the reference RTT would be back at the same bottleneck.
  const double rounds = std::floor(rate_ / 2 / packet_ * reference_rtt_s_ * reference_rtt_s_ / virtual_rtt_s());
  rounds_added_ = std::min(rounds, rounds_added_ + rounds - rounds_to_growth_);
  rounds_to_growth_ = rounds;
  lost_window_ = window_ / 2;
  lost_rate_ = rate_ / 2;
  window_ -= lost_window_;
  rate_ -= lost_rate_;
  reduced(State::after_loss, loss.now);
  align();
}

void Prague::on_timeout(const TimeoutEvent& timeout) {
  state_ = State::start;
  alpha_ = 0;
  alpha_began_ = timeout.now;
  rate_ = kInitialRate;
  window_ = packet_;
  lost_window_ = lost_rate_ = rounds_added_ = 0;
  start_packets_ = 1;
  fast_half_ = true;
}

Bytes Prague::cwnd() const {
  const double packets =
      state_ == State::start ? start_packets_ : std::max(kLeastWindow, std::floor(window_ * kPaceOffset / packet_) + 1);
  return Bytes{static_cast<int64_t>(packets * packet_)};
}

Rate Prague::pacing_rate() const { return {8 * rate_ * (fast_half_ ? kPaceOffset : 1 / kPaceOffset)}; }

Bytes Prague::send_quantum() const {
  return Bytes{static_cast<int64_t>(packet_ * std::max(1.0, std::floor(rate_ * kBurst / packet_)))};
}

std::string_view Prague::phase() const {
  constexpr std::array<std::string_view, 4> kNames{"start", "increase", "after marks", "after loss"};
  return kNames[static_cast<std::size_t>(state_)];
}

// A round trip of 2 ms or less, or less than a packet's interval, is too unsteady to divide by: the rate is then kept itself.
void Prague::choose_mode() {
  const bool by_rate = srtt_s_ <= kUnsteadyRtt || srtt_s_ <= packet_ / rate_;
  if (by_rate_ && !by_rate) window_ = rate_ * srtt_s_;
  by_rate_ = by_rate;
}

// Once a window and a virtual round trip are over.
void Prague::update_alpha(Time now) {
  if (newest_ < alpha_end_ || (now - alpha_began_).to_seconds() < virtual_rtt_s()) return;
  share_ = std::min(1.0, static_cast<double>(marked_) / static_cast<double>(received_));
  alpha_ += gain_ * (share_ - alpha_);
  received_ = marked_ = 0;
  alpha_end_ = next_;
  alpha_began_ = now;
  rounds_to_growth_ = std::max(0.0, rounds_to_growth_ - 1);
}

void Prague::grow(double packets) {
  const double faster = rounds_to_growth_ > 0 ? 0 : rate_ * growth_s_;
  const double increment = std::max(packet_, faster);  // bytes per virtual round trip
  if (by_rate_) {
    rate_ += packets * increment / virtual_rtt_s() * packet_ / (rate_ * virtual_rtt_s());
  } else {
    const double shorter = srtt_s_ / virtual_rtt_s();
    window_ += packets * packet_ * increment * shorter * shorter / window_;
  }
}

void Prague::reduce_for_marks(Time now) {
  rounds_to_growth_ = std::floor(rate_ / kRateStep) + kLeastRounds;
  window_ *= 1 - alpha_ / 2;
  rate_ *= 1 - alpha_ / 2;
  reduced(State::after_marks, now);
}

void Prague::reduced(State state, Time now) {
  state_ = state;
  reduction_end_ = next_;
  reduced_at_ = now;
}

// One reduction per window and virtual round trip.
void Prague::leave_reduction(Time now) {
  if (state_ != State::after_loss && state_ != State::after_marks) return;
  if (newest_ >= reduction_end_ && (now - reduced_at_).to_seconds() >= virtual_rtt_s()) state_ = State::increase;
}

// The packets were late, not lost.
void Prague::undo() {
  if (lost_window_ <= 0) return;
  window_ += lost_window_;
  rate_ += lost_rate_;
  rounds_to_growth_ = std::max(0.0, rounds_to_growth_ - rounds_added_);
  lost_window_ = lost_rate_ = rounds_added_ = 0;
  state_ = State::increase;
}

// The rate follows the window, or the window the rate.
void Prague::align() {
  if (!by_rate_) rate_ = window_ / srtt_s_;
  rate_ = std::clamp(rate_, kInitialRate, most_rate_);
  window_ = rate_ * srtt_s_;
}

const Internals<Prague> Prague::kInternals{{
    {"state",
     "state",
     "",
     [](const Prague& c) { return c.state_; },
     {"start", "increase", "after marks", "after loss"}},
    {"mode", "controlled by its", "", [](const Prague& c) { return c.by_rate_; }, {"window", "rate"}},
    {"alpha", "marks: averaged (alpha)", "", [](const Prague& c) { return c.alpha_; }},
    {"ce_share", "marks: of the last round trip", "", [](const Prague& c) { return c.share_; }},
    {"window_packets", "window, in fractions", "packets", [](const Prague& c) { return c.window_ / c.packet_; }},
    {"virtual_rtt_ms", "virtual RTT", "ms",
     [](const Prague& c) { return if_known(c.srtt_s_ > 0, c.virtual_rtt_s() * 1e3); }},
    {"rounds_to_growth", "round trips until faster growth", "round trips",
     [](const Prague& c) { return c.rounds_to_growth_; }},
}};

namespace {

const RegisterCca prague{{
    .id = "prague",
    .label = "Prague",
    .family = "scalable",
    .summary = "Believes the share of packets that a low-latency queue (L4S) marked: once per round trip it gives up "
               "half of that share, "
               "and adds a packet otherwise. Short round trips count as 25 ms, so that they take no more than their "
               "share. Needs a "
               "queue that marks, DualPI2 for example; elsewhere it is a slow Reno.",
    .source = "udp_prague (prague_cc.cpp) of the L4S team; draft-briscoe-iccrg-prague-congestion-control",
    .identity = {.slot = 1, .marker = "star", .hollow = false},
    .needs = {.pacing = Pacing::own, .paced_start = true, .prr = false, .ecn = Ecn::l4s},
    .params =
        {
            {.name = "ref_rtt_ms",
             .label = "Reference RTT",
             .unit = "ms",
             .initial = 25,
             .min = 1,
             .max = 200,
             .help =
                 "Flows with a shorter round trip grow and yield as if theirs were this long; smaller is quicker on "
                 "short paths and takes more from flows on longer ones."},
            {.name = "alpha_gain",
             .label = "Weight of the latest marks",
             .unit = "",
             .initial = 0.0625,
             .min = 0.01,
             .max = 1,
             .help =
                 "Share of the averaged marking that the latest round trip makes up; larger follows the queue faster "
                 "and more nervously."},
            {.name = "growth_ms",
             .label = "Growth after quiet",
             .unit = "ms",
             .initial = 1,
             .min = 0,
             .max = 25,
             .help =
                 "Once unmarked for long it adds as much as the link carries in this time, each round trip; 0 keeps to "
                 "one packet."},
            {.name = "max_rate_mbps",
             .label = "Greatest rate",
             .unit = "Mbps",
             .initial = 100'000,
             .min = 1,
             .max = 100'000,
             .help = "It never sends faster than this."},
        },
    .internals = Prague::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Prague>(setup, params); },
}};

}  // namespace
}  // namespace paceline
