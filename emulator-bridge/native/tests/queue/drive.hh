#pragma once
// A discipline driven packet by packet: what comes in, what goes out, what is dropped, when.

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "queue/registry.hh"
#include "tests/at_ms.hh"

namespace paceline::testing {

struct Gone {
  Packet packet{};
  Time time{};
};

inline const QueueDescriptor& discipline(const std::string& id) {
  const QueueDescriptor* found = find_queue(id);
  if (!found) throw std::invalid_argument("no queue discipline " + id);
  return *found;
}

inline std::unique_ptr<QueueDiscipline> make(const std::string& id, Bytes limit = Bytes::infinite(),
                                             const Params::Given& params = {}, int64_t limit_packets = INT64_MAX,
                                             uint64_t seed = 1) {
  const QueueDescriptor& d = discipline(id);
  return d.make({.limit_bytes = limit, .limit_packets = limit_packets, .random = Random{seed, 0, "queue"}},
                Params{d.params, params});
}

class Drive final : public DropListener {
 public:
  explicit Drive(std::unique_ptr<QueueDiscipline> driven) : queue{std::move(driven)} {}

  // Packets are numbered as they come.
  void in(Time now, uint16_t flow = 0, uint32_t size = 1500, EcnMark ecn = EcnMark::not_ect) {
    tick(now);
    Packet packet{};
    packet.number = next_++;
    packet.flow = flow;
    packet.size = size;
    packet.ecn = ecn;
    packet.stamp = now;
    queue->enqueue(packet, now, *this);
  }
  bool out(Time now) {
    tick(now);
    Packet packet{};
    if (!queue->dequeue(packet, now, *this)) return false;
    delivered.push_back({packet, now});
    return true;
  }
  void tick(Time now) {
    while (queue->next_tick() <= now) queue->on_tick(queue->next_tick(), *this);
  }

  // Everything that came in is out, dropped or still there, once each.
  [[nodiscard]] bool accounted() const {
    std::set<uint64_t> seen;
    for (const auto* gone : {&delivered, &dropped})
      for (const Gone& g : *gone)
        if (!seen.insert(g.packet.number).second) return false;
    return seen.size() + static_cast<std::size_t>(queue->packets()) == next_;
  }
  [[nodiscard]] uint64_t came() const { return next_; }

  std::unique_ptr<QueueDiscipline> queue;
  std::vector<Gone> delivered{};
  std::vector<Gone> dropped{};

 private:
  void on_drop(const Packet& packet, Time now) override { dropped.push_back({packet, now}); }

  uint64_t next_{};
};

}  // namespace paceline::testing
