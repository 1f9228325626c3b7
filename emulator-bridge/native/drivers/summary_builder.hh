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

// A process of several knows its own flow: it tells the histograms, and where they are joined they are merged.
enum class SummaryOf : uint8_t { run, process };

class SummaryBuilder {
 public:
  explicit SummaryBuilder(const RunPlan& plan, SummaryOf what = SummaryOf::run) : plan_{plan}, what_{what} {}

  // Both directions up to `now`; the reverse one if it is one that can hold packets up.
  void path(const EmulatedPath& path, Time now);
  void link(const LinkSummary& link);

  void sender(std::size_t flow, const Sender& sender);
  // What was counted of a sender; whose it is, its RTTs and its messages are told by others. The last word counts: the sender's own
  // comes after what the link saw of it.
  void sent(std::size_t flow, const SenderSummary& counts) { senders_[flow].counts = counts; }
  void rtts(std::size_t flow, const DelayHistogram& rtts) { senders_[flow].rtts = of_flow(rtts, all_rtts_); }
  void rtts(std::size_t flow, const DelayStats& rtts) { senders_[flow].rtts = rtts; }
  void offered(std::size_t flow, const Source& source) {
    senders_[flow].messages = offered_messages(plan_, flow, source);
  }

  // `in_time`: what had arrived when the flow stopped.
  void receiver(std::size_t flow, const Receiver& receiver, const ReceiverMeter& meter, Bytes in_time,
                const std::optional<MessageMeter>& messages);
  // What was counted of a receiver (its delays and messages are told apart), of which `in_time` came while the flow ran: from its start to its stop, unless it ended by itself.
  void received(std::size_t flow, const ReceiverSummary& counts, Bytes in_time);
  void received(std::size_t flow, const ReceiverSummary& counts, Bytes in_time, Duration running);
  // The delays of every packet that came.
  void one_way(std::size_t flow, const DelayHistogram& delays) { receivers_[flow].owd = of_flow(delays, all_one_way_); }
  void one_way(std::size_t flow, const DelayStats& delays) { receivers_[flow].owd = delays; }
  void messages(std::size_t flow, const MessageMeter& meter);
  void whole_messages(std::size_t flow, const std::optional<ReceivedMessages>& messages) {
    receivers_[flow].messages = messages;
  }

  // Real time: what the ends cost.
  void sender_cpu(std::size_t flow, double seconds) { sender_cpu_s_[flow] = seconds; }
  void receiver_cpu(std::size_t flow, double seconds) { receiver_cpu_s_[flow] = seconds; }

  void fairness(FairnessMeter& meter, Time now) { fairness_ = meter.summary(now); }
  void lateness(const LatenessSummary& lateness) { lateness_ = lateness; }
  void program(const ProgramSummary& program) { programs_.push_back(program); }
  void host(const HostSummary& host) { host_ = host; }

  [[nodiscard]] RunSummary build() const;

 private:
  struct Sent {
    SenderSummary counts{};
    DelayStats rtts{};
    std::optional<OfferedMessages> messages{};
  };

  // Of several flows, and of how many of them it is known.
  struct Joined {
    DelayHistogram delays{};
    std::size_t flows{};
  };

  [[nodiscard]] DelayStats of_flow(const DelayHistogram& delays, Joined& all) const;
  [[nodiscard]] static DelayStats of_all(const Joined& all, std::size_t flows);
  [[nodiscard]] SenderSummary summary_of(std::size_t flow, const Sent& sent) const;

  const RunPlan& plan_;
  SummaryOf what_;
  std::vector<LinkSummary> links_{};
  std::map<std::size_t, Sent> senders_{};
  std::map<std::size_t, ReceiverSummary> receivers_{};
  std::map<std::size_t, double> sender_cpu_s_{};
  std::map<std::size_t, double> receiver_cpu_s_{};
  Joined all_rtts_{};
  Joined all_one_way_{};
  Joined all_messages_{};
  std::vector<FairnessSummary> fairness_{};
  std::optional<LatenessSummary> lateness_{};
  std::vector<ProgramSummary> programs_{};
  std::optional<HostSummary> host_{};
};

}  // namespace paceline
