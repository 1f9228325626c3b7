#include "formats/lines.hh"

#include <algorithm>

#include "core/fail.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 16U;

}  // namespace

bool Lines::give(std::string_view text, std::string_view& line) {
  ++number_;
  if (number_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  line = text;
  return true;
}

bool Lines::next(std::string_view& line) {
  if (carry_given_) carry_.clear();
  carry_given_ = false;
  for (;;) {
    if (pending_.empty()) {
      const auto chunk = source_.next();
      pending_ = {chunk.data(), chunk.size()};
      if (pending_.empty()) {
        if (carry_.empty()) return false;
        carry_given_ = true;
        return give(carry_, line);
      }
    }
    if (skip_line_feed_ && pending_.front() == '\n') pending_.remove_prefix(1);
    skip_line_feed_ = false;
    const std::size_t end = pending_.find_first_of("\r\n");
    const std::string_view text = pending_.substr(0, end);
    if (carry_.size() + text.size() > kLongestLine)
      fail(TraceError{"line_too_long", "line " + std::to_string(number_ + 1) + " is longer than 64 kB",
                      "Is this a text file?"});
    if (end == std::string_view::npos) {
      carry_ += text;
      pending_ = {};
      continue;
    }
    skip_line_feed_ = pending_[end] == '\r';
    pending_.remove_prefix(end + 1);
    if (carry_.empty()) return give(text, line);
    carry_ += text;
    carry_given_ = true;
    return give(carry_, line);
  }
}

}  // namespace paceline::formats
