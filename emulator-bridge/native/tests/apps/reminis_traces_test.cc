// Reminis over 5G recordings, the shipped one and those at hand: the claim of its paper (figures 7 and 8) is that delay stays near
// the threshold at about 80 % utilisation whatever the queue, from 800 to 51200 packets.

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/cca/link_run.hh"
#include "tests/cca/reminis_letter.hh"
#include "tests/recordings.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr double kThreshold = 30;  // ms: 1.5 times the paper's base RTT of 20 ms

struct Result {
  double utilisation{};
  double delay{};  // mean RTT over the threshold
};

using Recordings = std::vector<std::shared_ptr<const Trace>>;

Recordings recordings() {
  Recordings found;
  for (const std::string name :
       {"5g-mmwave-drive-lumos103.rl.gz", "5g-drive-verizon-2304.rl.gz", "5g-midband-irish-drive.rl"})
    if (auto counts = recording(name)) found.push_back(std::make_shared<const Trace>(std::move(*counts)));
  return found;
}

// Means over the recordings.
Result over(const Recordings& traces, double queue_packets, const Params::Given& given) {
  Result mean{};
  for (const auto& trace : traces) {
    const LinkRun run = run_over_link({.cca = "reminis",
                                       .params = given,
                                       .trace = trace,
                                       .rtt_ms = 20,
                                       .queue_packets = queue_packets,
                                       .duration_s = 60,
                                       .sample_period = Duration::millis(100)});
    mean.utilisation += run.link().utilisation / static_cast<double>(traces.size());
    mean.delay += run.summary.senders[0].rtt.mean_ms / kThreshold / static_cast<double>(traces.size());
  }
  return mean;
}

}  // namespace

TEST_CASE(
    "reminis keeps its delay near the threshold over 5G recordings whatever the queue, at four fifths of the link") {
  const Recordings traces = recordings();
  for (const double queue : {800.0, 51200.0}) {
    CAPTURE(queue);
    const Result ours = over(traces, queue, {});
    MESSAGE("queue " << queue << " packets: utilisation " << ours.utilisation << ", mean RTT / threshold "
                     << ours.delay);
    CHECK(ours.delay > 0.75);
    CHECK(ours.delay < 1.1);
    CHECK(ours.utilisation > 0.72);

    const Result to_the_letter = over(traces, queue, by_the_letter());
    MESSAGE("to the letter: utilisation " << to_the_letter.utilisation << ", mean RTT / threshold "
                                          << to_the_letter.delay);
    CHECK(to_the_letter.delay > 0.8);
    CHECK(to_the_letter.delay < 1.2);
    CHECK(to_the_letter.utilisation > 0.4);
    CHECK(to_the_letter.utilisation < ours.utilisation - 0.1);
  }
}
