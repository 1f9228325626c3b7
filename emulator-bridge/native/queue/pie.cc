// PIE: drops arrivals at random, with a probability that a controller moves so that the queue's delay stays at a target.

#include "queue/pie.hh"

#include "core/ring.hh"
#include "queue/registry.hh"

namespace paceline {
namespace {

// RFC 8033 section 5.1: above this probability a packet is dropped even if it could be marked.
constexpr double kMostMarking = 0.1;

template <typename Rules>
class Pie final : public QueueDiscipline {
 public:
  Pie(const QueueSetup& setup, const Params& params)
      : QueueDiscipline{setup},
        rules_{params.number("target_ms") / 1e3, params.number("max_burst_ms") / 1e3},
        random_{setup.random},
        ecn_{Rules::kMarks && params.flag("ecn")},
        bytewise_{params.flag("bytewise")} {
    tick_at(Time::zero() + Rules::kPeriod);
  }

  void enqueue(const Packet& packet, Time now, DropListener& drops) override {
    Packet kept = packet;
    const bool chosen = fits(packet) && rules_.decide(packet.bytes(), bytes(), bytewise_, random_);
    const bool marked = chosen && ecn_ && rules_.probability() <= kMostMarking && mark(kept);
    if (!fits(packet) || (chosen && !marked)) {
      rules_.dropped();
      drops.on_drop(packet, now);
      return;
    }
    queue_.push(kept);
    entered(kept);
  }

  bool dequeue(Packet& packet, Time now, DropListener&) override {
    if (queue_.empty()) return false;
    packet = queue_.front();
    queue_.pop();
    left(packet);
    rules_.departed(now - packet.stamp, packet.bytes(), bytes(), now);
    return true;
  }

  void on_tick(Time now, DropListener&) override {
    rules_.update(bytes());
    tick_at(now + Rules::kPeriod);
  }

 private:
  Rules rules_;
  Random random_;
  bool ecn_;
  bool bytewise_;
  Ring<Packet> queue_{1024};
};

const RegisterQueue pie{{
    .id = "pie",
    .label = "PIE",
    .summary =
        "Drops arriving packets at random. Every few milliseconds it moves the probability up or down, by how far the "
        "queueing delay is from its target and by how fast it grows.",
    .source = "RFC 8033; Linux sch_pie.c; Mahimahi mm-link, pie_packet_queue",
    .params =
        {
            {.name = "target_ms",
             .label = "Target",
             .unit = "ms",
             .initial = 15,
             .min = 1,
             .max = 1000,
             .help = "Queueing delay that the controller steers to."},
            {.name = "max_burst_ms",
             .label = "Burst allowance",
             .unit = "ms",
             .initial = 150,
             .min = 0,
             .max = 10'000,
             .help = "After the queue was idle nothing is dropped for so long, so that a short burst passes whole."},
            {.name = "ecn",
             .label = "Mark instead of dropping",
             .type = ParamType::boolean,
             .unit = "",
             .help = "Marks packets of flows that understand marks while the probability is at most 10 %; other "
                     "packets are "
                     "dropped as ever."},
            {.name = "bytewise",
             .label = "Spare small packets",
             .type = ParamType::boolean,
             .unit = "",
             .matters_with = {"variant", {"linux"}},
             .help = "Makes the probability proportional to the packet's size."},
            {.name = "variant",
             .label = "Variant",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"linux", "mahimahi"},
             .help =
                 "Mahimahi's PIE estimates the delay in whole milliseconds and moves the probability about a thousand "
                 "times faster; it neither marks nor looks at sizes. To compare with published Mahimahi results."},
        },
    .make = [](const QueueSetup& setup, const Params& params) -> std::unique_ptr<QueueDiscipline> {
      if (params.choice("variant") == "mahimahi") return std::make_unique<Pie<MahimahiPie>>(setup, params);
      return std::make_unique<Pie<LinuxPie>>(setup, params);
    },
}};

}  // namespace
}  // namespace paceline
