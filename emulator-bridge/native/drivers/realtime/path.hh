#pragma once
// The modelled path as the drivers in real time have it: both directions go on together, and packets come out by calls.

#include "drivers/plan.hh"
#include "drivers/realtime/link_change.hh"
#include "drivers/sink.hh"
#include "path/emulated_path.hh"

namespace paceline {

// Where packets come out, with the time for which they were scheduled, and where they are gone: dropped or lost.
class PathOutput : public PathHost {
 public:
  virtual void packet_out(Direction direction, const Packet& packet, Time scheduled) = 0;
};

class RealtimePath : public EmulatedPath {
 public:
  // Packets have a flow from 0 to `flows` - 1. `flows_by_tag`: see QueueSetup.
  RealtimePath(const RunPlan& plan, std::size_t flows, PathOutput& output, bool flows_by_tag = false)
      : EmulatedPath{plan.forward, plan.reverse, way_setup(plan, Direction::forward, flows, flows_by_tag),
                     way_setup(plan, Direction::reverse, flows, flows_by_tag), output},
        output_{output} {}

  // Serves everything due up to and including `to`.
  void advance(Time to);
  // Something reaches the path; everything due before must have been served.
  void packet_in(Direction direction, const Packet& packet, Time now);
  // Everything due before must have been served.
  void apply(const LinkChange& change, Time now);
  // The same of a change that can be read from `fd`; tells it.
  void take_change(int fd, Time now, RunSink& sink);

 private:
  PathOutput& output_;
};

}  // namespace paceline
