#include "tests/hostile/scenario.hh"

#include <cmath>
#include <sstream>

#include "transport/sender.hh"

namespace paceline::testing {
namespace {

constexpr double kCalmSeconds = 45;

class Maker {
 public:
  Maker(const Subject& subject, uint64_t seed, uint64_t number)
      : subject_{subject}, random_{seed, number, "hostile weather"} {
    s_.plan.seed = random_.next();
  }

  Scenario make() {
    s_.calm = Time::zero() + Duration::seconds(random_.uniform(4, 20));
    s_.plan.duration = (s_.calm - Time::zero()) + Duration::seconds(kCalmSeconds);
    s_.plan.sample_period = Duration::millis(50);
    make_pieces();
    make_link();
    make_flows();
    describe();
    return std::move(s_);
  }

 private:
  double anywhere_between(double least, double most) {  // in any order of magnitude
    return least * std::exp(random_.uniform(0, std::log(most / least)));
  }

  Duration some_delay() {
    if (random_.chance(0.2)) return Duration::millis(500);  // 1 s there and back
    if (random_.chance(0.05)) return Duration::zero();
    return Duration::seconds(anywhere_between(0.0005, 0.15));
  }

  void make_pieces() {
    const Duration usual = some_delay();
    const bool moves = random_.chance(0.3);
    const bool reorders = random_.chance(0.4);
    const double usual_loss = random_.chance(0.3) ? 0.3 : random_.chance(0.5) ? random_.uniform(0, 0.05) : 0;
    const double ack_loss = random_.chance(0.2) ? random_.uniform(0, 0.5) : 0;
    for (Time t = Time::zero(); t < s_.calm;) {
      t = std::min(s_.calm, t + Duration::seconds(random_.uniform(0.2, 4)));
      Weather w{.until = t, .delay = moves ? some_delay() : usual, .loss = usual_loss, .ack_loss = ack_loss};
      if (reorders && random_.chance(0.7)) {
        w.spread = Duration::seconds(anywhere_between(0.0005, 0.3));
        if (random_.chance(0.3)) w.ack_spread = w.spread;
      }
      s_.pieces.push_back(w);
    }
    s_.pieces.push_back({.until = Time::never(), .delay = usual});
    s_.plan.forward.delay = s_.plan.reverse.delay = usual;
  }

  // Pieces of traces: steady ones, bursts as a radio link has them, walks, and nothing at all for a while.
  std::vector<uint32_t> trace() {
    const auto length = static_cast<std::size_t>((s_.calm - Time::zero()).ns / 1'000'000);
    std::vector<uint32_t> counts(length + 2);
    double owed = 0;
    for (std::size_t ms = 0; ms < length;) {
      const std::size_t end = std::min(length, ms + 1 + static_cast<std::size_t>(anywhere_between(10, 4000)));
      const double per_ms = random_.chance(0.25) ? 0 : anywhere_between(0.01, 8);
      const double burst = random_.chance(0.4) ? random_.uniform(0.02, 0.5) : 1;  // share of milliseconds
      const double step = random_.chance(0.3) ? 0.1 : 0;
      double level = per_ms;
      for (; ms < end; ++ms) {
        if (step > 0) level = std::clamp(level * (1 + step * random_.normal()), per_ms / 50, per_ms * 10);
        if (random_.chance(burst)) owed += level / burst;
        counts[ms] = static_cast<uint32_t>(owed);
        owed -= counts[ms];
      }
    }
    counts.back() = 1;
    return counts;
  }

  void make_link() {
    auto& capacity = s_.plan.forward.capacity;
    if (random_.chance(0.2)) {
      capacity.kind = Bottleneck::Capacity::Kind::constant;
      capacity.rate = Rate::mbps(anywhere_between(0.05, 100));
    } else {
      capacity.kind = Bottleneck::Capacity::Kind::trace;
      capacity.trace = std::make_shared<const Trace>(trace());
    }
    s_.calm_rate = Rate::mbps(anywhere_between(2, 8));

    const auto queues = registered_queues();
    QueuePlan& queue = s_.plan.forward.queue;
    queue.discipline = random_.chance(0.4) ? find_queue("droptail") : queues[random_.below(queues.size())];
    queue_params_ = random_params(queue.discipline->params, random_, 0.3);
    queue.params = Params{queue.discipline->params, queue_params_};
    const double packets = random_.chance(0.3) ? 2 : anywhere_between(1, 2000);
    if (random_.chance(0.5)) {
      queue.limit_bytes = Bytes::packets(packets, kMtu);
    } else {
      queue.limit_packets = static_cast<int64_t>(packets);
    }
    // What waits in a queue without limit must be through it before the calm is over.
    s_.receive_window = queue.discipline->limited && random_.chance(0.5) ? kLargestReceiveWindow : Bytes{2'000'000};

    s_.plan.reverse.queue.discipline = find_queue("droptail");
    s_.plan.reverse.queue.limit_packets = 100;
    if (random_.chance(0.15)) {
      s_.plan.reverse.capacity = {.kind = Bottleneck::Capacity::Kind::constant,
                                  .rate = Rate::mbps(anywhere_between(0.02, 2))};
    }
  }

