// Sprout's inference against a plain implementation of its description in double precision (docs/reference.md 6.3), and the count of
// what has arrived or is lost.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "cca/sprout_flow.hh"
#include "cca/sprout_model.hh"
#include "core/random.hh"

using namespace paceline;

namespace {

constexpr std::size_t kBins = SproutModel::kBins;
constexpr double kTick = 0.02;
constexpr double kSigma = 200;
constexpr double kWidth = 1000.0 / 256;
constexpr std::size_t kMost = 29;  // arrivals in a tick that forecasts consider

double cdf(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

double poisson(std::size_t k, double mean) {
  if (mean == 0) return k == 0 ? 1 : 0;
  return std::exp(static_cast<double>(k) * std::log(mean) - mean - std::lgamma(static_cast<double>(k) + 1));
}

// Where the mass of each bin goes in a tick.
std::vector<std::vector<double>> transitions() {
  const double s = kSigma * std::sqrt(kTick);
  std::vector<std::vector<double>> w(kBins, std::vector<double>(kBins));
  for (std::size_t i = 0; i < kBins; ++i) {
    for (std::size_t j = 0; j < kBins; ++j) {
      const double upper = j + 1 == kBins ? INFINITY : static_cast<double>(j + 1) * kWidth;
      const double lower = j == 0 ? -INFINITY : static_cast<double>(j) * kWidth;
      w[i][j] = cdf((upper - SproutModel::rate(i)) / s) - cdf((lower - SproutModel::rate(i)) / s);
      if (i == 0) w[i][j] *= j == 0 ? std::exp(-kTick) : 1 - std::exp(-kTick);
    }
  }
  return w;
}

class Plain {
 public:
  void evolve() {
    std::vector<double> next(kBins);
    for (std::size_t i = 0; i < kBins; ++i)
      for (std::size_t j = 0; j < kBins; ++j) next[j] += belief_[i] * step_[i][j];
    belief_ = next;
  }
  void observe(uint32_t k) {
    double mass = 0;
    for (std::size_t j = 0; j < kBins; ++j) mass += belief_[j] *= poisson(k, SproutModel::rate(j) * kTick);
    for (double& p : belief_) p /= mass;
  }
  // Forwards: the joint distribution of where the rate is and how much arrived.
  [[nodiscard]] std::vector<uint32_t> forecast() const {
    std::vector<std::vector<double>> joint{belief_};  // by arrivals, by bin
    std::vector<uint32_t> answers;
    for (std::size_t h = 0; h < 8; ++h) {
      std::vector<std::vector<double>> next(joint.size() + kMost, std::vector<double>(kBins));
      for (std::size_t n = 0; n < joint.size(); ++n) {
        std::vector<double> moved = joint[n];
        if (h > 0) {
          std::fill(moved.begin(), moved.end(), 0.0);
          for (std::size_t i = 0; i < kBins; ++i)
            for (std::size_t j = 0; joint[n][i] > 1e-12 && j < kBins; ++j) moved[j] += joint[n][i] * step_[i][j];
        }
        for (std::size_t k = 0; k <= kMost; ++k)
          for (std::size_t j = 0; j < kBins; ++j) next[n + k][j] += moved[j] * arrivals_[k][j];
      }
      joint = std::move(next);
      double total = 0;
      for (const auto& row : joint)
        for (const double p : row) total += p;
      double sum = 0;
      uint32_t n = 0;
      for (;; ++n) {
        for (const double p : joint[n]) sum += p;
        if (sum >= 0.05 * total) break;
      }
      answers.push_back(n);
    }
    return answers;
  }
  [[nodiscard]] double probability(std::size_t bin) const {
    double mass = 0;
    for (const double p : belief_) mass += p;
    return belief_[bin] / mass;
  }

 private:
  static std::vector<std::vector<double>> arrivals() {
    std::vector<std::vector<double>> p(kMost + 1, std::vector<double>(kBins));
    for (std::size_t k = 0; k <= kMost; ++k)
      for (std::size_t j = 0; j < kBins; ++j) p[k][j] = poisson(k, SproutModel::rate(j) * kTick);
    return p;
  }
  std::vector<double> belief_ = std::vector<double>(kBins, 1.0 / kBins);
  std::vector<std::vector<double>> step_ = transitions();
  std::vector<std::vector<double>> arrivals_ = arrivals();
};

double normalised(const SproutModel& model, std::size_t bin) {
  double mass = 0;
  for (std::size_t j = 0; j < kBins; ++j) mass += model.probability(j);
  return model.probability(bin) / mass;
}

}  // namespace

TEST_CASE("sprout's inference and forecasts are those of the plain model") {
  SproutModel fast{{}};
  Plain plain;
  Random random{11, 0, "arrivals"};
  double rate = 8;
  for (int tick = 0; tick < 60; ++tick) {
    fast.evolve();
    plain.evolve();
    if (tick % 7 != 3) {  // some ticks are skipped
      rate = std::clamp(rate + random.normal(), 0.0, 19.0);
      if (tick > 30 && tick < 36) rate = 0;
      const auto k = static_cast<uint32_t>(rate + random.uniform());
      fast.observe(k);
      plain.observe(k);
    }
    double worst = 0;
    for (std::size_t j = 0; j < kBins; ++j)
      worst = std::max(worst, std::abs(normalised(fast, j) - plain.probability(j)));
    CHECK(worst < 2e-3);  // steps of more than five standard deviations are left out
    if (tick % 20 != 19) continue;
    const auto ours = fast.forecast();
    const auto expected = plain.forecast();
    for (std::size_t h = 0; h < 8; ++h) CHECK(ours[h] == expected[h]);
  }
}

TEST_CASE("sprout believes what keeps arriving, cautiously, and forecasts more for longer") {
  for (const uint32_t k : {2U, 6U, 10U, 18U}) {  // per tick of 20 ms
    SproutModel model{{}};
    for (int tick = 0; tick < 100; ++tick) {
      model.evolve();
      model.observe(k);
    }
    const double rate = 50.0 * k;
    CHECK(model.mean_rate() == doctest::Approx(rate).epsilon(0.12));
    const auto f = model.forecast();
    for (std::size_t h = 1; h < 8; ++h) CHECK(f[h] >= f[h - 1]);
    CHECK(f[7] <= 0.16 * rate);  // check 3
    CHECK(f[7] > 0);
  }
}

TEST_CASE("sprout takes silence for an outage, and one packet for its end") {
  SproutModel model{{}};
  for (int tick = 0; tick < 100; ++tick) {
    model.evolve();
    model.observe(0);
  }
  CHECK(model.outage() > 0.9);
  CHECK(model.forecast()[7] == 0);
  model.evolve();
  model.observe(1);
  CHECK(model.outage() == 0);
}

TEST_CASE("sprout survives what it held impossible") {
  SproutModel model{{}};
  for (int tick = 0; tick < 500; ++tick) {
    model.evolve();
    model.observe(tick % 50 == 0 ? 4'000'000'000U : 0);
    REQUIRE(model.mean_rate() >= 0);
    REQUIRE(model.mean_rate() <= 1010);
  }
  model.evolve();
  model.observe(1000);
  CHECK(model.mean_rate() > 500);
}

TEST_CASE("sprout counts as lost what was overtaken by something sent 10 ms later") {
  const auto at = [](int ms) { return Time::zero() + Duration::millis(ms); };
  SproutArrivals arrivals;
  arrivals.add(0, at(0));
  arrivals.add(1, at(2));
  CHECK(arrivals.received_or_lost() == 2);
  arrivals.add(4, at(9));  // 2 and 3 may still come
  CHECK(arrivals.received_or_lost() == 3);
  arrivals.add(3, at(7));
  CHECK(arrivals.received_or_lost() == 4);
  arrivals.add(3, at(7));  // a copy
  CHECK(arrivals.received_or_lost() == 4);
  arrivals.add(5, at(18));  // 10 ms after 3 was sent: 2 is lost
  CHECK(arrivals.received_or_lost() == 6);
  arrivals.add(2, at(5));
  CHECK(arrivals.received_or_lost() == 6);
  arrivals.add(100, at(500));
  arrivals.add(101, at(511));
  CHECK(arrivals.received_or_lost() == 102);
}
