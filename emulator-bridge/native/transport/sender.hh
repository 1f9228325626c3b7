#pragma once
// The sending end of one flow: a state machine without clock, socket or thread. It is told of acknowledgements and of the
// time; it gives packets and the next time it wants to be called.
//
//   after every on_ack(), on_timer() or on_channel(): call poll_send() until it says false, then look at next_event().
//
// TCP profile: SACK scoreboard, RACK-TLP (RFC 8985), RFC 6298 timeouts as Linux has them, PRR, undo of spurious episodes.
// QUIC profiles (RFC 9002): packet and time thresholds, an episode that ends when something sent after its start has arrived, probe
// timeouts that declare nothing lost, persistent congestion, no growth of a window that is not used; no PRR, no undo.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "cca/controller.hh"
#include "cca/registry.hh"
#include "core/histogram.hh"
#include "core/packet.hh"
#include "transport/ack.hh"
#include "transport/handshake.hh"
#include "transport/loss_detection.hh"
#include "transport/pacer.hh"
#include "transport/prr.hh"
#include "transport/rate_sampler.hh"
#include "transport/rtt.hh"
#include "transport/scoreboard.hh"
#include "transport/source.hh"
#include "transport/window_usage.hh"

namespace paceline {

// Hears of the rare things.
class SenderObserver {
 public:
  virtual ~SenderObserver() = default;
  virtual void on_start(Time) {}
  virtual void on_connected(Time, Duration /*since the start*/) {}
  virtual void on_stop(Time) {}
  virtual void on_episode(Time, uint64_t /*packets lost so far*/) {}
  virtual void on_recovered(Time, uint64_t /*packets lost in the episode*/) {}
  virtual void on_marks(Time, uint64_t /*marks that made the window smaller*/) {}
  virtual void on_timeout(Time) {}
  virtual void on_phase(Time, std::string_view) {}
};

// The largest window TCP can offer (RFC 7323 section 2.3). It is what stops a flow on an infinite queue, where slow start never
// meets a loss.
inline constexpr Bytes kLargestReceiveWindow{int64_t{1} << 30};

struct SenderSetup {
  uint16_t flow{};
  Time start{};
  Time stop{Time::never()};
  Needs needs{};
  TransportProfile profile{TransportProfile::tcp};
  Bytes mss{kMtu};
  Bytes receive_window{kLargestReceiveWindow};  // bytes that may be outstanding whatever the controller says; < 4 GiB
  Source source{};
  // RFC 3168 for algorithms that know nothing of marks: packets can be marked, and a mark is answered as a loss is. Only for those with
  // Needs::prr, whose answer to a loss is a smaller window; others stay without marks.
  bool ecn{};
  Duration pacing_credit{};  // real time: lost time the pacer may make up for
  Duration quantum_time{};   // real time: without a quantum of its own a flow may send this much at once
  Handshake handshake{};
  // The controller of a connection that opened at that time, in so long a round trip; asked for when data had to wait for it.
  std::function<std::unique_ptr<Controller>(Time, Duration)> controller_when_open{};
};

struct SenderCounters {
  uint64_t sent_packets{};
  int64_t sent_bytes{};
  uint64_t delivered_packets{};
  uint64_t lost_packets{};
  uint64_t spurious_packets{};
  uint64_t retransmitted_packets{};
  // Transmissions whose own fate does not matter any more, because another copy of the segment arrived or took their place.
  uint64_t moot_packets{};
  uint64_t loss_episodes{};
  uint64_t timeouts{};
};

class Sender {
 public:
  Sender(const SenderSetup& setup, std::unique_ptr<Controller> controller, SenderObserver& observer);

  [[nodiscard]] Time next_event() const { return next_event_; }
  void on_timer(Time now);
  void on_ack(const Ack& ack, Time now);
  void on_channel(const ChannelState& channel);
  // The next packet to leave now, if any.
  bool poll_send(Time now, Packet& packet);

  [[nodiscard]] const SenderCounters& counters() const { return counters_; }
  [[nodiscard]] const RttEstimator& rtt() const { return rtt_; }
  [[nodiscard]] const DelayHistogram& rtts() const { return rtts_; }
  [[nodiscard]] Duration latest_rtt() const { return latest_rtt_; }
  [[nodiscard]] Rate delivery_rate() const { return delivery_rate_; }
  [[nodiscard]] Rate pacing_rate() const { return pacer_.rate(); }
  [[nodiscard]] Bytes cwnd() const { return window(); }
  [[nodiscard]] Bytes inflight() const { return board_.inflight(); }
  [[nodiscard]] uint64_t inflight_packets() const { return board_.inflight_packets(); }
  [[nodiscard]] Bytes delivered() const { return rate_.delivered(); }
  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] bool app_limited() const { return rate_.app_limited(); }
  [[nodiscard]] const Controller& controller() const { return *controller_; }
  [[nodiscard]] const Source& source() const { return source_; }
  [[nodiscard]] bool in_episode() const { return phase_ != Phase::open; }

 private:
  enum class Phase : uint8_t { open, episode, timeout };

