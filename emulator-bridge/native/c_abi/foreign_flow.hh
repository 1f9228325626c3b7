#pragma once
// A controller's view of a flow that another transport carries: keeps what is remembered of each packet, and turns what
// that transport reports into the events of cca/controller.hh. Which packets are lost is the transport's to say; what that means for
// episodes and round-trip times are the rules of the sender's own QUIC profiles (transport/quic_episodes.hh).

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cca/controller.hh"
#include "cca/registry.hh"
#include "core/ring.hh"
#include "core/units.hh"
#include "transport/connection.hh"
#include "transport/pacer.hh"
#include "transport/quic_episodes.hh"

namespace paceline {

class ForeignFlow {
 public:
  ForeignFlow(const Descriptor& cca, const Params& params, const Setup& setup);

  // See paceline_cca.h; one function each.
  void sent(Time now, Bytes bytes, uint32_t packets);
  void paused(bool nothing_to_send);
  void acked(Time sent, Bytes bytes);
  void lost(Time newest_sent, Bytes bytes, bool persistent);
  void settle(Time now, Bytes inflight, bool window_limited);
  void tick(Time now);

  [[nodiscard]] Time release(Time now) const;
  [[nodiscard]] Pacing pacing() const { return needs_.pacing; }
  [[nodiscard]] const Descriptor& descriptor() const { return *cca_; }
  [[nodiscard]] const Controller& controller() const { return *controller_; }
  [[nodiscard]] Rate delivery_rate() const { return delivery_rate_; }
  [[nodiscard]] bool app_limited() const { return rate_.app_limited(); }

 private:
  enum class Phase : uint8_t { open, episode, timeout };

  // What was reported since the last settle().
  struct Report {
    Bytes acked{};
    uint32_t acked_packets{};
    Segment newest{};  // the most recently sent packet newly acknowledged
    bool any_newest{};
    bool any_loss{};
    bool persistent{};
    Time newest_lost{};  // when it left
    Bytes lost{};
  };

  void transmit(Time now, Bytes size);
  [[nodiscard]] uint64_t first_at(Time sent) const;
  [[nodiscard]] Segment* outstanding(Time sent);
  void collect_losses();
  void forget_before(Time sent);
  std::optional<Duration> take_rtt(Time now);
  Recovery leave_episode();
  bool report_losses(Time now, Bytes inflight_before);
  void report_acks(Time now, Bytes inflight_before, std::optional<Duration> rtt, const RateSample& sample,
                   Recovery edge, bool window_limited);
  void refresh_pacing();

  const Descriptor* cca_;
  Needs needs_;
  Bytes mss_;
  std::unique_ptr<Controller> controller_;
  WindowRing<Segment> segments_{1024};
  // Numbers begin with 1: 0 is whatever left before all that the transport told of.
  uint64_t first_{1};  // the oldest packet that is remembered
  uint64_t next_{1};   // the number of the next packet
  Bytes inflight_{};
  RateSampler rate_{};
  RttEstimator rtt_{};
  Pacer pacer_;
  Rate delivery_rate_{};
  uint64_t rtt_round_end_{};

  Phase phase_{Phase::open};
  QuicEpisodes episodes_{};
  Recovery pending_edge_{Recovery::none};  // a timer's losses began an episode: the next ACK says so

  Report report_{};
  std::vector<AckedPacket> acked_{};
  std::vector<LostPacket> lost_{};
};

}  // namespace paceline
