#pragma once
// Runs one flow, or several, over one simulated bottleneck and keeps every sample: the test links of docs/reference.md 0.5.

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "drivers/virtual.hh"
#include "metrics/columns.gen.hh"

namespace paceline::testing {

inline constexpr double kPacket = 1500;

// A further flow over the same bottleneck.
struct Other {
  std::string cca{};
  Params::Given params{};
  double start_s{};
};

struct Scenario {
  std::string cca{};
  Params::Given params{};
  double rate_mbps{12};
  std::shared_ptr<const Trace> trace{};  // instead of the rate
  double rtt_ms{100};
  double queue_packets{};  // 0: no limit
  double start_s{};
  double duration_s{60};
  double loss{};
  int ack_every{1};
  TransportProfile profile{TransportProfile::tcp};
  uint64_t seed{1};
  Duration sample_period{Duration::millis(10)};
  std::vector<Other> others{};
};

struct Sample {
  double time_s{};
  telemetry::LinkRow link{};
  telemetry::SenderRow sender{};         // of the first flow
  std::vector<float> internals{};        // of the first flow
  std::vector<float> throughput_mbps{};  // of every flow, at its receiver
  [[nodiscard]] double cwnd_packets() const { return static_cast<double>(sender.cwnd_bytes) / kPacket; }
  [[nodiscard]] double inflight_packets() const { return static_cast<double>(sender.inflight_bytes) / kPacket; }
};

struct Happening {
  double time_s{};
  std::string event{};
  std::string detail{};
};

struct LinkRun {
  RunSummary summary{};
  std::vector<Sample> samples{};
  std::vector<Happening> events{};

  [[nodiscard]] const LinkSummary& link() const { return summary.links.front(); }
  [[nodiscard]] double loss_share() const {
    return static_cast<double>(link().dropped_packets) / static_cast<double>(link().arrived_packets);
  }

  template <class Of>
  [[nodiscard]] std::vector<double> values(Of&& of, double from_s = 0, double to_s = 1e9) const {
    std::vector<double> all;
    for (const Sample& s : samples)
      if (s.time_s > from_s && s.time_s <= to_s) all.push_back(static_cast<double>(of(s)));
    return all;
  }
  template <class Of>
  [[nodiscard]] double mean(Of&& of, double from_s = 0, double to_s = 1e9) const {
    const auto all = values(of, from_s, to_s);
    double sum = 0;
    for (const double v : all) sum += v;
    return sum / static_cast<double>(all.size());
  }
  template <class Of>
  [[nodiscard]] double largest(Of&& of, double from_s = 0, double to_s = 1e9) const {
    return std::ranges::max(values(of, from_s, to_s));
  }
  template <class Of>
  [[nodiscard]] double least(Of&& of, double from_s = 0, double to_s = 1e9) const {
    return std::ranges::min(values(of, from_s, to_s));
  }
  // Share of the capacity that was used.
  [[nodiscard]] double utilisation(double from_s, double to_s = 1e9) const {
    return mean([](const Sample& s) { return s.link.delivered_mbps; }, from_s, to_s) /
           mean([](const Sample& s) { return s.link.capacity_mbps; }, from_s, to_s);
  }
  [[nodiscard]] double throughput_mbps(std::size_t flow, double from_s, double to_s = 1e9) const {
    return mean([flow](const Sample& s) { return s.throughput_mbps[flow]; }, from_s, to_s);
  }
  // Jain's index of all flows' throughput.
  [[nodiscard]] double fairness(double from_s, double to_s = 1e9) const {
    double sum = 0;
    double squares = 0;
    const std::size_t flows = samples.front().throughput_mbps.size();
    for (std::size_t i = 0; i < flows; ++i) {
      const double rate = throughput_mbps(i, from_s, to_s);
      sum += rate;
      squares += rate * rate;
    }
    return sum * sum / (static_cast<double>(flows) * squares);
  }
  [[nodiscard]] std::vector<double> times_of(std::string_view event, double from_s = 0) const {
    std::vector<double> times;
    for (const auto& e : events)
      if (e.event == event && e.time_s >= from_s) times.push_back(e.time_s);
    return times;
  }
};

// A capacity that changes in steps: {until second, packets per second}. Opportunities lie on the millisecond.
inline std::shared_ptr<const Trace> steps(const std::vector<std::pair<double, double>>& parts) {
  std::vector<uint32_t> counts(1);
  double owed = 0;
  for (const auto& [until_s, packets_per_s] : parts) {
    while (static_cast<double>(counts.size()) <= until_s * 1000) {
      owed += packets_per_s / 1000;
      counts.push_back(static_cast<uint32_t>(owed + 1e-9));
      owed -= counts.back();
    }
  }
  return std::make_shared<const Trace>(std::move(counts));
}

namespace detail {

class Keeper final : public RunSink {
 public:
  Keeper(LinkRun& run, std::size_t flows) : run_{run} { now_.throughput_mbps.resize(flows); }
  void samples(uint16_t stream, Time, std::span<const float> row) override {
    if (stream == telemetry::kForwardLinkStream)
      std::memcpy(static_cast<void*>(&now_.link), row.data(), sizeof now_.link);
    if (stream == telemetry::kFirstSenderStream) {
      std::memcpy(static_cast<void*>(&now_.sender), row.data(), sizeof now_.sender);
      now_.internals.assign(row.begin() + telemetry::kSenderColumns.size(), row.end());
    }
    const std::size_t from_first = std::size_t{stream} - telemetry::kFirstReceiverStream;
    if (stream >= telemetry::kFirstReceiverStream && from_first % telemetry::kStreamsPerFlow == 0)
      now_.throughput_mbps[from_first / telemetry::kStreamsPerFlow] = row[0];  // ReceiverRow's first column
  }
  void samples_complete(Time time) override {
    now_.time_s = time.to_seconds();
    run_.samples.push_back(now_);
  }
  void event(const RunEvent& e) override {
    run_.events.push_back({e.time.to_seconds(), std::string{e.event}, std::string{e.detail}});
  }

