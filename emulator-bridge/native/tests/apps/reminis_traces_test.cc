// Reminis over real 5G recordings, where they are at hand: the claim of its paper (figures 7 and 8) is that delay stays near
// the threshold at about 80 % utilisation whatever the queue, from 800 to 51200 packets.

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "apps/trace_file.hh"
#include "tests/cca/link_run.hh"
#include "tests/repository.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr double kThreshold = 30;  // ms: 1.5 times the paper's base RTT of 20 ms

struct Result {
  double utilisation{};
  double delay{};  // mean RTT over the threshold
};

// Means over the recordings.
Result over_recordings(double queue_packets, const Params::Given& given) {
  Result mean{};
  const std::vector<std::string> names{"5g-drive-verizon-2304.rl.gz", "5g-midband-irish-drive.rl",
                                       "5g-mmwave-drive-lumos103.rl.gz"};
  for (const std::string& name : names) {
    auto file = read_trace_file((shared_traces() / name).string());
    const LinkRun run = run_over_link({.cca = "reminis",
                                       .params = given,
                                       .trace = std::make_shared<const Trace>(file.counts()),
                                       .rtt_ms = 20,
                                       .queue_packets = queue_packets,
                                       .duration_s = 60,
                                       .sample_period = Duration::millis(100)});
    mean.utilisation += run.link().utilisation / static_cast<double>(names.size());
    mean.delay += run.summary.senders[0].rtt.mean_ms / kThreshold / static_cast<double>(names.size());
  }
  return mean;
}

}  // namespace

TEST_CASE("reminis keeps its delay near the threshold over 5G recordings whatever the queue") {
  if (!std::filesystem::exists(shared_traces())) {
    MESSAGE("skipped: there are no real traces at " << shared_traces().string());
    return;
  }
  for (const double queue : {800.0, 51200.0}) {
    CAPTURE(queue);
    const Result to_the_letter = over_recordings(queue, {});
    MESSAGE("queue " << queue << " packets, interval of one least RTT: utilisation " << to_the_letter.utilisation
                     << ", mean RTT / threshold " << to_the_letter.delay);
    CHECK(to_the_letter.delay > 0.8);
    CHECK(to_the_letter.delay < 1.2);
    CHECK(to_the_letter.utilisation > 0.4);

    const Result patient = over_recordings(queue, {{"si_factor", 2.0}, {"d_stat", std::string{"min"}}});
    MESSAGE("two least RTTs, least delay: utilisation " << patient.utilisation << ", mean RTT / threshold "
                                                        << patient.delay);
    CHECK(patient.delay > 0.75);
    CHECK(patient.delay < 1.05);
    CHECK(patient.utilisation > 0.75);
  }
}
