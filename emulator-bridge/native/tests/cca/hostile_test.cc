// Every registered sender through weather that no paper plans for. A new algorithm is covered before its author writes a test.
#include <doctest/doctest.h>

#include <cmath>

#include "core/random.hh"
#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

std::vector<std::string> senders() {
  std::vector<std::string> ids;
  for (const Descriptor* cca : registered_ccas())
    if (cca->kind != Kind::ideal) ids.emplace_back(cca->id);
  return ids;
}

// Capacity that jumps between nothing and 50 Mbps every few hundred milliseconds to few seconds.
std::shared_ptr<const Trace> broken_link(Random& random, double duration_s) {
  std::vector<std::pair<double, double>> parts;
  for (double t = 0; t < duration_s;) {
    t += random.chance(0.3) ? random.uniform(0.01, 0.1) : random.uniform(0.2, 4);
    parts.emplace_back(t, random.chance(0.25) ? 0.0 : random.uniform(20, 4000));
  }
  parts.emplace_back(duration_s + 1, 1000);  // it always ends with a working link
  return steps(parts);
}

Scenario hostile(const std::string& cca, uint64_t seed, TransportProfile profile) {
  Random random{seed, 0, "hostile weather"};
  Scenario s{.cca = cca, .duration_s = 20, .profile = profile, .seed = seed, .sample_period = Duration::millis(20)};
  s.rtt_ms = random.chance(0.3) ? 1000 : random.uniform(0, 200);
  s.queue_packets = random.chance(0.3) ? 2 : random.chance(0.2) ? 0 : random.uniform(1, 2000);
  s.loss = random.chance(0.3) ? 0.3 : random.chance(0.5) ? random.uniform(0, 0.05) : 0;
  s.ack_every = static_cast<int>(1 + random.below(8));
  if (random.chance(0.8)) {
    s.trace = broken_link(random, s.duration_s - 5);
  } else {
    s.rate_mbps = random.uniform(0.1, 200);
  }
  return s;
}

void check_sane(const LinkRun& run) {
  int64_t delivered = 0;
  for (const auto& receiver : run.summary.receivers) delivered += receiver.received_bytes;
  CHECK(delivered > 0);
  for (const Sample& s : run.samples) {
    // one packet is every algorithm's least window right after a timeout; rate-only senders have no window
    const auto cwnd = static_cast<double>(s.sender.cwnd_bytes);
    REQUIRE((std::isnan(cwnd) || cwnd >= kPacket));
    REQUIRE(s.sender.inflight_bytes >= 0);
    REQUIRE(static_cast<double>(s.sender.inflight_bytes) < 2e9);
    const auto pace = static_cast<double>(s.sender.pacing_mbps);
    REQUIRE((std::isnan(pace) || (pace >= 0 && pace < 1e6)));
    for (const float value : s.internals) REQUIRE_FALSE(std::isinf(value));
  }
  CHECK(run.link().utilisation <= 1.0000001);
}

