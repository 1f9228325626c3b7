#pragma once
// The one place where a run's summary comes together. Every part of a driver tells what it knows, in any order; what follows from the
// plan is added here.

#include <map>
#include <optional>
#include <vector>

#include "drivers/plan.hh"
#include "metrics/fairness.hh"
#include "metrics/flow_meters.hh"
#include "metrics/message_meter.hh"
#include "metrics/summary.hh"
#include "path/emulated_path.hh"

namespace paceline {

class SummaryBuilder {
 public:
  explicit SummaryBuilder(const RunPlan& plan) : plan_{plan} {}

  // Both directions up to `now`; the reverse one if it is one that can hold packets up.
  void path(const EmulatedPath& path, Time now);
  void link(const LinkSummary& link) { links_.push_back(link); }

  void sender(std::size_t flow, const Sender& sender);
  // What was counted of a sender; whose it is, its RTTs and its messages are told by others. The last word counts: the sender's own
  // comes after what the link saw of it.
  void sent(std::size_t flow, const SenderSummary& counts) { senders_[flow].counts = counts; }
  void rtts(std::size_t flow, const DelayStats& rtts) { senders_[flow].rtts = rtts; }
  void offered(std::size_t flow, const Source& source) {
    senders_[flow].messages = offered_messages(plan_, flow, source);
  }

  // `in_time`: what had arrived when the flow stopped.
  void receiver(std::size_t flow, const Receiver& receiver, const ReceiverMeter& meter, Bytes in_time,
                const std::optional<MessageMeter>& messages);
  // What was counted of a receiver, of which `in_time` came while the flow ran: from its start to its stop, unless it ended by itself.
  void received(std::size_t flow, const ReceiverSummary& counts, Bytes in_time);
  void received(std::size_t flow, const ReceiverSummary& counts, Bytes in_time, Duration running);
  void whole_messages(std::size_t flow, const std::optional<ReceivedMessages>& messages) {
    receivers_[flow].messages = messages;
  }

  void fairness(FairnessMeter& meter, Time now) { fairness_ = meter.summary(now); }
  void lateness(const LatenessSummary& lateness) { lateness_ = lateness; }

  [[nodiscard]] RunSummary build() const;

 private:
  struct Sent {
    SenderSummary counts{};
    DelayStats rtts{};
    std::optional<OfferedMessages> messages{};
  };

  [[nodiscard]] SenderSummary summary_of(std::size_t flow, const Sent& sent) const;

  const RunPlan& plan_;
  std::vector<LinkSummary> links_{};
  std::map<std::size_t, Sent> senders_{};
  std::map<std::size_t, ReceiverSummary> receivers_{};
  std::vector<FairnessSummary> fairness_{};
  std::optional<LatenessSummary> lateness_{};
};

}  // namespace paceline
