#include "drivers/queue_by_flow.hh"

namespace paceline {

void QueueByFlow::change(Direction direction, const Packet& packet, Time now, int sign) {
  if (direction == Direction::reverse) return;
  while (next_ <= now) close(next_);
  Flow& flow = flows_[packet.flow];
  move_on(flow, now);
  flow.bytes += sign * static_cast<int64_t>(packet.size);
}

void QueueByFlow::close(Time end) {
  for (Flow& flow : flows_) {
    move_on(flow, end);
    flow.means.push_back(flow.integral / static_cast<double>((end - begin_).ns));
    flow.integral = 0;
  }
  begin_ = end;
  next_ = end + period_;
}

void QueueByFlow::finish(Time end) {
  while (next_ <= end) close(next_);
  if (begin_ < end) close(end);
}

}  // namespace paceline
