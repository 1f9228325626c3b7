#pragma once
// The exact figures of a run, as protocol/summary.ts describes them.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/histogram.hh"

namespace paceline {

// Not measured: written as null.
inline constexpr double kNotMeasured = NAN;

struct DelayStats {
  uint64_t count{};
  double mean_ms{kNotMeasured};
  double p50_ms{kNotMeasured};
  double p95_ms{kNotMeasured};
  double p99_ms{kNotMeasured};
  double max_ms{kNotMeasured};

  DelayStats() = default;
  explicit DelayStats(const DelayHistogram& h) : count{h.count()} {
    if (count == 0) return;
    mean_ms = h.mean_ms();
    p50_ms = h.percentile_ms(0.50);
    p95_ms = h.percentile_ms(0.95);
    p99_ms = h.percentile_ms(0.99);
    max_ms = h.max().to_millis();
  }
};

// What one element of a path did: entered + copied = passed + lost + held.
struct ElementSummary {
  std::string id{};
  uint64_t entered_packets{};
  uint64_t passed_packets{};
  uint64_t lost_packets{};
  uint64_t copied_packets{};
  uint64_t held_packets{};
};

struct LinkSummary {
  bool reverse{};
  double from_s{};
  double to_s{};
  double capacity_bytes{};
  int64_t delivered_bytes{};
  double utilisation{kNotMeasured};
  double capacity_mean_mbps{kNotMeasured};
  uint64_t arrived_packets{};
  uint64_t delivered_packets{};
  uint64_t dropped_packets{};
  uint64_t lost_packets{};
  uint64_t marked_packets{};
  uint64_t queued_packets{};
  DelayStats queueing_delay{};
  double queue_mean_bytes{};
  int64_t queue_max_bytes{};
  std::vector<ElementSummary> path{};  // in order; empty where the path is the usual one
};

// Of a flow whose application writes messages.
struct OfferedMessages {
  uint64_t count{};  // written before the flow's end
  uint64_t due{};    // of them, with a deadline before it
};
struct ReceivedMessages {
  uint64_t completed{};
  int64_t bytes{};
  uint64_t on_time{};
  DelayStats delay{};                    // from a message's birth to its last byte
  std::vector<double> percentiles_ms{};  // of the same, 1 to 100; none without messages
};

// What is absent nobody can know: only a sender of ours, or the kernel, tells it.
struct SenderSummary {
  int flow{};
  std::string cca{};
  uint64_t sent_packets{};
  int64_t sent_bytes{};
  uint64_t delivered_packets{};
  uint64_t lost_packets{};
  std::optional<uint64_t> spurious_packets{};
  std::optional<uint64_t> retransmitted_packets{};
  uint64_t inflight_packets{};
  std::optional<uint64_t> loss_episodes{};
  std::optional<uint64_t> timeouts{};
  DelayStats rtt{};
  double delay_inflation{kNotMeasured};
  std::optional<OfferedMessages> messages{};
};

struct ReceiverSummary {
  int flow{};
  uint64_t received_packets{};
  int64_t received_bytes{};
  uint64_t duplicate_packets{};
  double throughput_mbps{};
  DelayStats owd{};
  std::optional<ReceivedMessages> messages{};
};

struct FairnessSummary {
  int k{};
  double window_ms{};
  uint64_t windows{};
  double mean{kNotMeasured};
  double p25{kNotMeasured};
  double p50{kNotMeasured};
  double p75{kNotMeasured};
};

// How well real time kept up.
struct LatenessSummary {
  uint64_t wakeups{};
  double p50_us{};
  double p99_us{};
  double max_us{};
  // How late packets left after their scheduled time.
  double writes_p50_us{kNotMeasured};
  double writes_p99_us{kNotMeasured};
  double writes_max_us{kNotMeasured};
  double late_opportunities{};
  uint64_t unmodelled_losses{};
  bool overrun{};
};

struct RunSummary {
  double duration_s{};
  double base_rtt_ms{};
  std::vector<LinkSummary> links{};
  std::vector<SenderSummary> senders{};
  std::vector<ReceiverSummary> receivers{};
  std::vector<FairnessSummary> fairness{};
  std::vector<LatenessSummary> lateness{};  // none in virtual time, else one
};

}  // namespace paceline
