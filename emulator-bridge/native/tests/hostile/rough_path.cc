#include "tests/hostile/rough_path.hh"

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "link/random_loss.hh"
#include "transport/receiver.hh"
#include "transport/sender.hh"

namespace paceline::testing {
namespace {

constexpr Duration kChannelPeriod = Duration::millis(1);
constexpr uint64_t kMostStepsAtOnce = 200'000;  // at one moment; a flow that takes more does not let time go on
constexpr uint64_t kMostPackets = 1'000'000;    // enough of a flow that was told not to mind losses
constexpr double kMostRate = 1e15;              // bit/s
constexpr int64_t kMostWindow = int64_t{1} << 50;
constexpr Duration kLongestSilence = Duration::seconds(30);
constexpr Duration kLastPart = Duration::seconds(20);

struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Flow {
  Flow(const Scenario& s, std::size_t i, SenderObserver& observer)
      : plan{s.plan.flows[i]},
        needs{needs_of(*plan.cca, plan.params)},
        sender{{.flow = static_cast<uint16_t>(i),
                .start = plan.start,
                .stop = plan.stop,
                .needs = needs,
                .profile = plan.profile,
                .receive_window = s.receive_window,
                .source = make_source(s.plan, i),
                .ecn = plan.ecn},
               plan.cca->make(controller_setup(s.plan, i), plan.params),
               observer},
        receiver{ReceiverSetup::of(plan.profile, static_cast<uint16_t>(i), plan.ack_every),
                 plan.cca->make_receiver_agent ? plan.cca->make_receiver_agent(controller_setup(s.plan, i), plan.params)
                                               : nullptr},
        internals(plan.cca->internals.size()) {}

  const FlowPlan& plan;
  Needs needs;
  Sender sender;
  Receiver receiver;
  std::vector<float> internals;
};

class RoughPath {
 public:
  explicit RoughPath(const Scenario& scenario)
      : s_{scenario},
        forward_{s_.plan.forward.capacity, queue(Direction::forward), Time::zero()},
        reverse_{s_.plan.reverse.capacity, queue(Direction::reverse), Time::zero(), &dropped_acks_},
        random_{s_.plan.seed, 0, "rough path"} {
    for (std::size_t i = 0; i < s_.plan.flows.size(); ++i) {
      flows_.push_back(std::make_unique<Flow>(s_, i, observer_));
      if (flows_.back()->needs.channel_state) next_channel_ = Time::zero();
    }
  }

  HostileRun run() {
    try {
      const Time end = Time::zero() + s_.plan.duration;
      for (Time next = due(); next <= end && run_.sent_packets < kMostPackets; next = due()) {
        if (next < now_) fail("something was due in the past");
        steps_at_once_ = next > now_ ? 0 : steps_at_once_ + 1;
        if (steps_at_once_ > kMostStepsAtOnce) fail("time does not go on");
        now_ = next;
        step();
      }
      check_books();
      run_.flooded = run_.sent_packets >= kMostPackets;
      now_ = end;
      if (!run_.flooded) report_calm();
    } catch (const Fault& fault) {
      run_.fault = fault.what();
    }
    return run_;
  }

 private:
  class DroppedAcks final : public DropListener {
   public:
    explicit DroppedAcks(std::map<uint64_t, Ack>& acks) : acks_{&acks} {}
    void on_drop(const Packet& packet, Time) override { acks_->erase(packet.number); }

   private:
    std::map<uint64_t, Ack>* acks_;
  };

  [[nodiscard]] std::unique_ptr<QueueDiscipline> queue(Direction direction) const {
    return link_of(s_.plan, direction)
        .queue.make(Random{s_.plan.seed, static_cast<uint64_t>(direction), "queue"}, false);
  }
  [[noreturn]] void fail(const std::string& what) const {
    std::ostringstream text;
    text << "at " << now_.to_seconds() << " s: " << what;
    throw Fault{text.str()};
  }
  [[noreturn]] void fail(const Flow& f, const std::string& what) const {
    fail(std::string{f.plan.cca->id} + ": " + what);
  }

  [[nodiscard]] const Weather& weather() const { return s_.pieces[piece_]; }

  [[nodiscard]] Time due() const {
    Time next = std::min({forward_.next(), reverse_.next(), next_sample_, next_channel_, weather().until});
    if (!data_.empty()) next = std::min(next, data_.begin()->first);
    if (!acks_.empty()) next = std::min(next, acks_.begin()->first);
    for (const auto& f : flows_) next = std::min({next, f->sender.next_event(), f->receiver.next_event()});
    return next;
  }

