#include <doctest/doctest.h>

#include <vector>

#include "link/bottleneck.hh"
#include "queue/registry.hh"

using namespace paceline;

namespace {

struct Departure {
  uint64_t number{};
  double ms{};
  bool operator==(const Departure&) const = default;
};

Time at_ms(double ms) { return Time{static_cast<int64_t>(ms * 1e6)}; }

class Link {
  auto out() {
    return [this](const Packet& p, Time t) { departures.push_back({p.number, static_cast<double>(t.ns) * 1e-6}); };
  }

 public:
  explicit Link(Bottleneck::Capacity capacity, QueueSetup queue = {.random = Random{1, 0, "queue"}}, Time from = {})
      : bottleneck{capacity, find_queue("droptail")->make(queue, Params{{}, {}}), from} {}

  static Link of_trace(std::vector<uint32_t> counts, Bytes limit = Bytes::infinite(), Time from = {}) {
    Bottleneck::Capacity c{.kind = Bottleneck::Capacity::Kind::trace,
                           .trace = std::make_shared<const Trace>(std::move(counts))};
    return Link{c, {.limit_bytes = limit, .random = Random{1, 0, "queue"}}, from};
  }
  static Link of_rate(double mbps) {
    return Link{{.kind = Bottleneck::Capacity::Kind::constant, .rate = Rate::mbps(mbps)}};
  }

  void arrive(uint64_t number, uint32_t size, double ms) {
    serve(ms);
    Packet p{};
    p.number = number;
    p.size = size;
    bottleneck.arrive(p, at_ms(ms), out());
  }
  void serve(double ms) { bottleneck.advance(at_ms(ms), out()); }

  std::vector<Departure> departures{};
  Bottleneck bottleneck;
};

using Departures = std::vector<Departure>;

}  // namespace

TEST_CASE("one opportunity carries one full packet") {
  auto link = Link::of_trace({0, 1});
  for (uint64_t i = 0; i < 3; ++i) link.arrive(i, 1500, 0.5);
  link.serve(10);
  CHECK(link.departures == Departures{{0, 1}, {1, 2}, {2, 3}});
}

TEST_CASE("an arrival in millisecond t uses only opportunities after t") {
  auto link = Link::of_trace({0, 1, 1});
  link.arrive(0, 1500, 1.0);
  link.arrive(1, 1500, 3.000001);
  link.serve(10);
  CHECK(link.departures == Departures{{0, 2}, {1, 4}});
}

TEST_CASE("100 and 1400 bytes share an opportunity") {
  auto link = Link::of_trace({0, 1});
  link.arrive(0, 100, 0.1);
  link.arrive(1, 1400, 0.2);
  link.arrive(2, 100, 0.3);
  link.serve(10);
  CHECK(link.departures == Departures{{0, 1}, {1, 1}, {2, 2}});
}

TEST_CASE("a packet that does not fit what is left of an opportunity spans two, and is then not in the queue") {
  auto link = Link::of_trace({0, 1});
  link.arrive(0, 100, 0.1);
  link.arrive(1, 1404, 0.2);
  link.arrive(2, 1496, 0.3);
  CHECK(link.bottleneck.queued_bytes() == Bytes{3000});
  link.serve(1);
  CHECK(link.departures == Departures{{0, 1}});
  CHECK(link.bottleneck.queued_packets() == 1);
  CHECK(link.bottleneck.in_service_packets() == 1);
  CHECK(link.bottleneck.queued_bytes() == Bytes{1496});
  link.serve(2);
  CHECK(link.departures == Departures{{0, 1}, {1, 2}, {2, 2}});
  CHECK(link.bottleneck.meter().carried_bytes() == Bytes{3000});
}

TEST_CASE("an opportunity without a packet is lost, and so is the rest of one whose queue runs empty") {
  auto link = Link::of_trace({0, 3});
  link.arrive(0, 1000, 0.5);
  link.serve(1);
  link.arrive(1, 1500, 1.5);
  link.arrive(2, 1500, 1.5);
  link.arrive(3, 1500, 1.5);
  link.arrive(4, 1500, 1.5);
  link.serve(2);
  CHECK(link.departures == Departures{{0, 1}, {1, 2}, {2, 2}, {3, 2}});
}

