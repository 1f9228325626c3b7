#include "drivers/realtime/path.hh"

#include <unistd.h>

namespace paceline {

void RealtimePath::advance(Time to) {
  for (const Direction direction : {Direction::forward, Direction::reverse})
    way(direction).advance(
        to, [&](const Packet& packet, Time scheduled) { output_.packet_out(direction, packet, scheduled); });
}

void RealtimePath::packet_in(Direction direction, const Packet& packet, Time now) {
  way(direction).enter(packet, now,
                       [&](const Packet& p, Time scheduled) { output_.packet_out(direction, p, scheduled); });
}

void RealtimePath::apply(const LinkChange& change, Time now) {
  Way& way = this->way(change.direction);
  if (change.back_to_trace) way.back_to_planned_capacity(now);
  if (change.rate) way.set_capacity({.kind = Bottleneck::Capacity::Kind::constant, .rate = *change.rate}, now);
  if (change.delay) way.set_delay(*change.delay);
  if (change.loss) way.set_loss(*change.loss);
  if (change.limit_bytes) way.link().queue().set_limit_bytes(*change.limit_bytes);
  if (change.limit_packets) way.link().queue().set_limit_packets(*change.limit_packets);
}

void RealtimePath::take_change(int fd, Time now, RunSink& sink) {
  LinkChange change{};
  // A record is smaller than what a pipe takes or gives whole.
  if (::read(fd, &change, sizeof change) != sizeof change) return;
  apply(change, now);
  sink.event({.time = now, .event = "link_change", .detail = change.order()});
}

}  // namespace paceline
