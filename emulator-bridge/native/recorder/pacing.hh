#pragma once
// When the sender's packets are due, and how many may leave now. Knows no clock: `now` is the time since the first packet.

#include <algorithm>
#include <cstdint>

#include "core/units.hh"

namespace paceline::recorder {

class PacketPlan {
 public:
  // No more than this leaves at once, and the sender looks up again after half of it.
  static constexpr Duration kBatch = Duration::micros(200);
  static constexpr Duration kTick = Duration::micros(100);
  // A sender that was held up makes up for this much, batch by batch; the rest is never sent.
  static constexpr Duration kDebt = Duration::millis(20);

  PacketPlan(uint64_t rate_bps, Duration duration, uint32_t packet_bytes)
      : rate_bps_{rate_bps},
        bits_{uint64_t{packet_bytes} * 8},
        total_{packets_before(duration)},
        batch_{std::max<uint64_t>(packets_before(kBatch), 1)},
        debt_{std::max<uint64_t>(packets_before(kDebt), 1)} {}

  // How many packets may leave at `now`; those that come too late for ever are given up.
  [[nodiscard]] uint64_t allowed(Duration now) {
    const uint64_t due = std::min(packets_before(now) + 1, total_);
    if (due <= passed()) return 0;
    worst_behind_ = std::max(worst_behind_, now - due_at(passed()));
    if (due - passed() > debt_) given_up_ += due - passed() - debt_;
    return std::min(due - passed(), batch_);
  }
  void sent(uint64_t packets) { sent_ += packets; }

  // When to ask again after having asked at `now`.
  [[nodiscard]] Duration next(Duration now) const { return std::max(due_at(passed()), now + kTick); }
  [[nodiscard]] bool over() const { return passed() >= total_; }

  [[nodiscard]] uint64_t planned() const { return total_; }
  [[nodiscard]] uint64_t sent() const { return sent_; }
  // Packets that were sent or given up.
  [[nodiscard]] uint64_t passed() const { return sent_ + given_up_; }
  [[nodiscard]] Duration worst_behind() const { return worst_behind_; }

 private:
  static constexpr uint64_t kSecond = 1'000'000'000;
  __extension__ using Wide = unsigned __int128;

  [[nodiscard]] uint64_t packets_before(Duration time) const {
    return static_cast<uint64_t>(Wide{static_cast<uint64_t>(std::max<int64_t>(time.ns, 0))} * rate_bps_ / kSecond /
                                 bits_);
  }
  [[nodiscard]] Duration due_at(uint64_t packet) const {
    return {static_cast<int64_t>((Wide{packet} * bits_ * kSecond + rate_bps_ - 1) / rate_bps_)};
  }

  uint64_t rate_bps_;
  uint64_t bits_;
  uint64_t total_;
  uint64_t batch_;
  uint64_t debt_;
  uint64_t sent_{};
  uint64_t given_up_{};
  Duration worst_behind_{};
};

}  // namespace paceline::recorder
