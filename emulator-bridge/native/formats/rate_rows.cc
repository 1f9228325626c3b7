#include "formats/rate_rows.hh"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "core/fail.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

constexpr uint64_t kLongestNs = kMaxTracePeriodMs * 1'000'000;

[[noreturn]] void refuse(const char* code, uint64_t line, std::string message, std::string hint = {}) {
  fail(TraceError{code, std::move(message), std::move(hint), TraceError::Place{line, {}}});
}

[[noreturn]] void refuse_length(uint64_t line) {
  refuse("too_long", line, "the table is longer than a day", "Is the unit of time right?");
}

}  // namespace

void RateRows::add(const RateRow& row) {
  constexpr double kMostMbps = 1e6;
  if (row.mbps < 0 || row.mbps > kMostMbps)
    refuse("rate_range", row.line, "the rate is not from 0 to 1000000 Mbps", "Is the unit right?");
  ++rows_;
  if (rows_ == 1) begin_ns_ = row.at_ns;
  if (pending_any_ && row.at_ns == pending_.at_ns) {
    ++averaged_;
    ++same_;
    pending_.mbps += (row.mbps - pending_.mbps) / static_cast<double>(same_);
    return;
  }
  if (pending_any_) {
    if (row.at_ns < pending_.at_ns)
      refuse("decreasing", row.line, "time goes back here", "Sort the table by time, or choose one run of it.");
    // Without a sign: the difference of any two times fits.
    if (static_cast<uint64_t>(row.at_ns) - static_cast<uint64_t>(begin_ns_) > kLongestNs) refuse_length(row.line);
    complete(pending_);
  }
  pending_ = row;
  pending_any_ = true;
  same_ = 1;
}

void RateRows::complete(const RateRow& row) {
  if (learnt_) return pass(row);
  first_.push_back(row);
  if (first_.size() == kStepRows) learn_step();
}

void RateRows::learn_step() {
  learnt_ = true;
  std::vector<int64_t> steps;
  for (std::size_t i = 1; i < first_.size(); ++i) steps.push_back(first_[i].at_ns - first_[i - 1].at_ns);
  const std::size_t middle = (steps.size() - 1) / 2;
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(middle), steps.end());
  usual_ns_ = steps[middle];
  for (const RateRow& row : first_) pass(row);
  first_ = {};
}

void RateRows::hold(double mbps, int64_t ns) {
  held_ns_ += static_cast<uint64_t>(ns);
  if (held_ns_ > kLongestNs) refuse_length(pending_.line);
  const auto bps = static_cast<uint64_t>(std::llround(mbps * 1e6));
  integrator_.add(bps, Duration{ns});
  bits_ += static_cast<long double>(bps) * static_cast<long double>(ns) / 1e9L;
}

void RateRows::pass(const RateRow& row) {
  const bool until = holds_ == Holds::until;
  if (!any_) {
    any_ = true;
    if (until) hold(row.mbps, usual_ns_);
    last_ = row;
    return;
  }
  const int64_t step = row.at_ns - last_.at_ns;
  if (step * 2 > usual_ns_ * 3)
    fill_gap(row, step);
  else
    hold(until ? row.mbps : last_.mbps, step);
  last_ = row;
}

void RateRows::fill_gap(const RateRow& row, int64_t step) {
  if (gaps_ == Gaps::refuse)
    refuse("gap", row.line,
           "rows are missing before this line: the step is " + std::to_string(step / 1'000'000) +
               " ms, usually it is " + std::to_string(usual_ns_ / 1'000'000) + " ms",
           "Say what to assume (option gaps): hold (the rate goes on), zero (nothing is delivered) or interpolate.");
  ++gap_count_;
  gap_ns_ += step - usual_ns_;
  const bool until = holds_ == Holds::until;
  if (gaps_ == Gaps::hold) return hold(until ? row.mbps : last_.mbps, step);
  if (gaps_ == Gaps::zero) {
    if (!until) hold(last_.mbps, usual_ns_);
    hold(0, step - usual_ns_);
    if (until) hold(row.mbps, usual_ns_);
    return;
  }
  // As if the missing rows were on a straight line between the two that are there; a trace has nothing finer than milliseconds.
  const int64_t usual = std::max(usual_ns_, Duration::millis(1).ns);
  int64_t done = 0;
  while (done < step) {
    const int64_t part = std::min(usual, step - done);
    const double at = static_cast<double>(until ? done + part : done) / static_cast<double>(step);
    hold(last_.mbps + (row.mbps - last_.mbps) * at, part);
    done += part;
  }
}

std::vector<uint32_t> RateRows::finish() {
  if (pending_any_) complete(pending_);
  if (!learnt_ && first_.size() < 2)
    fail(TraceError{"empty", "the table holds fewer than two rows with a time and a rate"});
  if (!learnt_) learn_step();
  if (holds_ == Holds::from) hold(last_.mbps, usual_ns_);
  integrator_.complete_millisecond();
  if (const std::string_view why = integrator_.lacking(); !why.empty())
    fail(TraceError{"no_opportunities", std::string{why}});
  return integrator_.finish();
}

}  // namespace paceline::formats
