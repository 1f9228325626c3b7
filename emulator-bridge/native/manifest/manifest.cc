#include "manifest/manifest.hh"

#include <algorithm>
#include <cmath>

#include "core/fail.hh"
#include "core/version.hh"
#include "drivers/realtime_tun/kernel_ccas.hh"
#include "manifest/fields.hh"
#include "manifest/link.hh"
#include "manifest/source.hh"
#include "program/refusal.hh"

namespace paceline {
namespace {

using nlohmann::json;

Duration millis_of(double ms) { return {std::llround(ms * 1e6)}; }
Time seconds_of(double s) { return {std::llround(s * 1e9)}; }

const Descriptor* cca_of(const std::string& id, const std::string& where, Engine engine, Shelf& shelf) {
  const bool kernel = id.starts_with(kKernelPrefix);
  if (engine == Engine::realtime_tun && !kernel)
    fail(Refusal{where, "\"" + id + "\" is not of the kernel's TCP: over tun only kernel-... run by themselves"});
  if (engine != Engine::realtime_tun && kernel)
    fail(Refusal{where, "\"" + id + "\" is the kernel's own and runs over tun only"});
  if (const Descriptor* found = kernel ? find_kernel_cca(id) : find_cca(id)) return found;
  if (const Descriptor* added = shelf.added_cca(id)) return added;
  if (kernel) fail(Refusal{where, "this kernel's TCP has no \"" + id + "\", only " + kernel_cca_names(), kExitUnknown});
  fail(Refusal{where, "there is no CCA \"" + id + "\" (paceline-list shows all)", kExitUnknown});
}

TransportProfile profile_of(std::string_view name) {
  if (name == "quic") return TransportProfile::quic;
  return name == "tcp" ? TransportProfile::tcp : TransportProfile::quic_grow_underutilised;
}

Handshake handshake_of(std::string_view name) {
  if (name == "none") return Handshake::none;
  return name == "full" ? Handshake::full : Handshake::early_data;
}

void choose_cca(FlowPlan& flow, Fields cca, Engine engine, Shelf& shelf) {
  const std::string id = cca.text("id");
  if (flow.endpoints != Endpoints::built_in) {
    flow.foreign_cca = std::make_shared<const ForeignCca>(id);
    flow.cca = &flow.foreign_cca->descriptor;
    cca.object("params");  // are the programs' own business
    if (cca.has("revision")) cca.text("revision");
    return cca.done();
  }
  flow.cca = cca_of(id, cca.path("id"), engine, shelf);
  if (engine == Engine::realtime_udp && !flow.cca->realtime)
    fail(Refusal{cca.path("id"), "\"" + id + "\" is a reference that exists in virtual time only"});
  flow.params = read_params(cca, "params", flow.cca->params, shelf);
  if (cca.has("program")) cca.text("program");  // of an own algorithm: its id says the same
  const std::string revision = cca.has("revision") ? cca.text("revision") : "";
  if (revision != flow.cca->revision)
    fail(Refusal{cca.path("revision"), "the plug-in with \"" + id + "\" is another one now"});
  cca.done();
}

FlowPlan flow_of(Fields fields, const RunPlan& plan, Engine engine, Endpoints endpoints, Shelf& shelf) {
  FlowPlan flow{.endpoints = endpoints};
  choose_cca(flow, fields.object("cca"), engine, shelf);

  const Time end = Time::zero() + plan.duration;
  flow.start = seconds_of(fields.number("start_s", limits::start_s));
  if (flow.start >= end) fail(Refusal{fields.path("start_s"), "the flow would start when the run is over"});
  if (!fields.is_null("stop_s")) {
    flow.stop = seconds_of(fields.number("stop_s", limits::stop_s));
    if (flow.stop <= flow.start) fail(Refusal{fields.path("stop_s"), "the flow would stop before it starts"});
  }
  flow.extra_rtt = millis_of(fields.number("extra_rtt_ms", limits::extra_rtt_ms));
  if (fields.has("joins")) {
    flow.joins = static_cast<std::size_t>(fields.integer("joins", limits::joins));
    if (plan.forward.path.empty()) fail(Refusal{fields.path("joins"), "forward.path has no list to join"});
    if (flow.joins >= plan.forward.path.size())
      fail(Refusal{fields.path("joins"),
                   "forward.path has " + std::to_string(plan.forward.path.size()) + " elements, from 0"});
    if (flow.cca->kind == Kind::ideal)
      fail(Refusal{fields.path("joins"), std::string{flow.cca->label} + " is computed from the link alone"});
  }
  flow.profile = profile_of(fields.choice("transport", {"tcp", "quic", "quic-grow-underutilised"}));
  if (engine == Engine::realtime_tun && endpoints == Endpoints::built_in && flow.profile != TransportProfile::tcp)
    fail(Refusal{fields.path("transport"), "a flow of the kernel's TCP is TCP"});
  flow.ack_every = static_cast<int>(fields.integer("ack_every", limits::ack_every));
  if (fields.has("ack")) {
    fields.choice("ack", {"linux"});
    if (engine == Engine::realtime_tun)
      fail(Refusal{fields.path("ack"), "over tun the programs' own receivers acknowledge"});
    if (flow.profile != TransportProfile::tcp) fail(Refusal{fields.path("ack"), "linux is a receiver of TCP"});
    if (flow.ack_every != 2) fail(Refusal{fields.path("ack_every"), "Linux acknowledges every second packet: 2"});
    flow.linux_acks = true;
  }
  if (fields.has("window_limit_bytes"))
    flow.window_limit = Bytes{fields.integer("window_limit_bytes", limits::window_limit_bytes)};
  read_source(fields.object("source"), flow);
  flow.ecn = fields.has("ecn") && fields.flag("ecn");
  if (fields.has("handshake"))
    flow.handshake = handshake_of(fields.choice("handshake", {"none", "full", "early_data"}));
  if (flow.handshake != Handshake::none && engine == Engine::realtime_tun)
    fail(Refusal{fields.path("handshake"), "over tun the programs' own handshakes take place"});
  if (flow.handshake != Handshake::none && (flow.cca->kind == Kind::ideal || flow.cca->kind == Kind::oracle))
    fail(Refusal{fields.path("handshake"), std::string{flow.cca->label} + " is a reference, which has none"});
  fields.done();
  return flow;
}

}  // namespace

RunPlan plan_of(const json& manifest, Shelf& shelf, Engine engine, std::span<const Endpoints> endpoints) {
  Fields fields{manifest, ""};
  RunPlan plan{};
  if (fields.integer("schema", 0, 1'000'000) != 1) fail(Refusal{"schema", "this engine reads schema 1"});
  const bool realtime = engine != Engine::virtual_time;
  if (fields.choice("engine", {"virtual", "realtime"}) != (realtime ? "realtime" : "virtual"))
    fail(Refusal{"engine", realtime ? "this program runs in real time" : "this program runs in virtual time"});
  const std::string_view path = engine == Engine::virtual_time   ? "memory"
                                : engine == Engine::realtime_udp ? "udp"
                                                                 : "tun";
  if (fields.choice("path", {"memory", "udp", "tun"}) != path)
    fail(Refusal{"path", realtime ? "packets of this program travel over " + std::string{path}
                                  : "packets of this program stay in memory"});
  if (const auto version = fields.text("engine_version"); version != kEngineVersion)
    fail(Refusal{"engine_version", "the manifest is for engine " + version + ", this is " + kEngineVersion});
  plan.duration = seconds_of(fields.number("duration_s", limits::duration_s)) - Time::zero();
  plan.sample_period = millis_of(fields.number("sample_period_ms", limits::sample_period_ms));
  plan.seed = static_cast<uint64_t>(fields.integer("seed", limits::seed));
  fields.integer("repetition", limits::repetition);
  if (fields.has("measurement")) fields.text("measurement");
  if (fields.has("qlog")) fields.any("qlog");  // is its programs' business
  if (fields.has("trace_start")) {
    plan.traces_await_packet = fields.choice("trace_start", {"run", "first_packet"}) == "first_packet";
    if (plan.traces_await_packet && engine != Engine::realtime_tun)
      fail(Refusal{"trace_start", "only over tun can a trace wait for the first packet"});
  }

  plan.forward = read_link(fields.object("forward"), shelf);
  if (plan.forward.capacity.kind == Bottleneck::Capacity::Kind::unlimited)
    fail(Refusal{"forward.capacity.kind", "a bulk flow over an unlimited link would send without bound"});
  plan.reverse = read_link(fields.object("reverse"), shelf);
  const json& flows = fields.array("flows", limits::flows);
  if (!endpoints.empty() && endpoints.size() != flows.size())
    fail(Refusal{"flows", "there are " + std::to_string(flows.size()) + ", but endpoints for " +
                              std::to_string(endpoints.size())});
  for (std::size_t i = 0; i < flows.size(); ++i)
    plan.flows.push_back(flow_of(Fields{flows[i], "flows[" + std::to_string(i) + "]"}, plan, engine,
                                 endpoints.empty() ? Endpoints::built_in : endpoints[i], shelf));
  plan.forward.joined = std::ranges::any_of(plan.flows, [](const FlowPlan& flow) { return flow.joins > 0; });
  fields.done();
  return plan;
}

}  // namespace paceline
