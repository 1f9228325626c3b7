#pragma once
// Both directions of the modelled path, with their times worked out from schedules alone: what is due is served first,
// then what has arrived is admitted, and a packet leaves at the time of its opportunity plus the delay, however late
// the machine is.

#include <vector>

#include "drivers/plan.hh"
#include "drivers/realtime/link_change.hh"
#include "link/bottleneck.hh"
#include "link/delay_line.hh"
#include "link/random_loss.hh"

namespace paceline {

// Where packets come out, with the time for which they were scheduled, and where they are gone: dropped or lost.
class PathOutput {
 public:
  virtual ~PathOutput() = default;
  virtual void packet_out(Direction direction, const Packet& packet, Time scheduled) = 0;
  virtual void packet_gone(Direction direction, const Packet& packet) = 0;
};

// Hears of every packet at the two bottlenecks, in the order of the link's own time.
class PathObserver {
 public:
  virtual ~PathObserver() = default;
  virtual void arrived(Direction direction, const Packet& packet, Time now) = 0;
  virtual void departed(Direction direction, const Packet& packet, Time scheduled) = 0;
  virtual void dropped(Direction direction, const Packet& packet, Time now) = 0;
};

class EmulatedPath {
 public:
  // Packets have a flow from 0 to `flows` - 1; those of the plan have their extra RTT on the way back. `flows_by_tag`: see QueueSetup.
  EmulatedPath(const RunPlan& plan, std::size_t flows, PathOutput& output, bool flows_by_tag = false);
  EmulatedPath(const EmulatedPath&) = delete;
  EmulatedPath& operator=(const EmulatedPath&) = delete;

  void observe(PathObserver* observer) { forward_.observer = reverse_.observer = observer; }

  // Serves everything due up to and including `to`.
  void advance(Time to);
  // When something is due next, if nothing arrives.
  [[nodiscard]] Time next() const;
  // Something reaches the path; everything due before must have been served.
  void packet_in(Direction direction, const Packet& packet, Time now);
  // Everything due before must have been served.
  void apply(const LinkChange& change, Time now);

  [[nodiscard]] Bottleneck& link(Direction direction) { return of(direction).bottleneck; }
  // Packets between the bottleneck and the far end.
  [[nodiscard]] std::size_t propagating(Direction direction) const;

 private:
  struct Way final : DropListener {
    Way(const RunPlan& plan, Direction which, std::size_t flows, PathOutput& out, bool flows_by_tag);
    void on_drop(const Packet& packet, Time now) override {
      if (observer) observer->dropped(direction, packet, now);
      output->packet_gone(direction, packet);
    }
    void enter_line(const Packet& packet, Time departure) {
      if (observer) observer->departed(direction, packet, departure);
      lines[lines.size() == 1 ? 0 : packet.flow].enter(packet, departure);
    }
    void advance(Time to);
    [[nodiscard]] Time next() const;

    Direction direction;
    PathOutput* output;
    PathObserver* observer{};
    RandomLoss loss;
    Bottleneck bottleneck;
    std::vector<DelayLine> lines{};  // one for all, or one per flow where flows have an extra RTT
    std::vector<Duration> extra{};   // of each line
    Bottleneck::Capacity planned;
  };
  [[nodiscard]] Way& of(Direction direction) { return direction == Direction::forward ? forward_ : reverse_; }

  Way forward_;
  Way reverse_;
};

}  // namespace paceline
