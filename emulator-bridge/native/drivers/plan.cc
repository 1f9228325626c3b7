#include "drivers/plan.hh"

namespace paceline {

const LinkPlan& link_of(const RunPlan& plan, Direction direction) {
  return direction == Direction::forward ? plan.forward : plan.reverse;
}

std::unique_ptr<QueueDiscipline> make_queue(const RunPlan& plan, Direction direction, bool flows_by_tag) {
  const QueuePlan& queue = link_of(plan, direction).queue;
  return queue.discipline->make({.limit_bytes = queue.limit_bytes,
                                 .limit_packets = queue.limit_packets,
                                 .random = Random{plan.seed, static_cast<uint64_t>(direction), "queue"},
                                 .flows_by_tag = flows_by_tag},
                                queue.params);
}

Random make_loss_stream(const RunPlan& plan, Direction direction) {
  return Random{plan.seed, static_cast<uint64_t>(direction), "loss"};
}

Setup controller_setup(const RunPlan& plan, std::size_t flow) {
  const FlowPlan& f = plan.flows[flow];
  return {
      .now = f.start, .profile = f.profile, .random = Random{plan.seed, flow, f.cca->id}, .base_rtt = plan.base_rtt(f)};
}

}  // namespace paceline
