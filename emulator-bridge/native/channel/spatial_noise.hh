#pragma once
// A unit Gaussian that is correlated along the way: after dx metres the correlation is exp(-dx / correlation length).

#include <string_view>

#include "channel/portable_math.hh"

namespace paceline {

class SpatialNoise {
 public:
  SpatialNoise(uint64_t seed, uint64_t entity, std::string_view process, double correlation_m)
      : draws_{seed, entity, process}, correlation_m_{correlation_m}, value_{draws_.normal()} {}
  double advance(double step_m) {
    const double rho = exp_of(-step_m / correlation_m_);
    value_ = rho * value_ + std::sqrt(1 - rho * rho) * draws_.normal();
    return value_;
  }
  [[nodiscard]] double value() const { return value_; }

 private:
  Draws draws_;
  double correlation_m_;
  double value_;
};

}  // namespace paceline
