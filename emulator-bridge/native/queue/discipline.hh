#pragma once
// The only interface between a link and its queue discipline. Time is passed in; nothing allocates once a run is under way.

#include <cstdint>

#include "core/packet.hh"
#include "core/random.hh"
#include "core/units.hh"

namespace paceline {

// Told about every packet that the discipline drops, wherever in the queue it stood.
class DropListener {
 public:
  virtual ~DropListener() = default;
  virtual void on_drop(const Packet&, Time now) = 0;
};

struct QueueSetup {
  Bytes limit_bytes{Bytes::infinite()};
  int64_t limit_packets{INT64_MAX};
  Random random;  // the queue's own stream
  // Which packets belong together: those of one Packet::flow, or, over TUN, where many connections may be one flow of the run,
  // those of one Packet::tag, which is a hash of addresses, protocol and ports there.
  bool flows_by_tag{};
};

class QueueDiscipline {
 public:
  QueueDiscipline() = default;
  explicit QueueDiscipline(const QueueSetup& setup)
      : limit_bytes_{setup.limit_bytes}, limit_packets_{setup.limit_packets} {}
  QueueDiscipline(const QueueDiscipline&) = delete;
  QueueDiscipline& operator=(const QueueDiscipline&) = delete;
  virtual ~QueueDiscipline() = default;

  // Keeps the packet (packet.stamp is now) or drops it, or keeps it and drops others.
  virtual void enqueue(const Packet& packet, Time now, DropListener& drops) = 0;
  // The next packet to send; may drop packets before it finds one. False: nothing left.
  virtual bool dequeue(Packet& packet, Time now, DropListener& drops) = 0;

  // For disciplines that work between packets (PIE's periodic update).
  [[nodiscard]] Time next_tick() const { return tick_; }
  virtual void on_tick(Time, DropListener&) {}

  // May change while packets wait; a smaller limit drops none of them.
  void set_limit_bytes(Bytes limit) { limit_bytes_ = limit; }
  void set_limit_packets(int64_t limit) { limit_packets_ = limit; }

  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] int64_t packets() const { return packets_; }
  // Packets that got their congestion-experienced mark here.
  [[nodiscard]] uint64_t marked_packets() const { return marked_packets_; }

 protected:
  void tick_at(Time time) { tick_ = time; }
  // Would the queue stay within its limits with this packet?
  [[nodiscard]] bool fits(const Packet& packet) const {
    return packet.bytes() <= limit_bytes_ - bytes_ && packets_ < limit_packets_;
  }
  [[nodiscard]] bool over_limit() const { return bytes_ > limit_bytes_ || packets_ > limit_packets_; }
  // False: the packet's sender does not understand marks, so that it must be dropped instead.
  bool mark(Packet& packet) {
    if (packet.ecn == EcnMark::not_ect) return false;
    if (packet.ecn != EcnMark::ce) ++marked_packets_;
    packet.ecn = EcnMark::ce;
    return true;
  }
  // Every discipline accounts what it holds, packet by packet.
  void entered(const Packet& packet) {
    bytes_ += packet.bytes();
    ++packets_;
  }
  void left(const Packet& packet) {
    bytes_ -= packet.bytes();
    --packets_;
  }

 private:
  // Not side by side: together they would be loaded just after each was stored, and wait.
  Bytes bytes_{};
  Time tick_{Time::never()};
  int64_t packets_{};
  uint64_t marked_packets_{};
  Bytes limit_bytes_{Bytes::infinite()};
  int64_t limit_packets_{INT64_MAX};
};

}  // namespace paceline
