#pragma once
// Which bytes of a flow have arrived, when segments may come in any order and more than once.

#include <cstdint>
#include <vector>

namespace paceline {

class ByteRanges {
 public:
  explicit ByteRanges(uint64_t begin) : complete_{begin} {}

  // Bytes [begin, end) arrived; how many of them for the first time.
  uint64_t add(uint64_t begin, uint64_t end);
  // Everything below it has arrived.
  [[nodiscard]] uint64_t complete() const { return complete_; }

 private:
  struct Range {
    uint64_t begin{};
    uint64_t end{};
  };

  uint64_t complete_;
  std::vector<Range> beyond_{};  // above the first hole, in order, with gaps between them
};

// Sequence numbers of 32 bits as numbers that do not wrap: the next one is within 2 GiB of the one before.
class Unwrapped {
 public:
  explicit Unwrapped(uint32_t first) : last_{first + kLap} {}
  uint64_t of(uint32_t sequence) {
    const uint64_t value = near(sequence);
    if (value > last_) last_ = value;
    return value;
  }
  // Without moving on.
  [[nodiscard]] uint64_t near(uint32_t sequence) const {
    const auto step = static_cast<int32_t>(sequence - static_cast<uint32_t>(last_));
    return last_ + static_cast<uint64_t>(static_cast<int64_t>(step));
  }

 private:
  static constexpr uint64_t kLap = uint64_t{1}
                                   << 32;  // so that what came a little before the first is no negative number
  uint64_t last_;
};

}  // namespace paceline