bool same(const LinkRun& a, const LinkRun& b) {
  if (a.samples.size() != b.samples.size()) return false;
  for (std::size_t i = 0; i < a.samples.size(); ++i) {
    const Sample& x = a.samples[i];
    const Sample& y = b.samples[i];
    if (std::memcmp(&x.sender, &y.sender, sizeof x.sender) != 0 || std::memcmp(&x.link, &y.link, sizeof x.link) != 0)
      return false;
    if (x.internals.size() != y.internals.size()) return false;
    if (std::memcmp(x.internals.data(), y.internals.data(), x.internals.size() * sizeof(float)) != 0) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("every CCA survives outages, 30 % loss, a second of RTT and queues of two packets, the same way twice") {
  for (const std::string& cca : senders()) {
    for (const TransportProfile profile : {TransportProfile::tcp, TransportProfile::quic}) {
      for (uint64_t seed = 1; seed <= 12; ++seed) {
        CAPTURE(cca);
        CAPTURE(profile);
        CAPTURE(seed);
        const LinkRun run = run_over_link(hostile(cca, seed, profile));
        check_sane(run);
        if (seed % 4 == 0) CHECK(same(run, run_over_link(hostile(cca, seed, profile))));
      }
    }
  }
}

namespace {

// Algorithms that by design need longer than 3 s after an outage, and why.
struct Slow {
  std::string_view id;
  double seconds{};
};
constexpr Slow kSlow[]{
    // The outage outlasts the least-RTT window, so the first ACK after it begins PROBE_RTT. Its four packets are fewer than
    // what the full queue dropped and the undone timeout takes to be under way: nothing is sent until the loss probe, two
    // smoothed RTTs of 5 s later. Linux 6.18 over this very scenario does the same.
    {"bbr", 13},
    // The same silence for the same reason: its window is two packets, because the first delay sample after the outage says 5 s.
    {"ledbat", 13},
    // The smoothed RTT still holds the outage's seconds, and the pace is the window over it: with the two packets to which
    // the Guardian cut the window it takes 5 to 10 s to forget. Without pacing it is back at once.
    {"reminis", 12},
    // The same pace, a window over a smoothed RTT of seconds, which is all that Orca's kernel has.
    {"orca", 5},
};

// Algorithms that by design leave capacity unused even where it is constant, what they reach, and why.
struct Modest {
  std::string_view id;
  double utilisation{};
};
constexpr Modest kModest[]{
    // The Guardian acts every round trip and sees what it did one round trip later (cca-reference 6.5: 0.55 to 0.68).
    {"reminis", 0.5},
    // Near the rate at which it was last overused it adds half a packet per response time, 8.5 kbit in 280 ms, until three deviations
    // above that rate prove it wrong: a doubled capacity goes unused for 10 s.
    {"gcc", 0.55},
    // Its rule halves the window when the queue takes the RTT over the target, here 10 ms above the path's own, and what is
    // left does not fill the path (0.70 after the step down, 0.73 after the one up).
    {"deepcc", 0.65},
};

double time_to_recover(std::string_view cca) {
  for (const Slow& slow : kSlow)
    if (slow.id == cca) return slow.seconds;
  return 3;
}

double usual_utilisation(std::string_view cca) {
  for (const Modest& modest : kModest)
    if (modest.id == cca) return modest.utilisation;
  return 0.8;
}

}  // namespace

TEST_CASE("every CCA is back at half the capacity within 3 s of the end of a 5 s outage") {
  for (const std::string& cca : senders()) {
    for (const double queue : {40.0, 160.0}) {  // 1 and 4 BDP
      CAPTURE(cca);
      CAPTURE(queue);
      const double back_by = 15 + time_to_recover(cca);
      const auto outage = steps({{10, 1000}, {15, 0}, {60, 1000}});
      const LinkRun run =
          run_over_link({.cca = cca, .trace = outage, .rtt_ms = 40, .queue_packets = queue, .duration_s = back_by + 2});
      double best = 0;
      for (double t = 15; t + 0.5 <= back_by; t += 0.25) best = std::max(best, run.utilisation(t, t + 0.5));
      CHECK(best >= 0.5);
      CHECK(run.utilisation(back_by - 0.5) >= 0.5);
    }
  }
}

TEST_CASE("every CCA follows capacity steps down to a half and up to the double") {
  for (const std::string& cca : senders()) {
    CAPTURE(cca);
    const auto stairs = steps({{10, 1000}, {20, 500}, {40, 1000}});
    const LinkRun run =
        run_over_link({.cca = cca, .trace = stairs, .rtt_ms = 40, .queue_packets = 40, .duration_s = 35});
    CHECK(run.utilisation(15, 20) > usual_utilisation(cca));
    CHECK(run.utilisation(30, 35) > usual_utilisation(cca));
  }
}

TEST_CASE("every CCA keeps going under 1 % of random loss") {
  for (const std::string& cca : senders()) {
    CAPTURE(cca);
    const LinkRun run = run_over_link({.cca = cca, .rtt_ms = 40, .queue_packets = 40, .duration_s = 20, .loss = 0.01});
    // a Reno window of 1.22/sqrt(p) = 12 packets of the BDP's 40
    CHECK(run.utilisation(5) > 0.25);
    CHECK(run.summary.senders[0].timeouts <= 2);
  }
}
