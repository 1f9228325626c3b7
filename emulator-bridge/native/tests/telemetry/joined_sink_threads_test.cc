// Two threads, one sink: what each says keeps its order, and a moment is complete when both have it.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <thread>
#include <vector>

#include "telemetry/background_sink.hh"
#include "telemetry/joined_sink.hh"

using namespace paceline;

namespace {

// Notes, for each moment that is complete, how many rows of each stream had come.
class Recorder final : public RunSink {
 public:
  void samples(uint16_t stream, Time time, std::span<const float> row) override {
    ordered = ordered && time > last[stream] && row.size() == 1;
    last[stream] = time;
    ++rows[stream];
  }
  void samples_complete(Time now) override {
    for (const uint16_t stream : {uint16_t{0}, uint16_t{16}}) early = early || last[stream] < now;
    complete.push_back(now);
  }
  void event(const RunEvent&) override { ++events; }

  std::map<uint16_t, Time> last{};
  std::map<uint16_t, int> rows{};
  std::vector<Time> complete{};
  int events{};
  bool ordered{true};
  bool early{};
};

}  // namespace

TEST_CASE("Rows of two threads keep their order, and a moment is complete when both have come to it") {
  constexpr int kMoments = 4000;
  Recorder recorder;
  JoinedSink joined{recorder, 2};
  BackgroundSink links{joined.lane(0)};
  BackgroundSink senders{joined.lane(1)};
  const auto produce = [](RunSink& sink, uint16_t stream) {
    for (int i = 1; i <= kMoments; ++i) {
      const Time at = Time::zero() + Duration::millis(i);
      const std::array<float, 1> row{static_cast<float>(i)};
      sink.samples(stream, at, row);
      if (i % 10 == 0) sink.event({.time = at, .event = "rto"});
      sink.samples_complete(at);
    }
  };
  std::thread first{[&] { produce(links, 0); }};
  std::thread second{[&] { produce(senders, 16); }};
  first.join();
  second.join();
  links.finish();
  senders.finish();
  CHECK(recorder.ordered);
  CHECK_FALSE(recorder.early);
  CHECK(recorder.rows[0] == kMoments);
  CHECK(recorder.rows[16] == kMoments);
  CHECK(recorder.events == 2 * kMoments / 10);
  REQUIRE_FALSE(recorder.complete.empty());
  CHECK(recorder.complete.back() == Time::zero() + Duration::millis(kMoments));
  CHECK(std::is_sorted(recorder.complete.begin(), recorder.complete.end()));
}
