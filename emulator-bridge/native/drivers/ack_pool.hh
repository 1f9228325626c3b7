#pragma once
// Acknowledgements under way, kept in slots that are used again.

#include <cstdint>
#include <vector>

#include "transport/ack.hh"

namespace paceline {

class AckPool {
 public:
  uint32_t take() {
    if (free_.empty()) grow();
    const uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void release(uint32_t slot) { free_.push_back(slot); }
  // It will be read soon: acknowledgements lie far apart.
  void fetch(uint32_t slot) const { __builtin_prefetch(&acks_[slot]); }
  [[nodiscard]] Ack& operator[](uint32_t slot) { return acks_[slot]; }

 private:
  void grow() {
    const std::size_t had = acks_.size();
    acks_.resize(had == 0 ? 1024 : had * 2);
    free_.reserve(acks_.size());
    for (std::size_t i = acks_.size(); i > had; --i) free_.push_back(static_cast<uint32_t>(i - 1));
  }

  std::vector<Ack> acks_{};
  std::vector<uint32_t> free_{};
};

}  // namespace paceline
