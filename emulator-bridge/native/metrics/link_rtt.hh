#pragma once
// A flow's RTT as the link sees it: from data on its way to the receiver to the acknowledgement on its way back. One sample per
// acknowledgement that takes the highest delivered byte further, of the data just below it; data that was sent again gives none
// (Karn). Selective acknowledgements count like cumulative ones, so that waiting behind a hole is no part of it.

#include <cstdint>
#include <optional>

#include "core/ring.hh"
#include "core/units.hh"

namespace paceline {

class LinkRtt {
 public:
  struct Sample {
    Duration rtt{};
    uint64_t packets{};  // of 1500 bytes, that it stands for
  };

  // Bytes [begin, end) pass, sequence numbers that do not wrap. How many of them had passed before.
  uint64_t sent(uint64_t begin, uint64_t end, Time now);
  // The highest byte known to be delivered is just below `edge`. The sample, if it gives one.
  std::optional<Sample> acknowledged(uint64_t edge, Time now);
  // Bytes above the highest delivered one.
  [[nodiscard]] uint64_t outstanding() const { return sent_ - delivered_; }

 private:
  struct Passed {
    uint64_t begin{};
    uint64_t end{};
    Time at{};
    bool again{};
  };

  Ring<Passed> outstanding_{256};  // above the highest delivered byte, in order
  uint64_t sent_{};
  uint64_t delivered_{};
};

}  // namespace paceline
