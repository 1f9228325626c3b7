#pragma once
// Turns what TCP_INFO says about one socket into samples, events and a summary. Packets count 1500 bytes, as everywhere.

#include <cstdint>
#include <string_view>
#include <vector>

#include "drivers/realtime_tun/tcp_socket.hh"
#include "drivers/sink.hh"
#include "metrics/columns.gen.hh"
#include "metrics/interval.hh"
#include "metrics/summary.hh"

namespace paceline {

struct Descriptor;

class TcpFlowMeter {
 public:
  TcpFlowMeter(int flow, const Descriptor& cca, RunSink& sink);

  // What the socket says now. Tells changes of its state as events.
  void observe(const TcpInfo& info, std::optional<BbrInfo> bbr, Time now);
  // A sample of the interval that ends now, internals behind the common columns. `active`: the flow sends. The kernel does not tell
  // its latest RTT, the link does.
  [[nodiscard]] const std::vector<float>& row(bool active, Duration interval, std::optional<Duration> latest_rtt);
  [[nodiscard]] SenderSummary counts() const;

 private:
  void events(uint8_t state, Time now);
  void say(Time now, std::string_view event, double value = kNotMeasured) const;
  [[nodiscard]] telemetry::SenderRow common(bool active, Duration interval, std::optional<Duration> latest_rtt);

  int flow_;
  const Descriptor& cca_;
  RunSink& sink_;
  TcpInfo info_{};
  std::optional<BbrInfo> bbr_{};
  uint64_t lost_{};  // in all: the kernel tells only what is lost and not sent again
  uint64_t lost_before_episode_{};
  uint64_t episodes_{};
  uint64_t timeouts_{};
  uint8_t state_{};
  Growth sent_growth_{};
  Growth lost_growth_{};
  Growth retransmitted_growth_{};
  std::vector<float> row_;
};

}  // namespace paceline
