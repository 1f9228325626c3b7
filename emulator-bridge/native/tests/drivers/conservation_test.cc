// Over hundreds of random runs: every packet is somewhere at every sample, nothing passes a link that the link did not offer,
// and the summaries agree with the samples and with each other.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/drivers/scenarios.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr uint64_t kRuns = 300;

double column_sum(const Recorder& sink, uint16_t stream, std::size_t column, bool rate) {
  double sum = 0;
  double before = 0;
  for (const auto& row : sink.rows.at(stream)) {
    const double value = row.values[column];
    sum += rate ? value * 1e6 / 8 * (row.time - before) : value;
    before = row.time;
  }
  return sum;
}

void check_books(const Recorder& sink, const RunSummary& s) {
  REQUIRE(!sink.ledgers.empty());
  for (const Ledger& l : sink.ledgers)
    REQUIRE(l.sent == l.lost + l.dropped + l.queued + l.in_service + l.propagating + l.arrived);
  const Ledger& end = sink.ledgers.back();
  uint64_t sent = 0, received = 0;
  for (const auto& sender : s.senders) sent += sender.sent_packets;
  for (const auto& receiver : s.receivers) received += receiver.received_packets + receiver.duplicate_packets;
  CHECK(sent == end.sent);
  CHECK(received == end.arrived);
  const LinkSummary& link = s.links[0];
  CHECK(link.arrived_packets + link.lost_packets == sent);
  CHECK(link.arrived_packets == link.delivered_packets + link.dropped_packets + link.queued_packets);
  for (std::size_t i = 0; i < s.senders.size(); ++i) {
    CHECK(s.senders[i].delivered_packets <= s.receivers[i].received_packets);
    CHECK(s.senders[i].spurious_packets <= s.senders[i].lost_packets);
    const auto& messages = s.receivers[i].messages;
    CHECK(messages.has_value() == s.senders[i].messages.has_value());
    if (!messages) continue;
    CHECK(messages->completed <= s.senders[i].messages->count);
    CHECK(messages->bytes <= s.receivers[i].received_bytes);
  }
}

// For all windows [s, t]: delivered(s, t) <= offered(s, t). Equivalently delivered - offered never rises above its least
// value so far. A constant rate delivers whole packets, each of which was on the wire for a while before.
void check_capacity(const Recorder& sink, const RunPlan& plan) {
  const bool constant = plan.forward.capacity.kind == Bottleneck::Capacity::Kind::constant;
  double excess = 0, least = 0, before = 0;
  for (const auto& row : sink.rows.at(telemetry::kForwardLinkStream)) {
    const double span = (row.time - before) * 1e6 / 8;
    before = row.time;
    excess += (static_cast<double>(row.values[1]) - static_cast<double>(row.values[0])) * span;
    REQUIRE(excess <= least + (constant ? 1500 : 0) + 1);
    least = std::min(least, excess);
  }
}

void check_samples_agree(const Recorder& sink, const RunSummary& s) {
  const LinkSummary& link = s.links[0];
  const double delivered = column_sum(sink, telemetry::kForwardLinkStream, 1, true);
  CHECK(delivered == doctest::Approx(static_cast<double>(link.delivered_bytes)).epsilon(1e-4));
  CHECK(column_sum(sink, telemetry::kForwardLinkStream, 5, false) ==
        doctest::Approx(static_cast<double>(link.dropped_packets)));
  CHECK(column_sum(sink, telemetry::kForwardLinkStream, 6, false) ==
        doctest::Approx(static_cast<double>(link.lost_packets)));
  for (std::size_t i = 0; i < s.senders.size(); ++i) {
    const auto sender = static_cast<uint16_t>(telemetry::kFirstSenderStream + 2 * i);
    const auto receiver = static_cast<uint16_t>(telemetry::kFirstReceiverStream + 2 * i);
    CHECK(column_sum(sink, sender, 0, true) ==
          doctest::Approx(static_cast<double>(s.senders[i].sent_bytes)).epsilon(1e-4));
    CHECK(column_sum(sink, sender, 8, false) == doctest::Approx(static_cast<double>(s.senders[i].lost_packets)));
    CHECK(column_sum(sink, receiver, 0, true) ==
          doctest::Approx(static_cast<double>(s.receivers[i].received_bytes)).epsilon(1e-4));
  }
}

void check_reason(const RunPlan& plan, const RunSummary& s) {
  if (std::isfinite(s.links[0].utilisation)) CHECK(s.links[0].utilisation <= 1.0 + 1e-9);
  for (std::size_t i = 0; i < plan.flows.size(); ++i) {
    if (s.senders[i].rtt.count == 0) continue;
    CHECK(s.senders[i].rtt.mean_ms >= plan.base_rtt(plan.flows[i]).to_millis() - 1e-9);
    CHECK(s.receivers[i].owd.p50_ms >= plan.forward.delay.to_millis() * 0.996);
  }
  for (const auto& f : s.fairness) {
    if (f.windows == 0) continue;
    CHECK(f.mean <= 1 + 1e-9);
    CHECK(f.mean >= 1.0 / static_cast<double>(plan.flows.size()) - 1e-9);
  }
}

}  // namespace

TEST_CASE("every packet is somewhere, and no window delivers more than the link offered") {
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    CAPTURE(seed);
    const RunPlan plan = ScenarioMaker{seed}.make();
    Recorder sink;
    const RunSummary s = simulate(plan, sink);
    check_books(sink, s);
    check_capacity(sink, plan);
    check_samples_agree(sink, s);
    check_reason(plan, s);
  }
}

TEST_CASE("the same plan gives the same rows, events and figures") {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const RunPlan plan = ScenarioMaker{seed}.make();
    Recorder first, second;
    simulate(plan, first);
    simulate(plan, second);
    REQUIRE(first.rows.size() == second.rows.size());
    REQUIRE(first.events.size() == second.events.size());
    for (const auto& [stream, rows] : first.rows) {
      const auto& others = second.rows.at(stream);
      REQUIRE(rows.size() == others.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        REQUIRE(rows[i].time == others[i].time);
        for (std::size_t c = 0; c < rows[i].values.size(); ++c)
          REQUIRE((rows[i].values[c] == others[i].values[c] ||
                   (std::isnan(rows[i].values[c]) && std::isnan(others[i].values[c]))));
      }
    }
  }
}