  void step() {
    if (weather().until <= now_) return change_weather();
    if (forward_.next() <= now_) return serve_forward();
    if (!data_.empty() && data_.begin()->first <= now_) return arrive();
    if (reverse_.next() <= now_) return serve_reverse();
    if (!acks_.empty() && acks_.begin()->first <= now_) return take_ack();
    for (const auto& f : flows_) {
      if (f->receiver.next_event() <= now_) {
        if (f->receiver.on_timer(now_)) acknowledge(*f);
        return;
      }
      if (f->sender.next_event() <= now_) {
        f->sender.on_timer(now_);
        return pump(*f);
      }
    }
    if (next_channel_ <= now_) return tell_channel();
    sample();
  }

  void serve_forward() {
    forward_.advance(now_, [this](const Packet& p, Time at) { travel(p, at); });
  }
  void serve_reverse() {
    reverse_.advance(now_, [this](const Packet& p, Time at) { ack_travels(p, at); });
  }

  void change_weather() {
    serve_forward();
    if (++piece_ + 1 < s_.pieces.size()) return;
    forward_.set_capacity({.kind = Bottleneck::Capacity::Kind::constant, .rate = s_.calm_rate}, now_);
    serve_reverse();
    if (reverse_.limited())
      reverse_.set_capacity({.kind = Bottleneck::Capacity::Kind::constant, .rate = Rate::mbps(1000)}, now_);
    // Silence counts once what waits is through: it may be copies of what has arrived.
    last_arrival_ = now_ + s_.calm_rate.time_for(forward_.queued_bytes());
  }

  Duration random_up_to(Duration most) { return scale(most, random_.uniform()); }

  void pump(Flow& f) {
    Packet packet{};
    while (f.sender.poll_send(now_, packet)) {
      check_outputs(f);
      if (packet.size == 0 || packet.size > kMtu.v) fail(f, "a packet of " + std::to_string(packet.size) + " bytes");
      ++run_.sent_packets;
      if (random_.chance(weather().loss)) {
        ++lost_;
        continue;
      }
      forward_.arrive(packet, now_, [this](const Packet& p, Time at) { travel(p, at); });
    }
    check_outputs(f);
    if (f.sender.next_event() < now_) fail(f, "its sender wants to be called in the past");
  }

  void travel(const Packet& packet, Time at) {
    data_.emplace(at + weather().delay + random_up_to(weather().spread), packet);
  }

  void arrive() {
    const Packet packet = data_.begin()->second;
    data_.erase(data_.begin());
    ++arrived_;
    Flow& f = *flows_[packet.flow];
    const uint64_t before = f.receiver.received_packets();
    const bool acknowledges = f.receiver.on_packet(packet, now_);
    if (packet.flow == 0 && f.receiver.received_packets() > before) note_arrival();
    if (acknowledges) acknowledge(f);
  }

  void note_arrival() {
    if (now_ < s_.calm) return;
    note_silence();
    last_arrival_ = std::max(last_arrival_, now_);
    if (now_ > Time::zero() + s_.plan.duration - kLastPart) ++arrivals_at_the_end_;
  }
  void note_silence() {
    run_.longest_silence_s = std::max(run_.longest_silence_s, (now_ - last_arrival_).to_seconds());
  }

  void acknowledge(Flow& f) {
    Ack ack{};
    f.receiver.write_ack(ack);
    ack.flow = index_of(f);
    if (random_.chance(weather().ack_loss)) return;
    Packet packet{};
    packet.number = next_ack_++;
    packet.sent = now_;
    packet.size = ack.wire_size();
    packet.flow = ack.flow;
    under_way_.emplace(packet.number, ack);
    reverse_.arrive(packet, now_, [this](const Packet& p, Time at) { ack_travels(p, at); });
  }

  void ack_travels(const Packet& packet, Time at) {
    const Duration delay = weather().delay + flows_[packet.flow]->plan.extra_rtt;
    acks_.emplace(at + delay + random_up_to(weather().ack_spread), packet.number);
  }

  void take_ack() {
    const auto found = under_way_.find(acks_.begin()->second);
    acks_.erase(acks_.begin());
    const Ack ack = found->second;
    under_way_.erase(found);
    Flow& f = *flows_[ack.flow];
    f.sender.on_ack(ack, now_);
    pump(f);
  }

  void tell_channel() {
    next_channel_ = now_ + kChannelPeriod;
    for (const auto& f : flows_) {
      if (!f->needs.channel_state || !f->sender.active()) continue;
      const Time measured = now_ - s_.plan.base_rtt(f->plan);
      const auto& hostile = s_.plan.forward.capacity;
      const Rate rate = measured >= s_.calm ? s_.calm_rate
                        : hostile.trace     ? capacity_before(*hostile.trace, 0, measured, f->needs.channel_window)
                                            : hostile.rate;
      f->sender.on_channel({.now = now_, .measured = measured, .capacity = rate});
      pump(*f);
    }
  }

