#pragma once
// When Linux' TCP receiver acknowledges, as measured on Linux 6.18 (docs/engine.md) and as its net/ipv4/tcp_input.c
// has it: each packet while the connection is new, after a pause, after a late copy and as long as the
// receive window grows, else every second; a single packet after 40 ms and more; of SACKs in a row the first three, then some.

#include <cstdint>

#include "core/units.hh"

namespace paceline {

class LinuxAcks {
 public:
  // `rtt`: the connection's, as its handshake finds it.
  explicit LinuxAcks(Duration rtt);

  // The next packet in order came, and `unacknowledged` with it wait for an ACK. True: now.
  bool on_next(Bytes size, int unacknowledged, Time now);
  // A packet that was there already.
  void on_copy() { answer_at_once(kQuickAcks); }
  // A packet that bears a congestion mark.
  void on_mark() { answer_at_once(kQuickAcksOfMark); }
  // A packet beyond a hole, or one that did not close it to the end. True: acknowledge now; else at held_until() at the latest.
  bool on_hole(uint64_t cumulative, Time now);
  // So long a packet may wait for its ACK.
  [[nodiscard]] Duration delay() const;
  [[nodiscard]] Time held_until() const { return held_until_; }
  // That time is over, of a packet in order.
  void on_delay_over();
  void sent();

 private:
  static constexpr int kQuickAcks = 16;       // TCP_MAX_QUICKACKS
  static constexpr int kQuickAcksOfMark = 2;  // tcp_ecn_check_ce

  void answer_at_once(int acks);
  void grow_window(Bytes size, Time now);

  Duration rtt_;
  Duration rto_;
  int quick_{};
  Duration wait_{};  // "ato": guess of when the next packet comes
  Time last_{Time::never()};

  // The window that is offered grows by two packets with each that comes, up to twice what is used in a round trip (autotuning).
  Bytes window_;
  Bytes largest_window_;
  Bytes used_;  // in the best round trip
  Bytes using_{};
  Time round_end_{Time::never()};

  uint64_t hole_{};  // cumulative acknowledgement of the SACKs that are counted
  int sacks_{};
  int held_{};
  Time held_until_{Time::never()};
};

}  // namespace paceline
