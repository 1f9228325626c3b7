// docs/reference.md 1.4: T1 is 12 Mbps with 40 ms.

#include <doctest/doctest.h>

#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

struct Sampled {
  Time now{};
  RateSample rate{};
};

class Sampling final : public Controller {
 public:
  Sampling(Bytes cwnd, std::vector<Sampled>& all) : cwnd_{cwnd}, all_{all} {}
  void on_ack(const AckEvent& ack) override { all_.push_back({ack.now, ack.rate}); }
  [[nodiscard]] Bytes cwnd() const override { return cwnd_; }

 private:
  Bytes cwnd_;
  std::vector<Sampled>& all_;
};

std::vector<Sampled> samples(int window, int ack_every, Rate source = Rate::zero(), double mbps = 12) {
  std::vector<Sampled> all;
  Descriptor d{};
  d.id = "sampling";
  d.needs = {.pacing = Pacing::none, .prr = false};
  d.make = [&](const Setup& s, const Params&) { return std::make_unique<Sampling>(s.mss * window, all); };
  RunPlan plan = one_flow(constant_link(mbps, Duration::millis(20)), flow(&d, ack_every), 5);
  plan.flows[0].source_rate = source;
  Recorder sink;
  simulate(plan, sink);
  return all;
}

constexpr Time kSettled = Time::zero() + Duration::millis(1000);

}  // namespace

TEST_CASE("on a saturated link every sample is within 2 % of the capacity") {
  std::size_t seen = 0;
  for (const auto& s : samples(80, 1)) {
    if (s.now < kSettled) continue;
    REQUIRE(s.rate.valid);
    CHECK(s.rate.rate.to_mbps() == doctest::Approx(12).epsilon(0.02));
    CHECK_FALSE(s.rate.app_limited);
    ++seen;
  }
  CHECK(seen > 3900);
}

TEST_CASE("an application that writes at half the capacity marks every sample, and each is that half") {
  std::size_t seen = 0;
  for (const auto& s : samples(80, 1, Rate::mbps(6))) {
    if (s.now < kSettled) continue;
    REQUIRE(s.rate.valid);
    CHECK(s.rate.app_limited);
    CHECK(s.rate.rate.to_mbps() == doctest::Approx(6).epsilon(0.02));
    ++seen;
  }
  CHECK(seen > 1900);
}

TEST_CASE("acknowledgements that come in bunches never make a sample faster than the sending") {
  for (const auto& s : samples(80, 10)) {
    if (s.now < kSettled || !s.rate.valid) continue;
    CHECK(s.rate.rate.to_mbps() <= 12 * 1.001);
  }
}

TEST_CASE("a sample covers what was delivered since its packet was sent") {
  for (const auto& s : samples(20, 1)) {
    if (s.now < kSettled) continue;
    CHECK(s.rate.delivered == kMtu * 20);
    CHECK(s.rate.tx_inflight == kMtu * 20);
    CHECK(s.rate.interval.to_millis() == doctest::Approx(41));
    CHECK(s.rate.lost == Bytes::zero());
  }
}
