#pragma once
// Leads a BBR from state to state, ACK by ACK, on a path of 40 ms.

#include "tests/cca/event_feeder.hh"

namespace paceline::testing {

// One packet acknowledged, as on a path of 12 Mbps and 40 ms with `inflight` packets under way: sent one round trip ago.
inline AckEvent step(EventFeeder& feed, int64_t inflight) {
  feed.wait(Duration::millis(1));
  AckEvent ack = feed.next_ack(1);
  ack.inflight_before = ack.inflight = kMtu * inflight;
  ack.rate.prior_delivered = ack.delivered - kMtu * inflight;
  ack.rate.tx_inflight = kMtu * inflight;
  ack.rate.delivered = kMtu * inflight;
  return ack;
}

inline bool run_until(Controller& cca, EventFeeder& feed, std::string_view phase, double most_s = 20) {
  const double end = feed.seconds() + most_s;
  while (cca.phase() != phase && feed.seconds() < end) cca.on_ack(step(feed, 40));
  return cca.phase() == phase;
}

inline void lose(Controller& cca, EventFeeder& feed, const AckEvent& at, int packets, uint64_t first_number) {
  std::vector<LostPacket> list;
  for (int i = 0; i < packets; ++i)
    list.push_back({.number = first_number + static_cast<uint64_t>(i),
                    .size = kMtu,
                    .sent = feed.now() - Duration::millis(40),
                    .inflight_at_send = kMtu * 50});
  cca.on_loss({.now = feed.now(),
               .bytes = kMtu * packets,
               .packet_count = static_cast<uint32_t>(packets),
               .packets = list,
               .new_episode = true,
               .inflight_before = kMtu * 50,
               .inflight = kMtu * (50 - packets),
               .delivered = at.delivered,
               .lost = kMtu * packets});
}

}  // namespace paceline::testing
