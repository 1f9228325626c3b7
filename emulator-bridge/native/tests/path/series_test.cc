// Several elements in a row: two bottlenecks against a queue worked out by hand and against Lindley's recursion, the same list of
// elements in one go and event by event.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/path/drive.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

std::unique_ptr<PathElement> bottleneck(const Bottleneck::Capacity& capacity, int64_t limit_bytes) {
  const QueueDescriptor* droptail = find_queue("droptail");
  ElementSetup setup{.random = Random{1, 0, "bottleneck"}, .capacity = capacity};
  setup.queue = droptail->make({.limit_bytes = Bytes{limit_bytes}, .random = Random{1, 0, "queue"}},
                               Params{droptail->params, {}});
  return element("bottleneck").make(std::move(setup), Params{{}, {}});
}

Bottleneck::Capacity rate(double mbps) {
  return {.kind = Bottleneck::Capacity::Kind::constant, .rate = Rate::mbps(mbps)};
}

ElementPlan own(ElementPlan::Own which) { return {.own = which}; }

ElementPlan further(const std::string& id, const Params::Given& params = {}) {
  const ElementDescriptor& d = element(id);
  return {.element = &d, .params = Params{d.params, params}};
}

ElementPlan further_bottleneck(const LinkPlan& like) {
  return {.element = &element("bottleneck"), .queue = like.queue, .capacity = like.capacity};
}

using Own = ElementPlan::Own;

}  // namespace

