#pragma once
// Text out: the canonical `ms count` form (one line per non-empty millisecond, plus `T 0` when the
// tail is empty; its hash is the trace's identity) and Mahimahi's. A sink takes string_views of at most 16 KiB.

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>

namespace paceline {

namespace detail {

// Collects short pieces and hands them on in blocks.
template <typename Sink>
class LineWriter {
 public:
  explicit LineWriter(Sink& sink) : sink_{sink} {}

  void number(uint64_t value, char after) {
    if (used_ + kLongest > buffer_.size()) flush();
    char* end = std::to_chars(buffer_.data() + used_, buffer_.data() + buffer_.size(), value).ptr;
    *end++ = after;
    used_ = static_cast<std::size_t>(end - buffer_.data());
  }
  void flush() {
    if (used_ > 0) sink_(std::string_view{buffer_.data(), used_});
    used_ = 0;
  }

 private:
  static constexpr std::size_t kLongest = 24;
  Sink& sink_;
  std::array<char, 16384> buffer_{};
  std::size_t used_{};
};

}  // namespace detail

template <typename Sink>
void write_ms_count(std::span<const uint32_t> counts, Sink&& sink) {
  detail::LineWriter out{sink};
  for (std::size_t ms = 0; ms < counts.size(); ++ms) {
    if (counts[ms] == 0 && ms + 1 != counts.size()) continue;
    out.number(ms, ' ');
    out.number(counts[ms], '\n');
  }
  out.flush();
}

// Throws std::invalid_argument when the trace ends in a pause, which this form cannot express.
template <typename Sink>
void write_mahimahi(std::span<const uint32_t> counts, Sink&& sink) {
  if (!counts.empty() && counts.back() == 0)
    throw std::invalid_argument{
        "this trace ends in a pause; Mahimahi's format cannot express one (its period is the "
        "last time stamp): use ms-count"};
  detail::LineWriter out{sink};
  for (std::size_t ms = 0; ms < counts.size(); ++ms)
    for (uint32_t i = 0; i < counts[ms]; ++i) out.number(ms, '\n');
  out.flush();
}

}  // namespace paceline
