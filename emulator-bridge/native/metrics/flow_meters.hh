#pragma once
// Samples and summaries of the two ends of a flow. Drivers own one of each per flow.

#include <cmath>
#include <cstdint>

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

// Without what only the run knows.
[[nodiscard]] SenderSummary counts_of(const Sender& sender);

class ReceiverMeter {
 public:
  // Every packet, also duplicates: its delay is the path's.
  void arrived(Duration one_way) {
    interval_.add(one_way);
    delays_.add(one_way);
  }
  telemetry::ReceiverRow sample(const Receiver& receiver, Duration interval);
  // Without what only the run knows.
  [[nodiscard]] static ReceiverSummary counts(const Receiver& receiver);
  [[nodiscard]] const DelayHistogram& delays() const { return delays_; }

 private:
  DelayInterval interval_{};
  DelayHistogram delays_{};
  Growth received_{};
};

}  // namespace paceline