  void make_flows() {
    subject_params_ = random_params(subject_, random_, random_.chance(0.4) ? 0 : random_.uniform(0.1, 0.8));
    s_.plan.flows.push_back(flow(*subject_.cca, subject_params_));
    const uint64_t others = random_.chance(0.6) ? 0 : 1 + random_.below(3);
    for (uint64_t i = 0; i < others; ++i) {
      const auto ccas = registered_ccas();
      const Descriptor* cca = ccas[random_.below(ccas.size())];
      if (cca->kind == Kind::ideal) continue;
      FlowPlan other = flow(*cca, random_params(cca->params, random_, 0.2));
      other.start = Time::zero() + Duration::seconds(random_.uniform(0, s_.calm.to_seconds() - 1));
      other.stop = s_.calm;
      s_.plan.flows.push_back(std::move(other));
    }
  }

  FlowPlan flow(const Descriptor& cca, const Params::Given& given) {
    FlowPlan f{.cca = &cca, .params = Params{cca.params, given}};
    f.profile = static_cast<TransportProfile>(random_.below(3));
    f.ack_every = random_.chance(0.1) ? 64 : static_cast<int>(1 + random_.below(8));
    f.ecn = random_.chance(0.2);
    if (random_.chance(0.2)) f.extra_rtt = Duration::seconds(random_.uniform(0, 0.2));
    if (random_.chance(0.4)) write(f);
    return f;
  }

  // Applications that write again and again, so that a flow without arrivals is a flow that is stuck.
  void write(FlowPlan& f) {
    const auto spell = [this] { return Duration::seconds(anywhere_between(0.001, 0.8)); };
    switch (random_.below(5)) {
      case 0:
        f.source_rate = Rate::mbps(anywhere_between(0.1, 20));
        break;
      case 1:
        f.on_off = std::make_shared<const OnOffPlan>(
            OnOffPlan{.on = spell(),
                      .off = spell(),
                      .exponential = random_.chance(0.5),
                      .rate = random_.chance(0.5) ? Rate::zero() : Rate::mbps(anywhere_between(0.2, 20))});
        break;
      case 2:
        f.messages = std::make_shared<const MessagePlan>(
            MessagePlan{.kind = MessagePlan::Kind::transfers,
                        .sizes = static_cast<MessagePlan::Sizes>(random_.below(4)),
                        .mean_bytes = Bytes{static_cast<int64_t>(anywhere_between(100, 300'000))},
                        .shape = random_.uniform(1.1, 2.5),
                        .arrivals = static_cast<MessagePlan::Arrivals>(random_.below(3)),
                        .interval = spell()});
        break;
      case 3:
        f.messages = std::make_shared<const MessagePlan>(MessagePlan{.kind = MessagePlan::Kind::frames,
                                                                     .fps = anywhere_between(2, 120),
                                                                     .rate = Rate::mbps(anywhere_between(0.1, 20)),
                                                                     .key_every = 1 + random_.below(60),
                                                                     .key_ratio = random_.uniform(1, 10),
                                                                     .adapts = random_.chance(0.5),
                                                                     .least_rate = Rate::mbps(0.1)});
        break;
      default:
        f.messages = std::make_shared<const MessagePlan>(
            MessagePlan{.kind = MessagePlan::Kind::replay, .recorded = recording()});
    }
  }

  std::shared_ptr<const std::vector<Message>> recording() {
    std::vector<Message> all;
    const Time end = Time::zero() + s_.plan.duration;
    for (Time t = Time::zero(); t < end; t += Duration::seconds(random_.uniform(0, 0.4)))
      all.push_back({.born = t, .bytes = Bytes{static_cast<int64_t>(anywhere_between(40, 60'000))}});
    return std::make_shared<const std::vector<Message>>(std::move(all));
  }

  void describe() {
    const FlowPlan& f = s_.plan.flows.front();
    const auto& capacity = s_.plan.forward.capacity;
    constexpr std::string_view kProfiles[]{"tcp", "quic", "quic-grow-underutilised"};
    std::ostringstream text;
    text << subject_.cca->id << " (" << text_of(subject_params_) << ") over "
         << kProfiles[static_cast<std::size_t>(f.profile)] << ", one ack per " << f.ack_every << ", "
         << (f.on_off                ? "on-off"
             : f.messages            ? "messages"
             : f.source_rate.bps > 0 ? "steady rate"
                                     : "bulk")
         << "; " << (capacity.trace ? "trace" : "constant rate") << ", " << s_.plan.forward.queue.discipline->id << " ("
         << text_of(queue_params_) << ") of ";
    if (s_.plan.forward.queue.limit_packets == INT64_MAX) {
      text << s_.plan.forward.queue.limit_bytes.v << " bytes";
    } else {
      text << s_.plan.forward.queue.limit_packets << " packets";
    }
    text << ", loss " << s_.pieces.front().loss << ", of acks " << s_.pieces.front().ack_loss << ", "
         << s_.plan.flows.size() << " flows, calm from " << s_.calm.to_seconds() << " s at " << s_.calm_rate.to_mbps()
         << " Mbps and " << 2 * s_.pieces.back().delay.to_millis() << " ms";
    s_.text = text.str();
  }

  Subject subject_;
  Random random_;
  Scenario s_{};
  Params::Given subject_params_{};
  Params::Given queue_params_{};
};

}  // namespace

Scenario hostile_scenario(const Subject& subject, uint64_t seed, uint64_t number) {
  return Maker{subject, seed, number}.make();
}

}  // namespace paceline::testing
