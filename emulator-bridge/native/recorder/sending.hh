#pragma once
// The end that sends: paces data packets to a peer until the plan is over, then tells what it did.

#include <cstdint>
#include <optional>

#include "recorder/endpoint.hh"
#include "recorder/pacing.hh"
#include "recorder/wire.hh"

namespace paceline::recorder {

class Sending {
 public:
  Sending(Endpoint& endpoint, const Peer& to, uint64_t session, uint64_t rate_bps, Duration duration,
          uint32_t packet_bytes);

  // Sends what is due. Call again at `next_ns` of CLOCK_MONOTONIC.
  void step(int64_t now_ns);
  [[nodiscard]] int64_t next_ns() const { return next_ns_; }

  // Before its time; what follows is `end` as at the end of the plan.
  void stop() { stopped_ = true; }
  // Everything is sent: from now on step() repeats `end` a few times a second.
  [[nodiscard]] bool over() const { return stopped_ || plan_.over(); }
  [[nodiscard]] End last_word() const;

 private:
  void repeat_end(int64_t now_ns);

  Endpoint& endpoint_;
  Peer to_;
  uint64_t session_;
  uint32_t payload_bytes_;
  PacketPlan plan_;
  std::optional<int64_t> start_ns_{};
  int64_t last_sent_ns_{};
  int64_t next_ns_{};
  uint64_t refused_{};
  bool stopped_{};
  bool too_large_{};
};

}  // namespace paceline::recorder
