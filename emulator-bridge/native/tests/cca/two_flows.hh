#pragma once
// Two flows that share one simulated bottleneck: who gets how much, and when.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tests/simulation.hh"

namespace paceline::testing {

struct FlowOf {
  std::string cca{};
  Params::Given params{};
  double start_s{};
};

struct Contest {
  double rate_mbps{12};
  double rtt_ms{40};
  double queue_packets{40};
  double duration_s{60};
  uint64_t seed{1};
  std::array<FlowOf, 2> flows{};
};

class TwoFlows {
 public:
  explicit TwoFlows(const Recorder& recorder) {
    std::size_t column = 0;
    while (telemetry::kReceiverColumns[column].name != "throughput_mbps") ++column;
    for (std::size_t flow = 0; flow < 2; ++flow) {
      const auto stream = static_cast<uint16_t>(telemetry::kFirstSenderStream + 1 + telemetry::kStreamsPerFlow * flow);
      for (const Recorder::Row& row : recorder.rows.at(stream))
        rates_[flow].push_back({row.time, static_cast<double>(row.values.at(column))});
    }
  }

  [[nodiscard]] double mean_mbps(std::size_t flow, double from_s, double to_s) const {
    double sum = 0;
    int count = 0;
    for (const auto& [time, rate] : rates_.at(flow)) {
      if (time <= from_s || time > to_s) continue;
      sum += rate;
      ++count;
    }
    return sum / count;
  }
  // Jain's index of the two.
  [[nodiscard]] double fairness(double from_s, double to_s) const {
    const double a = mean_mbps(0, from_s, to_s);
    const double b = mean_mbps(1, from_s, to_s);
    return (a + b) * (a + b) / (2 * (a * a + b * b));
  }

 private:
  struct Point {
    double time{};
    double mbps{};
  };
  std::array<std::vector<Point>, 2> rates_{};
};

inline TwoFlows run_two_flows(const Contest& contest) {
  RunPlan plan = one_flow(constant_link(contest.rate_mbps, Duration::seconds(contest.rtt_ms / 2000),
                                        Bytes{static_cast<int64_t>(contest.queue_packets * 1500)}),
                          flow(cca(contest.flows[0].cca), 1, contest.flows[0].params), contest.duration_s);
  plan.seed = contest.seed;
  plan.flows.push_back(flow(cca(contest.flows[1].cca), 1, contest.flows[1].params));
  for (std::size_t i = 0; i < 2; ++i) plan.flows[i].start = Time::zero() + Duration::seconds(contest.flows[i].start_s);
  Recorder recorder;
  simulate(plan, recorder);
  return TwoFlows{recorder};
}

}  // namespace paceline::testing
