#include "embed/episode.hh"

#include "core/fail.hh"
#include "embed/loops.hh"
#include "manifest/manifest.hh"
#include "program/refusal.hh"
#include "telemetry/virtual_run.hh"
#include "trace/trace.hh"

namespace paceline {
namespace {

constexpr uint64_t kMostEvents = 1U << 20U;

Rate capacity_in(const RunPlan& plan, Time until, Duration lasted) {
  const Bottleneck::Capacity& capacity = plan.forward.capacity;
  if (capacity.kind != Bottleneck::Capacity::Kind::trace) return capacity.rate;
  // In whole milliseconds, as traces are.
  return capacity_before(*capacity.trace, capacity.offset_ms, until, std::max(lasted, Duration::millis(1)));
}

}  // namespace

// Whoever is asked is somewhere else: the run waits where it is.
class Episode::Outside final : public Agent {
 public:
  Outside(Episode& episode, std::size_t flow) : episode_{episode}, flow_{flow} {}
  double act(std::span<const float> seen, const AgentPeriod& period) override {
    episode_.decision_ = {.flow = flow_,
                          .seen = seen,
                          .period = period,
                          .capacity = capacity_in(*episode_.plan_, period.now, period.lasted)};
    episode_.fiber_.pause();
    return episode_.action_;
  }

 private:
  Episode& episode_;
  std::size_t flow_;
};

struct Episode::Nobody final : RunSink {
  void samples(uint16_t, Time, std::span<const float>) override {}
};

Episode::Episode(std::string_view manifest, Shelf& shelf, std::span<const uint32_t> agents)
    : plan_{std::make_unique<RunPlan>(plan_of(json_of(manifest, "the manifest"), shelf, Engine::virtual_time))},
      fiber_{[this] { run(); }} {
  for (std::size_t flow = 0; flow < plan_->flows.size(); ++flow)
    if (const Descriptor& cca = *plan_->flows[flow].cca; !cca.revision.empty())
      fail(Refusal{"flows." + std::to_string(flow),
                   std::string{cca.label} + " was added to the engine, and runs in no episode"});
  for (const uint32_t flow : agents) {
    if (flow >= plan_->flows.size())
      fail(Refusal{"agents", "there is no flow " + std::to_string(flow) + " in this run"});
    FlowPlan& planned = plan_->flows[flow];
    if (loop_inputs(*planned.cca).empty())
      fail(Refusal{"agents", "nobody can decide about flow " + std::to_string(flow) + ": " +
                                 std::string{planned.cca->label} + " has no loop"});
    if (planned.agent) fail(Refusal{"agents", "flow " + std::to_string(flow) + " is there twice"});
    agents_.push_back(std::make_unique<Outside>(*this, flow));
    planned.agent = agents_.back().get();
  }
  // Nobody looks at samples, so that the run stops for none.
  plan_->sample_period = plan_->duration;
}

Episode::~Episode() = default;

void Episode::run() {
  Nobody nobody;
  const auto simulation = start_simulation(*plan_, nobody);
  while (simulation->advance(kMostEvents)) {
  }
  summary_ = summary_message(simulation->summary()).dump();
}

const Decision* Episode::next(double action) {
  action_ = action;
  fiber_.resume();
  return fiber_.over() ? nullptr : &decision_;
}

}  // namespace paceline
