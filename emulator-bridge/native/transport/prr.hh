#pragma once
// Proportional rate reduction (RFC 6937, RFC 9937): during a loss episode the bytes in flight glide to
// ssthresh instead of stopping and bursting.

#include <algorithm>

#include "core/units.hh"

namespace paceline {

class ProportionalRateReduction {
 public:
  // `recover_flight`: bytes in flight before the episode.
  void enter(Bytes recover_flight) {
    recover_flight_ = std::max(recover_flight, Bytes{1});
    delivered_ = Bytes::zero();
    out_ = Bytes::zero();
  }

  void sent(Bytes size) { out_ += size; }

  // Window until the next ACK. `progress`: the ACK moved the cumulative point and revealed no further loss.
  [[nodiscard]] Bytes window(Bytes newly_delivered, Bytes inflight, Bytes ssthresh, bool progress, Bytes mss) {
    delivered_ += newly_delivered;
    Bytes send{};
    if (inflight > ssthresh) {
      send = Bytes{ceil_share(delivered_, ssthresh, recover_flight_)} - out_;
    } else {
      Bytes limit = std::max(delivered_ - out_, newly_delivered);
      if (progress) limit += mss;
      send = std::min(ssthresh - inflight, limit);
    }
    if (out_ == Bytes::zero()) send = std::max(send, mss);  // the first retransmission always leaves
    return inflight + std::max(send, Bytes::zero());
  }

 private:
  __extension__ using Wide = __int128;
  static int64_t ceil_share(Bytes delivered, Bytes ssthresh, Bytes flight) {
    return static_cast<int64_t>((static_cast<Wide>(delivered.v) * ssthresh.v + flight.v - 1) / flight.v);
  }

  Bytes recover_flight_{1};
  Bytes delivered_{};
  Bytes out_{};
};

}  // namespace paceline
