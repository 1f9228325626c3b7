#include "drivers/realtime_tun/tcp_flow_meter.hh"

#include <algorithm>
#include <limits>
#include <span>

#include "cca/registry.hh"
#include "core/units.hh"
#include "drivers/realtime_tun/kernel_ccas.hh"
#include "drivers/realtime_tun/kernel_internals.hh"
#include "drivers/realtime_tun/kernel_units.hh"
#include "drivers/rows.hh"

namespace paceline {

namespace {

int64_t wire_bytes(const tcp_info& info) {
  return static_cast<int64_t>(info.tcpi_bytes_sent) + kTcpHeaders * static_cast<int64_t>(info.tcpi_data_segs_out);
}

uint64_t in_flight(const tcp_info& info) {
  const int64_t packets = int64_t{info.tcpi_unacked} - info.tcpi_sacked - info.tcpi_lost + info.tcpi_retrans;
  return static_cast<uint64_t>(std::max<int64_t>(packets, 0));
}

// Nothing waits to be sent, though more might. TCP_INFO's own flag belongs to the delivery rate that it shows, which is the best seen and
// may be long ago.
bool waits_for_application(const tcp_info& info) {
  return info.tcpi_notsent_bytes < static_cast<uint32_t>(kMtu.v - kTcpHeaders) &&
         in_flight(info) < uint64_t{info.tcpi_snd_cwnd};
}

}  // namespace

TcpFlowMeter::TcpFlowMeter(int flow, const Descriptor& cca, RunSink& sink)
    : flow_{flow}, cca_{cca}, sink_{sink}, row_(telemetry::kSenderColumns.size() + cca.internals.size(), kUnknown) {}

void TcpFlowMeter::observe(const TcpInfo& info, std::optional<BbrInfo> bbr, Time now) {
  info_ = info;
  bbr_ = bbr;
  // A packet declared lost is sent again sooner or later, so losses so far are retransmissions and what still waits for one.
  const tcp_info& base = info.base;
  const uint64_t waiting = base.tcpi_lost > base.tcpi_retrans ? base.tcpi_lost - base.tcpi_retrans : 0;
  lost_ = std::max(lost_, uint64_t{base.tcpi_total_retrans} + waiting);
  events(base.tcpi_ca_state, now);
}

// States as the kernel numbers them (tcp_ca_state), which is also the order of the internal's names.
void TcpFlowMeter::events(uint8_t state, Time now) {
  constexpr uint8_t kRecovery = 3;
  constexpr uint8_t kLoss = 4;
  const uint64_t timeouts = info_.timeouts.value_or(timeouts_ + (state == kLoss && state_ != kLoss ? 1 : 0));
  if (timeouts > timeouts_) {
    timeouts_ = timeouts;
    say(now, "rto");
  }
  const bool was_repairing = state_ >= kRecovery;
  const bool repairing = state >= kRecovery;
  if (state == kRecovery && state_ != kRecovery) {
    ++episodes_;
    say(now, "loss_episode", static_cast<double>(lost_ - lost_before_episode_));
  }
  if (was_repairing && !repairing) say(now, "recovered", static_cast<double>(lost_ - lost_before_episode_));
  if (!repairing) lost_before_episode_ = lost_;
  state_ = state;
}

void TcpFlowMeter::say(Time now, std::string_view event, double value) const {
  sink_.event({.time = now, .flow = flow_, .event = event, .value = value});
}

const std::vector<float>& TcpFlowMeter::row(bool active, Duration interval, std::optional<Duration> latest_rtt) {
  const auto row = common(active, interval, latest_rtt);
  std::ranges::copy(columns_of(row), row_.begin());
  const KernelView view{.info = info_, .bbr = bbr_, .active = active};
  kernel_internals(tells_bbr(cca_)).tell(view, std::span{row_}.subspan(telemetry::kSenderColumns.size()));
  return row_;
}

telemetry::SenderRow TcpFlowMeter::common(bool active, Duration interval, std::optional<Duration> latest_rtt) {
  const tcp_info& info = info_.base;
  const bool measured = active && info.tcpi_rtt > 0 && info.tcpi_data_segs_out > 0;
  constexpr uint64_t kNoRate = std::numeric_limits<uint64_t>::max();
  constexpr uint32_t kNoMinimum = std::numeric_limits<uint32_t>::max();
  return {
      .sent_mbps = mbps(sent_growth_.of(wire_bytes(info)), interval),
      .cwnd_bytes = if_known(active, packets_to_bytes(info.tcpi_snd_cwnd)),
      .inflight_bytes = active ? packets_to_bytes(in_flight(info)) : 0,
      .pacing_mbps = if_known(active && info.tcpi_pacing_rate != kNoRate && info.tcpi_pacing_rate > 0,
                              on_wire_mbps(info, static_cast<double>(info.tcpi_pacing_rate))),
      .delivery_rate_mbps = if_known(measured && info.tcpi_delivery_rate > 0,
                                     on_wire_mbps(info, static_cast<double>(info.tcpi_delivery_rate))),
      .srtt_ms = if_known(measured, micros_to_millis(info.tcpi_rtt)),
      .latest_rtt_ms = measured && latest_rtt ? static_cast<float>(latest_rtt->to_millis()) : kUnknown,
      .min_rtt_ms = if_known(measured && info.tcpi_min_rtt != kNoMinimum, micros_to_millis(info.tcpi_min_rtt)),
      .lost_packets = static_cast<float>(lost_growth_.of(static_cast<int64_t>(lost_))),
      .retransmitted_packets = static_cast<float>(retransmitted_growth_.of(info.tcpi_total_retrans)),
      .app_limited = measured && waits_for_application(info) ? 1.0F : 0.0F,
      .rto_ms = if_known(active && info.tcpi_rto > 0, micros_to_millis(info.tcpi_rto)),
  };
}

SenderSummary TcpFlowMeter::counts() const {
  const tcp_info& info = info_.base;
  SenderSummary s{};
  s.sent_packets = info.tcpi_data_segs_out;
  s.sent_bytes = wire_bytes(info);
  s.delivered_packets = info.tcpi_delivered;
  s.lost_packets = lost_;
  s.spurious_packets = info.tcpi_dsack_dups;
  s.retransmitted_packets = info.tcpi_total_retrans;
  s.inflight_packets = in_flight(info);
  s.loss_episodes = episodes_;
  s.timeouts = timeouts_;
  return s;
}

}  // namespace paceline