 private:
  LinkRun& run_;
  Sample now_{};
};

}  // namespace detail

inline FlowPlan flow_plan(const Other& flow, int ack_every) {
  const Descriptor* cca = find_cca(flow.cca);
  if (!cca) throw std::invalid_argument("no such CCA: " + flow.cca);
  return {.cca = cca,
          .params = Params{cca->params, flow.params},
          .start = Time::zero() + Duration::seconds(flow.start_s),
          .ack_every = ack_every};
}

inline LinkRun run_over_link(const Scenario& s) {
  RunPlan plan;
  plan.duration = Duration::seconds(s.duration_s);
  plan.sample_period = s.sample_period;
  plan.seed = s.seed;
  plan.forward.loss = s.loss;
  plan.forward.queue.discipline = find_queue(s.queue_packets > 0 ? "droptail" : "infinite");
  if (s.queue_packets > 0) plan.forward.queue.limit_bytes = Bytes{static_cast<int64_t>(s.queue_packets * kPacket)};
  plan.forward.capacity.kind = s.trace ? Bottleneck::Capacity::Kind::trace : Bottleneck::Capacity::Kind::constant;
  plan.forward.capacity.rate = Rate::mbps(s.rate_mbps);
  plan.forward.capacity.trace = s.trace;
  plan.forward.delay = plan.reverse.delay = Duration::seconds(s.rtt_ms / 2000);
  plan.reverse.queue.discipline = find_queue("infinite");
  plan.flows.push_back(flow_plan({.cca = s.cca, .params = s.params, .start_s = s.start_s}, s.ack_every));
  plan.flows.back().profile = s.profile;
  for (const Other& other : s.others) plan.flows.push_back(flow_plan(other, s.ack_every));
  LinkRun run;
  detail::Keeper keeper{run, plan.flows.size()};
  run.summary = simulate(plan, keeper);
  return run;
}

}  // namespace paceline::testing
