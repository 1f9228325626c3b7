// Logs of links that are known: what the analysis must find in them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "core/random.hh"
#include "recorder/analysis.hh"

using namespace paceline;
using namespace paceline::recorder;

namespace {

// A droptail link: rate in Mbps as a function of time, a queue of so many packets, jitter that empties from time to time.
struct Link {
  std::function<double(double)> mbps{};
  double queue_packets{1000};
  double jitter_ms{0};
  double drift{0};  // of the receiver's clock
};

struct Made {
  std::vector<Arrival> log{};
  Conditions conditions{};
};

Made record(double sent_mbps, double seconds, const Link& link) {
  Random random{5, 0, "link"};
  Made made{.conditions = {.rate_bps = static_cast<uint64_t>(sent_mbps * 1e6),
                           .duration = Duration::seconds(seconds),
                           .packet_bytes = 1500}};
  const auto packets = static_cast<uint64_t>(sent_mbps * 1e6 * seconds / 12'000);
  double free_at = 0;
  for (uint64_t i = 0; i < packets; ++i) {
    const double sent = static_cast<double>(i) * 12'000 / (sent_mbps * 1e6);
    const double service = 12'000 / (link.mbps(sent) * 1e6);
    if (free_at - sent > link.queue_packets * service) continue;
    free_at = std::max(free_at, sent) + service;
    const double arrival = 3 + 0.02 + free_at + random.uniform() * link.jitter_ms / 1e3;
    made.log.push_back({.arrival_ns = static_cast<int64_t>(arrival * (1 + link.drift) * 1e9),
                        .sequence = i,
                        .sent_ns = static_cast<int64_t>(sent * 1e9)});
  }
  made.conditions.sender = SenderReport{.planned_packets = packets, .sent_packets = packets};
  return made;
}

std::function<double(double)> constant(double mbps) {
  return [mbps](double) { return mbps; };
}

double source_limited_share(Made made) {
  const Analysis a = analyse(made.log, made.conditions);
  return static_cast<double>(a.source_limited_windows) / static_cast<double>(a.windows);
}

bool flagged(const std::vector<Flag>& flags, const std::string& code) {
  return std::any_of(flags.begin(), flags.end(), [&](const Flag& flag) { return flag.code == code; });
}

}  // namespace

TEST_CASE("A recording of an overfilled link is not source-limited, deep queue or shallow") {
  CHECK(source_limited_share(record(60, 12, {.mbps = constant(20)})) == 0);
  CHECK(source_limited_share(record(60, 12, {.mbps = constant(20), .queue_packets = 5})) == 0);
  CHECK(source_limited_share(record(22, 12, {.mbps = constant(20), .queue_packets = 3000})) < 0.02);
}

TEST_CASE("A recording whose sender was too slow is source-limited, also with a radio's jitter and clocks that part") {
  CHECK(source_limited_share(record(20, 12, {.mbps = constant(100)})) == 1);
  CHECK(source_limited_share(record(20, 12, {.mbps = constant(100), .jitter_ms = 8})) > 0.9);
  CHECK(source_limited_share(record(20, 60, {.mbps = constant(100), .drift = 50e-6})) == 1);
  CHECK(source_limited_share(record(20, 60, {.mbps = constant(100), .drift = -50e-6})) == 1);
}

TEST_CASE("A plateau at the sender's rate in part of a recording is found, and about as long as it is") {
  const auto link = [](double t) { return t < 3 || t > 9 ? 40.0 : 300.0; };
  const double share = source_limited_share(record(100, 12, {.mbps = link, .queue_packets = 100}));
  CHECK(share > 0.45);
  CHECK(share <= 0.5);
}

TEST_CASE("A link that stands still at times is not taken for an idle one") {
  const auto link = [](double t) { return std::fmod(t, 2) < 0.7 ? 0.2 : 50.0; };
  CHECK(source_limited_share(record(80, 12, {.mbps = link})) == 0);
}

TEST_CASE("Losses, their bursts, overtaking and copies are counted exactly") {
  Made made = record(12, 2, {.mbps = constant(100)});  // 2000 packets, a millisecond apart
  std::erase_if(made.log, [](const Arrival& a) {
    return (a.sequence >= 100 && a.sequence < 130) || a.sequence == 500 || a.sequence >= 1990;
  });
  std::swap(made.log[600].sequence, made.log[602].sequence);
  made.log.push_back(made.log[700]);
  const Analysis a = analyse(made.log, made.conditions);
  CHECK(a.sent == 2000);
  CHECK(a.lost == 41);
  CHECK(a.longest_loss == 30);
  CHECK(a.copies == 1);
  CHECK(a.received == 1959);
  CHECK(a.reordered == 2);
  CHECK(made.log.size() == a.received);
  CHECK(a.duration_s == doctest::Approx(1.989));
}

TEST_CASE("Rates and queueing are those of the link") {
  Made made = record(60, 12, {.mbps = constant(20), .queue_packets = 100});
  const Analysis a = analyse(made.log, made.conditions);
  CHECK(a.mean_mbps == doctest::Approx(20).epsilon(0.001));
  CHECK(a.p5_mbps == doctest::Approx(20).epsilon(0.01));
  CHECK(a.p95_mbps == doctest::Approx(20).epsilon(0.01));
  CHECK(a.queue_median_ms == doctest::Approx(60).epsilon(0.02));
}

TEST_CASE("What spoils a recording is said: a slow sender, a slow receiver, a full socket, an early end") {
  Made made = record(60, 12, {.mbps = constant(20)});
  CHECK(flags_of(analyse(made.log, made.conditions), made.conditions).empty());

  made.conditions.sender->planned_packets = made.conditions.sender->sent_packets * 11 / 10;
  made.conditions.socket_drops = 3;
  const auto flags = flags_of(analyse(made.log, made.conditions), made.conditions);
  CHECK(flags.size() == 2);
  CHECK(flagged(flags, "sender_short"));
  CHECK(flagged(flags, "socket_drops"));

  Made late = record(60, 12, {.mbps = constant(20)});
  for (Arrival& a : late.log) {
    const int64_t since = a.arrival_ns % 50'000'000;
    if (a.arrival_ns > 6'000'000'000) a.arrival_ns += 50'000'000 - since;  // handed over every 50 ms
  }
  const Analysis caught_up = analyse(late.log, late.conditions);
  CHECK(caught_up.longest_burst >= 80);
  CHECK(flagged(flags_of(caught_up, late.conditions), "receiver_catch_up"));

  Made cut = record(60, 3, {.mbps = constant(20)});
  cut.conditions.sender.reset();
  const auto without = flags_of(analyse(cut.log, cut.conditions), cut.conditions);
  CHECK(flagged(without, "no_last_word"));
  CHECK(flagged(without, "short"));
  cut.conditions.interrupted = true;
  CHECK(flagged(flags_of(analyse(cut.log, cut.conditions), cut.conditions), "interrupted"));
}

TEST_CASE("Nothing, and numbers that no sender can have reached, are no recording") {
  Conditions conditions{.rate_bps = 12'000'000, .duration = Duration::millis(1000), .packet_bytes = 1500};
  std::vector<Arrival> log;
  CHECK_THROWS_AS((void)analyse(log, conditions), std::runtime_error);
  log = {{.sequence = 1000}, {.sequence = ~uint64_t{0}}};
  CHECK_THROWS_AS((void)analyse(log, conditions), std::runtime_error);
  // The sender's word is not worth memory either.
  log = {{.sequence = 1}};
  conditions.sender = SenderReport{.planned_packets = ~uint64_t{0}, .sent_packets = ~uint64_t{0}};
  CHECK(analyse(log, conditions).sent == 1000);
}
