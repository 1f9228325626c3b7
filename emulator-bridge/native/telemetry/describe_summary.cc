#include <cmath>
#include <cstdint>
#include <optional>

#include "telemetry/descriptions.hh"

namespace paceline {
namespace {

using nlohmann::json;

json known(const std::optional<uint64_t>& v) { return v ? json(*v) : json(nullptr); }

json measured(double v) { return std::isfinite(v) ? json(v) : json(nullptr); }

json to_json(const DelayStats& d) {
  return {{"count", d.count},
          {"mean_ms", measured(d.mean_ms)},
          {"p50_ms", measured(d.p50_ms)},
          {"p95_ms", measured(d.p95_ms)},
          {"p99_ms", measured(d.p99_ms)},
          {"max_ms", measured(d.max_ms)}};
}

json to_json(const ElementSummary& e) {
  return {{"element", e.id},
          {"entered_packets", e.entered_packets},
          {"passed_packets", e.passed_packets},
          {"lost_packets", e.lost_packets},
          {"copied_packets", e.copied_packets},
          {"held_packets", e.held_packets}};
}

json to_json(const LinkSummary& l) {
  json link{{"direction", l.reverse ? "reverse" : "forward"},
            {"from_s", l.from_s},
            {"to_s", l.to_s},
            {"capacity_bytes", l.capacity_bytes},
            {"delivered_bytes", l.delivered_bytes},
            {"utilisation", measured(l.utilisation)},
            {"capacity_mean_mbps", measured(l.capacity_mean_mbps)},
            {"arrived_packets", l.arrived_packets},
            {"delivered_packets", l.delivered_packets},
            {"dropped_packets", l.dropped_packets},
            {"lost_packets", l.lost_packets},
            {"marked_packets", l.marked_packets},
            {"queued_packets", l.queued_packets},
            {"queueing_delay", to_json(l.queueing_delay)},
            {"queue_mean_bytes", l.queue_mean_bytes},
            {"queue_max_bytes", l.queue_max_bytes}};
  for (const ElementSummary& e : l.path) link["path"].push_back(to_json(e));
  return link;
}

json to_json(const SenderSummary& s) {
  json sender{{"flow", s.flow},
              {"cca", s.cca},
              {"sent_packets", s.sent_packets},
              {"sent_bytes", s.sent_bytes},
              {"delivered_packets", s.delivered_packets},
              {"lost_packets", s.lost_packets},
              {"spurious_packets", known(s.spurious_packets)},
              {"retransmitted_packets", known(s.retransmitted_packets)},
              {"inflight_packets", s.inflight_packets},
              {"loss_episodes", known(s.loss_episodes)},
              {"timeouts", known(s.timeouts)},
              {"rtt", to_json(s.rtt)},
              {"delay_inflation", measured(s.delay_inflation)}};
  if (s.messages) sender["messages"] = {{"count", s.messages->count}, {"due", s.messages->due}};
  return sender;
}

json to_json(const ReceiverSummary& r) {
  json receiver{{"flow", r.flow},
                {"received_packets", r.received_packets},
                {"received_bytes", r.received_bytes},
                {"duplicate_packets", r.duplicate_packets},
                {"throughput_mbps", r.throughput_mbps},
                {"owd", to_json(r.owd)}};
  if (r.messages)
    receiver["messages"] = {{"completed", r.messages->completed},
                            {"bytes", r.messages->bytes},
                            {"on_time", r.messages->on_time},
                            {"delay", to_json(r.messages->delay)},
                            {"percentiles_ms", r.messages->percentiles_ms}};
  return receiver;
}

json to_json(const FairnessSummary& f) {
  return {{"k", f.k},
          {"window_ms", f.window_ms},
          {"windows", f.windows},
          {"mean", measured(f.mean)},
          {"p25", measured(f.p25)},
          {"p50", measured(f.p50)},
          {"p75", measured(f.p75)}};
}

json to_json(const LatenessSummary& l) {
  json lateness{{"wakeups", l.wakeups},
                {"p50_us", l.p50_us},
                {"p99_us", l.p99_us},
                {"max_us", l.max_us},
                {"late_opportunities", l.late_opportunities},
                {"unmodelled_losses", l.unmodelled_losses},
                {"overrun", l.overrun}};
  if (std::isfinite(l.writes_p50_us))
    lateness["writes"] = {{"p50_us", l.writes_p50_us}, {"p99_us", l.writes_p99_us}, {"max_us", l.writes_max_us}};
  return lateness;
}

template <typename T>
json list(const std::vector<T>& values) {
  json all = json::array();
  for (const T& v : values) all.push_back(to_json(v));
  return all;
}

}  // namespace

json to_json(const RunSummary& s) {
  return {{"duration_s", s.duration_s},
          {"base_rtt_ms", s.base_rtt_ms},
          {"links", list(s.links)},
          {"senders", list(s.senders)},
          {"receivers", list(s.receivers)},
          {"fairness", list(s.fairness)},
          {"lateness", s.lateness.empty() ? json(nullptr) : to_json(s.lateness.front())}};
}

}  // namespace paceline
