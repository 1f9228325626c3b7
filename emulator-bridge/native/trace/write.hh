#pragma once
// Text out: the canonical `ms count` form (one line per non-empty millisecond, plus `T 0` when the
// tail is empty; its hash is the trace's identity), Mahimahi's, and a table of rates. A sink takes string_views of at
// most 16 KiB.

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>

#include "core/fail.hh"
#include "trace/rates.hh"

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
  // value / 10^digits, without zeros at the end.
  void decimal(uint64_t value, unsigned digits, char after) {
    uint64_t one = 1;
    for (unsigned i = 0; i < digits; ++i) one *= 10;
    uint64_t rest = value % one;
    if (rest == 0) return number(value / one, after);
    number(value / one, '.');
    for (one /= 10; rest > 0; rest %= one, one /= 10) {
      buffer_[used_++] = static_cast<char>('0' + rest / one);
      if (one == 1) break;
    }
    buffer_[used_++] = after;
  }
  void flush() {
    if (used_ > 0) sink_(std::string_view{buffer_.data(), used_});
    used_ = 0;
  }

 private:
  static constexpr std::size_t kLongest = 40;  // a number and its decimals
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
    fail(
        std::invalid_argument{"this trace ends in a pause; Mahimahi's format cannot express one (its period is the "
                              "last time stamp): use ms-count"});
  detail::LineWriter out{sink};
  for (std::size_t ms = 0; ms < counts.size(); ++ms)
    for (uint32_t i = 0; i < counts[ms]; ++i) out.number(ms, '\n');
  out.flush();
}

// `time_s,rate_mbps`: the rate from that time on, about every `step_ms`. What is read back has the same length and the same
// number of opportunities at the end of every row; with a step of 1 ms the very same ones (those at 0 with those of the
// last millisecond, which is the same moment of the next lap). Throws std::invalid_argument when a table cannot say it.
template <typename Sink>
void write_rate_table(std::span<const uint32_t> counts, uint64_t step_ms, Sink&& sink) {
  constexpr uint64_t kFastest = 1'000'000'000'000;  // what a table may say, in bit/s
  detail::LineWriter out{sink};
  const RateTableRows rows{counts.size() - 1, step_ms};
  TraceRates rates{counts};
  sink(std::string_view{"time_s,rate_mbps\n"});
  for (uint64_t row = 0; row < rows.count(); ++row) {
    const uint64_t at_ms = rates.at_ms();
    const uint64_t bps = rates.next(rows.length_ms(row));
    if (bps > kFastest)
      fail(std::invalid_argument{
          "this trace is faster than the 1 Tbit/s that a table of rates may say: use ms-count, or a longer step"});
    out.decimal(at_ms, 3, ',');
    out.decimal(bps, 6, '\n');
  }
  out.flush();
}

}  // namespace paceline
