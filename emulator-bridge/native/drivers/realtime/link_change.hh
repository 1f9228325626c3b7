#pragma once
// A change of the link while a run goes on, as whoever started the run orders it with a line of JSON (protocol/control.ts,
// LinkChange).

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/units.hh"
#include "drivers/plan.hh"

namespace paceline {

struct LinkChange {
  static constexpr std::size_t kLongestText = 512;

  Direction direction{};
  std::optional<Rate> rate{};  // constant, in place of what there is
  bool back_to_trace{};
  std::optional<Duration> delay{};
  std::optional<double> loss{};
  std::optional<Bytes> limit_bytes{};
  std::optional<int64_t> limit_packets{};
  std::array<char, kLongestText> text{};  // the order itself, compact
  std::size_t text_size{};

  [[nodiscard]] std::string_view order() const { return {text.data(), text_size}; }
};
// It travels between threads through a pipe.
static_assert(std::is_trivially_copyable_v<LinkChange>);

// Throws std::invalid_argument with the reason when the line is not a change that this run can make.
[[nodiscard]] LinkChange parse_link_change(std::string_view line, const RunPlan& plan);

}  // namespace paceline
