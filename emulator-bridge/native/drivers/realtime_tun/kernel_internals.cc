#include "drivers/realtime_tun/kernel_internals.hh"

#include <cmath>
#include <vector>

#include "core/units.hh"
#include "drivers/realtime_tun/kernel_units.hh"

namespace paceline {

namespace {

using View = const KernelView&;

constexpr uint32_t kNoThreshold = 0x7fffffff;  // TCP_INFINITE_SSTHRESH

std::vector<Internal<KernelView>> of_every_cca() {
  return {
      {"ca_state",
       "state",
       "",
       [](View v) { return if_known(v.active, v.info.base.tcpi_ca_state); },
       {"open", "disorder", "cwr", "recovery", "loss"}},
      {"ssthresh_bytes", "ssthresh", "B",
       [](View v) {
         const uint32_t packets = v.info.base.tcpi_snd_ssthresh;
         return if_known(v.active && packets < kNoThreshold, packets_to_bytes(packets));
       }},
      {"rwnd_limited_ms", "limited by the receive window", "ms",
       [](View v) { return micros_to_millis(v.info.base.tcpi_rwnd_limited); }},
      {"sndbuf_limited_ms", "limited by the send buffer", "ms",
       [](View v) { return micros_to_millis(v.info.base.tcpi_sndbuf_limited); }},
      {"busy_ms", "busy", "ms", [](View v) { return micros_to_millis(v.info.base.tcpi_busy_time); }},
  };
}

template <class Read>
float of_bbr(View v, Read read) {
  return v.active && v.bbr ? static_cast<float>(read(*v.bbr)) : NAN;
}

std::vector<Internal<KernelView>> with_bbr() {
  auto all = of_every_cca();
  all.push_back({"bw_mbps", "bandwidth", "Mbps", [](View v) {
                   return of_bbr(v, [&](const BbrInfo& b) { return on_wire_mbps(v.info.base, b.bandwidth.bps / 8); });
                 }});
  all.push_back({"model_min_rtt_ms", "min RTT of the model", "ms",
                 [](View v) { return of_bbr(v, [](const BbrInfo& b) { return b.min_rtt.to_millis(); }); }});
  all.push_back({"pacing_gain", "pacing gain", "",
                 [](View v) { return of_bbr(v, [](const BbrInfo& b) { return b.pacing_gain; }); }});
  all.push_back(
      {"cwnd_gain", "cwnd gain", "", [](View v) { return of_bbr(v, [](const BbrInfo& b) { return b.cwnd_gain; }); }});
  return all;
}

}  // namespace

const Internals<KernelView>& kernel_internals(bool bbr) {
  static const Internals<KernelView> plain{of_every_cca()};
  static const Internals<KernelView> more{with_bbr()};
  return bbr ? more : plain;
}

}  // namespace paceline
