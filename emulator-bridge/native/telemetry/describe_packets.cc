#include <string_view>
#include <vector>

#include "telemetry/descriptions.hh"

namespace paceline {
namespace {

using nlohmann::json;

std::string_view name_of(PacketFate fate) {
  switch (fate) {
    case PacketFate::under_way:
      return "under_way";
    case PacketFate::received:
      return "received";
    case PacketFate::dropped:
      return "dropped";
    case PacketFate::lost:
      return "lost";
  }
  return {};
}

std::string_view name_of(PacketKind kind) {
  switch (kind) {
    case PacketKind::data:
      return "data";
    case PacketKind::retransmission:
      return "retransmission";
    case PacketKind::opening:
    case PacketKind::opening_with_data:
    case PacketKind::last_of_opening:
      return "opening";
  }
  return {};
}

json ns_or_null(Time time) { return time.is_never() ? json(nullptr) : json(time.ns); }

// One array per column: what is read whole is small so, and compresses well.
template <typename Life, typename Of>
json column(const std::vector<Life>& lives, Of&& of) {
  json values = json::array();
  for (const Life& life : lives) values.push_back(of(life));
  return values;
}

json packets_of(const std::vector<PacketLife>& lives) {
  return {{"flow", column(lives, [](const PacketLife& l) { return l.flow; })},
          {"number", column(lives, [](const PacketLife& l) { return l.number; })},
          {"sequence", column(lives, [](const PacketLife& l) { return l.sequence; })},
          {"bytes", column(lives, [](const PacketLife& l) { return l.bytes; })},
          {"kind", column(lives, [](const PacketLife& l) { return name_of(l.kind); })},
          {"fate", column(lives, [](const PacketLife& l) { return name_of(l.fate); })},
          {"ce", column(lives, [](const PacketLife& l) { return l.ce; })},
          {"copy", column(lives, [](const PacketLife& l) { return l.copy; })},
          {"sent_ns", column(lives, [](const PacketLife& l) { return l.sent.ns; })},
          {"queued_ns", column(lives, [](const PacketLife& l) { return ns_or_null(l.queued); })},
          {"departed_ns", column(lives, [](const PacketLife& l) { return ns_or_null(l.departed); })},
          {"ended_ns", column(lives, [](const PacketLife& l) { return ns_or_null(l.ended); })}};
}

json acks_of(const std::vector<AckLife>& lives) {
  return {{"flow", column(lives, [](const AckLife& l) { return l.flow; })},
          {"cumulative", column(lives, [](const AckLife& l) { return l.cumulative; })},
          {"sequence", column(lives, [](const AckLife& l) { return l.sequence; })},
          {"bytes", column(lives, [](const AckLife& l) { return l.bytes; })},
          {"fate", column(lives, [](const AckLife& l) { return name_of(l.fate); })},
          {"sent_ns", column(lives, [](const AckLife& l) { return l.sent.ns; })},
          {"ended_ns", column(lives, [](const AckLife& l) { return ns_or_null(l.ended); })}};
}

}  // namespace

json to_json(const PacketLog& log) {
  return {{"from_ns", log.from().ns},
          {"to_ns", log.to().ns},
          {"complete_until_ns", log.complete_until().ns},
          {"packets", packets_of(log.packets())},
          {"acks", acks_of(log.acks())}};
}

json to_json(const QueueByFlow& queue) {
  json flows = json::array();
  for (std::size_t flow = 0; flow < queue.flows(); ++flow) {
    json means = json::array();
    for (const double bytes : queue.mean_bytes(flow)) means.push_back(static_cast<int64_t>(bytes + 0.5));
    flows.push_back(std::move(means));
  }
  return {{"period_ms", queue.period().to_millis()}, {"mean_bytes", std::move(flows)}};
}

}  // namespace paceline
