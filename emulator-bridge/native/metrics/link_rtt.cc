#include "metrics/link_rtt.hh"

#include <algorithm>

namespace paceline {

uint64_t LinkRtt::sent(uint64_t begin, uint64_t end, Time now) {
  for (std::size_t i = outstanding_.size(); i > 0 && outstanding_.at(i - 1).end > begin; --i)
    if (outstanding_.at(i - 1).begin < end) outstanding_.at(i - 1).again = true;
  const uint64_t before = begin < sent_ ? std::min(end, sent_) - begin : 0;
  if (end <= sent_) return before;
  outstanding_.push({.begin = std::max(begin, sent_), .end = end, .at = now, .again = begin < sent_});
  if (sent_ == 0) delivered_ = begin;
  sent_ = end;
  return before;
}

std::optional<LinkRtt::Sample> LinkRtt::acknowledged(uint64_t edge, Time now) {
  if (edge <= delivered_ || edge > sent_) return std::nullopt;
  constexpr auto kPacket =
      static_cast<uint64_t>(kMtu.v);  // headers included, so a little more than what is counted here
  const uint64_t packets = std::max<uint64_t>((edge - delivered_ + kPacket / 2) / kPacket, 1);
  delivered_ = edge;
  while (!outstanding_.empty() && outstanding_.front().end < edge) outstanding_.pop();
  if (outstanding_.empty()) return std::nullopt;
  const Passed newest = outstanding_.front();
  if (newest.end == edge) outstanding_.pop();
  if (newest.again) return std::nullopt;
  return Sample{.rtt = now - newest.at, .packets = packets};
}

}  // namespace paceline
