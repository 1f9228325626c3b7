// What holds for every queue discipline: nothing is lost or made up, limits hold, time may stand still or jump, and whole runs keep
// their books.

#include <doctest/doctest.h>

#include <map>

#include "tests/param_variants.hh"
#include "tests/queue/drive.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

struct Limit {
  Bytes bytes{};
  int64_t packets{};
};

}  // namespace

TEST_CASE("every packet comes out or is dropped once, within the limits, in its flow's order") {
  for (const QueueDescriptor* d : registered_queues()) {
    CAPTURE(d->id);
    for (const Params::Given& params : variants_of(d->params)) {
      if (!params.empty()) CAPTURE(params.begin()->first);
      for (const Limit limit : {Limit{{3000}, INT64_MAX}, Limit{Bytes::infinite(), 2}, Limit{{40'000}, 100},
                                Limit{{1500}, 1}, Limit{Bytes::infinite(), INT64_MAX}}) {
        CAPTURE(limit.bytes.v);
        CAPTURE(limit.packets);
        Drive drive{make(std::string{d->id}, limit.bytes, params, limit.packets)};
        Random random{7, 0, "test"};
        Time now{};
        for (int i = 0; i < 6000; ++i) {
          // Bursts, silence, and now and then seconds without an opportunity to leave.
          now += Duration::seconds(random.chance(0.001) ? 5 : random.chance(0.4) ? 0 : random.exponential(0.001));
          if (random.chance(0.6)) {
            drive.in(now, static_cast<uint16_t>(random.below(5)), 40 + static_cast<uint32_t>(random.below(1461)),
                     static_cast<EcnMark>(random.below(4)));
          } else {
            drive.out(now);
          }
          REQUIRE(drive.queue->packets() >= 0);
          REQUIRE((drive.queue->packets() == 0) == (drive.queue->bytes() == Bytes::zero()));
          if (!d->limited) continue;
          REQUIRE(drive.queue->packets() <= limit.packets);
          REQUIRE(drive.queue->bytes() <= limit.bytes);
        }
        REQUIRE(drive.accounted());
        while (drive.out(now)) now += Duration::millis(1);
        CHECK(drive.queue->packets() == 0);
        CHECK(drive.queue->bytes() == Bytes::zero());
        CHECK(drive.accounted());
        // Each flow's packets leave in their order; DualPI2 has two queues, told apart by what the packet carried.
        std::map<std::pair<int, bool>, uint64_t> last;
        for (const Gone& g : drive.delivered) {
          if (d->id == "dualpi2" && g.packet.ecn == EcnMark::ce) continue;
          const bool l4s = d->id == "dualpi2" && g.packet.ecn == EcnMark::ect1;
          const auto [at, fresh] = last.try_emplace({g.packet.flow, l4s}, g.packet.number);
          if (!fresh) REQUIRE(at->second < g.packet.number);
          at->second = g.packet.number;
        }
      }
    }
  }
}

TEST_CASE("a packet that does not understand marks never carries one") {
  for (const QueueDescriptor* d : registered_queues()) {
    CAPTURE(d->id);
    Drive drive{make(std::string{d->id}, Bytes{150'000})};
    for (int ms = 0; ms < 5000; ++ms) {  // twice what leaves
      drive.in(at_ms(ms), 0, 1500, EcnMark::not_ect);
      drive.in(at_ms(ms), 1, 1500, EcnMark::not_ect);
      drive.out(at_ms(ms));
    }
    for (const Gone& g : drive.delivered) REQUIRE(g.packet.ecn == EcnMark::not_ect);
    CHECK(drive.queue->marked_packets() == 0);
  }
}

TEST_CASE("a limit that becomes smaller drops at most by the arrivals that follow, and holds from then on") {
  for (const QueueDescriptor* d : registered_queues()) {
    if (!d->limited) continue;
    CAPTURE(d->id);
    Drive drive{make(std::string{d->id}, Bytes{150'000})};
    for (int i = 0; i < 100; ++i) drive.in(at_ms(0.01 * i));
    drive.queue->set_limit_bytes(Bytes{15'000});
    CHECK(drive.dropped.empty());
    for (int ms = 2; ms < 300; ++ms) {
      drive.in(at_ms(ms));
      drive.out(at_ms(ms));
    }
    CHECK(drive.queue->bytes() <= Bytes{15'000});
    CHECK(drive.accounted());
  }
}

TEST_CASE("whole runs keep their books under every discipline, over outages and two-packet queues too") {
  for (const QueueDescriptor* d : registered_queues()) {
    CAPTURE(d->id);
    for (const bool outage : {false, true}) {
      for (const int64_t limit : {int64_t{2}, int64_t{200}}) {
        CAPTURE(limit);
        LinkPlan forward = constant_link(20, Duration::millis(10));
        if (outage) {
          std::vector<uint32_t> counts(6000, 2);
          for (std::size_t ms = 1000; ms < 4000; ++ms) counts[ms] = 0;  // three seconds of silence
          forward = trace_link(std::move(counts), Duration::millis(10));
        }
        forward.queue = {.discipline = d, .params = Params{d->params, {}}};
        if (d->limited) forward.queue.limit_packets = limit;
        RunPlan plan = one_flow(forward, flow(cca("cubic"), 2), 6);
        plan.flows.push_back(flow(cca("bbr")));
        plan.flows.push_back(flow(fixed_window(30, Rate::mbps(5))));
        // Acknowledgements go through the same discipline.
        plan.reverse = constant_link(1, Duration::millis(10));
        plan.reverse.queue = forward.queue;
        Recorder sink;
        const RunSummary s = simulate(plan, sink);
        REQUIRE(!sink.ledgers.empty());
        for (const Ledger& l : sink.ledgers)
          REQUIRE(l.sent == l.lost + l.dropped + l.queued + l.in_service + l.propagating + l.arrived);
        for (const LinkSummary& link : s.links) {
          CHECK(link.arrived_packets == link.delivered_packets + link.dropped_packets + link.queued_packets);
          CHECK(link.queueing_delay.count == link.delivered_packets);
        }
        // After the silence the flows come back.
        const LinkSummary& link = s.links.front();
        if (limit > 2) CHECK(link.utilisation > (outage ? 0.35 : 0.7));
        Recorder again;
        simulate(plan, again);
        CHECK(again.rows.at(telemetry::kForwardLinkStream).back().values ==
              sink.rows.at(telemetry::kForwardLinkStream).back().values);
      }
    }
  }
}
