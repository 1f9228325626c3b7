#pragma once
// The only interface between the transport and a congestion-control algorithm (CCA).
//
// A controller is a plain state machine: the transport tells it what happened and when, it answers with a window,
// a pacing rate and the next time it wants to be called. It reads no clock, draws only from the Random it was given,
// and allocates nothing once it is running. The transport guarantees:
//   per acknowledgement: update of delivered/lost counters and RTT  ->  on_loss (losses this ACK revealed)  ->  on_ack;
//   per retransmission timeout: on_timeout  ->  on_loss (what the timeout declared lost, never a new episode).
//
// A loss episode of a window algorithm with Needs::prr: at on_loss with `new_episode` it lowers ssthresh and sets
// cwnd to it at once; while the episode lasts the transport spends PRR's window, which lands on ssthresh(), instead
// of cwnd(). At an RTO it sets ssthresh and collapses cwnd; what follows is ordinary slow start (Recovery::timeout).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/random.hh"
#include "core/units.hh"

namespace paceline {

// Where the flow stands in loss recovery, as seen by one acknowledgement.
enum class Recovery : uint8_t {
  none,     // no recovery under way
  entered,  // this ACK revealed the first loss of an episode
  in,       // an episode goes on
  timeout,  // what was outstanding at a retransmission timeout is being repaired: windows may grow (RFC 5681 section 3.1)
  exited,  // this ACK ended the episode, whichever kind it was
  undone,  // the episode was proven spurious: restore what on_loss changed
};

// Rules of the transport that some algorithms must know about (RFC 9002; docs/reference.md 1.9).
enum class TransportProfile : uint8_t { tcp, quic, quic_grow_underutilised };

// One packet leaving the sender.
struct SentPacket {
  Time now{};
  uint64_t number{};  // transmission number: grows by one per transmission, never reused
  Bytes size{};       // on the wire
  bool retransmission{};
  bool app_limited{};       // the application, not the window, limits the flow at this moment
  Bytes inflight_before{};  // bytes in flight without this packet
  Bytes inflight{};         // and with it
};

// One packet newly acknowledged (cumulatively or selectively), with what was remembered when it was sent.
struct AckedPacket {
  uint64_t number{};
  Bytes size{};
  Time sent{};
  Duration rtt{};             // now - sent
  Duration one_way{};         // receiver's timestamp - sent; only meaningful with Needs::receiver_timestamps
  Bytes delivered_at_send{};  // connection's delivered bytes when it was sent
  uint64_t tag{};             // what Controller::tag() returned when it was sent
  bool retransmission{};
};

// One packet declared lost.
struct LostPacket {
  uint64_t number{};
  Bytes size{};
  Time sent{};
  uint64_t tag{};
  Bytes inflight_at_send{};  // including itself
  Bytes lost_at_send{};      // connection's lost bytes when it was sent
  Bytes delivered_at_send{};
  bool app_limited{};
};

// Delivery-rate sample of one ACK (draft-ietf-ccwg-bbr section 4.1).
struct RateSample {
  // false: nothing newly delivered, or the interval was shorter than min_rtt. Then `rate` is zero, but prior_delivered,
  // tx_inflight, lost and app_limited still describe the sampled packet whenever anything was newly acknowledged.
  bool valid{};
  Rate rate{};
  Duration interval{};
  Bytes delivered{};        // bytes delivered over the interval
  Bytes prior_delivered{};  // connection's delivered bytes when the sampled packet was sent
  Bytes tx_inflight{};      // in flight when the sampled packet was sent, itself included
  Bytes lost{};             // lost between the sampled packet's sending and now
  bool app_limited{};
};

struct AckEvent {
  Time now{};
  Bytes acked_bytes{};  // newly acknowledged, cumulative and selective
  uint32_t acked_packets{};
  std::span<const AckedPacket> packets{};  // the same packets one by one; empty unless Needs::acked_packets
  std::optional<Duration> rtt{};  // sample of the most recently sent packet newly acknowledged; none if ambiguous
  // The forward part of `rtt`: receiver's timestamp - sent, on two clocks whose offset is unknown but constant. None where
  // the transport carries no receiver's timestamps.
  std::optional<Duration> one_way{};
  uint64_t newest_number{};  // transmission number of that packet
  uint64_t next_number{};    // number of the next transmission: a round that starts now ends when it is acknowledged
  Duration srtt{};
  Duration rttvar{};
  Duration min_rtt{};  // lifetime minimum
  RateSample rate{};
  Bytes delivered{};        // connection total, this ACK included
  Bytes lost{};             // connection total of bytes ever declared lost
  Bytes inflight_before{};  // before this ACK was processed
  Bytes inflight{};         // after it (losses removed too)
  uint32_t lost_packets{};  // declared lost by this ACK
  bool window_limited{};    // the window was what held the sender back (RFC 9002 section 7.8)
  bool delayed{};           // the receiver held this ACK back (delayed-ACK timer)
  uint32_t ce_packets{};    // newly reported congestion-experienced marks
  Recovery recovery{Recovery::none};
  Time next_send{};                       // when the pacer releases the next packet (<= now: free to send)
  std::span<const std::byte> feedback{};  // latest message of the flow's receiver agent, if it has one
};

struct LossEvent {
  Time now{};
  Bytes bytes{};
  uint32_t packet_count{};                // 0: marks that the flow answers as losses (SenderSetup::ecn)
  std::span<const LostPacket> packets{};  // always filled; only the declared ones of this event
  bool new_episode{};                     // first loss of an episode: the classic place to reduce
  Bytes inflight_before{};                // in flight (FlightSize) before the losses were removed
  Bytes inflight{};                       // after
  Bytes delivered{};                      // connection totals, this event included
  Bytes lost{};
};

struct TimeoutEvent {
  Time now{};
  Bytes inflight_before{};  // FlightSize when the timer fired
  Bytes inflight{};         // what the transport still believes in flight (sent too recently to be lost); usually zero
  Bytes delivered{};        // connection totals; `lost` includes what this timeout declares lost
  Bytes lost{};
  // ssthresh was already reduced for this data: the timer expired before, or a loss episode was under way.
  // It is not reduced again (RFC 5681 section 3.1; Linux tcp_enter_loss).
  bool repeated{};
};

// What the base station knows; only delivered to controllers with Needs::channel_state (the delayed-feedback oracle).
struct ChannelState {
  Time now{};       // when the sender learns it
  Time measured{};  // when it was true
  Rate capacity{};  // averaged over the window the controller asked for (Setup::channel_window)
};

// What a controller is made from.
class Agent;   // see cca/agent.hh
class Params;  // resolved parameter values, see cca/registry.hh
struct Setup {
  Time now{};
  Bytes mss{kMtu};
  int initial_window_packets{10};
  TransportProfile profile{TransportProfile::tcp};
  Random random;
  Duration base_rtt{};       // of the modelled path; only the reference models may use it
  Duration handshake_rtt{};  // what the connection's opening took; zero: nothing was measured
  Agent* agent{};            // decides in the loop of a learned algorithm, whatever its parameters say
};

// A CCA's sender side. Outputs must be valid from construction on.
class Controller {
 public:
  Controller() = default;
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;
  virtual ~Controller() = default;