  // Whatever happens, at any moment.
  void check_outputs(const Flow& f) const {
    const Bytes cwnd = f.sender.cwnd();
    if (cwnd.v <= 0) fail(f, "a window of " + std::to_string(cwnd.v) + " bytes");
    if (cwnd.v > kMostWindow && cwnd != Bytes::infinite()) fail(f, "a window of " + std::to_string(cwnd.v) + " bytes");
    const Controller& c = f.sender.controller();
    if (c.cwnd().v <= 0) fail(f, "its algorithm gives a window of " + std::to_string(c.cwnd().v) + " bytes");
    if (f.sender.inflight().v < 0) fail(f, "less than nothing is in flight");
    const double pace = f.sender.pacing_rate().bps;
    if (!(pace >= 0 && pace < kMostRate)) fail(f, "a pace of " + std::to_string(pace) + " bit/s");
    if (c.media_rate().bps < 0 || !std::isfinite(c.media_rate().bps)) fail(f, "a media rate that is none");
  }

  void check_internals(Flow& f) {
    f.sender.controller().internals(f.internals);
    for (std::size_t i = 0; i < f.internals.size(); ++i) {
      const InternalSpec& spec = f.plan.cca->internals[i];
      const float value = f.internals[i];
      const bool known = !std::isnan(value);
      const bool state = value >= 0 && value < static_cast<float>(spec.states.size()) && value == std::floor(value);
      if (std::isinf(value) || (known && !spec.states.empty() && !state))
        fail(f, "its " + std::string{spec.name} + " is " + std::to_string(value));
      digest(value);
    }
  }

  void check_books() {
    for (const auto& f : flows_) {
      const SenderCounters& c = f->sender.counters();
      if (c.sent_packets !=
          c.delivered_packets + c.lost_packets - c.spurious_packets + f->sender.inflight_packets() + c.moot_packets)
        fail(*f, "not every packet it sent is delivered, lost or in flight");
      if (c.delivered_packets > f->receiver.received_packets()) fail(*f, "more was delivered than arrived");
    }
    const auto queued = static_cast<uint64_t>(forward_.queued_packets() + forward_.in_service_packets());
    if (run_.sent_packets != lost_ + forward_.meter().dropped_packets() + queued + data_.size() + arrived_)
      fail("a packet is nowhere");
  }

  void sample() {
    next_sample_ = now_ + s_.plan.sample_period;
    serve_forward();
    serve_reverse();
    check_books();
    for (const auto& f : flows_) {
      check_internals(*f);
      digest(static_cast<double>(f->sender.cwnd().v));
      digest(f->sender.pacing_rate().bps);
      digest(static_cast<double>(f->receiver.received_packets()));
    }
    // A discipline that still drops is no calm: a timeout may be doubled once more.
    const uint64_t dropped = forward_.meter().dropped_packets();
    if (dropped > std::exchange(dropped_, dropped)) last_arrival_ = std::max(last_arrival_, now_);
    if (piece_ + 1 == s_.pieces.size() && now_ - last_arrival_ > kLongestSilence) stuck(*flows_.front());
  }

  [[noreturn]] void stuck(const Flow& f) const {
    std::ostringstream text;
    text << "it is stuck: in a calm nothing new has arrived for " << (now_ - last_arrival_).to_seconds()
         << " s; window " << f.sender.cwnd().v << " bytes, " << f.sender.inflight().v << " in flight, "
         << f.sender.pacing_rate().bps << " bit/s, " << forward_.queued_bytes().v << " bytes queued, next event at "
         << f.sender.next_event().to_seconds() << " s";
    fail(f, text.str());
  }

  template <class Number>
  void digest(Number value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char byte : bytes) run_.digest = (run_.digest ^ byte) * 0x100000001b3ULL;
  }

  void report_calm() {
    note_silence();
    run_.calm_share =
        static_cast<double>(arrivals_at_the_end_) * kPacketBits / (s_.calm_rate.bps * kLastPart.to_seconds());
  }

  [[nodiscard]] uint16_t index_of(const Flow& f) const {
    uint16_t i = 0;
    while (flows_[i].get() != &f) ++i;
    return i;
  }

  static constexpr double kPacketBits = 8.0 * static_cast<double>(kMtu.v);

  const Scenario& s_;
  SenderObserver observer_{};
  std::map<uint64_t, Ack> under_way_{};  // acknowledgements, by number
  DroppedAcks dropped_acks_{under_way_};
  Bottleneck forward_;
  Bottleneck reverse_;
  Random random_;
  std::vector<std::unique_ptr<Flow>> flows_{};
  std::multimap<Time, Packet> data_{};
  std::multimap<Time, uint64_t> acks_{};
  std::size_t piece_{};
  Time now_{};
  Time next_sample_{};
  Time next_channel_{Time::never()};
  uint64_t steps_at_once_{};
  uint64_t lost_{};
  uint64_t dropped_{};
  uint64_t arrived_{};
  uint64_t next_ack_{};
  Time last_arrival_{};
  uint64_t arrivals_at_the_end_{};
  HostileRun run_{};
};

}  // namespace

HostileRun run_hostile(const Scenario& scenario) { return RoughPath{scenario}.run(); }

}  // namespace paceline::testing
