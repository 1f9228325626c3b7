#include "cca/sprout_model.hh"

#include <algorithm>
#include <cmath>

#include "core/math.hh"

// Wider registers where the processor has them: the same operations in the same order per bin, so the same bits. Programs with
// sanitizers cannot choose functions while they start.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PACELINE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PACELINE_WIDE
#endif

namespace paceline {
namespace {

double normal_cdf(double x) { return exact::erfc(-x / std::sqrt(2.0)) / 2; }

}  // namespace

SproutModel::SproutModel(const Setup& setup) : tick_s_{setup.tick_s}, quantile_{setup.quantile} {
  make_steps(setup);
  make_likelihoods();
  make_forecasts();
  std::fill_n(belief_.begin() + kReach, kBins, 1 / static_cast<float>(kBins));
}

// A step of the Brownian motion moves a rate from the middle of its bin. All bins but the first, whose middle is zero, do so alike;
// what would leave the range stays in the last bin there.
void SproutModel::make_steps(const Setup& setup) {
  const double deviation = setup.sigma * std::sqrt(setup.tick_s);
  const double bins = deviation / kBinWidth;
  reach_ = std::min(static_cast<std::size_t>(std::ceil(kTruncated * bins)), kReach - 1);
  for (std::size_t d = 0; d <= reach_; ++d) {
    const auto distance = static_cast<double>(d);
    step_[d] = static_cast<float>(normal_cdf((distance + 0.5) / bins) - normal_cdf((distance - 0.5) / bins));
  }
  const double stays = exact::exp(-kEscape * setup.tick_s);
  from_outage_[0] = static_cast<float>(stays * normal_cdf(1 / bins));
  for (std::size_t j = 1; j <= reach_; ++j) {
    const auto lower = static_cast<double>(j);
    from_outage_[j] = static_cast<float>((1 - stays) * (normal_cdf((lower + 1) / bins) - normal_cdf(lower / bins)));
  }
}

// Poisson, each number of arrivals relative to the bin that explains it best: only ratios matter.
void SproutModel::make_likelihoods() {
  const double most = kMostRate * tick_s_;
  most_ = static_cast<std::size_t>(std::ceil(most + 2 * std::sqrt(most)));
  likelihoods_.resize(static_cast<std::size_t>(5 * most));  // more than that any bin but the last explains as badly
  std::array<double, kBins> logs{};
  for (std::size_t j = 0; j < kBins; ++j) logs[j] = exact::log(rate(j) * tick_s_);
  constexpr double kFarBelow = -70;  // e to the power of it is less than kNothing
  for (std::size_t k = 0; k < likelihoods_.size(); ++k) {
    const auto log_likelihood = [&](std::size_t j) {
      const double mean = rate(j) * tick_s_;
      return mean > 0 ? static_cast<double>(k) * logs[j] - mean : k == 0 ? 0 : -INFINITY;
    };
    double best = -INFINITY;
    for (std::size_t j = 0; j < kBins; ++j) best = std::max(best, log_likelihood(j));
    for (std::size_t j = 0; j < kBins; ++j) {
      const double below = log_likelihood(j) - best;
      const auto value = below < kFarBelow ? 0 : static_cast<float>(exact::exp(below));
      likelihoods_[k][j] = value < kNothing ? 0 : value;
    }
  }
}

// Backwards: what arrives in h ticks from a bin is what arrives in one, and then in h - 1 from wherever the rate has moved.
void SproutModel::make_forecasts() {
  std::size_t rows = 0;
  for (std::size_t h = 0; h < kHorizon; ++h) {
    first_row_[h] = rows;
    rows += most_ * (h + 1) + 1;
  }
  arrivals_.assign(rows, Row{});

  std::vector<Row> once(most_ + 1);
  for (std::size_t j = 0; j < kBins; ++j) {
    const double mean = rate(j) * tick_s_;
    double p = exact::exp(-mean);
    for (std::size_t k = 0; k <= most_; ++k) {
      once[k][j] = static_cast<float>(p);
      p *= mean / static_cast<double>(k + 1);
    }
  }
  std::copy(once.begin(), once.end(), arrivals_.begin());

  std::array<float, kPadded + 2 * kReach> edges{};
  Row moved{};
  for (std::size_t h = 1; h < kHorizon; ++h) {
    for (std::size_t n = 0; n <= most_ * h; ++n) {
      const Row& before = arrivals_[first_row_[h - 1] + n];
      std::copy_n(before.begin(), kBins, edges.begin() + kReach);
      std::fill_n(edges.begin(), kReach, before[0]);
      std::fill(edges.begin() + kReach + kBins, edges.end(), before[kBins - 1]);
      spread(edges.data() + kReach, moved.data());
      float escaped = 0;
      for (std::size_t j = 0; j <= reach_; ++j) escaped += from_outage_[j] * before[j];
      moved[0] = escaped;
      for (std::size_t k = 0; k <= most_; ++k) {
        Row& row = arrivals_[first_row_[h] + n + k];
        for (std::size_t j = 0; j < kPadded; ++j) row[j] += once[k][j] * moved[j];
      }
    }
  }
  for (std::size_t h = 0; h < kHorizon; ++h) {
    for (std::size_t n = 1; n <= most_ * (h + 1); ++n) {
      const Row& fewer = arrivals_[first_row_[h] + n - 1];
      Row& row = arrivals_[first_row_[h] + n];
      for (std::size_t j = 0; j < kPadded; ++j) row[j] += fewer[j];
    }
  }
}

// `to` becomes `from` with every value spread to both sides by a step. `from` is readable kReach values beyond either end.
PACELINE_WIDE void SproutModel::spread(const float* from, float* to) const {
  for (std::size_t block = 0; block < kPadded; block += kBlock) {
    std::array<float, kBlock> sum;
    for (std::size_t l = 0; l < kBlock; ++l) sum[l] = step_[0] * from[block + l];
    for (std::size_t d = 1; d <= reach_; ++d) {
      const float weight = step_[d];
      const float* lower = from + block - d;
      const float* upper = from + block + d;
      for (std::size_t l = 0; l < kBlock; ++l) sum[l] += weight * (lower[l] + upper[l]);
    }
    std::copy(sum.begin(), sum.end(), to + block);
  }
}

void SproutModel::evolve() {
  float* belief = belief_.data() + kReach;
  const float stuck = belief[0];
  belief[0] = 0;
  // what leaves the range on either side: how much of each bin near an edge
  float below = 0;
  float above = 0;
  float tail = 0;
  for (std::size_t d = reach_; d >= 1; --d) {  // tail: the step goes further than d - 1 bins
    tail += step_[d];
    below += tail * belief[d - 1];
    above += tail * belief[kBins - d];
  }
  Row next;
  spread(belief, next.data());
  next[0] += below;
  next[kBins - 1] += above;
  for (std::size_t j = 0; j <= reach_; ++j) next[j] += stuck * from_outage_[j];
  std::copy_n(next.begin(), kBins, belief);
}

void SproutModel::observe(uint32_t units) {
  const Row& likelihood = likelihoods_[std::min<std::size_t>(units, likelihoods_.size() - 1)];
  float* belief = belief_.data() + kReach;
  float most = 0;
  for (std::size_t j = 0; j < kBins; ++j) {
    belief[j] *= likelihood[j];
    most = std::max(most, belief[j]);
  }
  if (most < kNothing) {  // what happened was held impossible: start again from it
    std::copy_n(likelihood.begin(), kBins, belief);
    most = 1;
  }
  const float scale = 1 / most;
  for (std::size_t j = 0; j < kBins; ++j) {
    const float value = belief[j] * scale;
    belief[j] = value < kNothing ? 0 : value;
  }
}

// How likely what a row of `arrivals_` says is, over all bins (not normalised).
PACELINE_WIDE float SproutModel::arrived_by(std::size_t row) const {
  const float* belief = belief_.data() + kReach;
  const Row& from_bin = arrivals_[row];
  std::array<float, kBlock> sum{};
  for (std::size_t block = 0; block < kPadded; block += kBlock)
    for (std::size_t l = 0; l < kBlock; ++l) sum[l] += belief[block + l] * from_bin[block + l];
  float total = 0;
  for (const float s : sum) total += s;
  return total;
}

std::array<uint32_t, SproutModel::kHorizon> SproutModel::forecast() {
  for (std::size_t h = 0; h < kHorizon; ++h) {
    const auto most = static_cast<uint32_t>(most_ * (h + 1));
    // the authors' weights out of an outage do not add up to one, and rare large numbers are left out
    const float enough = arrived_by(first_row_[h] + most) * static_cast<float>(quantile_);
    // last time's answer is never far away
    uint32_t n = last_[h];
    if (arrived_by(first_row_[h] + n) >= enough) {
      while (n > 0 && arrived_by(first_row_[h] + n - 1) >= enough) --n;
    } else {
      while (n < most && arrived_by(first_row_[h] + n) < enough) ++n;
    }
    last_[h] = n;
  }
  return last_;
}

double SproutModel::mean_rate() const {
  double mass = 0;
  double sum = 0;
  for (std::size_t j = 0; j < kBins; ++j) {
    mass += probability(j);
    sum += probability(j) * rate(j);
  }
  return sum / mass;
}

double SproutModel::outage() const {
  double mass = 0;
  for (std::size_t j = 0; j < kBins; ++j) mass += probability(j);
  return probability(0) / mass;
}

}  // namespace paceline
