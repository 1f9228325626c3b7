// A controller behind the C interface decides as it does inside the engine: what the engine's sender told its controller over
// a simulated link is told again, in the terms of a foreign transport, to one behind the interface.

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include "c_abi/paceline_cca.h"
#include "cca/registry.hh"
#include "drivers/virtual.hh"
#include "tests/c_abi/handle.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

struct Acked {
  AckEvent event{};
  std::vector<AckedPacket> packets{};
  Bytes cwnd{};  // the engine's decision
  Rate rate{};
};
struct Lost {
  LossEvent event{};
  std::vector<LostPacket> packets{};
  Bytes cwnd{};
};
using Recorded = std::variant<SentPacket, Lost, Acked>;

// Hands everything on to a real controller and writes it down.
class Recorder final : public Controller {
 public:
  Recorder(std::unique_ptr<Controller> inner, std::vector<Recorded>& events)
      : inner_{std::move(inner)}, events_{&events} {}

  void on_sent(const SentPacket& packet) override {
    inner_->on_sent(packet);
    events_->emplace_back(packet);
  }
  void on_ack(const AckEvent& ack) override {
    inner_->on_ack(ack);
    events_->emplace_back(Acked{ack, {ack.packets.begin(), ack.packets.end()}, inner_->cwnd(), inner_->pacing_rate()});
  }
  void on_loss(const LossEvent& loss) override {
    inner_->on_loss(loss);
    events_->emplace_back(Lost{loss, {loss.packets.begin(), loss.packets.end()}, inner_->cwnd()});
  }
  void on_timeout(const TimeoutEvent& timeout) override { inner_->on_timeout(timeout); }
  void on_idle_restart(Time now) override { inner_->on_idle_restart(now); }
  void on_tick(Time now) override { inner_->on_tick(now); }
  [[nodiscard]] Bytes cwnd() const override { return inner_->cwnd(); }
  [[nodiscard]] Bytes ssthresh() const override { return inner_->ssthresh(); }
  [[nodiscard]] Rate pacing_rate() const override { return inner_->pacing_rate(); }
  [[nodiscard]] Bytes send_quantum() const override { return inner_->send_quantum(); }
  [[nodiscard]] bool limits_itself() const override { return inner_->limits_itself(); }
  [[nodiscard]] Time next_tick() const override { return inner_->next_tick(); }
  [[nodiscard]] std::string_view phase() const override { return inner_->phase(); }
  void internals(std::span<float> out) const override { inner_->internals(out); }

 private:
  std::unique_ptr<Controller> inner_;
  std::vector<Recorded>* events_;
};

class Nowhere final : public RunSink {
 public:
  void samples(uint16_t, Time, std::span<const float>) override {}
  void samples_complete(Time) override {}
  void event(const RunEvent&) override {}
};

// 20 Mbps, 40 ms; a queue of so many packets (0: no limit).
std::vector<Recorded> record(std::string_view id, double queue_packets, double seconds) {
  const Descriptor& real = *find_cca(id);
  std::vector<Recorded> events;
  Descriptor recorded = real;
  recorded.needs.prr = false;  // QUIC has none
  recorded.needs.acked_packets = true;
  recorded.needs_with = {};
  recorded.make = [&](const Setup& setup, const Params& params) {
    Setup quic = setup;
    quic.profile = TransportProfile::quic;
    return std::make_unique<Recorder>(real.make(quic, params), events);
  };
  RunPlan plan;
  plan.duration = Duration::seconds(seconds);
  plan.forward.queue.discipline = find_queue(queue_packets > 0 ? "droptail" : "infinite");
  if (queue_packets > 0) plan.forward.queue.limit_bytes = Bytes::packets(queue_packets, kMtu);
  plan.forward.capacity.kind = Bottleneck::Capacity::Kind::constant;
  plan.forward.capacity.rate = Rate::mbps(20);
  plan.forward.delay = plan.reverse.delay = Duration::millis(20);
  plan.reverse.queue.discipline = find_queue("infinite");
  plan.flows.push_back({.cca = &recorded, .params = Params{recorded.params, {}}, .ack_every = 1});
  Nowhere nowhere;
  (void)simulate(plan, nowhere);
  return events;
}

