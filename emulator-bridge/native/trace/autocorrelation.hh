#pragma once
// How much a series still resembles itself some time later.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace paceline {

// [k] = mean product of the deviations of all pairs k apart, over the variance; k from 0 to `lags`, at most half the series. Empty
// when the values do not vary. By FFT in blocks: n log(lags), exact.
[[nodiscard]] std::vector<double> autocorrelation(std::span<const double> values, std::size_t lags);

// The first lag at which it is below 1/e.
[[nodiscard]] std::optional<std::size_t> decorrelation_lag(std::span<const double> autocorrelation);

}  // namespace paceline
