// What is told of packets one by one is what the run counted, and telling it changes nothing.

#include <doctest/doctest.h>

#include <algorithm>

#include "drivers/packet_log.hh"
#include "drivers/queue_by_flow.hh"
#include "telemetry/descriptions.hh"
#include "tests/drivers/scenarios.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr std::size_t kMany = 1'000'000;
constexpr Time kEnd = Time::zero() + Duration::seconds(3600);

bool same(const Recorder& a, const Recorder& b) {
  const auto same_value = [](float x, float y) { return x == y || (x != x && y != y); };
  const auto same_row = [&](const Recorder::Row& x, const Recorder::Row& y) {
    return x.time == y.time && std::ranges::equal(x.values, y.values, same_value);
  };
  return std::ranges::equal(a.rows, b.rows, [&](const auto& x, const auto& y) {
    return x.first == y.first && std::ranges::equal(x.second, y.second, same_row);
  });
}

template <typename Life>
uint64_t count(const std::vector<Life>& lives, PacketFate fate) {
  return static_cast<uint64_t>(std::ranges::count(lives, fate, &Life::fate));
}

void check_order(const PacketLife& p) {
  REQUIRE(p.sent <= p.ended);
  if (!p.queued.is_never()) REQUIRE(p.sent <= p.queued);
  if (!p.departed.is_never()) REQUIRE(p.queued <= p.departed);
  if (p.fate == PacketFate::received && !p.copy) REQUIRE(p.departed <= p.ended);
  REQUIRE((p.fate == PacketFate::under_way) == p.ended.is_never());
}

}  // namespace

TEST_CASE("a watched run is the same run, and every packet of it is told") {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const RunPlan plan = ScenarioMaker{seed}.make();
    Recorder alone, watched;
    const auto before = to_json(simulate(plan, alone));
    PacketLog log{Time::zero(), kEnd, kMany};
    const auto after = to_json(simulate(plan, watched, &log));
    CHECK(before == after);
    CHECK(same(alone, watched));

    const Ledger& end = watched.ledgers.back();
    const auto packets = log.packets();
    CHECK(packets.size() == end.sent);
    CHECK(count(packets, PacketFate::received) == end.arrived);
    CHECK(count(packets, PacketFate::dropped) == end.dropped);
    CHECK(count(packets, PacketFate::lost) == end.lost);
    CHECK(count(packets, PacketFate::under_way) == end.queued + end.in_service + end.propagating);
    for (const PacketLife& packet : packets) check_order(packet);
    CHECK(std::ranges::is_sorted(packets, {}, [](const PacketLife& p) { return std::pair{p.sent, p.flow}; }));
    for (const AckLife& ack : log.acks()) REQUIRE(ack.sent <= ack.ended);
  }
}

TEST_CASE("a watched run over a list of elements is the same run, and copies are told from what was sent") {
  const auto further = [](const char* id, const Params::Given& params) {
    const ElementDescriptor* found = find_element(id);
    REQUIRE(found);
    return ElementPlan{.element = found, .params = Params{found->params, params}};
  };
  LinkPlan link = constant_link(12, Duration::millis(10), Bytes{30'000});
  link.path = {further("gilbert-elliott", {}),
               further("duplicate", {{"probability", 0.05}}),
               {.own = ElementPlan::Own::bottleneck},
               further("jitter", {}),
               {.own = ElementPlan::Own::delay}};
  const RunPlan plan = one_flow(link, flow(cca("cubic")), 5);
  Recorder alone, watched;
  const auto before = to_json(simulate(plan, alone));
  PacketLog log{Time::zero(), kEnd, kMany};
  CHECK(before == to_json(simulate(plan, watched, &log)));
  CHECK(same(alone, watched));

  const Ledger& end = watched.ledgers.back();
  const auto packets = log.packets();
  const auto copies = std::ranges::count_if(packets, &PacketLife::copy);
  CHECK(end.copied > 50);
  CHECK(copies > 50);
  CHECK(packets.size() - static_cast<std::size_t>(copies) == end.sent);
  CHECK(count(packets, PacketFate::received) == end.arrived);
  CHECK(count(packets, PacketFate::lost) > 0);
  for (const PacketLife& packet : packets) check_order(packet);
}

TEST_CASE("a handshake's last packet and the first of the data, on their way at once, are told each by itself") {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), flow(fixed_window(4)), 0.3);
  plan.flows[0].handshake = Handshake::full;
  Recorder sink;
  PacketLog log{Time::zero(), kEnd, kMany};
  simulate(plan, sink, &log);
  const auto packets = log.packets();
  const auto of_kind = [&](PacketKind kind) {
    const auto found = std::ranges::find(packets, kind, &PacketLife::kind);
    REQUIRE(found != packets.end());
    return *found;
  };
  const PacketLife last = of_kind(PacketKind::last_of_opening);
  const PacketLife data = of_kind(PacketKind::data);
  CHECK(last.number == data.number);
  CHECK(last.sent == data.sent);
  // one after the other over the link: 52 bytes, then 1500
  CHECK(last.departed < data.departed);
  CHECK(data.departed - last.departed == Duration::millis(1));
  for (const PacketLife& packet : {of_kind(PacketKind::opening), last, data}) {
    CHECK(packet.fate == PacketFate::received);
    CHECK(packet.ended == packet.departed + Duration::millis(20));
  }
  CHECK(std::ranges::count_if(packets, &PacketLife::copy) == 0);
}

