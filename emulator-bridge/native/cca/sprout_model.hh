#pragma once
// Sprout's model of a cellular link (Winstein, Sivaraman, Balakrishnan, NSDI 2013, section 3; docs/reference.md 6.3): packets arrive as
// a Poisson process whose rate wanders like a Brownian motion, and which gets stuck at zero for a while. The receiver keeps how
// likely each rate is, and asks how many packets will come in the next ticks with 95 % certainty.
//
// Rates are in units per second; what a unit is, the caller decides. Room is taken and tables are made once, at construction;
// a tick then costs a few microseconds.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace paceline {

class SproutModel {
 public:
  static constexpr std::size_t kBins = 257;
  static constexpr std::size_t kHorizon = 8;  // ticks
  static constexpr double kMostRate = 1000;   // units per second

  struct Setup {
    double tick_s{0.02};
    double sigma{200};      // of the rate, units per second after one second
    double quantile{0.05};  // of the arrivals that a forecast names
  };
  explicit SproutModel(const Setup& setup);

  // One tick passes, of which nothing is known …
  void evolve();
  // … or in which `units` arrived.
  void observe(uint32_t units);
  // How many units at least will have arrived after 1, 2 … 8 more ticks.
  [[nodiscard]] std::array<uint32_t, kHorizon> forecast();

  [[nodiscard]] double mean_rate() const;  // units per second
  [[nodiscard]] double outage() const;     // how likely the link is stuck
  [[nodiscard]] double probability(std::size_t bin) const { return static_cast<double>(belief_[kReach + bin]); }
  [[nodiscard]] static double rate(std::size_t bin) {
    return bin == 0 ? 0 : (static_cast<double>(bin) + 0.5) * kBinWidth;
  }

 private:
  static constexpr double kBinWidth = kMostRate / 256;
  static constexpr double kEscape = 1;        // per second: how fast an outage ends
  static constexpr double kTruncated = 5;     // standard deviations of a step that are followed
  static constexpr std::size_t kReach = 128;  // bins: the most that kTruncated may be, and the margin around the belief
  static constexpr std::size_t kBlock = 16;   // bins computed at a time
  static constexpr std::size_t kPadded = (kBins + kBlock - 1) / kBlock * kBlock;
  static constexpr float kNothing = 1e-30F;  // beliefs below are zero: denormal numbers are slow

  using Row = std::array<float, kPadded>;

  void make_steps(const Setup& setup);
  void make_likelihoods();
  void make_forecasts();
  void spread(const float* from, float* to) const;
  [[nodiscard]] float arrived_by(std::size_t row) const;

  std::size_t reach_{};                   // bins that one step may move the rate
  std::array<float, kReach + 1> step_{};  // how likely it moves by so many bins, in one direction
  Row from_outage_{};                     // where bin 0 goes
  std::size_t most_{};                    // arrivals in a tick that forecasts consider
  double tick_s_{};
  double quantile_{};

  alignas(64) std::array<float, kPadded + 2 * kReach> belief_{};  // bins, between margins of zeros
  std::vector<Row> likelihoods_{};                                // of so many arrivals in a tick, per bin
  std::array<std::size_t, kHorizon> first_row_{};
  std::vector<Row> arrivals_{};  // per horizon and number: how likely that many or fewer arrive, from each bin
  std::array<uint32_t, kHorizon> last_{};
};

}  // namespace paceline
