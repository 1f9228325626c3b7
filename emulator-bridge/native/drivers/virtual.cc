#include "drivers/virtual.hh"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/fail.hh"
#include "drivers/ack_pool.hh"
#include "drivers/flow_clock.hh"
#include "drivers/flow_events.hh"
#include "drivers/ideal.hh"
#include "drivers/rows.hh"
#include "drivers/summary_builder.hh"
#include "metrics/fairness.hh"
#include "metrics/flow_meters.hh"
#include "path/emulated_path.hh"

namespace paceline {
namespace {

constexpr Duration kChannelPeriod = Duration::millis(1);

// A host takes its acknowledgements one after another: those that reach it together are 4 microseconds apart (kernel TCP over TUN,
// docs/tun.md), as long as none waits longer than a poll of 64 of them takes. In no time at all, nothing could leave between two
// acknowledgements of the same millisecond of a trace, and BBR's bandwidth filter would miss the samples that lift it in reality.
constexpr Duration kAckTime = Duration::micros(4);
constexpr Duration kLongestAckWait = kAckTime * 64;

std::unique_ptr<ReceiverAgent> make_agent(const FlowPlan& flow, const Setup& setup) {
  return flow.cca->make_receiver_agent ? flow.cca->make_receiver_agent(setup, flow.params) : nullptr;
}

struct AckUnderWay {
  Time arrival{};
  uint32_t slot{};
};

struct VirtualFlow {
  // `held`: what acknowledgements take from where they leave the path to the host.
  VirtualFlow(const RunPlan& plan, std::size_t i, Duration held, RunSink& sink, PhaseBudget& phases)
      : flow{plan.flows[i]},
        needs{needs_of(*flow.cca, flow.params)},
        ack_delay{held},
        base_rtt{plan.base_rtt(flow)},
        events{static_cast<int>(i), sink, phases},
        sender{{.flow = static_cast<uint16_t>(i),
                .start = flow.start,
                .stop = flow.stop,
                .needs = needs,
                .profile = flow.profile,
                .receive_window = receive_window(flow),
                .source = make_source(plan, i),
                .ecn = flow.ecn,
                .handshake = flow.handshake,
                .controller_when_open = controller_when_open(plan, i)},
               flow.cca->make(controller_setup(plan, i), flow.params),
               events},
        receiver{receiver_setup(plan, i), make_agent(flow, controller_setup(plan, i))},
        messages{make_message_meter(plan, i)},
        message_events{static_cast<int>(i), sink},
        internals(telemetry::kSenderColumns.size() + flow.cca->internals.size()) {
    events.stopped = [this] { bytes_at_stop = receiver.received_bytes(); };
  }

  void arrived_message(uint64_t sequence, Time now) {
    if (const auto message = sender.source().ending_at(sequence)) messages->ends(sequence, *message);
    if (messages->waits())
      messages->reach(receiver.cumulative(), now,
                      [&](const Message& m, Duration delay) { message_events.whole(m, delay, now); });
  }

  [[nodiscard]] Time due() const { return earliest(next_ack, sender.next_event(), receiver.next_event()); }
  void ack_comes(Time arrival, uint32_t slot) {
    last_ack = std::clamp(last_ack + kAckTime, arrival, arrival + kLongestAckWait);
    AckUnderWay& ack = acks.push();
    ack.arrival = last_ack;
    ack.slot = slot;
    next_ack = std::min(next_ack, last_ack);
  }
  uint32_t take_ack() {
    const uint32_t slot = acks.front().slot;
    acks.pop();
    next_ack = acks.empty() ? Time::never() : acks.front().arrival;
    return slot;
  }

  const FlowPlan& flow;
  Needs needs;
  Duration ack_delay;
  Duration base_rtt;
  FlowEvents events;
  Sender sender;
  Receiver receiver;
  Ring<AckUnderWay> acks{1024};
  Time next_ack{Time::never()};  // when the first of them is taken …
  Time last_ack{};               // … and the latest
  SenderMeter sender_meter{};
  ReceiverMeter receiver_meter{};
  std::optional<MessageMeter> messages;
  MessageEvents message_events;
  std::vector<float> internals;  // a sender row
  Bytes bytes_at_stop{};
};

class VirtualRun final : public Simulation, private PathHost {
 public:
  VirtualRun(const RunPlan& plan, RunSink& sink, PacketObserver* observer);
  bool advance(uint64_t events) override;
  [[nodiscard]] RunSummary summary() const override;

