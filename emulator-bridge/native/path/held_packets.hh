#pragma once
// Packets that wait in an element until a time of their own; those of one time in the order in which they came.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "path/element.hh"

namespace paceline {

class HeldPackets {
 public:
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] Time next() const { return heap_.empty() ? Time::never() : heap_.front().until; }

  void hold(const Packet& packet, Time until) {
    heap_.push_back({packet, until, entered_++});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  // Passes on what waits until `now` or less.
  void release(Time now, Onward& onward) {
    while (next() <= now) {
      std::pop_heap(heap_.begin(), heap_.end(), later);
      const Held first = heap_.back();
      heap_.pop_back();
      onward.pass(first.packet, first.until);
    }
  }

 private:
  struct Held {
    Packet packet{};
    Time until{};
    uint64_t number{};
  };
  static bool later(const Held& a, const Held& b) {
    return a.until != b.until ? a.until > b.until : a.number > b.number;
  }

  std::vector<Held> heap_{};
  uint64_t entered_{};
};

// An element whose packets all wait for a time that is known when they enter.
class HoldingElement : public PathElement {
 public:
  [[nodiscard]] Time next() const override { return held_.next(); }
  void advance(Time now, Onward& onward) override { held_.release(now, onward); }
  [[nodiscard]] std::size_t held() const override { return held_.size(); }

 protected:
  void hold(const Packet& packet, Time until) { held_.hold(packet, until); }

 private:
  HeldPackets held_{};
};

}  // namespace paceline