TEST_CASE("two bottlenecks in series, by hand") {
  // 12 Mbps serves 1500 bytes in 1 ms, 6 Mbps in 2 ms; the second queue holds two packets beside the one in service.
  DriveElements drive;
  drive.chain.add("first", bottleneck(rate(12), 15'000));
  drive.chain.add("second", bottleneck(rate(6), 3000));
  for (int i = 0; i < 8; ++i) drive.in(Time::zero());
  drive.finish();
  // Leave the first at 1, 2, …, 8 ms. The second serves 0 from 1 to 3; 1 and 2 wait, 1 is served 3 to 5. At 4 ms 3 comes: 2 and 3
  // wait. At 5 ms 1 leaves first and 2 is in service, 4 comes: 3 and 4 wait. At 6 ms 5 finds both there: dropped. At 7 ms 2 leaves,
  // 6 comes: 4 and 6 wait. At 8 ms 7 is dropped. 3 leaves at 9, 4 at 11, 6 at 13.
  std::vector<uint64_t> numbers;
  std::vector<double> ms;
  for (const auto& o : drive.out) {
    numbers.push_back(o.number);
    ms.push_back(static_cast<double>(o.time.ns) / 1e6);
  }
  CHECK(numbers == std::vector<uint64_t>{0, 1, 2, 3, 4, 6});
  CHECK(ms == std::vector<double>{3, 5, 7, 9, 11, 13});
  CHECK(drive.lost == std::vector<uint64_t>{5, 7});
}

TEST_CASE(
    "a trace behind a constant rate: packets leave at the first free opportunity after they came out of the rate") {
  // 12 Mbps, then one opportunity at each third millisecond.
  const auto trace = std::make_shared<const Trace>(std::vector<uint32_t>{0, 0, 0, 1});
  DriveElements drive;
  drive.chain.add("first", bottleneck(rate(12), 150'000));
  drive.chain.add("second", bottleneck({.kind = Bottleneck::Capacity::Kind::trace, .trace = trace}, 150'000));
  for (int i = 0; i < 3; ++i) drive.in(Time::zero());  // reach the second at 1, 2, 3 ms
  drive.in(at_ms(9.5));                                // at 10.5 ms
  drive.finish();
  const std::vector<double> ms{3, 6, 9, 12};
  REQUIRE(drive.out.size() == ms.size());
  for (std::size_t i = 0; i < ms.size(); ++i) CHECK(drive.out[i].time == at_ms(ms[i]));
}

TEST_CASE("queues without limits in series follow Lindley's recursion, packet by packet") {
  Random random{3, 0, "test"};
  const std::vector<double> mbps{20, 9, 14};
  DriveElements drive;
  for (const double r : mbps) drive.chain.add("bottleneck", bottleneck(rate(r), 1'000'000'000));
  std::vector<double> free(mbps.size());  // when each is done with the packet before, ns
  std::vector<double> expected;
  Time now{};
  for (int i = 0; i < 5000; ++i) {
    now += Duration{static_cast<int64_t>(random.exponential(1e6))};
    const auto size = 40 + static_cast<uint32_t>(random.below(1461));
    drive.in(now, size);
    auto t = static_cast<double>(now.ns);
    for (std::size_t k = 0; k < mbps.size(); ++k) t = free[k] = std::max(t, free[k]) + size * 8e3 / mbps[k];
    expected.push_back(t);
  }
  drive.finish();
  REQUIRE(drive.out.size() == expected.size());
  // Service ends on whole nanoseconds: each of the three may lack a part of one since it was last idle.
  for (std::size_t i = 0; i < expected.size(); ++i)
    REQUIRE(std::abs(static_cast<double>(drive.out[i].time.ns) - expected[i]) <= 3);
}

TEST_CASE("whoever comes late sees the same: a list advanced in one go and event by event") {
  const auto build = [](DriveElements& drive) {
    drive.chain.add("jitter", make_element("jitter", {{"keep_order", false}, {"mean_ms", 4.0}}));
    drive.chain.add("first", bottleneck(rate(11), 9000));
    drive.chain.add("reorder", make_element("reorder", {{"probability", 0.2}, {"hold_ms", 7.0}}));
    drive.chain.add("shaper", make_element("shaper", {{"rate_mbps", 9.0}, {"limit_bytes", 12'000.0}}));
    drive.chain.add("handover", make_element("handover", {{"every_s", 0.3}, {"interruption_ms", 40.0}}));
    drive.chain.add("second", bottleneck(rate(10), 6000));
    drive.chain.add("duplicate", make_element("duplicate", {{"probability", 0.1}}));
    drive.chain.add("delay", make_element("delay"));
  };
  DriveElements late;
  DriveElements punctual;
  build(late);
  build(punctual);
  Random random{4, 0, "test"};
  Time now{};
  for (int i = 0; i < 20'000; ++i) {
    now += Duration{static_cast<int64_t>(random.exponential(0.8e6))};
    while (punctual.chain.next() <= now) punctual.advance(punctual.chain.next());
    punctual.in(now);
    late.in(now);
  }
  late.advance(now + Duration::seconds(10));
  punctual.finish();
  REQUIRE(late.out.size() == punctual.out.size());
  for (std::size_t i = 0; i < late.out.size(); ++i) {
    REQUIRE(late.out[i].number == punctual.out[i].number);
    REQUIRE(late.out[i].time == punctual.out[i].time);
  }
  // Of one element in the order of time; of several, whoever is asked first tells first.
  std::ranges::sort(late.lost);
  std::ranges::sort(punctual.lost);
  CHECK(late.lost == punctual.lost);
  CHECK(late.lost.size() > 1000);
}

TEST_CASE("the usual three, named, are the usual path to the byte; in a chain as well") {
  const auto run = [](std::vector<ElementPlan> path, double loss) {
    LinkPlan forward = constant_link(12, Duration::millis(20), Bytes{30'000});
    forward.loss = loss;
    forward.path = std::move(path);
    RunPlan plan = one_flow(forward, flow(cca("cubic")), 3);
    plan.reverse.path = forward.path;
    Recorder sink;
    const RunSummary s = simulate(plan, sink);
    return std::pair{s.receivers.at(0).received_bytes, sink};
  };
  const auto [bytes, usual] = run({}, 0.01);
  // The last one goes through a Chain, where a mark that never marks is of no consequence.
  const std::vector<std::vector<ElementPlan>> same{
      {own(Own::loss), own(Own::bottleneck), own(Own::delay)},
      {own(Own::bottleneck), own(Own::delay)},
      {own(Own::loss), further("mark", {{"probability", 0.0}}), own(Own::bottleneck), own(Own::delay)}};
  for (const auto& path : same) {
    const auto [again, sink] = run(path, 0.01);
    CHECK(again == bytes);
    for (const auto& [stream, rows] : usual.rows) {
      REQUIRE(sink.rows.at(stream).size() == rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t c = 0; c < rows[i].values.size(); ++c) {
          const float a = rows[i].values[c], b = sink.rows.at(stream)[i].values[c];
          REQUIRE((a == b || (a != a && b != b)));
        }
    }
  }
}

TEST_CASE("with two bottlenecks the narrower one carries its rate, and its queue is where packets wait") {
  LinkPlan wide = constant_link(24, Duration::millis(10), Bytes{60'000});
  wide.path = {own(Own::loss), own(Own::bottleneck), further_bottleneck(constant_link(8, {}, Bytes{60'000})),
               own(Own::delay)};
  Recorder sink;
  const RunSummary s = simulate(one_flow(wide, flow(cca("cubic")), 10), sink);
  CHECK(s.receivers.at(0).throughput_mbps == doctest::Approx(8).epsilon(0.03));
  CHECK(s.links.at(0).queueing_delay.mean_ms < 1);
  REQUIRE(s.links.at(0).path.size() == 4);
  const ElementSummary& narrow = s.links.at(0).path.at(2);
  CHECK(narrow.element == "bottleneck");
  CHECK(narrow.lost_packets > 0);
}

TEST_CASE("every algorithm keeps the books over every element, at any place") {
  std::size_t turn = 0;
  for (const ElementDescriptor* d : registered_elements()) {
    CAPTURE(d->id);
    for (std::size_t at = 0; at <= 3; ++at) {
      for (const char* id : {"cubic", "bbr", "copa", "sprout"}) {
        CAPTURE(at);
        CAPTURE(id);
        LinkPlan forward = constant_link(12, Duration::millis(10), Bytes{30'000});
        forward.loss = 0.005;
        forward.path = {own(Own::loss), own(Own::bottleneck), own(Own::delay)};
        ElementPlan added = further(std::string{d->id});
        if (d->queues) added = further_bottleneck(constant_link(9, {}, Bytes{20'000}));
        forward.path.insert(forward.path.begin() + static_cast<std::ptrdiff_t>(at), added);
        RunPlan plan = one_flow(forward, flow(cca(id)), 2);
        plan.seed = ++turn;
        plan.reverse.path = forward.path;
        plan.reverse.loss = 0.01;
        Recorder sink;
        const RunSummary s = simulate(plan, sink);
        for (const Ledger& l : sink.ledgers)
          REQUIRE(l.sent + l.copied == l.lost + l.dropped + l.queued + l.in_service + l.propagating + l.arrived);
        for (const ElementSummary& e : s.links.at(0).path)
          CHECK(e.entered_packets + e.copied_packets == e.passed_packets + e.lost_packets + e.held_packets);
        for (std::size_t i = 1; i < s.links.at(0).path.size(); ++i)
          CHECK(s.links.at(0).path[i].entered_packets == s.links.at(0).path[i - 1].passed_packets);
        CHECK(s.receivers.at(0).received_packets > 100);
      }
    }
  }
}

TEST_CASE("a flow that joins at an element meets that and what is behind, and its base RTT is that of its own way") {
  LinkPlan forward = constant_link(24, Duration::millis(10), Bytes{60'000});
  forward.path = {further("delay", {{"delay_ms", 30.0}}), own(Own::bottleneck),
                  further_bottleneck(constant_link(8, {}, Bytes{60'000})), own(Own::delay)};
  RunPlan plan = one_flow(forward, flow(cca("cubic")), 4);
  plan.flows.push_back(flow(cca("newreno")));
  plan.flows[1].joins = 2;
  plan.forward.joined = true;
  CHECK(plan.base_rtt(plan.flows[0]) == Duration::millis(50));
  CHECK(plan.base_rtt(plan.flows[1]) == Duration::millis(20));
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  const auto& path = s.links.at(0).path;
  REQUIRE(path.size() == 5);  // the link's own loss in front
  CHECK(path[0].entered_packets == s.senders.at(0).sent_packets);
  CHECK(path[2].entered_packets == path[1].passed_packets);
  CHECK(path[3].entered_packets == path[2].passed_packets + s.senders.at(1).sent_packets);
  for (const Ledger& l : sink.ledgers)
    REQUIRE(l.sent + l.copied == l.lost + l.dropped + l.queued + l.in_service + l.propagating + l.arrived);
  // Both share the second bottleneck alone.
  CHECK(s.receivers.at(0).throughput_mbps + s.receivers.at(1).throughput_mbps == doctest::Approx(8).epsilon(0.04));
  const auto least_rtt = [&](uint16_t f) {
    return sink.rows.at(static_cast<uint16_t>(telemetry::kFirstSenderStream + 2 * f)).back().values.at(7);
  };
  CHECK(least_rtt(0) >= 50);
  CHECK(least_rtt(1) >= 20);
  CHECK(least_rtt(1) < 25);
}

TEST_CASE("acknowledgements of a flow that joins pass the whole way back, and its base RTT counts that") {
  LinkPlan forward = constant_link(24, Duration::millis(10), Bytes{60'000});
  forward.path = {further("delay", {{"delay_ms", 30.0}}), own(Own::bottleneck), own(Own::delay)};
  RunPlan plan = one_flow(forward, flow(cca("cubic")), 3);
  plan.flows.push_back(flow(cca("cubic")));
  plan.flows[1].joins = 1;
  plan.forward.joined = true;
  plan.reverse.path = {further("delay", {{"delay_ms", 15.0}}), own(Own::bottleneck), own(Own::delay)};
  const Duration back = plan.reverse.delay;
  CHECK(plan.base_rtt(plan.flows[0]) == Duration::millis(30 + 10 + 15) + back);
  CHECK(plan.base_rtt(plan.flows[1]) == Duration::millis(10 + 15) + back);
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  REQUIRE(s.links.size() == 2);
  const auto& path = s.links.at(1).path;
  REQUIRE(path.at(1).element == "delay");
  // Every packet is acknowledged, so there are about as many as both flows together have delivered, not those of the first alone.
  CHECK(path.at(1).entered_packets > s.receivers.at(1).received_packets);
  CHECK(path.at(1).entered_packets == s.receivers.at(0).received_packets + s.receivers.at(1).received_packets);
  for (const std::size_t f : {0U, 1U}) {
    const auto stream = static_cast<uint16_t>(telemetry::kFirstSenderStream + 2 * f);
    const double least = sink.rows.at(stream).back().values.at(7);
    CHECK(least == doctest::Approx(plan.base_rtt(plan.flows[f]).to_millis()).epsilon(0.05));
  }
}
