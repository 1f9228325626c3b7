#include "drivers/ideal.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "core/fail.hh"
#include "drivers/rows.hh"
#include "drivers/summary_builder.hh"
#include "metrics/fairness.hh"
#include "metrics/interval.hh"

namespace paceline {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
using CapacityKind = Bottleneck::Capacity::Kind;

class IdealRun {
 public:
  IdealRun(const RunPlan& plan, RunSink& sink);
  RunSummary run();

 private:
  struct Flow {
    double bytes{};          // delivered so far
    double sampled_bytes{};  // at the last sample
    int64_t counted_bytes{};
  };

  [[nodiscard]] static bool active(const FlowPlan& flow, Time t) { return flow.start <= t && t < flow.stop; }
  [[nodiscard]] double offered(Time from, Time to) const;
  [[nodiscard]] Time next_boundary(Time t) const;
  void deliver(Time from, Time to);
  void edges(Time t);
  void sample(Time now);
  [[nodiscard]] RunSummary summary();

  const RunPlan& plan_;
  RunSink& sink_;
  Time end_;
  Time first_start_;
  Time sampled_{};
  double offered_total_{};  // since the run began
  double offered_sampled_{};
  double capacity_{};  // since the first flow's start
  double delivered_{};
  double delivered_sampled_{};
  std::vector<Flow> flows_;
  FairnessMeter fairness_;
};

IdealRun::IdealRun(const RunPlan& plan, RunSink& sink)
    : plan_{plan},
      sink_{sink},
      end_{Time::zero() + plan.duration},
      first_start_{plan.first_start()},
      flows_(plan.flows.size()),
      fairness_{plan.flows.size(), plan.base_rtt(), plan.last_start(), plan.first_stop()} {
  if (plan.forward.capacity.kind == CapacityKind::unlimited)
    fail(std::invalid_argument("the optimal of a link without a capacity is not defined"));
}

// Bytes offered in [from, to), which holds at most one millisecond tick: at its beginning.
double IdealRun::offered(Time from, Time to) const {
  const Bottleneck::Capacity& c = plan_.forward.capacity;
  if (c.kind == CapacityKind::constant) return c.rate.bps * static_cast<double>((std::min(to, end_) - from).ns) / 8e9;
  if (from.ns % kMillisecond != 0) return 0;
  return static_cast<double>(kMtu.v) * c.trace->at(c.offset_ms % c.trace->period_ms() + from.ns / kMillisecond);
}

Time IdealRun::next_boundary(Time t) const {
  Time next{(t.ns / kMillisecond + 1) * kMillisecond};
  for (const FlowPlan& flow : plan_.flows) {
    if (flow.start > t) next = std::min(next, flow.start);
    if (flow.stop > t) next = std::min(next, flow.stop);
  }
  return next;
}

void IdealRun::deliver(Time from, Time to) {
  const double bytes = offered(from, to);
  offered_total_ += bytes;
  if (from >= first_start_) capacity_ += bytes;
  const auto sharers = std::ranges::count_if(plan_.flows, [&](const FlowPlan& f) { return active(f, from); });
  if (sharers == 0) return;
  delivered_ += bytes;
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    if (!active(plan_.flows[i], from)) continue;
    Flow& flow = flows_[i];
    flow.bytes += bytes / static_cast<double>(sharers);
    const int64_t whole = std::llround(flow.bytes);
    fairness_.add(i, {whole - flow.counted_bytes}, from + plan_.forward.least_delay());
    flow.counted_bytes = whole;
  }
}

void IdealRun::edges(Time t) {
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    if (plan_.flows[i].start == t) sink_.event({.time = t, .flow = static_cast<int>(i), .event = "flow_start"});
    if (plan_.flows[i].stop == t) sink_.event({.time = t, .flow = static_cast<int>(i), .event = "flow_stop"});
  }
}

RunSummary IdealRun::run() {
  Time next_sample = std::min(Time::zero() + plan_.sample_period, end_);
  // What happens at the moment of a sample still belongs to it: pieces end one nanosecond later.
  const Duration tick{1};
  for (Time t{}; t <= end_;) {
    edges(t);
    const Time to = std::min(next_boundary(t), next_sample + tick);
    deliver(t, to);
    if (to == next_sample + tick) {
      sample(next_sample);
      next_sample = std::min(next_sample + plan_.sample_period, end_);
    }
    t = to;
  }
  return summary();
}

