#include "drivers/summary_builder.hh"

#include <algorithm>

namespace paceline {

void SummaryBuilder::path(const EmulatedPath& path, Time now) {
  for (const LinkSummary& summary : path.summaries(now)) link(summary);
}

void SummaryBuilder::sender(std::size_t flow, const Sender& sender) {
  sent(flow, counts_of(sender));
  rtts(flow, stats_of(sender.rtts()));
  offered(flow, sender.source());
}

void SummaryBuilder::receiver(std::size_t flow, const Receiver& receiver, const ReceiverMeter& meter, Bytes in_time,
                              const std::optional<MessageMeter>& messages) {
  received(flow, meter.counts(receiver), in_time);
  if (messages) whole_messages(flow, messages->summary());
}

void SummaryBuilder::received(std::size_t flow, const ReceiverSummary& counts, Bytes in_time) {
  const FlowPlan& plan = plan_.flows[flow];
  received(flow, counts, in_time, std::max(plan_.end_of(plan) - plan.start, Duration::zero()));
}

void SummaryBuilder::received(std::size_t flow, const ReceiverSummary& counts, Bytes in_time, Duration running) {
  ReceiverSummary& of_flow = receivers_[flow];
  auto messages = std::move(of_flow.messages);
  of_flow = counts;
  of_flow.flow = static_cast<int64_t>(flow);
  of_flow.throughput_mbps = Rate::of(in_time, running).to_mbps();
  of_flow.messages = std::move(messages);
}

SenderSummary SummaryBuilder::summary_of(std::size_t flow, const Sent& sent) const {
  const FlowPlan& plan = plan_.flows[flow];
  SenderSummary s = sent.counts;
  s.flow = static_cast<int64_t>(flow);
  if (plan.cca) s.cca = plan.cca->id;
  s.rtt = sent.rtts;
  const Duration base_rtt = plan_.base_rtt(plan);
  if (s.rtt.count > 0 && base_rtt.ns > 0) s.delay_inflation = s.rtt.mean_ms / base_rtt.to_millis();
  s.messages = sent.messages;
  return s;
}

RunSummary SummaryBuilder::build() const {
  RunSummary s{.duration_s = plan_.duration.to_seconds(),
               .base_rtt_ms = plan_.base_rtt().to_millis(),
               .links = links_,
               .fairness = fairness_,
               .lateness = lateness_};
  for (const auto& [flow, sent] : senders_) s.senders.push_back(summary_of(flow, sent));
  for (const auto& [flow, received] : receivers_) s.receivers.push_back(received);
  return s;
}

}  // namespace paceline
