#include "core/version.hh"
#include "drivers/rows.hh"
#include "telemetry/descriptions.hh"

namespace paceline {
namespace {

using nlohmann::json;

json column(std::string_view name, std::string_view type, std::string_view unit, std::string_view label) {
  return {{"name", name}, {"type", type}, {"unit", unit}, {"label", label}};
}

template <typename Columns>
StreamDescription describe(uint16_t stream, std::string_view kind, const Columns& columns) {
  StreamDescription d{.stream = stream, .values = columns.size(), .info = {{"stream", stream}, {"kind", kind}}};
  json list = json::array();
  list.push_back(column(telemetry::kTimeColumn.name, "f64", telemetry::kTimeColumn.unit, telemetry::kTimeColumn.label));
  for (const auto& c : columns) {
    d.names.emplace_back(c.name);
    list.push_back(column(c.name, "f32", c.unit, c.label));
  }
  d.info["columns"] = std::move(list);
  return d;
}

void name_flow(StreamDescription& d, const RunPlan& plan, std::size_t flow) {
  d.info["flow"] = flow;
  d.info["cca"] = plan.flows[flow].cca->id;
}

}  // namespace

StreamDescription describe_link(Direction direction) {
  const bool forward = direction == Direction::forward;
  auto d = describe(forward ? telemetry::kForwardLinkStream : telemetry::kReverseLinkStream, "link",
                    telemetry::kLinkColumns);
  d.info["direction"] = name_of(direction);
  return d;
}

StreamDescription describe_sender(const RunPlan& plan, std::size_t flow) {
  auto d = describe(sender_stream(flow), "sender", telemetry::kSenderColumns);
  name_flow(d, plan, flow);
  const Descriptor& cca = *plan.flows[flow].cca;
  if (cca.kind == Kind::ideal) return d;
  for (const InternalSpec& internal : cca.internals) {
    json c = column(internal.name, "f32", internal.unit, internal.label);
    if (!internal.states.empty()) c["states"] = internal.states;
    d.info["columns"].push_back(std::move(c));
    d.names.emplace_back(internal.name);
    ++d.values;
  }
  return d;
}

StreamDescription describe_receiver(const RunPlan& plan, std::size_t flow) {
  auto d = describe(receiver_stream(flow), "receiver", telemetry::kReceiverColumns);
  name_flow(d, plan, flow);
  return d;
}

std::vector<StreamDescription> describe_all(const RunPlan& plan) {
  std::vector<StreamDescription> all{describe_link(Direction::forward)};
  const bool ideal = plan.flows.front().cca->kind == Kind::ideal;
  if (plan.reverse.capacity.kind != Bottleneck::Capacity::Kind::unlimited && !ideal)
    all.push_back(describe_link(Direction::reverse));
  for (std::size_t i = 0; i < plan.flows.size(); ++i) {
    if (plan.flows[i].endpoints != Endpoints::foreign_telling) all.push_back(describe_sender(plan, i));
    all.push_back(describe_receiver(plan, i));
  }
  return all;
}

json hello(const RunPlan& plan, std::string_view clock, const std::vector<StreamDescription>& streams) {
  json infos = json::array();
  for (const auto& d : streams) infos.push_back(d.info);
  return {{"type", "hello"},
          {"protocol", telemetry::kProtocolVersion},
          {"engine_version", kEngineVersion},
          {"clock", clock},
          {"duration_s", plan.duration.to_seconds()},
          {"period_ms", plan.sample_period.to_millis()},
          {"streams", std::move(infos)}};
}

}  // namespace paceline