 private:
  // An acknowledgement that is lost gives its slot back, and one that is there twice has two.
  void packet_gone(Direction direction, const Packet& packet) override {
    if (direction == Direction::reverse) acks_.release(static_cast<uint32_t>(packet.number));
  }
  void packet_copied(Direction direction, Packet& copy) override;

  [[nodiscard]] Way& forward() { return path_.way(Direction::forward); }
  [[nodiscard]] Way& reverse() { return path_.way(Direction::reverse); }
  void arrive(const Packet& packet, Time now);
  // Where it is rare: at a sample, or at the end of a path on which nothing takes time.
  [[gnu::noinline]] void arrive_rarely(const Packet& packet, Time now) { arrive(packet, now); }
  void advance_forward(Time now) {
    forward().advance(now, [this](const Packet& p, Time arrival) { arrive_rarely(p, arrival); });
  }
  void advance_reverse(Time now) {
    reverse().advance(now, [this](const Packet& p, Time departure) { ack_leaves_path(p, departure); });
    back_ = reverse().next();
  }
  void serve_flow(std::size_t i, Time now);
  void acknowledge(std::size_t i, Time now);
  void write_ack(std::size_t i, Time now);
  void ack_leaves_path(const Packet& packet, Time now) {
    VirtualFlow& f = *flows_[packet.flow];
    f.ack_comes(now + f.ack_delay, static_cast<uint32_t>(packet.number));
    clock_.set(packet.flow, f.due());
  }
  void pump(VirtualFlow& f, Time now);
  void tell_channel(Time now);
  void sample(Time now);

