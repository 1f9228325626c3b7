#pragma once
// When a loss episode begins and ends in QUIC (RFC 9002 section 7.3.2), and which round-trip times count (section 5). Numbers are those of
// transmissions. The sender's QUIC profiles go by it, and so do flows of transports that bring their own loss detection (c_abi).

#include <algorithm>
#include <cstdint>

#include "transport/quic.hh"
#include "transport/rtt.hh"

namespace paceline {

class QuicEpisodes {
 public:
  // An episode begins: it lasts until something sent from now on, with this number or a later one, has arrived.
  void begin(uint64_t next_number) { first_after_ = next_number; }
  // Nothing of the past counts any more.
  void forget() { first_after_ = 0; }
  [[nodiscard]] bool ended_by(uint64_t arrived) const { return arrived >= first_after_; }
  // Losses of what was sent before the last episode began belong to that one, even when it is over.
  [[nodiscard]] bool begun_by(uint64_t lost) const { return lost >= first_after_; }

  // The most recently sent packet that arrived by now.
  void arrived(uint64_t number) { arrived_ = std::max(arrived_, number + 1); }
  [[nodiscard]] bool any_arrived() const { return arrived_ > 0; }
  // Sent after everything that has arrived: its RTT is news (section 5.1).
  [[nodiscard]] bool newer(uint64_t number) const { return number >= arrived_; }

 private:
  uint64_t first_after_{};
  uint64_t arrived_{};  // one past its number
};

}  // namespace paceline
