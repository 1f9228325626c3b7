#include "core/version.hh"
#include "drivers/rows.hh"
#include "path/way.hh"
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

// What an algorithm or an element has beside the columns of all.
template <typename Specs>
void add_columns(StreamDescription& d, const Specs& specs) {
  for (const auto& spec : specs) {
    json c = column(spec.name, "f32", spec.unit, spec.label);
    if (!spec.states.empty()) c["states"] = spec.states;
    d.info["columns"].push_back(std::move(c));
    d.names.emplace_back(spec.name);
    ++d.values;
  }
}

void name_flow(StreamDescription& d, const RunPlan& plan, std::size_t flow) {
  d.info["flow"] = flow;
  d.info["cca"] = plan.flows[flow].cca->id;
}

StreamDescription describe_link(Direction direction) {
  const bool forward = direction == Direction::forward;
  auto d = describe(forward ? telemetry::kForwardLinkStream : telemetry::kReverseLinkStream, "link",
                    telemetry::kLinkColumns);
  d.info["direction"] = name_of(direction);
  return d;
}

StreamDescription describe_element(Direction direction, std::size_t place, const ElementDescriptor& about) {
  auto d = describe(element_stream(direction, place), "element", telemetry::kElementColumns);
  d.info["direction"] = name_of(direction);
  d.info["place"] = place;
  d.info["element"] = about.id;
  d.info["label"] = about.label;
  add_columns(d, about.columns);
  return d;
}

}  // namespace

StreamDescription describe_sender(const RunPlan& plan, std::size_t flow) {
  auto d = describe(sender_stream(flow), "sender", telemetry::kSenderColumns);
  name_flow(d, plan, flow);
  const Descriptor& cca = *plan.flows[flow].cca;
  if (cca.kind != Kind::ideal) add_columns(d, cca.internals);
  return d;
}

StreamDescription describe_receiver(const RunPlan& plan, std::size_t flow) {
  auto d = describe(receiver_stream(flow), "receiver", telemetry::kReceiverColumns);
  name_flow(d, plan, flow);
  return d;
}

std::vector<StreamDescription> describe_path(const RunPlan& plan) {
  std::vector<StreamDescription> all{describe_link(Direction::forward)};
  if (plan.flows.front().cca->kind == Kind::ideal) return all;
  if (plan.reverse.capacity.kind != Bottleneck::Capacity::Kind::unlimited)
    all.push_back(describe_link(Direction::reverse));
  for (const Direction direction : {Direction::forward, Direction::reverse}) {
    const auto places = link_of(plan, direction).places();
    for (std::size_t i = 0; i < places.size(); ++i) all.push_back(describe_element(direction, i, places[i].about()));
  }
  return all;
}

std::vector<StreamDescription> describe_all(const RunPlan& plan) {
  std::vector<StreamDescription> all = describe_path(plan);
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
