#pragma once
// Whole flows over one bottleneck under a discipline: the test links of docs/reference.md 0.5.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/queue/drive.hh"
#include "tests/simulation.hh"

namespace paceline::testing {

// T1: 12 Mbit/s, 1000 packets a second, 40 ms.
inline RunPlan on_t1(const std::string& queue, const Params::Given& params, std::vector<FlowPlan> flows, double seconds,
                     double mbps = 12, double rtt_ms = 40) {
  LinkPlan forward = constant_link(mbps, Duration::seconds(rtt_ms / 2e3));
  const QueueDescriptor& d = discipline(queue);
  forward.queue = {.discipline = &d, .params = Params{d.params, params}};
  RunPlan plan = one_flow(std::move(forward), flows.front(), seconds);
  plan.seed = 1;
  plan.flows = std::move(flows);
  return plan;
}

struct Outcome {
  RunSummary summary{};
  Recorder seen{};
  double rtt_ms{};
  double mbps{};

  [[nodiscard]] const LinkSummary& link() const { return summary.links.front(); }
  [[nodiscard]] double throughput(std::size_t flow) const { return summary.receivers[flow].throughput_mbps; }
  // What the flow's packets waited, without the way and their own time on the wire.
  [[nodiscard]] double wait_ms(double owd_ms) const { return owd_ms - rtt_ms / 2 - 12 / mbps; }
  // A link column, once the start is over.
  [[nodiscard]] std::vector<double> link_column(const std::string& name, double from_s) const {
    std::size_t column = 0;
    while (telemetry::kLinkColumns[column].name != name) ++column;
    std::vector<double> values;
    for (const auto& row : seen.rows.at(telemetry::kForwardLinkStream))
      if (row.time > from_s && row.values[column] == row.values[column]) values.push_back(row.values[column]);
    return values;
  }
  [[nodiscard]] double mean(const std::string& name, double from_s) const {
    const auto values = link_column(name, from_s);
    double sum = 0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
  }
  [[nodiscard]] double quantile(const std::string& name, double q, double from_s) const {
    auto values = link_column(name, from_s);
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
  }
  [[nodiscard]] double utilisation(double from_s) const {
    return mean("delivered_mbps", from_s) / mean("capacity_mbps", from_s);
  }
};

inline Outcome outcome_of(const RunPlan& plan) {
  Outcome o;
  o.rtt_ms = plan.base_rtt().to_millis();
  o.mbps = plan.forward.capacity.rate.to_mbps();
  o.summary = simulate(plan, o.seen);
  return o;
}

}  // namespace paceline::testing
