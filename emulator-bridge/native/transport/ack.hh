#pragma once
// An acknowledgement, however it travels.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cca/controller.hh"
#include "core/units.hh"

namespace paceline {

// Segments [begin, end).
struct SegmentRange {
  uint64_t begin{};
  uint64_t end{};
};

inline constexpr std::size_t kMaxAckRanges = 32;

// On the wire: IP and TCP headers with the options of a SYN (largest segment, selective acknowledgements, time stamps, window scale);
// QUIC's least datagram and its headers below.
inline constexpr uint32_t kTcpOpening = 60;
inline constexpr uint32_t kQuicOpening = 1228;
// Datagrams of a QUIC server's first flight: three times what came (RFC 9000 section 8.1).
inline constexpr int kQuicFlight = 3;

// What every acknowledgement has is in one cache line.
struct alignas(64) Ack {
  uint64_t cumulative{};     // every segment below it has arrived
  uint64_t echo_sequence{};  // of the packet that called for this ACK …
  uint64_t echo_number{};
  Time echo_sent{};       // … when it was sent …
  Time received{};        // … and when it arrived (receiver's clock)
  uint32_t ce_packets{};  // arrived with a congestion-experienced mark, in total
  uint16_t flow{};
  bool delayed{};    // held back by the delayed-ACK timer
  bool duplicate{};  // the packet had arrived before (TCP: D-SACK)
  bool quic{};       // a QUIC packet carries it
  uint8_t reply{};   // not 0: a packet of the answer to an opening, and how many of them there are from this one on
  uint8_t range_count{};
  uint8_t feedback_size{};
  std::array<SegmentRange, kMaxAckRanges> ranges;  // selectively acknowledged, newest first; only range_count are set
  std::array<std::byte, kMaxFeedbackBytes> feedback;  // of the receiver agent; only feedback_size are set

  [[nodiscard]] std::span<const SegmentRange> sacked() const { return {ranges.data(), range_count}; }

  // IP and TCP headers with timestamps are 52 bytes; selective blocks take 4 + 8 n (RFC 2018). QUIC: IP and UDP 28, a short header
  // with a connection id of 8 bytes 11, the tag 16, an ACK frame of 10 and about 4 for each further range (RFC 9000).
  [[nodiscard]] uint32_t wire_size() const {
    if (reply > 0) return quic ? kQuicOpening : kTcpOpening;
    if (quic) return 65 + 4u * range_count + feedback_size;
    const unsigned blocks = range_count + (duplicate ? 1u : 0u);
    return 52 + (blocks > 0 ? 4 + 8 * blocks : 0) + feedback_size;
  }
};

}  // namespace paceline
