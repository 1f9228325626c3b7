#pragma once
// What TcpRecovery and QuicRecovery have in common: an episode, a probe, deadlines. The sender calls the one or the other by its type, so
// that nothing on the way of an acknowledgement is a virtual call. What both have to offer:
//
//   smooth(ack, rtt, progress, now)      an ACK acknowledged something; an RTT was measured, unless it is ambiguous
//   saw_reordering()                     a packet arrived after one that was sent later
//   arrived_again()                      the receiver had the packet already (TCP: D-SACK)
//   progresses(progress)                 the peer is alive: timeouts in a row are over
//   leave_episode(progress, now)         does this ACK end the episode?
//   detect(now)                          declares losses; true: a retransmission was lost
//   relapsed(edge)                       what was sent during the episode was lost, too: a new one begins
//   starts_episode(retransmission_lost)  do these losses begin an episode?
//   collapses(progress)                  so much was lost that the window starts again
//   acknowledged(progress, edge, now)    the controller has heard of the ACK
//   transmitted(sequence, now), arm(now) a packet has left; nothing more leaves for now
//   on_reordering_timeout(), on_probe_timeout(now); where kTimesOut: on_timeout(now), timed_out(now)
//   timeout()                            how long an answer is waited for, as it stands
//   repairs_first(), probed()            does a probe repair losses? Else: which segment does it repeat when there is nothing new?

#include <algorithm>
#include <cstdint>
#include <utility>

#include "transport/ack.hh"
#include "transport/connection.hh"
#include "transport/transmission_order.hh"

namespace paceline {

class LossRecovery {
 public:
  explicit LossRecovery(Connection& connection) : c_{connection} {}
  LossRecovery(const LossRecovery&) = delete;
  LossRecovery& operator=(const LossRecovery&) = delete;

  enum class Phase : uint8_t { open, episode, timeout };
  [[nodiscard]] Phase phase() const { return phase_; }

  // Transmissions below are never looked at again.
  [[nodiscard]] uint64_t oldest() const { return order_.oldest(); }
  void newest_arrived(const Segment& newest, Duration rtt) { order_.delivered(newest, rtt); }

  void enter_episode(Time now, Bytes inflight_before) {
    begin(c_.lost.size(), false, inflight_before);
    probe_deadline_ = Time::never();
    ++c_.counters.loss_episodes;
    c_.observer->on_episode(now, lost_);
  }
  // Marks are answered as a loss is, and no more than once per round trip (RFC 3168 section 6.1.2; Linux tcp_enter_cwr).
  void enter_reduction(Bytes inflight_before) { begin(0, true, inflight_before); }
  void more_lost() { lost_ += c_.lost.size(); }
  void end_episode(Time now) {
    phase_ = Phase::open;
    order_.release();
    c_.observer->on_recovered(now, lost_);
  }
  void given_up_wrongly() { ++spurious_; }

  // What the controller is told of an ACK that began and ended nothing.
  void announce(Recovery edge) { pending_ = edge; }
  [[nodiscard]] Recovery standing() {
    if (const Recovery edge = std::exchange(pending_, Recovery::none); edge != Recovery::none) return edge;
    if (phase_ == Phase::open) return Recovery::none;
    return phase_ == Phase::episode ? Recovery::in : Recovery::timeout;
  }
  void nothing_pending() { pending_ = Recovery::none; }

  [[nodiscard]] Time deadline() const { return earliest(timeout_deadline_, probe_deadline_, reordering_deadline_); }
  [[nodiscard]] Time timeout_deadline() const { return timeout_deadline_; }
  [[nodiscard]] Time probe_deadline() const { return probe_deadline_; }
  [[nodiscard]] Time reordering_deadline() const { return reordering_deadline_; }
  [[nodiscard]] bool sent_since_armed() const { return sent_; }
  void disarm() { timeout_deadline_ = probe_deadline_ = reordering_deadline_ = Time::never(); }

  // A loss probe (TCP: RFC 8985 section 7; QUIC: RFC 9002 section 6.2). It is out until what was sent with it is acknowledged.
  [[nodiscard]] bool probe_due() const { return probe_due_; }
  void probe_leaves() { probe_due_ = false; }
  void probe_of_new_data() {
    probe_out_ = true;
    probe_is_repeat_ = false;
  }
  void probe_repeats(uint64_t sequence) {
    probe_out_ = probe_is_repeat_ = true;
    probed_sequence_ = sequence;
    probed_ = c_.board[sequence];
    ++c_.counters.moot_packets;
  }
  void probe_left() { probe_end_ = c_.board.next(); }
  [[nodiscard]] bool probe_repaired(uint64_t sequence) const {
    return probe_out_ && probe_is_repeat_ && sequence == probed_sequence_;
  }
  void settle_probe(const Ack& ack, const Progress& progress) {
    if (!probe_out_) return;
    if (progress.probe_repaired) {
      // The probe arrived and what it repeated did not: one loss, one reduction (RFC 8985 section 7.4).
      --c_.counters.moot_packets;
      ++c_.counters.lost_packets;
      c_.rate.on_lost(probed_.bytes());
      c_.lost.push_back(lost_packet(probed_));
    }
    if (progress.probe_repaired || ack.duplicate || c_.board.una() >= probe_end_) probe_out_ = false;
  }

 protected:
  void begin(uint64_t lost, bool by_marks, Bytes inflight_before) {
    phase_ = Phase::episode;
    lost_ = lost;
    spurious_ = 0;
    begun_by_marks_ = by_marks;
    recovery_point_ = c_.board.next();
    c_.prr.enter(inflight_before);
  }
  // A round is over when something sent after the last one was acknowledged.
  [[nodiscard]] bool round_over() {
    const bool over = c_.board.una() > round_end_;
    if (over) round_end_ = c_.board.next();
    return over;
  }
  // Declares lost what the rule says, and sets the deadline for the next look. True: a retransmission was lost.
  bool declare_lost(Duration patience, uint64_t packet_threshold, Time now) {
    bool retransmission = false;
    reordering_deadline_ =
        order_.detect(c_.board, patience, packet_threshold, now, [&](uint64_t sequence, Segment& segment) {
          retransmission |= segment.has(Segment::kRetransmitted);
          c_.give_up(sequence, segment);
        });
    return retransmission;
  }
  // Everything that arrived is settled, so that nothing can be lost.
  void nothing_lost() { order_.settled(c_.board.empty() ? c_.board.next_number() : c_.board[c_.board.una()].number); }

  // Hot first.
  Connection& c_;
  Phase phase_{Phase::open};
  Recovery pending_{Recovery::none};
  bool begun_by_marks_{};
  bool probe_due_{};
  bool probe_out_{};
  bool probe_is_repeat_{};
  bool progressed_{};  // since timers were last armed
  bool sent_{};        // the same
  int timeouts_in_a_row_{};
  Time timeout_deadline_{Time::never()};
  Time probe_deadline_{Time::never()};
  Time reordering_deadline_{Time::never()};
  TransmissionOrder order_{};
  uint64_t recovery_point_{};  // segments from here on were first sent after the episode's start
  uint64_t lost_{};
  uint64_t spurious_{};
  uint64_t round_end_{};
  uint64_t probe_end_{};  // the probe is out until this segment is acknowledged
  uint64_t probed_sequence_{};
  Segment probed_{};  // what was remembered of the packet that the probe repeats
};

}  // namespace paceline
