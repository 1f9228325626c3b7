#include "drivers/summary_builder.hh"

#include <algorithm>

namespace paceline {

namespace {

std::optional<double> told_of(const std::map<std::size_t, double>& by_flow, std::size_t flow) {
  const auto found = by_flow.find(flow);
  return found == by_flow.end() ? std::nullopt : std::optional{found->second};
}

}  // namespace

void SummaryBuilder::path(const EmulatedPath& path, Time now) {
  for (const LinkSummary& summary : path.summaries(now)) link(summary);
}

// The flows of the plan, and no others that cross the link.
void SummaryBuilder::link(const LinkSummary& link) {
  LinkSummary& added = links_.emplace_back(link);
  const std::size_t told = added.flows.size();
  added.flows.resize(plan_.flows.size());
  for (std::size_t flow = told; flow < added.flows.size(); ++flow) added.flows[flow].flow = static_cast<int64_t>(flow);
}

DelayStats SummaryBuilder::of_flow(const DelayHistogram& delays, Joined& all) const {
  DelayStats stats = stats_of(delays);
  if (plan_.flows.size() < 2) return stats;
  if (what_ == SummaryOf::process) {
    stats.spread = delays.spread();
  } else {
    all.delays.merge(delays);
    ++all.flows;
  }
  return stats;
}

// Without those of one of them it would be something else.
DelayStats SummaryBuilder::of_all(const Joined& all, std::size_t flows) {
  return all.flows == flows ? stats_of(all.delays) : DelayStats{};
}

void SummaryBuilder::messages(std::size_t flow, const MessageMeter& meter) {
  ReceivedMessages received = meter.summary();
  received.delay = of_flow(meter.delays(), all_messages_);
  whole_messages(flow, received);
}

void SummaryBuilder::sender(std::size_t flow, const Sender& sender) {
  sent(flow, counts_of(sender));
  rtts(flow, sender.rtts());
  offered(flow, sender.source());
}

void SummaryBuilder::receiver(std::size_t flow, const Receiver& receiver, const ReceiverMeter& meter, Bytes in_time,
                              const std::optional<MessageMeter>& messages) {
  received(flow, ReceiverMeter::counts(receiver), in_time);
  one_way(flow, meter.delays());
  if (messages) this->messages(flow, *messages);
}

void SummaryBuilder::received(std::size_t flow, const ReceiverSummary& counts, Bytes in_time) {
  const FlowPlan& plan = plan_.flows[flow];
  received(flow, counts, in_time, std::max(plan_.end_of(plan) - plan.start, Duration::zero()));
}

void SummaryBuilder::received(std::size_t flow, const ReceiverSummary& counts, Bytes in_time, Duration running) {
  ReceiverSummary& of_flow = receivers_[flow];
  auto messages = std::move(of_flow.messages);
  auto owd = std::move(of_flow.owd);
  of_flow = counts;
  of_flow.flow = static_cast<int64_t>(flow);
  of_flow.owd = std::move(owd);
  of_flow.base_owd_ms = plan_.base_one_way(plan_.flows[flow]).to_millis();
  of_flow.base_rtt_ms = plan_.base_rtt(plan_.flows[flow]).to_millis();
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
  s.cpu_s = told_of(sender_cpu_s_, flow);
  return s;
}

RunSummary SummaryBuilder::build() const {
  RunSummary s{.duration_s = plan_.duration.to_seconds(),
               .base_rtt_ms = plan_.base_rtt().to_millis(),
               .links = links_,
               .fairness = fairness_,
               .lateness = lateness_,
               .programs = programs_,
               .host = host_};
  for (const auto& [flow, sent] : senders_) s.senders.push_back(summary_of(flow, sent));
  for (const auto& [flow, received] : receivers_)
    s.receivers.emplace_back(received).cpu_s = told_of(receiver_cpu_s_, flow);
  if (plan_.flows.size() < 2 || what_ == SummaryOf::process) return s;
  const auto writing = std::ranges::count_if(plan_.flows, [](const FlowPlan& f) { return f.messages != nullptr; });
  s.all_flows = AllFlows{.rtt = of_all(all_rtts_, plan_.flows.size()),
                         .owd = of_all(all_one_way_, plan_.flows.size()),
                         .message_delay = of_all(all_messages_, static_cast<std::size_t>(writing))};
  return s;
}

}  // namespace paceline
