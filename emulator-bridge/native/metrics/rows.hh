#pragma once
// A row of telemetry as what it is: floats in the order of the columns.

#include <cstddef>
#include <span>

#include "metrics/columns.gen.hh"

namespace paceline {

template <typename Row>
[[nodiscard]] std::span<const float> columns_of(const Row& row) {
  return {reinterpret_cast<const float*>(&row), sizeof(Row) / sizeof(float)};
}

}  // namespace paceline
