#pragma once
// One direction of a path, everything resolved.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/direction.hh"
#include "core/params.hh"
#include "core/units.hh"
#include "link/bottleneck.hh"
#include "path/registry.hh"
#include "queue/registry.hh"

namespace paceline {

struct QueuePlan {
  const QueueDescriptor* discipline{};
  Params params{{}, {}};
  Bytes limit_bytes{Bytes::infinite()};
  int64_t limit_packets{INT64_MAX};

  // `flows_by_tag`: see QueueSetup.
  [[nodiscard]] std::unique_ptr<QueueDiscipline> make(const Random& random, bool flows_by_tag) const;
};

// One place of the list. Three elements are the link's own: LinkPlan has their values, telemetry and live changes are about them.
struct ElementPlan {
  enum class Own : uint8_t { none, loss, bottleneck, delay };
  [[nodiscard]] const ElementDescriptor& about() const;

  Own own{};
  // Of all others:
  const ElementDescriptor* element{};
  Params params{{}, {}};
  QueuePlan queue{};  // where the element queues
  Bottleneck::Capacity capacity{};
  std::shared_ptr<const RecordedDelays> recorded{};
};

struct LinkPlan {
  double loss{};
  QueuePlan queue{};
  Bottleneck::Capacity capacity{};
  Duration delay{};
  // In order; each of the link's own is there at most once, loss in front when it is not named. Empty: loss -> bottleneck -> delay.
  std::vector<ElementPlan> path{};
  // Some flow enters it elsewhere than at the beginning.
  bool joined{};

  // Those three, in this order, and nothing else.
  [[nodiscard]] bool plain() const;
  // What a list has at each place, in order; nothing for a plain path.
  [[nodiscard]] std::vector<ElementPlan> places() const;
  // Where in places() what is at `index` of the path is; the first is where packets enter that join nowhere else.
  [[nodiscard]] std::size_t place_of(std::size_t index) const;
  // What a packet takes over the elements from `index` of the path on when no queue holds it up.
  [[nodiscard]] Duration least_delay(std::size_t index = 0) const;
};

}  // namespace paceline