void IdealRun::sample(Time now) {
  const Duration interval = now - sampled_;
  sampled_ = now;
  const auto rate = [&](double bytes) { return static_cast<float>(bytes * 8e3 / static_cast<double>(interval.ns)); };
  const double carried = delivered_ - delivered_sampled_;
  delivered_sampled_ = delivered_;
  const float waited = carried > 0 ? 0 : kUnknown;
  const telemetry::LinkRow link{.capacity_mbps = rate(offered_total_ - offered_sampled_),
                                .delivered_mbps = rate(carried),
                                .queue_bytes = 0,
                                .queue_max_bytes = 0,
                                .queue_packets = 0,
                                .dropped_packets = 0,
                                .lost_packets = 0,
                                .sojourn_mean_ms = waited,
                                .sojourn_max_ms = waited,
                                .marked_packets = 0};
  offered_sampled_ = offered_total_;
  sink_.samples(telemetry::kForwardLinkStream, now, columns_of(link));

  for (std::size_t i = 0; i < flows_.size(); ++i) {
    Flow& flow = flows_[i];
    const double bytes = flow.bytes - flow.sampled_bytes;
    flow.sampled_bytes = flow.bytes;
    const Duration rtt = plan_.base_rtt(plan_.flows[i]);
    const auto rtt_ms = static_cast<float>(rtt.to_millis());
    const auto window = static_cast<float>(bytes * static_cast<double>(rtt.ns) / static_cast<double>(interval.ns));
    const telemetry::SenderRow sender{.sent_mbps = rate(bytes),
                                      .cwnd_bytes = window,
                                      .inflight_bytes = window,
                                      .pacing_mbps = rate(bytes),
                                      .delivery_rate_mbps = rate(bytes),
                                      .srtt_ms = rtt_ms,
                                      .latest_rtt_ms = rtt_ms,
                                      .min_rtt_ms = rtt_ms,
                                      .lost_packets = 0,
                                      .retransmitted_packets = 0,
                                      .app_limited = 0,
                                      .rto_ms = kUnknown};
    const float delay = bytes > 0 ? static_cast<float>(plan_.forward.least_delay().to_millis()) : kUnknown;
    const telemetry::ReceiverRow receiver{.throughput_mbps = rate(bytes), .owd_mean_ms = delay, .owd_max_ms = delay};
    sink_.samples(sender_stream(i), now, columns_of(sender));
    sink_.samples(receiver_stream(i), now, columns_of(receiver));
  }
  sink_.samples_complete(now);
}

// Every packet sees the same delay.
DelayStats constant_delay(uint64_t packets, Duration delay) {
  DelayStats s{};
  s.count = packets;
  if (packets > 0) s.mean_ms = s.p50_ms = s.p95_ms = s.p99_ms = s.max_ms = delay.to_millis();
  return s;
}

uint64_t packets_in(double bytes) { return static_cast<uint64_t>(bytes / static_cast<double>(kMtu.v)); }

RunSummary IdealRun::summary() {
  SummaryBuilder summary{plan_};
  LinkSummary link{};
  const Duration span = end_ - first_start_;
  link.from_s = first_start_.to_seconds();
  link.to_s = end_.to_seconds();
  link.capacity_bytes = capacity_;
  link.delivered_bytes = std::llround(delivered_);
  if (capacity_ > 0) link.utilisation = delivered_ / capacity_;
  if (span.ns > 0) link.capacity_mean_mbps = capacity_ * 8e3 / static_cast<double>(span.ns);
  link.arrived_packets = link.delivered_packets = packets_in(delivered_);
  link.queueing_delay = constant_delay(link.delivered_packets, Duration::zero());
  for (std::size_t i = 0; i < flows_.size(); ++i)
    link.flows.push_back({.flow = static_cast<int64_t>(i),
                          .queueing_delay = constant_delay(packets_in(flows_[i].bytes), Duration::zero())});
  summary.link(link);

  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const uint64_t packets = packets_in(flows_[i].bytes);
    const Bytes bytes{std::llround(flows_[i].bytes)};
    SenderSummary sent{};
    sent.sent_packets = sent.delivered_packets = packets;
    sent.spurious_packets = sent.retransmitted_packets = sent.loss_episodes = sent.timeouts = 0;
    sent.sent_bytes = bytes.v;
    if (packets > 0) sent.delay_inflation = 1;  // also where the base RTT is 0
    summary.sent(i, sent);
    summary.rtts(i, constant_delay(packets, plan_.base_rtt(plan_.flows[i])));

    ReceiverSummary received{};
    received.received_packets = packets;
    received.received_bytes = bytes.v;
    summary.received(i, received, bytes);
    summary.one_way(i, constant_delay(packets, plan_.forward.least_delay()));
  }
  summary.fairness(fairness_, end_);
  return summary.build();
}

}  // namespace

RunSummary run_ideal(const RunPlan& plan, RunSink& sink) { return IdealRun{plan, sink}.run(); }

}  // namespace paceline