TEST_CASE("all opportunities of one millisecond are served at once, over the wrap too") {
  auto link = Link::of_trace({2, 0, 1});  // stamps 0 0 2
  link.arrive(0, 1500, 0.0);              // after the two at the start
  for (uint64_t i = 1; i < 5; ++i) link.arrive(i, 1500, 0.5);
  link.serve(2);
  CHECK(link.departures == Departures{{0, 2}, {1, 2}, {2, 2}});
  link.serve(4);
  CHECK(link.departures.size() == 5);
}

TEST_CASE("droptail refuses a packet that would take the queue over its limit") {
  auto link = Link::of_trace({0, 1}, Bytes{3000});
  link.arrive(0, 1500, 0.1);
  link.arrive(1, 1400, 0.2);
  link.arrive(2, 101, 0.3);  // 3001 bytes
  link.arrive(3, 100, 0.4);  // exactly 3000
  link.serve(10);
  CHECK(link.departures == Departures{{0, 1}, {1, 2}, {3, 2}});
  CHECK(link.bottleneck.meter().dropped_packets() == 1);
}

TEST_CASE("droptail also counts packets") {
  Bottleneck::Capacity c{.kind = Bottleneck::Capacity::Kind::constant, .rate = Rate::mbps(12)};
  Link link{c, {.limit_packets = 2, .random = Random{1, 0, "queue"}}};
  for (uint64_t i = 0; i < 5; ++i) link.arrive(i, 40, 0);  // one goes into service at once
  CHECK(link.bottleneck.queued_packets() == 2);
  CHECK(link.bottleneck.meter().dropped_packets() == 2);
}

TEST_CASE("a constant rate serialises packet after packet") {
  auto link = Link::of_rate(12);
  link.arrive(0, 1500, 0);
  link.arrive(1, 750, 0.25);
  link.arrive(2, 1500, 10);
  link.serve(20);
  CHECK(link.departures == Departures{{0, 1}, {1, 1.5}, {2, 11}});
  const LinkSummary s = link.bottleneck.summary(at_ms(20));
  CHECK(s.queueing_delay.max_ms == doctest::Approx(0.75));  // to the start of service
  CHECK(s.capacity_bytes == doctest::Approx(30000));
  CHECK(s.utilisation == doctest::Approx(3750.0 / 30000));
}

TEST_CASE("a rate that does not divide into nanoseconds does not drift") {
  auto link = Link::of_rate(7);  // 1500 bytes take 1714285.714… ns
  for (uint64_t i = 0; i < 7000; ++i) link.arrive(i, 1500, 0);
  link.serve(13000);
  CHECK(link.departures.size() == 7000);
  CHECK(link.departures.back().ms == doctest::Approx(12000.0).epsilon(1e-9));
}

TEST_CASE("capacity counts from the first flow's start, the tick of that moment included") {
  auto link = Link::of_trace({0, 1, 2}, Bytes::infinite(), at_ms(3));
  link.serve(6);
  CHECK(link.bottleneck.capacity_total(at_ms(6)) == 1500 * 9);
  CHECK(link.bottleneck.summary(at_ms(6)).capacity_bytes == 1500 * (1 + 2 + 1 + 2));
  CHECK(link.bottleneck.summary(at_ms(6)).capacity_mean_mbps == doctest::Approx(1500 * 6 * 8 / 3e-3 / 1e6));
}

TEST_CASE("the mean queue is weighted with time") {
  auto link = Link::of_trace({0, 0, 1});  // a tick every 2 ms
  link.arrive(0, 1500, 0);
  link.arrive(1, 1500, 1);
  link.serve(4);
  const LinkSummary s = link.bottleneck.summary(at_ms(8));
  CHECK(s.queue_mean_bytes == doctest::Approx((1500 * 1 + 3000 * 1 + 1500 * 2) / 8.0));
  CHECK(s.queue_max_bytes == 3000);
}
