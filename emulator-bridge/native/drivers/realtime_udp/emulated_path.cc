#include "drivers/realtime_udp/emulated_path.hh"

#include <algorithm>

namespace paceline {

EmulatedPath::EmulatedPath(const RunPlan& plan, PathOutput& output)
    : output_{&output},
      forward_loss_{plan.forward.loss, make_loss_stream(plan, Direction::forward)},
      reverse_loss_{plan.reverse.loss, make_loss_stream(plan, Direction::reverse)},
      forward_{plan.forward.capacity, make_queue(plan, Direction::forward), plan.first_start()},
      reverse_{plan.reverse.capacity, make_queue(plan, Direction::reverse), plan.first_start(), this},
      forward_line_{plan.forward.delay},
      next_slot_{acks_.take()} {
  for (const FlowPlan& flow : plan.flows) reverse_lines_.emplace_back(plan.reverse.delay + flow.extra_rtt);
}

void EmulatedPath::advance(Time to) {
  forward_.advance(to, [this](const Packet& packet, Time departure) { forward_line_.enter(packet, departure); });
  reverse_.advance(
      to, [this](const Packet& packet, Time departure) { reverse_lines_[packet.flow].enter(packet, departure); });
  for (; forward_line_.next() <= to; forward_line_.pop())
    output_->data_out(forward_line_.front(), forward_line_.next());
  for (DelayLine& line : reverse_lines_) {
    for (; line.next() <= to; line.pop()) {
      const auto slot = static_cast<uint32_t>(line.front().number);
      output_->ack_out(acks_[slot], line.next());
      acks_.release(slot);
    }
  }
}

Time EmulatedPath::next() const {
  Time next = std::min({forward_.next(), reverse_.next(), forward_line_.next()});
  for (const DelayLine& line : reverse_lines_) next = std::min(next, line.next());
  return next;
}

void EmulatedPath::data_in(const Packet& packet, Time now) {
  if (forward_loss_.takes_next()) {
    forward_.meter().lost();
    return;
  }
  forward_.arrive(packet, now, [this](const Packet& p, Time departure) { forward_line_.enter(p, departure); });
}

void EmulatedPath::ack_in(Time now) {
  if (reverse_loss_.takes_next()) {
    reverse_.meter().lost();
    return;  // the slot is free for the next one
  }
  const Ack& ack = acks_[next_slot_];
  const Packet packet{.number = next_slot_, .sent = now, .size = ack.wire_size(), .flow = ack.flow};
  next_slot_ = acks_.take();
  reverse_.arrive(packet, now, [this](const Packet& p, Time departure) { reverse_lines_[p.flow].enter(p, departure); });
}

void EmulatedPath::on_drop(const Packet& packet, Time) { acks_.release(static_cast<uint32_t>(packet.number)); }

}  // namespace paceline
