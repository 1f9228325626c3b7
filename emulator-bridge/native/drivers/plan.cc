#include "drivers/plan.hh"

#include "transport/sender.hh"

namespace paceline {

const LinkPlan& link_of(const RunPlan& plan, Direction direction) {
  return direction == Direction::forward ? plan.forward : plan.reverse;
}

WaySetup way_setup(const RunPlan& plan, Direction direction, std::size_t flows, bool flows_by_tag) {
  WaySetup setup{.direction = direction, .seed = plan.seed, .from = plan.first_start(), .flows_by_tag = flows_by_tag};
  if (direction == Direction::forward && plan.forward.joined)
    for (const FlowPlan& flow : plan.flows) setup.joins.push_back(plan.forward.place_of(flow.joins));
  const bool alike = direction == Direction::forward ||
                     std::ranges::all_of(plan.flows, [](const FlowPlan& f) { return f.extra_rtt == Duration::zero(); });
  if (alike) return setup;
  for (std::size_t i = 0; i < flows; ++i)
    setup.extra.push_back(i >= plan.flows.size() ? Duration::zero() : plan.flows[i].extra_rtt);
  return setup;
}

Source make_source(const RunPlan& plan, std::size_t flow) {
  const FlowPlan& f = plan.flows[flow];
  if (f.on_off) return {*f.on_off, Random{plan.seed, flow, "application"}};
  if (f.messages) return {*f.messages, Random{plan.seed, flow, "application"}};
  return Source{f.source_rate, Bytes::infinite(), f.source_missed};
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

Bytes receive_window(const FlowPlan& flow) {
  if (flow.window_limit == Bytes::zero()) return kLargestReceiveWindow;
  return kMtu * std::max(flow.window_limit.v / (kMtu.v - kTcpHeaders), int64_t{1});
}

ReceiverSetup receiver_setup(const RunPlan& plan, std::size_t flow) {
  const FlowPlan& f = plan.flows[flow];
  ReceiverSetup setup = ReceiverSetup::of(f.profile, static_cast<uint16_t>(flow), f.ack_every, f.handshake);
  if (f.linux_acks) setup.linux_rtt = plan.base_rtt(f);
  return setup;
}

Setup controller_setup(const RunPlan& plan, std::size_t flow) {
  const FlowPlan& f = plan.flows[flow];
  return {.now = f.start,
          .profile = f.profile,
          .random = Random{plan.seed, flow, f.cca->id},
          .base_rtt = plan.base_rtt(f),
          .agent = f.agent};
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
