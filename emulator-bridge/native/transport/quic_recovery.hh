#pragma once
// QUIC (RFC 9002): packet and time thresholds, an episode that ends when something sent after its start has arrived, probe timeouts that
// declare nothing lost, persistent congestion; nothing is taken back. loss_recovery.hh says what each function is for.

#include "transport/loss_recovery.hh"
#include "transport/quic_episodes.hh"

namespace paceline {

class QuicRecovery final : public LossRecovery {
 public:
  using LossRecovery::LossRecovery;
  static constexpr bool kTimesOut = false;  // its probes do it

  void smooth(const Ack& ack, const std::optional<Duration>& rtt, const Progress& progress, Time now);
  void saw_reordering() {}
  void arrived_again() {}
  void progresses(const Progress& progress) {
    if (progress.packets > 0) timeouts_in_a_row_ = 0;
  }
  [[nodiscard]] Recovery leave_episode(const Progress& progress, Time now) {
    if (phase_ == Phase::open || !progress.latest() || !episodes_.ended_by(progress.newest->number))
      return Recovery::none;
    end_episode(now);
    return Recovery::exited;
  }
  bool detect(Time now) {
    c_.lost.clear();
    reordering_deadline_ = Time::never();
    if (c_.board.sacked() == 0 && c_.board.retransmitted() == 0 && !probe_out_) {
      nothing_lost();
      return false;
    }
    return declare_lost(quic::time_threshold(order_.rtt(), c_.rtt.srtt()), quic::kPacketThreshold, now);
  }
  [[nodiscard]] bool relapsed(Recovery) const { return false; }
  [[nodiscard]] bool starts_episode(bool) const {
    return phase_ == Phase::open &&
           std::ranges::any_of(c_.lost, [this](const LostPacket& p) { return episodes_.begun_by(p.number); });
  }
  // Persistent congestion: the window starts again, whatever is in flight, and nothing of the past counts as an episode.
  [[nodiscard]] bool collapses(const Progress& progress) const;
  void collapse() { episodes_.forget(); }
  void enter_episode(Time now, Bytes inflight_before) {
    episodes_.begin(c_.board.next_number());
    LossRecovery::enter_episode(now, inflight_before);
  }
  void enter_reduction(Bytes inflight_before) {
    episodes_.begin(c_.board.next_number());
    LossRecovery::enter_reduction(inflight_before);
  }
  void acknowledged(const Progress& progress, Recovery, Time) {
    if (progress.latest()) episodes_.arrived(progress.newest->number);
    progressed_ |= progress.packets > 0;
  }
  void transmitted(uint64_t, Time now) {
    sent_ = true;
    last_sent_ = now;
  }
  void arm(Time) {
    if (sent_ || progressed_) arm_probe();
    sent_ = progressed_ = false;
  }
  // The probe timeout waited for this.
  void on_reordering_timeout() { progressed_ = true; }
  void on_probe_timeout(Time) {
    probe_deadline_ = Time::never();
    probe_due_ = true;
    ++timeouts_in_a_row_;
  }
  // RFC 9002 section 6.2.1.
  [[nodiscard]] Duration timeout() const {
    const Duration once = c_.rtt.known() ? quic::probe_timeout(c_.rtt.srtt(), c_.rtt.rttvar()) : quic::kInitialTimeout;
    return once * (int64_t{1} << std::min(timeouts_in_a_row_, quic::kMaxTimeoutDoublings));
  }
  [[nodiscard]] bool repairs_first() const { return true; }
  // The one that has been under way for longest, so that losses in a row tell how long nothing came through.
  [[nodiscard]] uint64_t probed() const;

 private:
  void arm_probe();

  QuicEpisodes episodes_{};
  Time last_sent_{};
};

}  // namespace paceline
