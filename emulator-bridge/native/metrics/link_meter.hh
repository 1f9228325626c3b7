#pragma once
// What one direction of the bottleneck did: every packet counted, every queueing delay in the histogram of its flow.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/histogram.hh"
#include "core/packet.hh"
#include "metrics/columns.gen.hh"
#include "metrics/interval.hh"
#include "metrics/summary.hh"

namespace paceline {

class LinkMeter {
 public:
  // Figures of the summary count from `from`: the first flow's start.
  explicit LinkMeter(Time from) : from_{from}, backlog_since_{from} {}

  void lost() { ++lost_packets_; }
  void arrived() { ++arrived_packets_; }
  void dropped() { ++dropped_packets_; }
  // The queue's length changed.
  void backlog(Bytes bytes, Time now) {
    if (now > backlog_since_) {
      integral_ += static_cast<Wide>(backlog_.v) * static_cast<uint64_t>((now - backlog_since_).ns);
      backlog_since_ = now;
    }
    backlog_ = bytes;
    if (bytes > interval_peak_) interval_peak_ = bytes;
  }
  void carried(Bytes bytes) { carried_bytes_ += bytes; }
  void delivered(std::size_t flow, Duration sojourn) {
    interval_sojourn_.add(sojourn);
    sojourns_of(flow).add(sojourn);
  }
  // By a capacity without a limit.
  void delivered_at_once(std::size_t flow) {
    interval_sojourn_.add_none();
    sojourns_of(flow).add_none();
  }

  [[nodiscard]] uint64_t lost_packets() const { return lost_packets_; }
  [[nodiscard]] uint64_t arrived_packets() const { return arrived_packets_; }
  [[nodiscard]] uint64_t dropped_packets() const { return dropped_packets_; }
  [[nodiscard]] uint64_t delivered_packets() const;
  [[nodiscard]] Bytes carried_bytes() const { return carried_bytes_; }
  [[nodiscard]] Time from() const { return from_; }

  // Closes an interval. `capacity_total` is what the link has offered since the run began, `marked_packets` what its queue has marked.
  telemetry::LinkRow sample(Duration interval, double capacity_total, int64_t queued_packets, uint64_t marked_packets);

  [[nodiscard]] LinkSummary summary(Time to, double capacity_bytes, int64_t queued_packets,
                                    uint64_t marked_packets) const;

 private:
  DelayHistogram& sojourns_of(std::size_t flow) {
    if (flow >= sojourns_.size()) [[unlikely]]
      sojourns_.resize(flow + 1);
    return sojourns_[flow];
  }

  __extension__ using Wide = unsigned __int128;

  Time from_;
  uint64_t lost_packets_{};
  uint64_t arrived_packets_{};
  uint64_t dropped_packets_{};
  Bytes carried_bytes_{};
  Bytes backlog_{};
  Time backlog_since_;
  Wide integral_{};  // byte-nanoseconds
  Bytes peak_{};
  std::vector<DelayHistogram> sojourns_ =
      std::vector<DelayHistogram>(1);  // by flow; those after the last that delivered anything are not there

  Bytes interval_peak_{};
  DelayInterval interval_sojourn_{};
  double capacity_before_{};
  Growth carried_growth_{};
  Growth dropped_growth_{};
  Growth lost_growth_{};
  Growth marked_growth_{};
};

}  // namespace paceline
