#pragma once
// Rates over time, row by row, become opportunities without drift (channel/rate_integrator.hh), in constant memory.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "channel/rate_integrator.hh"

namespace paceline::formats {

struct RateRow {
  uint64_t line{};
  int64_t at_ns{};
  double mbps{};
};

class RateRows {
 public:
  // A row's rate holds from its time to the next row's (the last row: for the usual step), or up to its time since the row before.
  enum class Holds : uint8_t { from, until };
  // What happens where rows are missing (a step of more than 1.5 usual ones).
  enum class Gaps : uint8_t { refuse, hold, zero, interpolate };

  RateRows(Holds holds, Gaps gaps) : holds_{holds}, gaps_{gaps} {}

  // In order of time; rows with equal times are averaged. Throws TraceError.
  void add(const RateRow& row);
  // Throws TraceError when there are fewer than two rows or no opportunity.
  [[nodiscard]] std::vector<uint32_t> finish();

  [[nodiscard]] uint64_t source_bytes() const { return static_cast<uint64_t>(bits_ / 8); }
  [[nodiscard]] uint64_t rows() const { return rows_; }
  [[nodiscard]] uint64_t averaged() const { return averaged_; }
  [[nodiscard]] uint64_t gaps() const { return gap_count_; }
  [[nodiscard]] int64_t gap_ns() const { return gap_ns_; }
  [[nodiscard]] int64_t usual_step_ns() const { return usual_ns_; }

 private:
  // So many rows say what the usual step is; then they are let go.
  static constexpr std::size_t kStepRows = 4096;

  void complete(const RateRow& row);
  void learn_step();
  void pass(const RateRow& row);
  void fill_gap(const RateRow& row, int64_t step);
  void hold(double mbps, int64_t ns);

  Holds holds_;
  Gaps gaps_;
  RateIntegrator integrator_{};
  std::vector<RateRow> first_{};
  bool learnt_{};
  bool pending_any_{};
  RateRow pending_{};  // may still be averaged with the next
  uint64_t same_{};
  bool any_{};
  RateRow last_{};
  int64_t begin_ns_{};
  int64_t usual_ns_{};
  uint64_t held_ns_{};
  long double bits_{};
  uint64_t rows_{};
  uint64_t averaged_{};
  uint64_t gap_count_{};
  int64_t gap_ns_{};
};

}  // namespace paceline::formats
