#pragma once
// Hears of every packet and acknowledgement of a run in virtual time, in the order of its time, and changes nothing.

#include "path/way.hh"
#include "transport/ack.hh"

namespace paceline {

class PacketObserver : public PathObserver {
 public:
  // By its sender, before the path hears of it.
  virtual void sent(const Packet& packet, Time now) = 0;
  // At its receiver.
  virtual void received(const Packet& packet, Time now) = 0;
  // `ack` sets out, which the path back knows as `packet`: its flow, its size and a number that is its own until it is taken or lost.
  virtual void acknowledged(const Packet& packet, const Ack& ack, Time now) = 0;
  // The sender takes it.
  virtual void taken(uint64_t number, Time now) = 0;
};

}  // namespace paceline