  const RunPlan& plan_;
  RunSink& sink_;
  PacketObserver* observer_;
  Time end_;
  Time sampled_{};
  Time next_sample_;
  Time next_channel_{Time::never()};
  Time next_news_{};  // the earlier of both
  Time back_{};       // when something is due on the path back
  AckPool acks_{};
  EmulatedPath path_;
  PhaseBudget phases_{};
  std::vector<std::unique_ptr<VirtualFlow>> flows_{};
  FlowClock clock_;
  mutable FairnessMeter fairness_;
  uint64_t sent_{};
  uint64_t copied_{};
  uint64_t arrived_{};
};

// The host holds acknowledgements for their delay: it also decides when it takes each. Where the way back lists its elements, the delay
// is one of them, which tells of itself.
WaySetup ack_way(const RunPlan& plan) {
  WaySetup setup = way_setup(plan, Direction::reverse, plan.flows.size());
  setup.driver_delays = plan.reverse.plain();
  return setup;
}

Duration held_by_host(const RunPlan& plan, std::size_t flow) {
  return plan.reverse.plain() ? plan.reverse.delay + plan.flows[flow].extra_rtt : Duration::zero();
}

VirtualRun::VirtualRun(const RunPlan& plan, RunSink& sink, PacketObserver* observer)
    : plan_{plan},
      sink_{sink},
      observer_{observer},
      end_{Time::zero() + plan.duration},
      next_sample_{Time::zero() + plan.sample_period},
      path_{plan.forward, plan.reverse, way_setup(plan, Direction::forward, plan.flows.size()), ack_way(plan), *this},
      clock_{plan.flows.size()},
      fairness_{plan.flows.size(), plan.base_rtt(), plan.last_start(), plan.first_stop()} {
  if (observer) path_.observe(observer);
  back_ = reverse().next();
  next_sample_ = std::min(next_sample_, end_);
  for (std::size_t i = 0; i < plan.flows.size(); ++i) {
    flows_.push_back(std::make_unique<VirtualFlow>(plan, i, held_by_host(plan, i), sink, phases_));
    clock_.set(i, flows_.back()->due());
    if (flows_.back()->needs.channel_state) next_channel_ = Time::zero();
  }
  next_news_ = std::min(next_channel_, next_sample_);
}

void VirtualRun::packet_copied(Direction direction, Packet& copy) {
  if (direction == Direction::forward) {
    ++copied_;
    return;
  }
  const uint32_t slot = acks_.take();
  acks_[slot] = acks_[static_cast<uint32_t>(copy.number)];
  copy.number = slot;
}

// Sources of events, in the order in which they go when they are due at once: the path, whose end is a receiver, the path back, the
// flows, news of the channel, samples.
bool VirtualRun::advance(uint64_t events) {
  for (; events > 0; --events) {
    const Time next = forward().next();
    const Time back = back_;
    const Time flow = clock_.due();
    const Time rest = earliest(back, flow, next_news_);
    if (next <= rest) {
      if (!forward().steps()) {
        advance_forward(next);
      } else {
        forward().step(next, [&](const Packet& packet) { arrive(packet, next); });
      }
    } else if (back <= rest) {
      advance_reverse(back);
    } else if (flow <= rest) {
      serve_flow(clock_.flow(), flow);
    } else if (next_channel_ <= rest) {
      tell_channel(next_channel_);
      next_channel_ += kChannelPeriod;
      next_news_ = std::min(next_channel_, next_sample_);
    } else {
      sample(rest);
      if (rest == end_) return false;
      next_sample_ = std::min(rest + plan_.sample_period, end_);
      next_news_ = std::min(next_channel_, next_sample_);
    }
  }
  return true;
}

[[gnu::always_inline]] inline void VirtualRun::arrive(const Packet& packet, Time now) {
  ++arrived_;
  if (observer_) [[unlikely]]
    observer_->received(packet, now);
  VirtualFlow& f = *flows_[packet.flow];
  if (packet.has_data()) f.receiver_meter.arrived(now - packet.sent);
  const Bytes before = f.receiver.received_bytes();
  const bool due = f.receiver.on_packet(packet, now);
  if (f.messages && packet.has_data()) f.arrived_message(packet.sequence, now);
  fairness_.add(packet.flow, f.receiver.received_bytes() - before, now);
  if (due) acknowledge(packet.flow, now);
  clock_.set(packet.flow, f.due());
}

void VirtualRun::acknowledge(std::size_t i, Time now) {
  do {
    write_ack(i, now);
  } while (flows_[i]->receiver.answers());
}

void VirtualRun::write_ack(std::size_t i, Time now) {
  VirtualFlow& f = *flows_[i];
  const uint32_t slot = acks_.take();
  Ack& ack = acks_[slot];
  f.receiver.write_ack(ack);
  ack.flow = static_cast<uint16_t>(i);
  Packet packet{};
  packet.number = slot;
  packet.sent = now;
  packet.size = ack.wire_size();
  packet.flow = ack.flow;
  if (observer_) [[unlikely]]
    observer_->acknowledged(packet, ack, now);
  reverse().enter(packet, now, [this](const Packet& p, Time departure) { ack_leaves_path(p, departure); });
  back_ = reverse().next();
}

void VirtualRun::serve_flow(std::size_t i, Time now) {
  VirtualFlow& f = *flows_[i];
  if (f.next_ack <= now) {
    const uint32_t slot = f.take_ack();
    if (observer_) [[unlikely]]
      observer_->taken(slot, now);
    if (!f.acks.empty()) acks_.fetch(f.acks.front().slot);
    f.sender.on_ack(acks_[slot], now);
    acks_.release(slot);
    pump(f, now);
  } else if (f.receiver.next_event() <= now) {
    if (f.receiver.on_timer(now)) acknowledge(i, now);
  } else {
    f.sender.on_timer(now);
    pump(f, now);
  }
  clock_.set(i, f.due());
}

void VirtualRun::pump(VirtualFlow& f, Time now) {
  Packet packet{};
  while (f.sender.poll_send(now, packet)) {
    ++sent_;
    if (observer_) [[unlikely]]
      observer_->sent(packet, now);
    forward().enter(packet, now, [this](const Packet& p, Time arrival) { arrive_rarely(p, arrival); });
  }
}

// The base station's news takes half a base RTT to the sender, and what the sender does about it takes the other half to the
// base station. A path here has all its delay behind the queue, so the news carries both halves. There is none of before the run: a
// trace's end, where one that repeats comes from, would be a fall that nobody saw and that leaves its queue for good.
void VirtualRun::tell_channel(Time now) {
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    VirtualFlow& f = *flows_[i];
    if (!f.needs.channel_state || !f.sender.active()) continue;
    const Time measured = now - f.base_rtt;
    if (measured < Time::zero() + f.needs.channel_window) continue;
    const Bottleneck::Capacity& capacity = plan_.forward.capacity;
    const Rate rate = capacity.kind == Bottleneck::Capacity::Kind::trace
                          ? capacity_before(*capacity.trace, capacity.offset_ms, measured, f.needs.channel_window)
                          : capacity.rate;
    f.sender.on_channel({.now = now, .measured = measured, .capacity = rate});
    pump(f, now);
    clock_.set(i, f.due());
  }
}

void VirtualRun::sample(Time now) {
  const Duration interval = now - sampled_;
  sampled_ = now;
  advance_forward(now);
  advance_reverse(now);
  const Bottleneck& link = forward().link();
  path_.sample(now, interval, [&](uint16_t stream, std::span<const float> row) { sink_.samples(stream, now, row); });
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    VirtualFlow& f = *flows_[i];
    const auto row = f.sender_meter.sample(f.sender, interval);
    const auto fixed = columns_of(row);
    std::copy(fixed.begin(), fixed.end(), f.internals.begin());
    tell_internals(f.sender.controller(), std::span{f.internals}.subspan(fixed.size()));
    sink_.samples(sender_stream(i), now, f.internals);
    sink_.samples(receiver_stream(i), now, columns_of(f.receiver_meter.sample(f.receiver, interval)));
  }
  sink_.ledger({.time = now,
                .sent = sent_,
                .copied = copied_,
                .lost = link.meter().lost_packets(),
                .dropped = link.meter().dropped_packets(),
                .queued = static_cast<uint64_t>(link.queued_packets()),
                .in_service = static_cast<uint64_t>(link.in_service_packets()),
                .propagating = forward().propagating(),
                .arrived = arrived_});
  sink_.samples_complete(now);
}

