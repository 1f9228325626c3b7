#pragma once
// What the sender remembers about every segment that is not yet cumulatively acknowledged: a ring by sequence, one cache
// line each, and the order of transmissions beside it. All operations cost O(1) amortised.

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "core/ring.hh"
#include "core/units.hh"
#include "transport/ack.hh"

namespace paceline {

// The latest transmission of a segment, with the connection's state when it left (draft-ietf-ccwg-bbr section 4.1).
struct Segment {
  static constexpr uint16_t kSacked = 1;         // selectively acknowledged
  static constexpr uint16_t kLost = 2;           // declared lost, waiting for its retransmission
  static constexpr uint16_t kRetransmitted = 4;  // this is not the first transmission
  static constexpr uint16_t kEverLost = 8;       // some transmission of it was declared lost
  static constexpr uint16_t kAppLimited = 16;    // sent while the application was the limit

  Time sent{};
  uint64_t number{};
  Bytes delivered{};
  Time delivered_time{};
  Time first_sent_time{};
  Bytes lost{};
  uint64_t tag{};       // the controller's; once selectively acknowledged: length of a known acknowledged run from here
  uint32_t inflight{};  // bytes, itself included
  uint16_t size{};
  uint16_t flags{};

  [[nodiscard]] bool has(uint16_t flag) const { return (flags & flag) != 0; }
  void set(uint16_t flag, bool on = true) { flags = static_cast<uint16_t>(on ? flags | flag : flags & ~flag); }
  [[nodiscard]] Bytes bytes() const { return {size}; }
  [[nodiscard]] bool in_flight() const { return (flags & (kSacked | kLost)) == 0; }
};
static_assert(sizeof(Segment) == 64);

class Scoreboard {
 public:
  [[nodiscard]] uint64_t una() const { return una_; }             // lowest segment not cumulatively acknowledged
  [[nodiscard]] uint64_t next() const { return next_; }           // the next new segment
  [[nodiscard]] uint64_t next_number() const { return number_; }  // of the next transmission
  [[nodiscard]] bool empty() const { return una_ == next_; }
  [[nodiscard]] uint64_t outstanding() const { return next_ - una_; }
  [[nodiscard]] uint64_t sacked() const { return sacked_; }
  [[nodiscard]] uint64_t retransmitted() const { return retransmitted_; }
  [[nodiscard]] uint64_t lost() const { return lost_; }
  [[nodiscard]] uint64_t unrepaired() const { return unrepaired_; }
  [[nodiscard]] Bytes inflight() const { return inflight_; }
  [[nodiscard]] uint64_t inflight_packets() const { return outstanding() - sacked_ - lost_; }
  [[nodiscard]] Segment& operator[](uint64_t sequence) { return segments_[sequence]; }
  [[nodiscard]] const Segment& operator[](uint64_t sequence) const { return segments_[sequence]; }
  [[nodiscard]] uint64_t sequence_of(uint64_t number) const { return order_[number]; }

  // A new segment leaves; the caller fills the rest in. `oldest_number`: transmissions below are never asked for again.
  Segment& append(Bytes size, Time now, uint64_t oldest_number) {
    segments_.reserve(una_, next_ + 1);
    Segment& segment = segments_[next_];
    segment.size = static_cast<uint16_t>(size.v);
    segment.flags = 0;
    transmitted(segment, next_, now, oldest_number);
    ++next_;
    inflight_ += size;
    return segment;
  }

  // A segment leaves again (declared lost before, or as a probe).
  Segment& retransmit(uint64_t sequence, Time now, uint64_t oldest_number) {
    Segment& segment = segments_[sequence];
    assert(!segment.has(Segment::kSacked));
    if (segment.has(Segment::kLost)) {
      --lost_;
      inflight_ += segment.bytes();
    }
    if (!segment.has(Segment::kRetransmitted)) ++retransmitted_;
    segment.set(Segment::kLost, false);
    segment.set(Segment::kRetransmitted);
    transmitted(segment, sequence, now, oldest_number);
    return segment;
  }