TEST_CASE("times on a link of a constant rate follow from its rate and its delay") {
  // 12 Mbps carry a packet of 1500 bytes in 1 ms; a window of 4 packets queues 3 of them at once.
  const RunPlan plan = one_flow(constant_link(12, Duration::millis(10)), flow(fixed_window(4)), 0.1);
  Recorder sink;
  PacketLog log{Time::zero(), kEnd, kMany};
  simulate(plan, sink, &log);
  const auto packets = log.packets();
  const auto data = std::ranges::find_if(packets, [](const PacketLife& p) { return p.kind == PacketKind::data; });
  REQUIRE(packets.end() - data > 4);
  for (int i = 0; i < 4; ++i) {
    CAPTURE(i);
    const PacketLife& p = data[i];
    CHECK(p.queued == p.sent);
    CHECK(p.departed - p.sent == Duration::millis(i + 1));
    CHECK(p.ended - p.departed == Duration::millis(10));
  }
  for (const AckLife& ack : log.acks())
    if (ack.fate == PacketFate::received) CHECK(ack.ended - ack.sent >= Duration::millis(10));
}

TEST_CASE("a window has what was under way in it, and no more than was asked for") {
  const RunPlan plan = one_flow(constant_link(12, Duration::millis(10), Bytes{15'000}), flow(cca("cubic")), 4);
  Recorder sink;
  PacketLog whole{Time::zero(), kEnd, kMany};
  simulate(plan, sink, &whole);
  const Time from = Time::zero() + Duration::seconds(2);
  const Time to = Time::zero() + Duration::seconds(2.5);
  PacketLog log{from, to, kMany};
  simulate(plan, sink, &log);
  const auto packets = log.packets();
  std::size_t expected = 0;
  for (const PacketLife& p : whole.packets())
    if (p.sent < to && p.ended >= from) ++expected;
  CHECK(packets.size() == expected);
  CHECK(expected > 400);
  CHECK(log.complete_until() == to);

  PacketLog few{from, to, 100};
  simulate(plan, sink, &few);
  CHECK(few.packets().size() <= 100);
  CHECK(few.complete_until() < to);
  CHECK(std::ranges::is_sorted(packets, {}, &PacketLife::number));
  const auto some = few.packets();
  for (std::size_t i = 0; i < some.size(); ++i) CHECK(some[i].number == packets[i].number);
}

// What a flow has in the queue, over time, is what its packets wait, over packets.
TEST_CASE("the queue by flow is the waiting of its packets") {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const RunPlan plan = ScenarioMaker{seed}.make();
    Recorder sink;
    PacketLog log{Time::zero(), kEnd, kMany};
    simulate(plan, sink, &log);
    QueueByFlow queue{plan.flows.size(), Duration::millis(7)};
    simulate(plan, sink, &queue);
    const Time end = Time::zero() + plan.duration;
    queue.finish(end);

    std::vector<double> waited(plan.flows.size());
    for (const PacketLife& p : log.packets()) {
      if (p.queued.is_never()) continue;
      const Time until = std::min({p.departed, p.ended, end});
      waited[p.flow] += static_cast<double>(p.bytes) * (until - p.queued).to_seconds();
    }
    for (std::size_t flow = 0; flow < plan.flows.size(); ++flow) {
      const auto& means = queue.mean_bytes(flow);
      REQUIRE(means.size() == static_cast<std::size_t>((plan.duration.ns + 6'999'999) / 7'000'000));
      double sum = 0;
      for (std::size_t i = 0; i < means.size(); ++i) {
        const double begin = 0.007 * static_cast<double>(i);
        sum += means[i] * std::min(0.007, plan.duration.to_seconds() - begin);
      }
      CHECK(sum == doctest::Approx(waited[flow]).epsilon(1e-6));
    }
  }
}
