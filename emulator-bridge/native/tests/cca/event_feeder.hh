#pragma once
// Drives a controller directly with the events a transport would send, so that one reaction at a time can be looked at.
// The path is ideal: whatever is acknowledged was sent one RTT ago, and counters are kept as the transport keeps them.

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cca/registry.hh"

namespace paceline::testing {

inline std::unique_ptr<Controller> make_cca(std::string_view id, const Params::Given& given = {},
                                            TransportProfile profile = TransportProfile::tcp,
                                            Duration base_rtt = Duration::millis(100)) {
  const Descriptor* cca = find_cca(id);
  if (!cca) throw std::invalid_argument("no such CCA: " + std::string{id});
  const Params params{cca->params, given};
  return cca->make({.profile = profile, .random = Random{1, 0, id}, .base_rtt = base_rtt}, params);
}

class EventFeeder {
 public:
  explicit EventFeeder(Controller& cca, Duration rtt = Duration::millis(100)) : cca_{cca}, rtt_{rtt} {}

  [[nodiscard]] int64_t cwnd() const { return cca_.cwnd().v / kMtu.v; }
  [[nodiscard]] int64_t ssthresh() const { return cca_.ssthresh().v / kMtu.v; }
  [[nodiscard]] double seconds() const { return now_.to_seconds(); }
  [[nodiscard]] Time now() const { return now_; }
  void set_rtt(Duration rtt) { rtt_ = rtt; }
  void set_rate(Rate rate) { rate_ = rate; }
  void set_window_limited(bool limited) { window_limited_ = limited; }
  void wait(Duration d) { now_ += d; }

  // One ACK for `packets` packets that were sent one RTT ago.
  void ack(uint32_t packets, Recovery recovery = Recovery::none) {
    AckEvent event = next_ack(packets);
    event.recovery = recovery;
    cca_.on_ack(event);
  }

  // The ACK event ack() would send, for tests that change a field first.
  AckEvent next_ack(uint32_t packets) {
    const Bytes bytes = kMtu * packets;
    number_ += packets;
    delivered_ += bytes;
    const Bytes window = cca_.cwnd();
    AckEvent event;
    event.now = now_;
    event.acked_bytes = bytes;
    event.acked_packets = packets;
    event.rtt = rtt_;
    event.newest_number = number_;
    event.next_number = number_ + static_cast<uint64_t>(window.v / kMtu.v);
    event.srtt = event.min_rtt = rtt_;
    event.rate = {.valid = true,
                  .rate = rate_.bps > 0 ? rate_ : Rate::of(window, rtt_),
                  .interval = rtt_,
                  .delivered = window,
                  .prior_delivered = delivered_ - window,
                  .tx_inflight = window};
    event.delivered = delivered_;
    event.lost = lost_;
    event.inflight_before = window;
    event.inflight = window - bytes;
    event.window_limited = window_limited_;
    event.next_send = now_;
    return event;
  }

  // One window's worth of single-packet ACKs, spread evenly over an RTT.
  void round() {
    const int64_t window = cwnd();
    for (int64_t i = 0; i < window; ++i) {
      now_ += rtt_ / window;
      ack(1);
    }
  }

  // The first loss of an episode and its repair one RTT later.
  void lose_one() {
    lose(1, true);
    ack(1, Recovery::entered);
    now_ += rtt_;
    ack(1, Recovery::exited);
  }

  void lose(uint32_t packets, bool new_episode) {
    const Bytes bytes = kMtu * packets;
    lost_ += bytes;
    std::vector<LostPacket> list(packets, LostPacket{.size = kMtu, .sent = now_ - rtt_});
    cca_.on_loss({.now = now_,
                  .bytes = bytes,
                  .packet_count = packets,
                  .packets = list,
                  .new_episode = new_episode,
                  .inflight_before = cca_.cwnd(),
                  .inflight = cca_.cwnd() - bytes,
                  .delivered = delivered_,
                  .lost = lost_});
  }

  void time_out(bool repeated = false) {
    lost_ += cca_.cwnd();
    cca_.on_timeout(
        {.now = now_, .inflight_before = cca_.cwnd(), .delivered = delivered_, .lost = lost_, .repeated = repeated});
  }

 private:
  Controller& cca_;
  Duration rtt_{};
  Rate rate_{};
  Time now_{};
  uint64_t number_{};
  Bytes delivered_{};
  Bytes lost_{};
  bool window_limited_{true};
};

}  // namespace paceline::testing
