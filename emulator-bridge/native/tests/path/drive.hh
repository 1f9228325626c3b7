#pragma once
// An element driven packet by packet: what goes in, what comes out, what is lost, when.

#include <stdexcept>
#include <string>
#include <vector>

#include "path/chain.hh"
#include "path/registry.hh"
#include "queue/registry.hh"
#include "tests/at_ms.hh"

namespace paceline::testing {

inline const ElementDescriptor& element(const std::string& id) {
  const ElementDescriptor* found = find_element(id);
  if (!found) throw std::invalid_argument("no path element " + id);
  return *found;
}

inline std::unique_ptr<PathElement> make_element(const std::string& id, const Params::Given& params = {},
                                                 uint64_t seed = 1) {
  const ElementDescriptor& d = element(id);
  ElementSetup setup{.random = Random{seed, 0, id}};
  if (d.queues) {
    setup.capacity = {.kind = Bottleneck::Capacity::Kind::constant, .rate = Rate::mbps(12)};
    const QueueDescriptor* droptail = find_queue("droptail");
    setup.queue = droptail->make({.limit_bytes = Bytes{15'000}, .random = Random{seed, 0, "queue"}},
                                 Params{droptail->params, {}});
  }
  const Params given{d.params, params};
  if (d.repeats(given))
    setup.recorded = std::make_shared<const RecordedDelays>(
        std::vector{Duration::zero(), Duration::millis(20), Duration::millis(30)},
        std::vector{Duration::millis(4), Duration::millis(15), Duration::zero()}, Duration::zero());
  return d.make(std::move(setup), given);
}

class DriveElements final : private ChainHost {
 public:
  struct Out {
    uint64_t number{};
    Time time{};
    EcnMark ecn{};
  };

  explicit DriveElements(std::unique_ptr<PathElement> only) { chain.add("driven", std::move(only)); }
  DriveElements() = default;

  // Packets are numbered as they come.
  void in(Time now, uint32_t size = 1500, EcnMark ecn = EcnMark::not_ect) {
    advance(now);
    chain.enter({.number = next_number_++, .sent = now, .size = size, .ecn = ecn}, now);
    collect();
  }
  void advance(Time now) {
    chain.advance(now);
    collect();
  }
  // Event by event, to the last.
  void finish() {
    while (!chain.next().is_never()) advance(chain.next());
  }

  Chain chain{*this};
  std::vector<Out> out{};
  std::vector<uint64_t> lost{};
  uint64_t copied{};

 private:
  void chain_lost(const Packet& packet, Time) override { lost.push_back(packet.number); }
  void chain_copied(Packet&) override { ++copied; }
  void collect() {
    for (auto& left = chain.left(); !left.empty(); left.pop())
      out.push_back({left.front().packet.number, left.front().time, left.front().packet.ecn});
  }

  uint64_t next_number_{};
};

}  // namespace paceline::testing