// Tells a controller behind the interface the same, event by event.
class Replay {
 public:
  explicit Replay(std::string_view id) : cca_{id} {}

  // Packets that leave at one moment do so a nanosecond apart: the interface tells them apart by their time.
  void tell(const SentPacket& packet) {
    last_sent_ = std::max(last_sent_ + 1, packet.now.ns);
    sent_[packet.number] = last_sent_;
    paceline_cca_sent(cca_.get(), last_sent_, packet.size.v, 1);
  }
  void tell(const Lost& lost) {
    int64_t newest = 0;
    for (const LostPacket& packet : lost.packets) newest = std::max(newest, sent_.at(packet.number));
    paceline_cca_lost(cca_.get(), newest, lost.event.bytes.v, 0);
  }
  void tell(const Acked& acked) {
    for (const AckedPacket& packet : acked.packets)
      paceline_cca_acked(cca_.get(), sent_.at(packet.number), packet.size.v);
    paceline_cca_settle(cca_.get(), acked.event.now.ns, acked.event.inflight.v, acked.event.window_limited ? 1 : 0);
  }
  [[nodiscard]] paceline_cca_view look() const { return cca_.look(); }

 private:
  Handle cca_;
  std::map<uint64_t, int64_t> sent_{};
  int64_t last_sent_{-1};
};

}  // namespace

TEST_CASE("without losses every decision is the engine's") {
  for (const std::string_view id : {"cubic", "newreno"}) {
    CAPTURE(id);
    const auto events = record(id, 0, 4);
    Replay replay{id};
    int decisions = 0;
    for (const Recorded& event : events) {
      std::visit([&](const auto& e) { replay.tell(e); }, event);
      const auto* acked = std::get_if<Acked>(&event);
      if (acked == nullptr) continue;
      ++decisions;
      REQUIRE(replay.look().window_bytes == acked->cwnd.v);
    }
    CHECK(decisions > 4000);
  }
}

TEST_CASE("delivery-rate samples are the engine's") {
  const auto events = record("cubic", 0, 2);
  Replay replay{"cubic"};
  int samples = 0;
  for (const Recorded& event : events) {
    std::visit([&](const auto& e) { replay.tell(e); }, event);
    const auto* acked = std::get_if<Acked>(&event);
    if (acked == nullptr || !acked->event.rate.valid) continue;
    ++samples;
    // Bursts are a few nanoseconds longer here.
    REQUIRE(replay.look().delivery_bps == doctest::Approx(acked->event.rate.rate.bps).epsilon(1e-5));
  }
  CHECK(samples > 2000);
}

// In QUIC an episode ends with the first packet that left after its start, in TCP when all of before is repaired; so the next
// one may begin up to a round trip earlier. The queue is long enough for HyStart to end slow start before it overflows: after
// an overshoot QUIC cuts every round trip, which TCP does not. What remains is a curve that starts a round trip earlier.
TEST_CASE("losses cut the window as often as in the engine, and by as much") {
  const auto events = record("cubic", 150, 30);
  Replay replay{"cubic"};
  int engine_cuts = 0;
  int cuts = 0;
  bool recovering = false;
  double widest = 0;
  int compared = 0;
  for (const Recorded& event : events) {
    std::visit([&](const auto& e) { replay.tell(e); }, event);
    if (const auto* lost = std::get_if<Lost>(&event); lost != nullptr && lost->event.new_episode) ++engine_cuts;
    const auto* acked = std::get_if<Acked>(&event);
    if (acked == nullptr) continue;
    const bool now = std::string{replay.look().phase} == "recovery";
    if (now && !recovering) ++cuts;
    recovering = now;
    if (cuts != engine_cuts) continue;
    ++compared;
    const auto difference = static_cast<double>(replay.look().window_bytes - acked->cwnd.v);
    widest = std::max(widest, std::abs(difference) / static_cast<double>(acked->cwnd.v));
  }
  CHECK(engine_cuts > 2);
  CHECK(cuts == engine_cuts);
  CHECK(compared > 15000);
  CHECK(widest < 0.04);
}
