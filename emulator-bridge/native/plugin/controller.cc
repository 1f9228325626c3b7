#include "plugin/controller.hh"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/fail.hh"

namespace paceline {
namespace {

constexpr int64_t kNeverNs = PACELINE_NEVER;
constexpr int64_t kNotKnown = PACELINE_UNKNOWN;
static_assert(Bytes::infinite().v == kNeverNs && Time::never().ns == kNeverNs);

int64_t known(const std::optional<Duration>& time) { return time ? time->ns : kNotKnown; }
int64_t whole(uint64_t number) { return static_cast<int64_t>(number); }

int64_t transport_of(TransportProfile profile) {
  switch (profile) {
    case TransportProfile::tcp:
      return PACELINE_TRANSPORT_TCP;
    case TransportProfile::quic:
      return PACELINE_TRANSPORT_QUIC;
    case TransportProfile::quic_grow_underutilised:
      return PACELINE_TRANSPORT_QUIC_GROW;
  }
  return PACELINE_TRANSPORT_TCP;
}

int64_t recovery_of(Recovery recovery) {
  switch (recovery) {
    case Recovery::none:
      return PACELINE_RECOVERY_NONE;
    case Recovery::entered:
      return PACELINE_RECOVERY_ENTERED;
    case Recovery::in:
      return PACELINE_RECOVERY_IN;
    case Recovery::timeout:
      return PACELINE_RECOVERY_TIMEOUT;
    case Recovery::exited:
      return PACELINE_RECOVERY_EXITED;
    case Recovery::undone:
      return PACELINE_RECOVERY_UNDONE;
  }
  return PACELINE_RECOVERY_NONE;
}

double value_of(const paceline_param& spec, const Params& params) {
  switch (spec.type) {
    case PACELINE_PARAM_INTEGER:
      return static_cast<double>(params.integer(spec.name));
    case PACELINE_PARAM_BOOLEAN:
      return params.flag(spec.name) ? 1 : 0;
    case PACELINE_PARAM_CHOICE: {
      const std::span<const char* const> choices{spec.choices, spec.choice_count};
      return static_cast<double>(std::ranges::find(choices, params.choice(spec.name)) - choices.begin());
    }
    default:
      return params.number(spec.name);
  }
}

}  // namespace

PluginController::PluginController(const paceline_algorithm& algorithm, const PhaseOf& phase_of, const Setup& setup,
                                   const Params& params)
    : algorithm_{&algorithm},
      phase_of_{&phase_of},
      state_{algorithm},
      control_{.cwnd_bytes = setup.mss.v * setup.initial_window_packets,
               .ssthresh_bytes = kNeverNs,
               .pacing_bps = 0,
               .send_quantum_bytes = 0,
               .hold_until_ns = 0,
               .next_tick_ns = kNeverNs,
               .tag = 0,
               .limits_itself = 0,
               .media_bps = 0,
               .phase = -1},
      now_{setup.now},
      receiver_timestamps_{(algorithm.needs & PACELINE_NEEDS_RECEIVER_TIMESTAMPS) != 0},
      values_(algorithm.internal_count) {
  std::vector<double> values;
  for (const paceline_param& spec : std::span{algorithm.params, algorithm.param_count})
    values.push_back(value_of(spec, params));
  Random random = setup.random;
  const paceline_setup told{
      .now_ns = setup.now.ns,
      .mss_bytes = setup.mss.v,
      .initial_window_packets = setup.initial_window_packets,
      .transport = transport_of(setup.profile),
      .handshake_rtt_ns = setup.handshake_rtt > Duration::zero() ? setup.handshake_rtt.ns : kNotKnown,
      .seed = random.next(),
  };
  state_.make(told, values.data(), control_);
  check();
}

void PluginController::on_sent(const SentPacket& packet) {
  now_ = packet.now;
  if (algorithm_->on_sent == nullptr) return;
  const paceline_sent told{
      .now_ns = packet.now.ns,
      .number = whole(packet.number),
      .bytes = packet.size.v,
      .retransmission = packet.retransmission ? 1 : 0,
      .app_limited = packet.app_limited ? 1 : 0,
      .inflight_before_bytes = packet.inflight_before.v,
      .inflight_bytes = packet.inflight.v,
  };
  algorithm_->on_sent(state_.get(), &told, &control_);
  check();
}

void PluginController::on_ack(const AckEvent& ack) {
  now_ = ack.now;
  acked_.clear();
  for (const AckedPacket& packet : ack.packets)
    acked_.push_back({.number = whole(packet.number),
                      .bytes = packet.size.v,
                      .sent_ns = packet.sent.ns,
                      .rtt_ns = packet.rtt.ns,
                      .one_way_ns = receiver_timestamps_ ? packet.one_way.ns : kNotKnown,
                      .delivered_at_send_bytes = packet.delivered_at_send.v,
                      .tag = whole(packet.tag),
                      .retransmission = packet.retransmission ? 1 : 0});
  const paceline_ack told{
      .now_ns = ack.now.ns,
      .acked_bytes = ack.acked_bytes.v,
      .acked_packets = ack.acked_packets,
      .rtt_ns = known(ack.rtt),
      .one_way_ns = known(ack.one_way),
      .srtt_ns = ack.srtt.ns,
      .rttvar_ns = ack.rttvar.ns,
      .min_rtt_ns = ack.min_rtt.ns,
      .newest_number = whole(ack.newest_number),
      .next_number = whole(ack.next_number),
      .rate_valid = ack.rate.valid ? 1 : 0,
      .rate_bps = ack.rate.rate.bps,
      .rate_interval_ns = ack.rate.interval.ns,
      .rate_delivered_bytes = ack.rate.delivered.v,
      .rate_prior_delivered_bytes = ack.rate.prior_delivered.v,
      .rate_inflight_bytes = ack.rate.tx_inflight.v,
      .rate_lost_bytes = ack.rate.lost.v,
      .rate_app_limited = ack.rate.app_limited ? 1 : 0,
      .delivered_bytes = ack.delivered.v,
      .lost_bytes = ack.lost.v,
      .inflight_before_bytes = ack.inflight_before.v,
      .inflight_bytes = ack.inflight.v,
      .lost_packets = ack.lost_packets,
      .window_limited = ack.window_limited ? 1 : 0,
      .delayed = ack.delayed ? 1 : 0,
      .ce_packets = ack.ce_packets,
      .recovery = recovery_of(ack.recovery),
      .next_send_ns = ack.next_send.ns,
  };
  algorithm_->on_ack(state_.get(), &told, acked_.data(), acked_.size(), &control_);
  check();
}

void PluginController::on_loss(const LossEvent& loss) {
  now_ = loss.now;
  if (algorithm_->on_loss == nullptr) return;
  lost_.clear();
  for (const LostPacket& packet : loss.packets)
    lost_.push_back({.number = whole(packet.number),
                     .bytes = packet.size.v,
                     .sent_ns = packet.sent.ns,
                     .tag = whole(packet.tag),
                     .inflight_at_send_bytes = packet.inflight_at_send.v,
                     .delivered_at_send_bytes = packet.delivered_at_send.v,
                     .lost_at_send_bytes = packet.lost_at_send.v,
                     .app_limited = packet.app_limited ? 1 : 0});
  const paceline_loss told{
      .now_ns = loss.now.ns,
      .lost_bytes = loss.bytes.v,
      .lost_packets = loss.packet_count,
      .new_episode = loss.new_episode ? 1 : 0,
      .inflight_before_bytes = loss.inflight_before.v,
      .inflight_bytes = loss.inflight.v,
      .total_delivered_bytes = loss.delivered.v,
      .total_lost_bytes = loss.lost.v,
  };
  algorithm_->on_loss(state_.get(), &told, lost_.data(), lost_.size(), &control_);
  check();
}

void PluginController::on_timeout(const TimeoutEvent& timeout) {
  now_ = timeout.now;
  if (algorithm_->on_timeout == nullptr) return;
  const paceline_timeout told{
      .now_ns = timeout.now.ns,
      .inflight_before_bytes = timeout.inflight_before.v,
      .inflight_bytes = timeout.inflight.v,
      .delivered_bytes = timeout.delivered.v,
      .lost_bytes = timeout.lost.v,
      .repeated = timeout.repeated ? 1 : 0,
  };
  algorithm_->on_timeout(state_.get(), &told, &control_);
  check();
}

void PluginController::on_idle_restart(Time now) {
  now_ = now;
  if (algorithm_->on_idle_restart == nullptr) return;
  algorithm_->on_idle_restart(state_.get(), now.ns, &control_);
  check();
}

void PluginController::on_tick(Time now) {
  now_ = now;
  // The end of a hold is no tick of the algorithm's.
  if (control_.next_tick_ns > now.ns) return;
  control_.next_tick_ns = kNeverNs;
  if (algorithm_->on_tick == nullptr) return;
  algorithm_->on_tick(state_.get(), now.ns, &control_);
  // One that is not later would come again at once, for ever.
  if (control_.next_tick_ns <= now.ns) control_.next_tick_ns = kNeverNs;
  check();
}

Time PluginController::next_tick() const {
  const Time held{control_.hold_until_ns > now_.ns ? control_.hold_until_ns : kNeverNs};
  return earliest(Time{control_.next_tick_ns}, held);
}

std::string_view PluginController::phase() const {
  return control_.phase < 0 ? std::string_view{} : (*phase_of_)(*algorithm_, state_.get(), control_.phase);
}

void PluginController::internals(std::span<float> out) const {
  if (algorithm_->read_internals == nullptr) return;
  std::ranges::fill(values_, NAN);
  algorithm_->read_internals(state_.get(), values_.data());
  for (std::size_t i = 0; i < values_.size(); ++i) out[i] = static_cast<float>(values_[i]);
}

// What the transport must be able to rely on.
void PluginController::check() {
  const auto wrong = [this](const std::string& what) {
    fail(std::runtime_error{std::string{algorithm_->label} + ": " + what});
  };
  if (control_.cwnd_bytes <= 0) wrong("a window of " + std::to_string(control_.cwnd_bytes) + " bytes");
  if (control_.ssthresh_bytes < 0) wrong("an ssthresh of " + std::to_string(control_.ssthresh_bytes) + " bytes");
  if (control_.send_quantum_bytes < 0) wrong("a send quantum below 0");
  for (const double rate : {control_.pacing_bps, control_.media_bps})
    if (!(rate >= 0) || std::isinf(rate)) wrong("a rate that is no number from 0");
}

}  // namespace paceline
