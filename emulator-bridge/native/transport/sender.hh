#pragma once
// The sending end of one flow: a state machine without clock, socket or thread. It is told of acknowledgements and of the
// time; it gives packets and the next time it wants to be called.
//
//   after every on_ack(), on_timer() or on_channel(): call poll_send() until it says false, then look at next_event().
//
// How it recovers from losses is TcpRecovery's or QuicRecovery's; everything else is the same for both.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "cca/controller.hh"
#include "cca/registry.hh"
#include "core/histogram.hh"
#include "core/packet.hh"
#include "transport/ack.hh"
#include "transport/connection.hh"
#include "transport/handshake.hh"
#include "transport/pacer.hh"
#include "transport/quic_recovery.hh"
#include "transport/source.hh"
#include "transport/tcp_recovery.hh"
#include "transport/window_usage.hh"

namespace paceline {

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

class Sender {
 public:
  Sender(const SenderSetup& setup, std::unique_ptr<Controller> controller, SenderObserver& observer);
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  [[nodiscard]] Time next_event() const { return next_event_; }
  void on_timer(Time now);
  void on_ack(const Ack& ack, Time now);
  void on_channel(const ChannelState& channel);
  // The next packet to leave now, if any.
  bool poll_send(Time now, Packet& packet);

  [[nodiscard]] const SenderCounters& counters() const { return c_.counters; }
  [[nodiscard]] const RttEstimator& rtt() const { return c_.rtt; }
  [[nodiscard]] const DelayHistogram& rtts() const { return rtts_; }
  [[nodiscard]] Duration latest_rtt() const { return latest_rtt_; }
  // TCP's retransmission timeout or QUIC's probe timeout, as it stands.
  [[nodiscard]] Duration timeout() const {
    return std::visit([](const auto& rules) { return rules.timeout(); }, rules_);
  }
  [[nodiscard]] Rate delivery_rate() const { return delivery_rate_; }
  [[nodiscard]] Rate pacing_rate() const { return pacer_.rate(); }
  [[nodiscard]] Bytes cwnd() const { return window_; }
  [[nodiscard]] Bytes inflight() const { return c_.board.inflight(); }
  [[nodiscard]] uint64_t inflight_packets() const { return c_.board.inflight_packets(); }
  [[nodiscard]] Bytes delivered() const { return c_.rate.delivered(); }
  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] bool app_limited() const { return c_.rate.app_limited(); }
  [[nodiscard]] const Controller& controller() const { return *c_.controller; }
  [[nodiscard]] const Source& source() const { return source_; }
  [[nodiscard]] bool in_episode() const { return recovery_.phase() != LossRecovery::Phase::open; }

 private:
  using Phase = LossRecovery::Phase;
  using Rules = std::variant<TcpRecovery, QuicRecovery>;
  static Rules rules_of(Connection& connection, bool quic);

  // Calls act(rules) with the one or the other type.
  template <typename Act>
  decltype(auto) by_rules(Act&& act) {
    if (auto* const tcp = std::get_if<TcpRecovery>(&rules_)) return act(*tcp);
    return act(*std::get_if<QuicRecovery>(&rules_));
  }

  void start(Time now);
  void begin_data(Time now);
  bool send_opening(Time now, Packet& packet);
  void on_reply(const Ack& ack, Time now);
  void book_early_data(const Ack& ack, Time now);
  void stop(Time now);

  // An acknowledgement, step by step (sender_ack.cc).
  template <typename R>
  void acknowledge(R& rules, const Ack& ack, Time now);
  template <typename R>
  void delivered(R& rules, Segment& segment, uint64_t sequence, const Ack& ack, Time now, Progress& progress);
  void delivered_again(Segment& segment, uint64_t sequence, const Ack& ack, Time now, Progress& progress);
  template <typename R>
  void take_rtt(R& rules, const Ack& ack, Time now, const Progress& progress);
  uint32_t newly_marked(const Ack& ack);
  template <typename R>
  Recovery on_losses(R& rules, const Progress& progress, Recovery edge, Bytes inflight_before, bool new_episode,
                     Time now);
  template <typename R>
  void collapse(R& rules, Time now, Bytes inflight_before);
  template <typename R>
  void enter_reduction(R& rules, Time now, Bytes inflight_before, uint32_t marks);

  template <typename R>
  void on_deadline(R& rules, Time now);
  template <typename R>
  void reordering_timeout(R& rules, Time now);
  void retransmission_timeout(TcpRecovery& rules, Time now);

  void refresh();  // asks the controller for its outputs
  void refresh_pacing();
  void note_phase(Time now) {
    const std::string_view name = c_.controller->phase();
    if (name.data() != phase_name_.data()) [[unlikely]]
      tell_phase(now, name);
  }
  void tell_phase(Time now, std::string_view name);
  // What may be in flight until the next acknowledgement, timer or news: to be called at the end of each.
  void open_window() {
    window_ = recovery_.phase() == Phase::episode && c_.needs.prr ? prr_window_ : cwnd_;
    if (began_small_) [[unlikely]]
      window_ = std::min(window_, c_.mss + c_.rate.delivered());
  }
  void send_fresh(Bytes size, Bytes inflight, Time now, Packet& packet);
  Segment& send_first(Bytes size, Bytes inflight, Time now, Packet& packet);
  Segment& send_early(Bytes size, Time now, Packet& packet);
  void send_again(uint64_t sequence, Bytes inflight, Time now, Packet& packet);
  template <bool retransmission>
  void transmit(Segment& segment, uint64_t sequence, Bytes inflight_before, Time now, Packet& packet);
  bool send_forced(Time now, Packet& packet);
  bool send_probe(Time now, Packet& packet);
  bool settle(Time now, Time wake);
  [[nodiscard]] Rate media_rate() const;

  // Hot first.
  Connection c_;
  Rules rules_;
  LossRecovery& recovery_;  // the one that rules_ holds
  bool answers_marks_;      // in the controller's stead
  bool quic_;
  bool active_{};
  bool force_{};  // the head leaves whatever window and pacer say (after a timeout)
  bool slow_start_{};
  bool
      began_small_{};  // one segment, because the opening was lost: slow start from there, whatever the controller says
  EcnMark mark_;       // of what leaves for the first time
  uint16_t flow_;
  uint64_t receive_window_packets_;
  Time next_event_{};
  Bytes cwnd_{};
  Bytes ssthresh_{};
  Bytes prr_window_{};
  Bytes window_{};
  Time tick_{Time::never()};
  Opening opening_;
  WindowUsage usage_;
  Pacer pacer_;
  Source source_;
  AckEvent event_{};  // what the controller is told, filled in place
  DelayHistogram rtts_{};
  Duration latest_rtt_{};
  Rate delivery_rate_{};
  uint32_t ce_seen_{};
  std::string_view phase_name_{};
  Bytes early_{};  // left with the opening packet
  std::function<std::unique_ptr<Controller>(Time, Duration)> controller_when_open_;
  Time start_;
  Time stop_;
  Duration quantum_time_;
  std::vector<AckedPacket> acked_{};
};

}  // namespace paceline