RunSummary VirtualRun::summary() const {
  SummaryBuilder summary{plan_};
  summary.path(path_, end_);
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const VirtualFlow& f = *flows_[i];
    summary.sender(i, f.sender);
    summary.receiver(i, f.receiver, f.receiver_meter,
                     f.flow.stop <= end_ ? f.bytes_at_stop : f.receiver.received_bytes(), f.messages);
  }
  summary.fairness(fairness_, end_);
  return summary.build();
}

class IdealSimulation final : public Simulation {
 public:
  IdealSimulation(const RunPlan& plan, RunSink& sink) : plan_{plan}, sink_{sink} {}
  bool advance(uint64_t) override {
    summary_ = run_ideal(plan_, sink_);
    return false;
  }
  [[nodiscard]] RunSummary summary() const override { return summary_; }

 private:
  const RunPlan& plan_;
  RunSink& sink_;
  RunSummary summary_{};
};

}  // namespace

std::unique_ptr<Simulation> start_simulation(const RunPlan& plan, RunSink& sink, PacketObserver* observer) {
  if (plan.flows.empty()) fail(std::invalid_argument("a run needs at least one flow"));
  const auto ideal = std::ranges::count_if(plan.flows, [](const FlowPlan& f) { return f.cca->kind == Kind::ideal; });
  if (ideal == 0) return std::make_unique<VirtualRun>(plan, sink, observer);
  if (static_cast<std::size_t>(ideal) != plan.flows.size())
    fail(
        std::invalid_argument("the optimal is computed from the trace alone and cannot share a link with other flows"));
  return std::make_unique<IdealSimulation>(plan, sink);
}

RunSummary simulate(const RunPlan& plan, RunSink& sink, PacketObserver* observer) {
  const std::unique_ptr<Simulation> run = start_simulation(plan, sink, observer);
  while (run->advance(UINT64_MAX)) {
  }
  return run->summary();
}

}  // namespace paceline