  // What one ACK newly acknowledged.
  struct Progress {
    Bytes bytes{};
    uint32_t packets{};
    Segment* newest{};
    uint64_t newest_sequence{};
    Time oldest_sent{Time::never()};     // of packets transmitted once
    bool retransmission{};               // a retransmission arrived
    bool original{};                     // a packet had been given up wrongly
    bool probe_repaired{};               // the loss probe arrived, what it repeated did not
    bool newest_is_original{};           // of the newest, an earlier transmission than the latest arrived
    uint64_t oldest_number{UINT64_MAX};  // QUIC: least number
    uint64_t highest_sacked_before{};
  };

  void start(Time now);
  void begin_data(Time now);
  bool send_opening(Time now, Packet& packet);
  void on_reply(const Ack& ack, Time now);
  void book_early_data(const Ack& ack, Time now);
  uint32_t newly_marked(const Ack& ack);
  void stop(Time now);
  void delivered(Segment& segment, uint64_t sequence, const Ack& ack, Time now, Progress& progress);
  void delivered_again(Segment& segment, uint64_t sequence, const Ack& ack, Time now, Progress& progress);
  std::optional<Duration> take_rtt(const Ack& ack, Time now, const Progress& progress);
  Recovery leave_episode(const Progress& progress, bool advanced, Time now);
  void end_episode(Time now);
  void take_back_losses();
  void settle_probe(const Ack& ack, const Progress& progress);
  bool detect_losses(Time now);  // true: a retransmission was lost
  void enter_episode(Time now, Bytes inflight_before);
  [[nodiscard]] bool starts_episode(bool retransmission_lost) const;
  [[nodiscard]] bool persistent_congestion(const Progress& progress) const;
  void collapse(Time now, Bytes inflight_before);
  [[nodiscard]] uint64_t oldest_in_flight() const;
  void enter_reduction(Time now, Bytes inflight_before, uint32_t marks);
  [[nodiscard]] EcnMark mark_for(bool retransmission) const;
  [[nodiscard]] LossEvent losses(Time now, Bytes inflight_before, bool new_episode) const;
  void reordering_timeout(Time now);
  void probe_timeout(Time now);
  void retransmission_timeout(Time now);
  void arm_probe(Time now);
  void arm_quic_probe();
  void give_up(uint64_t sequence, Segment& segment);

  void refresh();  // asks the controller for its outputs
  void refresh_pacing();
  void note_phase(Time now);
  [[nodiscard]] Bytes window() const {
    const Bytes allowed = phase_ == Phase::episode && needs_.prr ? prr_window_ : cwnd_;
    if (began_small_) [[unlikely]]
      return std::min(allowed, mss_ + rate_.delivered());
    return allowed;
  }
  void transmit(Segment& segment, uint64_t sequence, Bytes inflight_before, Time now, Packet& packet);
  bool send_forced(Time now, Packet& packet);
  bool settle(Time now, Time wake);
  [[nodiscard]] Rate media_rate() const;

  // Hot first.
  std::unique_ptr<Controller> controller_;
  SenderObserver* observer_;
  Needs needs_;
  bool answers_marks_;  // in the controller's stead
  Bytes mss_;
  Bytes receive_window_;
  bool quic_;
  uint16_t flow_;
  Phase phase_{Phase::open};
  bool active_{};
  bool force_{};  // the head leaves whatever window and pacer say (after a timeout)
  bool probe_{};  // a loss probe is due
  bool sent_in_burst_{};
  bool progressed_{};  // since timers were last armed
  bool slow_start_{};
  bool
      began_small_{};  // with one segment, because the opening was lost: slow start from there, whatever the controller says
  Time next_event_{};
  Bytes cwnd_{};
  Bytes ssthresh_{};
  Bytes prr_window_{};
  Time tick_{Time::never()};
  Time rto_deadline_{Time::never()};
  Time probe_deadline_{Time::never()};
  Time reordering_deadline_{Time::never()};
  Scoreboard board_{};
  RateSampler rate_{};
  RttEstimator rtt_{};
  LossDetection detection_;
  WindowUsage usage_;
  Pacer pacer_;
  ProportionalRateReduction prr_{};
  Source source_;
  SenderCounters counters_{};
  DelayHistogram rtts_{};
  Duration latest_rtt_{};
  Rate delivery_rate_{};
  uint64_t rtt_round_end_{};

  // The episode under way.
  uint64_t recovery_point_{};
  uint64_t recovery_number_{};  // QUIC: of the first packet sent after its start
  uint64_t largest_acked_{};    // QUIC: one past the number of the most recently sent packet that arrived
  bool begun_by_marks_{};
  uint64_t episode_lost_{};
  uint64_t episode_spurious_{};
  int consecutive_timeouts_{};
  bool may_be_spurious_{};  // timeout: no retransmission has arrived yet (F-RTO, RFC 5682)
  Recovery pending_edge_{Recovery::none};

  // Tail loss probe (TCP), probe timeout (QUIC).
  bool probe_out_{};
  bool probe_is_repeat_{};
  uint64_t probe_end_{};  // outstanding until this segment is acknowledged
  uint64_t probed_sequence_{};
  Segment probed_{};  // what was remembered of the packet that the probe repeats

  Time last_sent_{};
  uint32_t ce_seen_{};
  std::string_view phase_name_{};
  Opening opening_;
  Bytes early_{};  // left with the opening packet
  std::function<std::unique_ptr<Controller>(Time, Duration)> controller_when_open_;
  Time start_;
  Time stop_;
  Duration quantum_time_;
  std::vector<AckedPacket> acked_{};
  std::vector<LostPacket> lost_{};
};

}  // namespace paceline
