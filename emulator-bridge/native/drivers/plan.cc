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

Source make_source(const RunPlan& plan, std::size_t flow) {
  const FlowPlan& f = plan.flows[flow];
  if (f.on_off) return {*f.on_off, Random{plan.seed, flow, "application"}};
  if (f.messages) return {*f.messages, Random{plan.seed, flow, "application"}};
  return Source{f.source_rate};
}

std::optional<MessageMeter> make_message_meter(const RunPlan& plan, std::size_t flow) {
  const FlowPlan& f = plan.flows[flow];
  if (!f.messages) return std::nullopt;
  return MessageMeter{f.messages->deadline, plan.end_of(f)};
}

std::optional<OfferedMessages> offered_messages(const RunPlan& plan, std::size_t flow, const Source& source) {
  const auto offered = source.offered(plan.end_of(plan.flows[flow]));
  if (!offered) return std::nullopt;
  return OfferedMessages{.count = offered->messages, .due = offered->due};
}

Setup controller_setup(const RunPlan& plan, std::size_t flow) {
  const FlowPlan& f = plan.flows[flow];
  return {
      .now = f.start, .profile = f.profile, .random = Random{plan.seed, flow, f.cca->id}, .base_rtt = plan.base_rtt(f)};
}

std::function<std::unique_ptr<Controller>(Time, Duration)> controller_when_open(const RunPlan& plan, std::size_t flow) {
  return [&plan, flow](Time now, Duration rtt) {
    Setup setup = controller_setup(plan, flow);
    setup.now = now;
    setup.handshake_rtt = rtt;
    return plan.flows[flow].cca->make(setup, plan.flows[flow].params);
  };
}

}  // namespace paceline
