// The packet path allocates nothing: rings double while windows grow, and after that a run takes no memory at all.
// (A program of its own, because it replaces operator new.)

#include <doctest/doctest.h>

#include <cstdlib>
#include <new>

#include "tests/simulation.hh"

namespace {
std::size_t allocations = 0;
}  // namespace

// Never inlined: half a pair of them inlined looks to the compiler like memory given back to the wrong allocator.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc{};
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace paceline;
using namespace paceline::testing;

namespace {

// Counts without keeping anything.
class Counting final : public RunSink {
 public:
  void samples(uint16_t, Time, std::span<const float>) override {}
  void samples_complete(Time now) override {
    if (now >= Time::zero() + Duration::seconds(10) && at_ten == 0) at_ten = allocations;
    last = allocations;
  }
  std::size_t at_ten{};
  std::size_t last{};
};

RunPlan busy(const Descriptor* d, LinkPlan link) {
  RunPlan plan = one_flow(std::move(link), flow(d, 2), 40);
  plan.flows.push_back(plan.flows[0]);
  plan.flows[1].extra_rtt = Duration::millis(7);
  plan.forward.loss = 0.0005;
  plan.reverse.loss = 0.001;
  plan.reverse.capacity = {.kind = Bottleneck::Capacity::Kind::constant, .rate = Rate::mbps(10)};
  return plan;
}

// Rings double for the largest window so far, which with some algorithms comes late: Verus' profile can say thousands of packets
// at any time; Sprout goes on at full rate when a retransmission is lost, and the receiver keeps all that came after.
std::size_t late_growth(std::string_view cca) {
  if (cca == "verus") return 100;
  return cca.starts_with("sprout") ? 4 : 0;
}

}  // namespace

TEST_CASE("ten seconds into a run nothing allocates any more, with losses, recovery and timers") {
  for (const Descriptor* d : registered_ccas()) {
    if (d->kind == Kind::ideal) continue;
    CAPTURE(d->id);
    for (const bool trace : {false, true}) {
      CAPTURE(trace);
      const auto link = trace ? trace_link({0, 3, 1, 0, 0, 4, 0, 2}, Duration::millis(10), Bytes{60'000})
                              : constant_link(20, Duration::millis(10), Bytes{60'000});
      Counting sink;
      simulate(busy(d, link), sink);
      REQUIRE(sink.at_ten > 0);
      CHECK(sink.last - sink.at_ten <= late_growth(d->id));
    }
  }
}
