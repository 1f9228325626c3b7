#pragma once
// A path for controllers that pace: packets leave at the controller's rate, and one round trip later each is acknowledged or
// declared lost, as the test says. Nothing else limits the flow, so that one reaction at a time can be looked at.

#include <cstdint>
#include <deque>
#include <functional>

#include "cca/registry.hh"

namespace paceline::testing {

class PacedPath {
 public:
  explicit PacedPath(Controller& cca, Duration rtt) : cca_{cca}, base_rtt_{rtt} {
    rtt_of = [rtt](Time, Rate) { return rtt; };
    lost = [](uint64_t, Rate) { return false; };
  }

  // Of a packet sent at this moment and rate.
  std::function<Duration(Time, Rate)> rtt_of;
  std::function<bool(uint64_t number, Rate)> lost;
  std::function<void()> after_send = [] {};
  bool app_limited{};

  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] uint64_t sent() const { return number_; }

  // Sends so many packets and lets what is due meanwhile come back.
  void send(uint64_t packets) {
    for (const uint64_t end = number_ + packets; number_ < end;) {
      feedback_until(next_send_);
      now_ = next_send_;
      const Rate rate_before = cca_.pacing_rate();
      cca_.on_sent({.now = now_, .number = number_, .size = kMtu, .app_limited = app_limited});
      const Rate rate = cca_.pacing_rate();
      after_send();
      under_way_.push_back({number_, now_, now_ + rtt_of(now_, rate), lost(number_, rate)});
      ++number_;
      next_send_ = now_ + (rate.bps > 0 ? rate : rate_before).time_for(kMtu);
    }
  }
  void send_for(Duration time) {
    for (const Time end = now_ + time; now_ < end;) send(1);
  }

  void time_out(bool repeated = false) {
    under_way_.clear();
    cca_.on_timeout({.now = now_, .repeated = repeated});
  }

 private:
  struct Packet {
    uint64_t number{};
    Time sent{};
    Time back{};
    bool lost{};
  };

  void feedback_until(Time time) {
    while (!under_way_.empty() && under_way_.front().back <= time) {
      const Packet packet = under_way_.front();
      under_way_.pop_front();
      now_ = std::max(now_, packet.back);
      if (packet.lost) {
        const LostPacket lost_packet{.number = packet.number, .size = kMtu, .sent = packet.sent};
        cca_.on_loss({.now = now_, .bytes = kMtu, .packet_count = 1, .packets = {&lost_packet, 1}});
        continue;
      }
      const Duration rtt = now_ - packet.sent;
      srtt_ = srtt_ == Duration::zero() ? rtt : srtt_ + (rtt - srtt_) / 8;
      const AckedPacket acked{.number = packet.number, .size = kMtu, .sent = packet.sent, .rtt = rtt};
      cca_.on_ack({.now = now_,
                   .acked_bytes = kMtu,
                   .acked_packets = 1,
                   .packets = {&acked, 1},
                   .rtt = rtt,
                   .newest_number = packet.number,
                   .srtt = srtt_,
                   .min_rtt = base_rtt_});
    }
  }

  Controller& cca_;
  Duration base_rtt_{};
  Duration srtt_{};
  Time now_{};
  Time next_send_{};
  uint64_t number_{};
  std::deque<Packet> under_way_{};
};

}  // namespace paceline::testing
