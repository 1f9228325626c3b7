// The plain C interface is as powerful as controller.hh: every algorithm of ours does behind it what it does without.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <string>

#include "plugin/algorithm.hh"
#include "plugin/controller.hh"
#include "tests/simulation.hh"

namespace paceline::testing {
namespace {

// The randomness that both are given: a plug-in gets a seed, and ours a stream.
Random stream_of(uint64_t seed) { return {seed, 0, "mirrored"}; }

// One of ours, and one flow of it, behind the interface.
struct Mirrored {
  const Descriptor* own{};
  Params params;
};
struct Flow {
  std::unique_ptr<Controller> controller{};
  std::deque<std::string> phases{};  // whoever is told one keeps where it is
  std::size_t internals{};
};

Flow& flow_of(void* state) { return *static_cast<Flow*>(state); }
std::optional<Duration> known(int64_t ns) {
  return ns == PACELINE_UNKNOWN ? std::nullopt : std::optional{Duration{ns}};
}
uint64_t number_of(int64_t number) { return static_cast<uint64_t>(number); }

void answer(Flow& flow, Time now, paceline_control& control) {
  const Controller& c = *flow.controller;
  control = {.cwnd_bytes = c.cwnd().v,
             .ssthresh_bytes = c.ssthresh().v,
             .pacing_bps = c.pacing_rate().bps,
             .send_quantum_bytes = c.send_quantum().v,
             .hold_until_ns = c.may_send(now) ? 0 : PACELINE_NEVER,
             .next_tick_ns = c.next_tick().ns,
             .tag = static_cast<int64_t>(c.tag()),
             .limits_itself = c.limits_itself() ? 1 : 0,
             .media_bps = c.media_rate().bps,
             .phase = -1};
  const std::string phase{c.phase()};
  if (phase.empty()) return;
  const auto found = std::ranges::find(flow.phases, phase);
  control.phase = found - flow.phases.begin();
  if (found == flow.phases.end()) flow.phases.push_back(phase);
}

void* create(const void* context, const paceline_setup* setup, const double*, paceline_control* control) {
  const auto& mirrored = *static_cast<const Mirrored*>(context);
  const TransportProfile profile = setup->transport == PACELINE_TRANSPORT_TCP ? TransportProfile::tcp
                                   : setup->transport == PACELINE_TRANSPORT_QUIC
                                       ? TransportProfile::quic
                                       : TransportProfile::quic_grow_underutilised;
  const Setup given{.now = {setup->now_ns},
                    .mss = {setup->mss_bytes},
                    .initial_window_packets = static_cast<int>(setup->initial_window_packets),
                    .profile = profile,
                    .random = stream_of(setup->seed),
                    .handshake_rtt = known(setup->handshake_rtt_ns).value_or(Duration::zero())};
  auto* const flow =
      new Flow{.controller = mirrored.own->make(given, mirrored.params), .internals = mirrored.own->internals.size()};
  answer(*flow, given.now, *control);
  return flow;
}

void on_sent(void* state, const paceline_sent* sent, paceline_control* control) {
  flow_of(state).controller->on_sent({.now = {sent->now_ns},
                                      .number = number_of(sent->number),
                                      .size = {sent->bytes},
                                      .retransmission = sent->retransmission != 0,
                                      .app_limited = sent->app_limited != 0,
                                      .inflight_before = {sent->inflight_before_bytes},
                                      .inflight = {sent->inflight_bytes}});
  answer(flow_of(state), {sent->now_ns}, *control);
}

void on_ack(void* state, const paceline_ack* ack, const paceline_acked_packet* packets, std::size_t count,
            paceline_control* control) {
  std::vector<AckedPacket> acked;
  for (const paceline_acked_packet& p : std::span{packets, count})
    acked.push_back({.number = number_of(p.number),
                     .size = {p.bytes},
                     .sent = {p.sent_ns},
                     .rtt = {p.rtt_ns},
                     .one_way = known(p.one_way_ns).value_or(Duration::zero()),
                     .delivered_at_send = {p.delivered_at_send_bytes},
                     .tag = number_of(p.tag),
                     .retransmission = p.retransmission != 0});
  flow_of(state).controller->on_ack({.now = {ack->now_ns},
                                     .acked_bytes = {ack->acked_bytes},
                                     .acked_packets = static_cast<uint32_t>(ack->acked_packets),
                                     .packets = acked,
                                     .rtt = known(ack->rtt_ns),
                                     .one_way = known(ack->one_way_ns),
                                     .newest_number = number_of(ack->newest_number),
                                     .next_number = number_of(ack->next_number),
                                     .srtt = {ack->srtt_ns},
                                     .rttvar = {ack->rttvar_ns},
                                     .min_rtt = {ack->min_rtt_ns},
                                     .rate = {.valid = ack->rate_valid != 0,
                                              .rate = {ack->rate_bps},
                                              .interval = {ack->rate_interval_ns},
                                              .delivered = {ack->rate_delivered_bytes},
                                              .prior_delivered = {ack->rate_prior_delivered_bytes},
                                              .tx_inflight = {ack->rate_inflight_bytes},
                                              .lost = {ack->rate_lost_bytes},
                                              .app_limited = ack->rate_app_limited != 0},
                                     .delivered = {ack->delivered_bytes},
                                     .lost = {ack->lost_bytes},
                                     .inflight_before = {ack->inflight_before_bytes},
                                     .inflight = {ack->inflight_bytes},
                                     .lost_packets = static_cast<uint32_t>(ack->lost_packets),
                                     .window_limited = ack->window_limited != 0,
                                     .delayed = ack->delayed != 0,
                                     .ce_packets = static_cast<uint32_t>(ack->ce_packets),
                                     .recovery = static_cast<Recovery>(ack->recovery),
                                     .next_send = {ack->next_send_ns}});
  answer(flow_of(state), {ack->now_ns}, *control);
}

void on_loss(void* state, const paceline_loss* loss, const paceline_lost_packet* packets, std::size_t count,
             paceline_control* control) {
  std::vector<LostPacket> lost;
  for (const paceline_lost_packet& p : std::span{packets, count})
    lost.push_back({.number = number_of(p.number),
                    .size = {p.bytes},
                    .sent = {p.sent_ns},
                    .tag = number_of(p.tag),
                    .inflight_at_send = {p.inflight_at_send_bytes},
                    .lost_at_send = {p.lost_at_send_bytes},
                    .delivered_at_send = {p.delivered_at_send_bytes},
                    .app_limited = p.app_limited != 0});
  flow_of(state).controller->on_loss({.now = {loss->now_ns},
                                      .bytes = {loss->lost_bytes},
                                      .packet_count = static_cast<uint32_t>(loss->lost_packets),
                                      .packets = lost,
                                      .new_episode = loss->new_episode != 0,
                                      .inflight_before = {loss->inflight_before_bytes},
                                      .inflight = {loss->inflight_bytes},
                                      .delivered = {loss->total_delivered_bytes},
                                      .lost = {loss->total_lost_bytes}});
  answer(flow_of(state), {loss->now_ns}, *control);
}

void on_timeout(void* state, const paceline_timeout* timeout, paceline_control* control) {
  flow_of(state).controller->on_timeout({.now = {timeout->now_ns},
                                         .inflight_before = {timeout->inflight_before_bytes},
                                         .inflight = {timeout->inflight_bytes},
                                         .delivered = {timeout->delivered_bytes},
                                         .lost = {timeout->lost_bytes},
                                         .repeated = timeout->repeated != 0});
  answer(flow_of(state), {timeout->now_ns}, *control);
}

void on_tick(void* state, int64_t now_ns, paceline_control* control) {
  flow_of(state).controller->on_tick({now_ns});
  answer(flow_of(state), {now_ns}, *control);
}

void on_idle_restart(void* state, int64_t now_ns, paceline_control* control) {
  flow_of(state).controller->on_idle_restart({now_ns});
  answer(flow_of(state), {now_ns}, *control);
}

void read_internals(void* state, double* values) {
  std::vector<float> told(flow_of(state).internals);
  tell_internals(*flow_of(state).controller, told);
  std::ranges::copy(told, values);
}

std::string_view phase_of(const paceline_algorithm&, void* state, int64_t phase) {
  return flow_of(state).phases[static_cast<std::size_t>(phase)];
}

uint32_t bits_of(const Needs& needs) {
  uint32_t bits = 0;
  if (needs.paced_start) bits |= PACELINE_NEEDS_PACED_START;
  if (!needs.prr) bits |= PACELINE_NEEDS_NO_PRR;
  if (needs.acked_packets) bits |= PACELINE_NEEDS_ACKED_PACKETS;
  if (needs.receiver_timestamps) bits |= PACELINE_NEEDS_RECEIVER_TIMESTAMPS;
  return bits;
}

paceline_algorithm behind(const Mirrored& mirrored, std::vector<paceline_internal>& internals) {
  const Needs needs = needs_of(*mirrored.own, mirrored.params);
  for (const InternalSpec& i : mirrored.own->internals)
    internals.push_back({.name = i.name.data(), .label = "", .unit = "", .states = nullptr, .state_count = 0});
  return {.id = "mirrored",
          .label = "Mirrored",
          .family = "",
          .summary = "",
          .source = "",
          .pacing = needs.pacing == Pacing::own    ? PACELINE_PACE_OWN
                    : needs.pacing == Pacing::none ? PACELINE_PACE_NONE
                                                   : PACELINE_PACE_WINDOW,
          .ecn = needs.ecn == Ecn::l4s       ? PACELINE_ECN_L4S
                 : needs.ecn == Ecn::classic ? PACELINE_ECN_CLASSIC
                                             : PACELINE_ECN_NONE,
          .needs = bits_of(needs),
          .params = nullptr,
          .param_count = 0,
          .internals = internals.data(),
          .internal_count = internals.size(),
          .phases = nullptr,
          .phase_count = 0,
          .context = &mirrored,
          .create = create,
          .destroy = [](void* state) { delete &flow_of(state); },
          .on_ack = on_ack,
          .on_loss = on_loss,
          .on_timeout = on_timeout,
          .on_sent = on_sent,
          .on_tick = on_tick,
          .on_idle_restart = on_idle_restart,
          .read_internals = read_internals};
}

// A link that stops, starts and changes, with Cubic beside it after a while.
RunPlan over_losses(const Descriptor* subject) {
  Random random{7, 0, "capacity"};
  std::vector<uint32_t> counts;
  for (int ms = 0; ms < 6000; ++ms)
    counts.push_back(ms % 2000 < 450 ? 0 : static_cast<uint32_t>(random.below(3) + (ms % 1000 < 500 ? 1 : 0)));
  RunPlan plan = one_flow(trace_link(std::move(counts), Duration::millis(15), {90'000}), flow(subject), 6);
  plan.forward.loss = 0.001;
  plan.flows.push_back(flow(cca("cubic")));
  plan.flows.back().start = Time::zero() + Duration::seconds(2);
  return plan;
}

// Marks over a short path, a receiver that acknowledges every second packet, a flow that stops before it has filled the link.
RunPlan over_marks(const Descriptor* subject) {
  LinkPlan link = constant_link(20, Duration::millis(2), {1'500'000});
  link.queue.discipline = find_queue("dualpi2");
  link.queue.params = Params{link.queue.discipline->params, {}};
  RunPlan plan = one_flow(std::move(link), flow(subject, 2), 4);
  plan.flows.front().profile = TransportProfile::quic;
  plan.flows.front().stop = Time::zero() + Duration::seconds(3);
  return plan;
}

Recorder recorded(const RunPlan& plan) {
  Recorder recorder;
  simulate(plan, recorder);
  return recorder;
}

bool same(const Recorder& a, const Recorder& b) {
  if (a.rows.size() != b.rows.size()) return false;
  for (const auto& [stream, rows] : a.rows) {
    const auto found = b.rows.find(stream);
    if (found == b.rows.end() || found->second.size() != rows.size()) return false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& [time, values] = rows[i];
      const auto& other = found->second[i];
      if (time != other.time || values.size() != other.values.size() ||
          std::memcmp(values.data(), other.values.data(), values.size() * sizeof(float)) != 0)
        return false;
    }
  }
  return true;
}

TEST_CASE("every algorithm of ours does behind the plain interface what it does without") {
  int compared = 0;
  for (const Descriptor* own : registered_ccas()) {
    const Params params{own->params, {}};
    // A base station's word and an agent at the receiver are not for plug-ins.
    if (own->kind != Kind::sender || own->make_receiver_agent || needs_of(*own, params).channel_state) continue;
    CAPTURE(own->id);
    const Mirrored mirrored{own, params};
    std::vector<paceline_internal> internals;
    const paceline_algorithm algorithm = behind(mirrored, internals);
    const Descriptor plugin = descriptor_of(algorithm, phase_of);

    Descriptor direct = *own;
    direct.id = plugin.id;
    direct.params.clear();
    direct.needs_with = nullptr;
    direct.needs = needs_of(*own, params);
    direct.make = [&mirrored](const Setup& setup, const Params&) {
      Setup seeded = setup;
      Random random = setup.random;
      seeded.random = stream_of(random.next());
      return mirrored.own->make(seeded, mirrored.params);
    };
    for (const auto& plan_with : {over_losses, over_marks}) {
      const Recorder expected = recorded(plan_with(&direct));
      CHECK(expected.rows.size() >= 3);
      CHECK(same(expected, recorded(plan_with(&plugin))));
    }
    ++compared;
  }
  CHECK(compared >= 18);
}

}  // namespace
}  // namespace paceline::testing