  virtual void on_sent(const SentPacket&) {}
  virtual void on_ack(const AckEvent&) = 0;
  virtual void on_loss(const LossEvent&) {}
  virtual void on_timeout(const TimeoutEvent&) {}  // RTO; in QUIC profiles: persistent congestion
  virtual void on_idle_restart(Time) {}  // first send after nothing was in flight and the application was the limit
  virtual void on_tick(Time) {}          // at the time last given by next_tick()
  virtual void on_channel(const ChannelState&) {}

  [[nodiscard]] virtual Bytes cwnd() const = 0;  // > 0; Bytes::infinite() for pure rate control
  [[nodiscard]] virtual Bytes ssthresh() const { return Bytes::infinite(); }  // target of PRR and of the default pacing
  [[nodiscard]] virtual Rate pacing_rate() const {
    return Rate::zero();
  }  // used when Needs::pacing == own; zero: unpaced
  // What a media encoder is told to produce; zero: the algorithm has no such figure.
  [[nodiscard]] virtual Rate media_rate() const { return Rate::zero(); }
  [[nodiscard]] virtual Bytes send_quantum() const {
    return Bytes::zero();
  }  // zero: the transport's default (docs/reference.md 1.5)
  [[nodiscard]] virtual bool may_send(Time) const { return true; }
  // true: the algorithm itself holds the flow back (BBR's PROBE_RTT), so that rate samples of what is now in flight
  // count as application-limited. Asked after every on_ack.
  [[nodiscard]] virtual bool limits_itself() const { return false; }
  [[nodiscard]] virtual uint64_t tag() const { return 0; }  // attached to each packet sent (monitor interval, epoch …)
  [[nodiscard]] virtual Time next_tick() const { return Time::never(); }
  [[nodiscard]] virtual std::string_view phase() const { return {}; }  // one word for the time line; stable storage
  // One value per Descriptor::internals, NaN = unknown. What tells them is the Internals from which that list comes.
  virtual void internals(std::span<float>) const {}
};

// The internals as the algorithm tells them: what it leaves out is unknown, not what stood there before.
inline void tell_internals(const Controller& controller, std::span<float> out) {
  std::ranges::fill(out, std::numeric_limits<float>::quiet_NaN());
  controller.internals(out);
}

// The receiver side that a few algorithms need (Sprout's forecast, GCC's and SCReAM's feedback, TCP Prague's counters).
struct ReceivedPacket {
  Time now{};
  Time sent{};  // sender's timestamp carried by the packet
  uint64_t number{};
  Bytes size{};
  bool ce{};
  uint64_t tag{};
};

inline constexpr std::size_t kMaxFeedbackBytes = 64;

class ReceiverAgent {
 public:
  ReceiverAgent() = default;
  ReceiverAgent(const ReceiverAgent&) = delete;
  ReceiverAgent& operator=(const ReceiverAgent&) = delete;
  virtual ~ReceiverAgent() = default;

  virtual void on_packet(const ReceivedPacket&) = 0;
  virtual void on_tick(Time) {}
  [[nodiscard]] virtual Time next_tick() const { return Time::never(); }
  [[nodiscard]] virtual bool wants_ack() const { return false; }  // send a feedback-only ACK now
  virtual std::size_t feedback(std::span<std::byte>) {
    return 0;
  }  // writes at most kMaxFeedbackBytes into the next ACK
};

}  // namespace paceline
