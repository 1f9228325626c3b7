#pragma once
// How a connection opens, as two plain state machines. What they send are packets of the link like any other.
//
//   TCP      SYN, SYN-ACK and the acknowledgement of that; data follows at once (RFC 9293). A SYN that is not answered is repeated each
//            second up to 5 s, then after 2 s, 4 s … (Linux); a SYN-ACK after 1 s, 2 s, 4 s … (RFC 6298). Fast Open (RFC 7413): the first
//            segment travels with the SYN; a repetition goes without.
//   QUIC     a datagram of 1200 bytes, the server's flight of three, as much as it may send to an address that it does not know yet, the
//            client's last words, and data (RFC 9000 sections 8.1 and 14.1, RFC 9001). 0-RTT: data follows the first datagram at once.

#include <cstdint>
#include <optional>

#include "core/packet.hh"
#include "core/units.hh"
#include "transport/ack.hh"

namespace paceline {

enum class Handshake : uint8_t {
  none,        // the connection is open when the flow starts
  full,        // data after a round trip
  early_data,  // TCP Fast Open with a cookie, QUIC 0-RTT: both have met before
};

// The client's side.
class Opening {
 public:
  Opening(Handshake handshake, bool quic) : handshake_{handshake}, quic_{quic} {}

  [[nodiscard]] bool wanted() const { return handshake_ != Handshake::none; }
  // Data has to wait for the server's answer.
  [[nodiscard]] bool holds_data() const { return wanted() && !(quic_ && handshake_ == Handshake::early_data); }
  // The first packet takes a segment with it.
  [[nodiscard]] bool carries_data() const { return handshake_ == Handshake::early_data && !quic_; }

  void begin(Time now);
  void stop() { *this = Opening{Handshake::none, quic_}; }
  [[nodiscard]] bool under_way() const { return state_ == State::asking; }
  // poll_send() has something to say.
  [[nodiscard]] bool due() const { return due_ || last_due_; }
  // … which is the very first packet.
  [[nodiscard]] bool at_first() const { return due_ && repeats_ == 0; }
  // When to call on_timer() and poll_send() next.
  [[nodiscard]] Time next_event() const { return deadline_; }
  void on_timer(Time now);
  // Fills in what is not the flow's own. `early`: the segment that the first packet takes with it, if any.
  bool poll_send(Time now, Bytes early, Packet& packet);
  // True: the connection is open from now on.
  bool on_reply(const Ack& ack, Time now);

  [[nodiscard]] Time began() const { return began_; }
  [[nodiscard]] Time first_sent() const { return first_sent_; }
  [[nodiscard]] Duration rtt() const { return rtt_; }
  // RFC 5681 section 3.1: data begins with one segment. As in Linux not yet for a single repetition, which RFC 6298's short timeout makes
  // common, nor for those that were not needed: the answer is to the first one.
  [[nodiscard]] bool was_lost() const { return !quic_ && repeats_ > 1 && !needless_; }

 private:
  enum class State : uint8_t { idle, asking, open };

  Handshake handshake_;
  bool quic_;
  State state_{};
  bool due_{};       // the opening packet
  bool last_due_{};  // the client's last word
  bool needless_{};
  int repeats_{};
  uint8_t pieces_{};  // of the server's flight that have come, a bit each
  Time began_{};
  Time first_sent_{};
  Time deadline_{Time::never()};
  Time last_said_{};
  Duration rtt_{};
};

// The server's side.
class Answering {
 public:
  Answering(Handshake handshake, bool quic) : quic_{quic}, open_{handshake == Handshake::none} {}

  // Before that a QUIC server has no keys for what comes.
  [[nodiscard]] bool can_read() const { return open_ || asked_ || !quic_; }
  [[nodiscard]] bool open() const { return open_; }
  // Data has come, or the client's last word.
  void confirmed() {
    open_ = true;
    deadline_ = Time::never();
  }
  // An opening packet has come. True: answer now.
  bool on_opening(const Packet& packet, Time now);
  [[nodiscard]] Time next_event() const { return deadline_; }
  // True: answer again now.
  bool on_timer(Time now);
  // Packets of the answer that are still to be written.
  [[nodiscard]] int left() const { return left_; }
  void write(Ack& ack);

 private:
  void answer(Time now);

  bool quic_;
  bool open_;
  bool asked_{};
  int left_{};
  int timeouts_{};
  Time echo_{};
  Time asked_again_{Time::never()};
  Time deadline_{Time::never()};
};

}  // namespace paceline
