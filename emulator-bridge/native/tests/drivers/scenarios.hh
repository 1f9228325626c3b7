#pragma once
// Random but reproducible runs: traces, rates, queues, losses, delays, flows that come and go.

#include <string>
#include <vector>

#include "core/random.hh"
#include "tests/simulation.hh"

namespace paceline::testing {

class ScenarioMaker {
 public:
  explicit ScenarioMaker(uint64_t seed) : random_{seed, 0, "scenario"} {}

  RunPlan make() {
    RunPlan plan{};
    plan.duration = Duration::seconds(random_.uniform(0.3, 4));
    plan.sample_period = Duration::seconds(random_.chance(0.5) ? 0.001 : random_.uniform(0.0005, 0.02));
    plan.seed = random_.next();
    const Duration forward = Duration::seconds(random_.chance(0.1) ? 0 : random_.uniform(0, 0.05));
    const Duration back = Duration::seconds(random_.chance(0.1) ? 0 : random_.uniform(0, 0.05));
    plan.forward = link(forward, 100);
    if (random_.chance(0.3)) plan.forward.loss = random_.uniform(0, 0.1);
    plan.reverse = random_.chance(0.4) ? link(back, 10) : constant_link(0, back);
    if (random_.chance(0.3)) plan.reverse.loss = random_.uniform(0, 0.2);
    const auto flows = 1 + random_.below(random_.chance(0.2) ? 16 : 3);
    for (uint64_t i = 0; i < flows; ++i) plan.flows.push_back(one(plan));
    return plan;
  }

 private:
  std::vector<uint32_t> trace(double opportunities_per_ms) {
    std::vector<uint32_t> counts(2 + random_.below(400));
    const bool bursty = random_.chance(0.3);
    for (auto& count : counts) {
      if (bursty && random_.chance(0.8)) continue;
      count = static_cast<uint32_t>(random_.below(1 + static_cast<uint64_t>(2 * opportunities_per_ms)));
    }
    counts.back() += 1;
    return counts;
  }

  LinkPlan link(Duration delay, double most_mbps) {
    const double mbps = random_.uniform(0.3, most_mbps);
    const Bytes limit{random_.chance(0.2) ? 0 : 1500 + static_cast<int64_t>(random_.below(300'000))};
    if (random_.chance(0.3)) return constant_link(mbps, delay, limit);
    return trace_link(trace(mbps / 12), delay, limit, static_cast<int64_t>(random_.below(500)));
  }

  void write(FlowPlan& f) {
    if (random_.chance(0.4)) {
      const auto length = [this] { return Duration::seconds(random_.uniform(0.001, 0.5)); };
      f.on_off = std::make_shared<const OnOffPlan>(
          OnOffPlan{.on = length(), .off = length(), .exponential = random_.chance(0.5)});
      return;
    }
    MessagePlan plan{.kind = random_.chance(0.5) ? MessagePlan::Kind::transfers : MessagePlan::Kind::frames,
                     .mean_bytes = Bytes{1 + static_cast<int64_t>(random_.below(200'000))},
                     .interval = Duration::seconds(random_.uniform(0.001, 0.3)),
                     .fps = random_.uniform(1, 120),
                     .rate = Rate::mbps(random_.uniform(0.1, 40)),
                     .adapts = random_.chance(0.5)};
    if (random_.chance(0.5)) plan.arrivals = MessagePlan::Arrivals::poisson;
    if (random_.chance(0.5)) plan.sizes = MessagePlan::Sizes::exponential;
    f.messages = std::make_shared<const MessagePlan>(plan);
  }

  FlowPlan one(const RunPlan& plan) {
    FlowPlan f{};
    switch (random_.below(6)) {
      case 0:
        f.cca = fixed_window(1 + static_cast<int>(random_.below(200)));
        break;
      case 1:
        f.cca = fixed_window(1 + static_cast<int>(random_.below(200)), Rate::mbps(random_.uniform(0.5, 60)));
        break;
      case 2:
        f.cca = cca("oracle");
        break;
      case 3:
        f.cca = cca("bbr");
        break;
      case 4:
        f.cca = cca("newreno");
        break;
      default:
        f.cca = cca("cubic");
    }
    f.params = Params{f.cca->params, {}};
    f.start = Time::zero() + Duration::seconds(random_.chance(0.5) ? 0 : random_.uniform(0, 0.3));
    if (random_.chance(0.3)) f.stop = f.start + Duration::seconds(random_.uniform(0.01, plan.duration.to_seconds()));
    if (random_.chance(0.3)) f.extra_rtt = Duration::seconds(random_.uniform(0, 0.1));
    f.ack_every = 1 + static_cast<int>(random_.below(4));
    if (random_.chance(0.15)) f.source_rate = Rate::mbps(random_.uniform(0.1, 20));
    if (random_.chance(0.25)) write(f);
    return f;
  }

  Random random_;
};

}  // namespace paceline::testing
