#pragma once
// GCC's probing at the start (WebRTC probe_controller.cc, probe_bitrate_estimator.cc): short bursts at three and six times the start rate, then at
// twice what came through as long as that is what was sent. Times in ms, rates in bit/s.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace paceline::gcc {

class StartProbes {
 public:
  StartProbes(bool enabled, double start_bps, double most_bps, double now) : most_{most_bps}, begun_{now} {
    if (!enabled) return;
    begin(std::min(most_, 3 * start_bps));
    second_ = std::min(most_, 6 * start_bps);
  }

  [[nodiscard]] bool sending() const { return sending_; }
  [[nodiscard]] double rate() const { return rate_; }
  // What packets of the probe under way are marked with; 0: none is.
  [[nodiscard]] uint64_t tag() const { return sending_ ? cluster_ : 0; }

  void sent(double bits) {
    if (!sending_) return;
    ++sent_packets_;
    sent_bits_ += bits;
    if (sent_packets_ < kLeastPackets || sent_bits_ < rate_ * kDuration / 1000) return;
    sending_ = false;
    waiting_ = true;
    if (second_ > 0) {
      begin(second_);
      second_ = 0;
    }
  }

  // A packet of a probe arrived. The rate that came through, once enough of them have.
  std::optional<double> arrived(uint64_t tag, double sent, double now, double bits) {
    if (tag == 0 || tag + clusters_.size() <= cluster_) return {};
    Cluster& c = clusters_[tag % clusters_.size()];
    if (c.packets == 0) {
      c.first_sent = c.last_sent = sent;
      c.first_arrived = c.last_arrived = now;
      c.first_bits = bits;
    }
    ++c.packets;
    c.bits += bits;
    if (sent >= c.last_sent) {
      c.last_sent = sent;
      c.last_bits = bits;
    }
    c.last_arrived = std::max(c.last_arrived, now);
    if (c.packets < kLeastPackets * kEnough || c.bits < c.rate * kDuration / 1000 * kEnough) return {};
    const double sending = c.last_sent - c.first_sent;
    const double arriving = c.last_arrived - c.first_arrived;
    if (sending <= 0 || sending > kLongest || arriving <= 0 || arriving > kLongest) return {};
    const double out = (c.bits - c.last_bits) / sending * 1000;
    const double in = (c.bits - c.first_bits) / arriving * 1000;
    // The application had not enough to send: that is no measurement of the path.
    if (in > kMostRatio * out || out < c.rate / 2) return {};
    return in < kSaturated * out ? kUtilisation * in : std::min(in, out);
  }

  // What the estimate is now, at each feedback. `now` ends the wait for results.
  void estimate_is(double bps, double now) {
    if (sending_ || !waiting_) return;
    if (bps > kFurther * rate_ && rate_ < most_) {
      begin(std::min(most_, 2 * bps));
      begun_ = now;
    } else if (now - begun_ > kLongestWait) {
      waiting_ = false;
    }
  }

 private:
  static constexpr int kLeastPackets = 5;
  static constexpr double kDuration = 15;
  static constexpr double kEnough = 0.8;
  static constexpr double kLongest = 1000;
  static constexpr double kLongestWait = 1000;
  static constexpr double kMostRatio = 2;
  static constexpr double kSaturated = 0.9;
  static constexpr double kUtilisation = 0.95;
  static constexpr double kFurther = 0.7;

  struct Cluster {
    double rate{};
    int packets{};
    double bits{};
    double first_sent{};
    double last_sent{};
    double first_arrived{};
    double last_arrived{};
    double first_bits{};
    double last_bits{};
  };

  void begin(double rate) {
    rate_ = rate;
    ++cluster_;
    clusters_[cluster_ % clusters_.size()] = {.rate = rate};
    sent_packets_ = 0;
    sent_bits_ = 0;
    sending_ = true;
  }

  double most_;
  double begun_;
  double rate_{};
  double second_{};
  uint64_t cluster_{};
  std::array<Cluster, 4> clusters_{};
  bool sending_{};
  bool waiting_{};
  int sent_packets_{};
  double sent_bits_{};
};

}  // namespace paceline::gcc
