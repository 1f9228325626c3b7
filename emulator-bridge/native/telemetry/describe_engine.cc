#include "core/version.hh"
#include "drivers/realtime_tun/kernel_ccas.hh"
#include "metrics/columns.gen.hh"
#include "telemetry/descriptions.hh"

namespace paceline {
namespace {

using nlohmann::json;

std::string_view name_of(ParamType type) {
  switch (type) {
    case ParamType::number:
      return "number";
    case ParamType::integer:
      return "integer";
    case ParamType::boolean:
      return "boolean";
    case ParamType::choice:
      return "choice";
    case ParamType::weights:
      return "weights";
  }
  return "";
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::sender:
      return "sender";
    case Kind::oracle:
      return "oracle";
    case Kind::ideal:
      return "ideal";
    case Kind::kernel:
      return "kernel";
    case Kind::foreign:
      return "external";
  }
  return "";
}

json default_of(const ParamSpec& p) {
  switch (p.type) {
    case ParamType::boolean:
      return p.initial != 0;
    case ParamType::choice:
      return p.choices[static_cast<std::size_t>(p.initial)];
    case ParamType::integer:
      return static_cast<int64_t>(p.initial);
    case ParamType::weights:
      return "";
    case ParamType::number:
      break;
  }
  return p.initial;
}

json params_of(const std::vector<ParamSpec>& specs) {
  json all = json::array();
  for (const ParamSpec& p : specs) {
    const bool ranged = p.type == ParamType::number || p.type == ParamType::integer;
    all.push_back({{"name", p.name},
                   {"label", p.label},
                   {"type", name_of(p.type)},
                   {"unit", p.unit},
                   {"default", default_of(p)},
                   {"min", ranged ? json(p.min) : json(nullptr)},
                   {"max", ranged ? json(p.max) : json(nullptr)},
                   {"choices", p.choices},
                   {"help", p.help.view()}});
    if (!p.matters_with.param.empty())
      all.back()["matters_with"] = {{"param", p.matters_with.param}, {"values", p.matters_with.values}};
    if (p.type != ParamType::weights) continue;
    all.back()["algorithm"] = p.algorithm;
    if (!p.needed_with.param.empty())
      all.back()["needed_with"] = {{"param", p.needed_with.param}, {"value", p.needed_with.value}};
  }
  return all;
}

json cca_of(const Descriptor& d) {
  json internals = json::array();
  for (const InternalSpec& i : d.internals)
    internals.push_back({{"name", i.name}, {"label", i.label}, {"unit", i.unit}, {"states", i.states}});
  json engines = json::array();
  if (d.kind != Kind::kernel) engines.push_back("virtual");
  if (d.realtime) engines.push_back("realtime");
  json cca{{"id", d.id},
           {"label", d.label},
           {"family", d.family},
           {"kind", name_of(d.kind)},
           {"baseline", d.baseline},
           {"summary", d.summary.view()},
           {"source", d.source.view()},
           {"engines", std::move(engines)},
           {"identity", {{"slot", d.identity.slot}, {"marker", d.identity.marker}, {"hollow", d.identity.hollow}}},
           {"params", params_of(d.params)},
           {"internals", std::move(internals)}};
  if (!d.revision.empty()) cca["revision"] = d.revision;
  return cca;
}

json queue_of(const QueueDescriptor& d) {
  return {{"id", d.id},
          {"label", d.label},
          {"summary", d.summary.view()},
          {"source", d.source.view()},
          {"limited", d.limited},
          {"params", params_of(d.params)}};
}

json values_of(const std::vector<ElementValue>& values) {
  json all = json::array();
  for (const ElementValue& v : values)
    all.push_back(
        {{"name", v.name}, {"label", v.label}, {"unit", v.unit}, {"states", v.states}, {"help", v.help.view()}});
  return all;
}

json element_of(const ElementDescriptor& d) {
  json element{{"id", d.id},
               {"label", d.label},
               {"summary", d.summary.view()},
               {"source", d.source.view()},
               {"queues", d.queues},
               {"params", params_of(d.params)},
               {"columns", values_of(d.columns)},
               {"figures", values_of(d.figures)}};
  if (d.most < SIZE_MAX) element["most"] = d.most;
  if (!d.recorded_with.param.empty())
    element["recorded_with"] = {{"param", d.recorded_with.param}, {"value", d.recorded_with.value}};
  return element;
}

}  // namespace

json engine_listing(const std::vector<UnavailableCca>& unavailable, std::span<const Descriptor* const> added) {
  json ccas = json::array();
  for (const Descriptor* d : registered_ccas()) ccas.push_back(cca_of(*d));
  for (const Descriptor* d : added) ccas.push_back(cca_of(*d));
  for (const Descriptor* d : kernel_ccas()) ccas.push_back(cca_of(*d));
  json missing = json::array();
  for (const UnavailableCca& cca : unavailable)
    missing.push_back({{"kind", "kernel"}, {"id", cca.id}, {"label", cca.label}, {"reason", cca.reason}});
  json queues = json::array();
  for (const QueueDescriptor* d : registered_queues()) queues.push_back(queue_of(*d));
  json elements = json::array();
  for (const ElementDescriptor* d : registered_elements()) elements.push_back(element_of(*d));
  return {{"engine_version", kEngineVersion}, {"protocol", telemetry::kProtocolVersion},
          {"ccas", std::move(ccas)},          {"unavailable", std::move(missing)},
          {"queues", std::move(queues)},      {"elements", std::move(elements)}};
}

}  // namespace paceline