  // Calls delivered(segment, sequence) for each segment that becomes known to have arrived.
  template <typename Delivered>
  void acknowledge(uint64_t cumulative, Delivered&& delivered) {
    cumulative = std::min(cumulative, next_);
    for (; una_ < cumulative; ++una_) {
      Segment& segment = segments_[una_];
      if (segment.has(Segment::kSacked)) {
        --sacked_;
      } else {
        remove(segment);
        delivered(segment, una_);
      }
    }
  }
  template <typename Delivered>
  void acknowledge(SegmentRange range, Delivered&& delivered) {
    const uint64_t begin = std::max(range.begin, una_);
    const uint64_t end = std::min(range.end, next_);
    if (begin >= end) return;
    uint64_t i = begin;
    while (i < end) {
      Segment& segment = segments_[i];
      if (segment.has(Segment::kSacked)) {
        i += segment.tag;
        continue;
      }
      remove(segment);
      delivered(segment, i);
      segment.set(Segment::kLost, false);
      segment.set(Segment::kSacked);
      segment.tag = 1;
      ++sacked_;
      ++i;
    }
    segments_[begin].tag = i - begin;  // the next ACK skips what this one said
    highest_sacked_ = std::max(highest_sacked_, end);
  }
  // One past the highest segment ever selectively acknowledged.
  [[nodiscard]] uint64_t highest_sacked() const { return highest_sacked_; }

  void declare_lost(uint64_t sequence) {
    Segment& segment = segments_[sequence];
    if (!segment.has(Segment::kEverLost)) ++unrepaired_;
    segment.set(Segment::kLost);
    segment.set(Segment::kEverLost);
    inflight_ -= segment.bytes();
    ++lost_;
    to_retransmit_.push(sequence);
  }
  // It was wrong to give the segment up: it is in flight again.
  void take_back(uint64_t sequence) {
    Segment& segment = segments_[sequence];
    segment.set(Segment::kLost | Segment::kEverLost, false);
    inflight_ += segment.bytes();
    --lost_;
    --unrepaired_;
  }

  // After a timeout retransmission starts again from the lowest segment.
  void requeue_lost() {
    to_retransmit_.clear();
    for (uint64_t i = una_; i < next_; ++i)
      if (segments_[i].has(Segment::kLost)) to_retransmit_.push(i);
  }

  // The segment to retransmit first, if any.
  [[nodiscard]] bool has_lost() { return lost_ > 0 && find_lost(); }
  [[nodiscard]] uint64_t first_lost() const { return to_retransmit_.front(); }

 private:
  void transmitted(Segment& segment, uint64_t sequence, Time now, uint64_t oldest_number) {
    order_.reserve(oldest_number, number_ + 1);
    order_[number_] = sequence;
    segment.number = number_++;
    segment.sent = now;
  }

  void remove(Segment& segment) {
    if (segment.has(Segment::kLost)) {
      --lost_;
    } else {
      inflight_ -= segment.bytes();
    }
    if (segment.has(Segment::kRetransmitted)) --retransmitted_;
    if (segment.has(Segment::kEverLost)) --unrepaired_;
  }

  // Entries of segments that arrived or left again meanwhile are stale.
  bool find_lost() {
    while (!to_retransmit_.empty()) {
      const uint64_t sequence = to_retransmit_.front();
      if (sequence >= una_ && (segments_[sequence].flags & (Segment::kLost | Segment::kSacked)) == Segment::kLost)
        return true;
      to_retransmit_.pop();
    }
    return false;
  }

  WindowRing<Segment> segments_{1024};
  WindowRing<uint64_t> order_{1024};  // by transmission number
  Ring<uint64_t> to_retransmit_{64};
  uint64_t una_{};
  uint64_t next_{};
  uint64_t number_{};
  uint64_t sacked_{};
  uint64_t retransmitted_{};  // in the window, arrived by no ACK yet
  uint64_t lost_{};           // waiting for retransmission
  uint64_t unrepaired_{};     // declared lost, and arrived by no ACK yet
  uint64_t highest_sacked_{};
  Bytes inflight_{};
};

}  // namespace paceline
