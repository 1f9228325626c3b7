// What is under way when a link changes.

#include <doctest/doctest.h>

#include <vector>

#include "link/bottleneck.hh"
#include "link/delay_line.hh"
#include "link/random_loss.hh"
#include "queue/registry.hh"

using namespace paceline;
using Kind = Bottleneck::Capacity::Kind;

namespace {

Time at_ms(double ms) { return Time{static_cast<int64_t>(ms * 1e6)}; }
Bottleneck::Capacity constant(double mbps) { return {.kind = Kind::constant, .rate = Rate::mbps(mbps)}; }
Bottleneck::Capacity of_trace(std::vector<uint32_t> counts) {
  return {.kind = Kind::trace, .trace = std::make_shared<const Trace>(std::move(counts))};
}

struct Link {
  explicit Link(const Bottleneck::Capacity& capacity, Time from = {})
      : bottleneck{capacity, find_queue("droptail")->make({.random = Random{1, 0, "queue"}}, Params{{}, {}}), from} {}

  void arrive(int packets, double ms) {
    serve(ms);
    for (int i = 0; i < packets; ++i) bottleneck.arrive({.size = 1500}, at_ms(ms), out());
  }
  void serve(double ms) { bottleneck.advance(at_ms(ms), out()); }
  void change(const Bottleneck::Capacity& capacity, double ms) {
    serve(ms);
    bottleneck.set_capacity(capacity, at_ms(ms));
  }
  std::function<void(const Packet&, Time)> out() {
    return [this](const Packet&, Time t) { departures.push_back(static_cast<double>(t.ns) * 1e-6); };
  }

  std::vector<double> departures{};
  Bottleneck bottleneck;
};

}  // namespace

TEST_CASE("What is left of the packet on the wire is sent at the new rate") {
  Link link{constant(12)};  // 1 ms for a packet
  link.arrive(3, 0);
  link.change(constant(6), 0.5);
  link.serve(10);
  CHECK(link.departures == std::vector<double>{1.5, 3.5, 5.5});
  const LinkSummary s = link.bottleneck.summary(at_ms(10));
  CHECK(s.delivered_bytes == 4500);
  CHECK(s.capacity_bytes == doctest::Approx(12e6 / 8 * 0.5e-3 + 6e6 / 8 * 9.5e-3));
}

TEST_CASE("Packets that wait for a trace leave at a constant rate, and the other way round") {
  Link link{of_trace({0, 0, 0, 0, 1})};  // one opportunity each 4 ms
  link.arrive(4, 0.5);
  link.change(constant(12), 5.25);
  CHECK(link.departures == std::vector<double>{4});
  link.serve(6.5);
  CHECK(link.departures == std::vector<double>{4, 6.25});
  link.change(of_trace({0, 0, 0, 0, 1}), 6.75);  // the trace's clock went on
  link.serve(20);
  // Half of the packet on the wire was sent at the constant rate: one opportunity holds the other half and half of the last one.
  CHECK(link.departures == std::vector<double>{4, 6.25, 8, 12});
  const LinkSummary s = link.bottleneck.summary(at_ms(20));
  CHECK(s.delivered_bytes == 6000);
  CHECK(s.capacity_bytes == doctest::Approx(5 * 1500 + 12e6 / 8 * 1.5e-3));
}

TEST_CASE("Capacity before the first flow's start does not count, whatever changed when") {
  Link link{constant(12), at_ms(10)};
  link.change(constant(24), 5);
  link.change(constant(6), 15);
  link.serve(20);
  CHECK(link.bottleneck.summary(at_ms(20)).capacity_bytes == doctest::Approx(24e6 / 8 * 5e-3 + 6e6 / 8 * 5e-3));
}

TEST_CASE("A held trace offers nothing until it is started, and then begins at its beginning") {
  Link link{of_trace({0, 0, 1, 1})};
  link.bottleneck.hold_trace();
  link.serve(50.25);
  CHECK(link.bottleneck.next().is_never());
  link.bottleneck.start_trace(at_ms(50.25));
  link.arrive(2, 50.25);
  link.serve(60);
  CHECK(link.departures == std::vector<double>{52.25, 53.25});
}

TEST_CASE("A smaller limit drops nothing that waits, and nothing fits until there is room again") {
  Link link{constant(12)};
  link.arrive(6, 0);  // one on the wire
  link.bottleneck.queue().set_limit_packets(3);
  link.arrive(1, 0.5);
  CHECK(link.bottleneck.meter().dropped_packets() == 1);
  CHECK(link.bottleneck.queued_packets() == 5);
  link.arrive(1, 3.5);
  CHECK(link.bottleneck.meter().dropped_packets() == 1);
  link.bottleneck.queue().set_limit_packets(INT64_MAX);
  link.bottleneck.queue().set_limit_bytes(Bytes{3000});
  link.arrive(1, 3.5);
  CHECK(link.bottleneck.meter().dropped_packets() == 2);
  link.serve(20);
  CHECK(link.departures.size() == 7);
}

TEST_CASE("A smaller delay lets nothing overtake") {
  DelayLine line{Duration::millis(50)};
  line.enter({.number = 1}, at_ms(0));
  line.set_delay(Duration::millis(10));
  line.enter({.number = 2}, at_ms(1));
  line.enter({.number = 3}, at_ms(45));
  CHECK(line.next() == at_ms(50));
  line.pop();
  CHECK(line.front().number == 2);
  CHECK(line.next() == at_ms(50));
  line.pop();
  CHECK(line.next() == at_ms(55));
}

TEST_CASE("A loss probability can be set at any time") {
  RandomLoss loss{0, Random{1, 0, "loss"}};
  int lost = 0;
  for (int i = 0; i < 1000; ++i) lost += loss.takes_next();
  CHECK(lost == 0);
  loss.set_probability(0.5);
  for (int i = 0; i < 1000; ++i) lost += loss.takes_next();
  CHECK(lost > 400);
  CHECK(lost < 600);
}
