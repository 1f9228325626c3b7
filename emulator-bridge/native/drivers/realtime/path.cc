#include "drivers/realtime/path.hh"

#include <algorithm>

namespace paceline {

EmulatedPath::Way::Way(const RunPlan& plan, Direction which, std::size_t flows, PathOutput& out, bool flows_by_tag)
    : direction{which},
      output{&out},
      loss{link_of(plan, which).loss, make_loss_stream(plan, which)},
      bottleneck{link_of(plan, which).capacity, make_queue(plan, which, flows_by_tag), plan.first_start(), this},
      planned{link_of(plan, which).capacity} {
  const bool alike = which == Direction::forward ||
                     std::ranges::all_of(plan.flows, [](const FlowPlan& f) { return f.extra_rtt == Duration::zero(); });
  for (std::size_t i = 0; i < (alike ? 1 : flows); ++i) {
    extra.push_back(alike || i >= plan.flows.size() ? Duration::zero() : plan.flows[i].extra_rtt);
    lines.emplace_back(link_of(plan, which).delay + extra.back());
  }
}

void EmulatedPath::Way::advance(Time to) {
  bottleneck.advance(to, [this](const Packet& packet, Time departure) { enter_line(packet, departure); });
  for (DelayLine& line : lines)
    for (; line.next() <= to; line.pop()) output->packet_out(direction, line.front(), line.next());
}

Time EmulatedPath::Way::next() const {
  Time next = bottleneck.next();
  for (const DelayLine& line : lines) next = std::min(next, line.next());
  return next;
}

EmulatedPath::EmulatedPath(const RunPlan& plan, std::size_t flows, PathOutput& output, bool flows_by_tag)
    : forward_{plan, Direction::forward, flows, output, flows_by_tag},
      reverse_{plan, Direction::reverse, flows, output, flows_by_tag} {}

void EmulatedPath::advance(Time to) {
  forward_.advance(to);
  reverse_.advance(to);
}

Time EmulatedPath::next() const { return std::min(forward_.next(), reverse_.next()); }

void EmulatedPath::packet_in(Direction direction, const Packet& packet, Time now) {
  Way& way = of(direction);
  if (way.loss.takes_next()) {
    way.bottleneck.meter().lost();
    way.output->packet_gone(direction, packet);
    return;
  }
  if (way.observer) way.observer->arrived(direction, packet, now);
  way.bottleneck.arrive(packet, now, [&way](const Packet& p, Time departure) { way.enter_line(p, departure); });
}

void EmulatedPath::apply(const LinkChange& change, Time now) {
  Way& way = of(change.direction);
  if (change.back_to_trace) way.bottleneck.set_capacity(way.planned, now);
  if (change.rate)
    way.bottleneck.set_capacity({.kind = Bottleneck::Capacity::Kind::constant, .rate = *change.rate}, now);
  if (change.delay)
    for (std::size_t i = 0; i < way.lines.size(); ++i) way.lines[i].set_delay(*change.delay + way.extra[i]);
  if (change.loss) way.loss.set_probability(*change.loss);
  if (change.limit_bytes) way.bottleneck.queue().set_limit_bytes(*change.limit_bytes);
  if (change.limit_packets) way.bottleneck.queue().set_limit_packets(*change.limit_packets);
}

std::size_t EmulatedPath::propagating(Direction direction) const {
  const Way& way = direction == Direction::forward ? forward_ : reverse_;
  std::size_t packets = 0;
  for (const DelayLine& line : way.lines) packets += line.size();
  return packets;
}

}  // namespace paceline
