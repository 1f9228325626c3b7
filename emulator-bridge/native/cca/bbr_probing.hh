#pragma once
// What every BBR since version 2 has: the states of its cycle, when it probes for bandwidth, how fast it then raises the bound
// on what is in flight, and at which level losses became too many (draft-ietf-ccwg-bbr sections 5.3.3 and 5.5.10).

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "cca/controller.hh"

namespace paceline {

enum class BbrState : uint8_t { startup, drain, down, cruise, refill, up, probe_rtt };

inline constexpr std::array<std::string_view, 7> kBbrStateNames{
    "STARTUP", "DRAIN", "PROBE_DOWN", "PROBE_CRUISE", "PROBE_REFILL", "PROBE_UP", "PROBE_RTT"};

// What the samples of the current round say about the last probe.
enum class BbrAckPhase : uint8_t { init, refilling, starting, feedback, stopping };

// When to probe again: after a few seconds, or as many rounds as Reno would need to fill the path.
class ProbeClock {
 public:
  ProbeClock(double least_s, double random_s, int64_t most_rounds)
      : least_s_{least_s}, random_s_{random_s}, most_rounds_{most_rounds} {}

  void restart(Time now, Random& random) {
    rounds_ = static_cast<int64_t>(random.below(2));
    wait_ = Duration::seconds(least_s_ + random_s_ * random.uniform(0, 1));
    start_ = now;
  }
  void round() { ++rounds_; }
  [[nodiscard]] bool due(Time now, int64_t target_packets) const {
    return now > start_ + wait_ || rounds_ >= std::min(target_packets, most_rounds_);
  }

 private:
  double least_s_{};
  double random_s_{};
  int64_t most_rounds_{};
  int64_t rounds_{};
  Duration wait_{};
  Time start_{};
};

// While probing, the bound grows by one packet per so many acknowledged: 1, 2, 4 … packets per round.
class BoundSlope {
 public:
  void stop() { per_packet_ = Bytes::infinite(); }
  void restart(uint64_t rounds = 0) {
    rounds_ = std::min(rounds, kMostRounds);
    acked_ = Bytes::zero();
  }
  void raise(Bytes cwnd, Bytes mss) {
    const int64_t growth = int64_t{1} << rounds_;
    rounds_ = std::min(rounds_ + 1, kMostRounds);
    per_packet_ = std::max(Bytes{cwnd.v / growth}, mss);
  }
  // Packets by which the bound grows now.
  [[nodiscard]] int64_t earn(Bytes acked) {
    acked_ += acked;
    if (acked_ < per_packet_) return 0;
    const int64_t grown = acked_.v / per_packet_.v;
    acked_ -= per_packet_ * grown;
    return grown;
  }
  void forfeit() { acked_ = Bytes::zero(); }

 private:
  static constexpr uint64_t kMostRounds = 30;

  uint64_t rounds_{};
  Bytes acked_{};
  Bytes per_packet_{Bytes::infinite()};
};

// `lost` bytes of this packet's flight are too many. How much was in flight when their share crossed the threshold, which
// happened somewhere within this packet?
[[nodiscard]] inline Bytes level_of_loss(const LostPacket& packet, Bytes lost, double threshold) {
  const auto size = static_cast<double>(packet.size.v);
  const double before = static_cast<double>(packet.inflight_at_send.v) - size;
  const double prefix = (threshold * before - (static_cast<double>(lost.v) - size)) / (1 - threshold);
  return Bytes{static_cast<int64_t>(std::max(before + prefix, 0.0))};
}

// Share of what left the network in the last round trip that was lost.
class RoundLoss {
 public:
  [[nodiscard]] float share() const { return share_; }
  void round(Bytes delivered, Bytes lost) {
    const Bytes lost_now = lost - lost_;
    const Bytes all = delivered - delivered_ + lost_now;
    share_ = all > Bytes::zero() ? static_cast<float>(lost_now.v) / static_cast<float>(all.v) : 0;
    delivered_ = delivered;
    lost_ = lost;
  }

 private:
  Bytes delivered_{};
  Bytes lost_{};
  float share_{};
};

}  // namespace paceline
