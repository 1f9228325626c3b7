#pragma once
// Samples and summaries of the two ends of a flow. Drivers own one of each per flow.

#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/histogram.hh"
#include "metrics/columns.gen.hh"
#include "metrics/interval.hh"
#include "metrics/summary.hh"
#include "transport/receiver.hh"
#include "transport/sender.hh"

namespace paceline {

class SenderMeter {
 public:
  telemetry::SenderRow sample(const Sender& sender, Duration interval);

 private:
  Growth sent_{};
  Growth lost_{};
  Growth retransmitted_{};
};

[[nodiscard]] SenderSummary summarise(const Sender& sender, int flow, std::string_view cca, Duration base_rtt);

class ReceiverMeter {
 public:
  // Every packet, also duplicates: its delay is the path's.
  void arrived(Duration one_way) {
    interval_.add(one_way);
    delays_.add(one_way);
  }
  telemetry::ReceiverRow sample(const Receiver& receiver, Duration interval);
  // Throughput counts what arrived while the flow ran: `arrived_bytes` in `running`.
  [[nodiscard]] ReceiverSummary summary(const Receiver& receiver, int flow, Bytes arrived_bytes,
                                        Duration running) const;

 private:
  DelayInterval interval_{};
  DelayHistogram delays_{};
  Growth received_{};
};

}  // namespace paceline
