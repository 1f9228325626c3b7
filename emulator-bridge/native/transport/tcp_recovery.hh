#pragma once
// TCP: SACK scoreboard, RACK-TLP (RFC 8985), timeouts as Linux has them (RFC 6298), proportional rate reduction, and episodes that are
// taken back when they prove to be spurious (D-SACK, F-RTO). loss_recovery.hh says what each function is for.

#include "transport/loss_recovery.hh"
#include "transport/reordering_window.hh"

namespace paceline {

class TcpRecovery final : public LossRecovery {
 public:
  using LossRecovery::LossRecovery;
  static constexpr bool kTimesOut = true;  // has a retransmission timeout

  void smooth(const Ack& ack, const std::optional<Duration>& rtt, const Progress& progress, Time now);
  void saw_reordering() { window_.saw_reordering(); }
  void arrived_again() { window_.unnecessary_retransmission(c_.board.una(), c_.board.next()); }
  void progresses(const Progress& progress) {
    if (progress.advanced) timeouts_in_a_row_ = 0;
  }
  [[nodiscard]] Recovery leave_episode(const Progress& progress, Time now) {
    return phase_ == Phase::open ? Recovery::none : leave(progress, now);
  }
  bool detect(Time now) {
    c_.lost.clear();
    reordering_deadline_ = Time::never();
    if (c_.board.sacked() == 0 && c_.board.retransmitted() == 0) [[likely]] {
      nothing_lost();
      return false;
    }
    return declare_lost(order_.rtt() + window_.length(c_.board, c_.rtt, phase_ != Phase::open), UINT64_MAX, now);
  }
  // RFC 6675 section 5; Linux tcp_time_to_recover.
  [[nodiscard]] bool relapsed(Recovery edge) const { return edge == Recovery::exited && c_.board.unrepaired() > 0; }
  [[nodiscard]] bool starts_episode(bool retransmission_lost) const {
    return phase_ == Phase::timeout ? retransmission_lost : phase_ == Phase::open;
  }
  [[nodiscard]] bool collapses(const Progress&) const { return false; }
  void collapse() {}
  void end_episode(Time now) {
    LossRecovery::end_episode(now);
    window_.episode_ended();
  }
  void acknowledged(const Progress& progress, Recovery edge, Time now);
  // The timer is the head's, and starts anew when that leaves again (Linux tcp_xmit_retransmit_queue).
  void transmitted(uint64_t sequence, Time now) {
    sent_ = true;
    if (timeout_deadline_.is_never() || sequence == c_.board.una()) timeout_deadline_ = now + c_.rtt.rto();
  }
  void arm(Time now) {
    if (sent_ || progressed_) arm_probe(now);
    sent_ = progressed_ = false;
  }
  void on_reordering_timeout() {}
  void on_probe_timeout(Time now) {
    probe_deadline_ = Time::never();
    probe_due_ = true;
    timeout_deadline_ = now + c_.rtt.rto();
  }
  [[nodiscard]] Duration timeout() const { return c_.rtt.rto(); }
  // RFC 6298 section 5.4, with RACK's say in what is lost. True: the window's reduction repeats one that was made for the same data.
  bool on_timeout(Time now);
  void timed_out(Time now) {
    c_.rtt.back_off();
    timeout_deadline_ = now + c_.rtt.rto();
  }
  [[nodiscard]] bool repairs_first() const { return false; }
  // The last one, whose arrival reveals all losses before it.
  [[nodiscard]] uint64_t probed() const { return c_.board.next() - 1; }

 private:
  [[nodiscard]] Recovery leave(const Progress& progress, Time now);
  void take_back_losses();
  void arm_probe(Time now);

  ReorderingWindow window_{};
  bool may_be_spurious_{};  // timeout: no retransmission has arrived yet (F-RTO, RFC 5682)
};

}  // namespace paceline
