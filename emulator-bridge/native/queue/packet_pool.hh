#pragma once
// Many first-in-first-out lists of packets in one store. It doubles when it is full, as a Ring does, so that a run allocates only until
// its queues have reached their size.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/packet.hh"

namespace paceline {

class PacketPool {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct List {
    uint32_t first{kNone};
    uint32_t last{kNone};
    [[nodiscard]] bool empty() const { return first == kNone; }
  };

  explicit PacketPool(std::size_t capacity = 1024) { grow(capacity); }

  void push(List& list, const Packet& packet) {
    if (free_ == kNone) grow(nodes_.size() * 2);
    const uint32_t node = free_;
    free_ = nodes_[node].next;
    nodes_[node] = {.packet = packet, .next = kNone};
    if (list.empty()) {
      list.first = node;
    } else {
      nodes_[list.last].next = node;
    }
    list.last = node;
  }

  [[nodiscard]] const Packet& front(const List& list) const {
    assert(!list.empty());
    return nodes_[list.first].packet;
  }

  Packet pop(List& list) {
    assert(!list.empty());
    const uint32_t node = list.first;
    list.first = nodes_[node].next;
    nodes_[node].next = free_;
    free_ = node;
    return nodes_[node].packet;
  }

 private:
  struct Node {
    Packet packet{};
    uint32_t next{kNone};
  };

  void grow(std::size_t capacity) {
    const std::size_t had = nodes_.size();
    nodes_.resize(capacity);
    for (std::size_t i = capacity; i > had; --i) {
      nodes_[i - 1].next = free_;
      free_ = static_cast<uint32_t>(i - 1);
    }
  }

  std::vector<Node> nodes_{};
  uint32_t free_{kNone};
};

}  // namespace paceline
