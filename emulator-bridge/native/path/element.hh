#pragma once
// The only interface between a path and its elements. Time is passed in; nothing allocates once a run is under way, but for stores
// that double until they are large enough.

#include <cstddef>
#include <span>

#include "core/packet.hh"
#include "core/units.hh"

namespace paceline {

// Where packets go from an element. Times never fall: what an element passes on is not earlier than what it passed before.
class Onward {
 public:
  virtual ~Onward() = default;
  // Leaves the element for the next one.
  virtual void pass(const Packet& packet, Time now) = 0;
  // Is gone: lost, policed, dropped.
  virtual void lose(const Packet& packet, Time now) = 0;
  // Another packet like this one, to be passed on or lost as any other.
  [[nodiscard]] virtual Packet copy(const Packet& packet) = 0;
};

class PathElement {
 public:
  PathElement() = default;
  PathElement(const PathElement&) = delete;
  PathElement& operator=(const PathElement&) = delete;
  virtual ~PathElement() = default;

  // When something is due next, if nothing enters before.
  [[nodiscard]] virtual Time next() const { return Time::never(); }
  // Everything due up to and including `now` has been served.
  virtual void enter(const Packet& packet, Time now, Onward& onward) = 0;
  // Serves everything due up to and including `now`, each at its own time.
  virtual void advance(Time, Onward&) {}
  // Packets in it.
  [[nodiscard]] virtual std::size_t held() const { return 0; }
  // A clock of its own, such as a trace's, stands still until it is started.
  virtual void hold_clock() {}
  virtual void start_clock(Time) {}

  // Values of its columns for the interval that ends at `now`, and of its figures up to then; everything due has been served. Nothing
  // that happens to packets depends on being asked.
  virtual void sample(Time, Duration, std::span<float>) {}
  virtual void sum_up(Time, std::span<double>) {}
};

}  // namespace paceline
