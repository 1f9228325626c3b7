#include "metrics/link_meter.hh"

namespace paceline {

telemetry::LinkRow LinkMeter::sample(Duration interval, double capacity_total, int64_t queued_packets,
                                     uint64_t marked_packets) {
  const double capacity = capacity_total - capacity_before_;
  capacity_before_ = capacity_total;
  const telemetry::LinkRow row{
      .capacity_mbps = static_cast<float>(capacity * 8e3 / static_cast<double>(interval.ns)),
      .delivered_mbps = mbps(carried_growth_.of(carried_bytes_.v), interval),
      .queue_bytes = static_cast<float>(backlog_.v),
      .queue_max_bytes = static_cast<float>(interval_peak_.v),
      .queue_packets = static_cast<float>(queued_packets),
      .dropped_packets = static_cast<float>(dropped_growth_.of(static_cast<int64_t>(dropped_packets_))),
      .lost_packets = static_cast<float>(lost_growth_.of(static_cast<int64_t>(lost_packets_))),
      .sojourn_mean_ms = interval_sojourn_.mean_ms(),
      .sojourn_max_ms = interval_sojourn_.max_ms(),
      .marked_packets = static_cast<float>(marked_growth_.of(static_cast<int64_t>(marked_packets))),
  };
  peak_ = std::max(peak_, interval_peak_);
  interval_peak_ = backlog_;
  interval_sojourn_ = {};
  return row;
}

uint64_t LinkMeter::delivered_packets() const {
  uint64_t all = 0;
  for (const DelayHistogram& of_flow : sojourns_) all += of_flow.count();
  return all;
}

LinkSummary LinkMeter::summary(Time to, double capacity_bytes, int64_t queued_packets, uint64_t marked_packets) const {
  LinkSummary s{};
  s.from_s = from_.to_seconds();
  s.to_s = to.to_seconds();
  s.capacity_bytes = capacity_bytes;
  s.delivered_bytes = carried_bytes_.v;
  const Duration span = to - from_;
  if (capacity_bytes > 0) s.utilisation = static_cast<double>(carried_bytes_.v) / capacity_bytes;
  if (span.ns > 0) s.capacity_mean_mbps = capacity_bytes * 8e3 / static_cast<double>(span.ns);
  s.arrived_packets = arrived_packets_;
  s.delivered_packets = delivered_packets();
  s.dropped_packets = dropped_packets_;
  s.lost_packets = lost_packets_;
  s.marked_packets = marked_packets;
  s.queued_packets = static_cast<uint64_t>(queued_packets);
  DelayHistogram all{};
  for (std::size_t flow = 0; flow < sojourns_.size(); ++flow) {
    all.merge(sojourns_[flow]);
    s.flows.push_back({.flow = static_cast<int64_t>(flow), .queueing_delay = stats_of(sojourns_[flow])});
  }
  s.queueing_delay = stats_of(all);
  s.queueing_delay.spread = all.eighths();
  const Wide tail =
      to > backlog_since_ ? static_cast<Wide>(backlog_.v) * static_cast<uint64_t>((to - backlog_since_).ns) : Wide{};
  if (span.ns > 0) s.queue_mean_bytes = static_cast<double>(integral_ + tail) / static_cast<double>(span.ns);
  s.queue_max_bytes = std::max(peak_, interval_peak_).v;
  return s;
}

}  // namespace paceline
