// CoDel: drops at the head of the queue, ever more often, while the time that packets spend in it stays above a target.

#include "queue/codel.hh"

#include "core/ring.hh"
#include "queue/registry.hh"

namespace paceline {
namespace {

class Codel final : public QueueDiscipline {
 public:
  Codel(const QueueSetup& setup, const Params& params)
      : QueueDiscipline{setup},
        rules_{.target = Duration::seconds(params.number("target_ms") / 1e3),
               .interval = Duration::seconds(params.number("interval_ms") / 1e3),
               .ecn = params.flag("ecn"),
               .mahimahi_quirk = params.flag("mahimahi_quirk")} {}

  void enqueue(const Packet& packet, Time now, DropListener& drops) override {
    if (!fits(packet)) {
      drops.on_drop(packet, now);
      return;
    }
    queue_.push(packet);
    entered(packet);
  }

  bool dequeue(Packet& packet, Time now, DropListener& drops) override {
    struct Head {
      bool pop(Packet& p) const { return codel.pop(p); }
      [[nodiscard]] Bytes backlog() const { return codel.bytes(); }
      void drop(const Packet& p) const { drops.on_drop(p, now); }
      [[nodiscard]] bool mark(Packet& p) const { return codel.mark(p); }
      Codel& codel;
      Time now;
      DropListener& drops;
    } head{*this, now, drops};
    return law_.dequeue(rules_, head, packet, now);
  }

 private:
  bool pop(Packet& packet) {
    if (queue_.empty()) return false;
    packet = queue_.front();
    queue_.pop();
    left(packet);
    return true;
  }

  CodelRules rules_;
  CodelLaw law_{};
  Ring<Packet> queue_{1024};
};

const RegisterQueue codel{{
    .id = "codel",
    .label = "CoDel",
    .summary =
        "Watches how long each packet waited. Once that has been above the target for a whole interval it drops at "
        "the head of the queue, more and more often, until the delay is below the target again.",
    .source = "RFC 8289; Linux codel_impl.h; Mahimahi mm-link, codel_packet_queue",
    .params =
        {
            {.name = "target_ms",
             .label = "Target",
             .unit = "ms",
             .initial = 5,
             .min = 0.1,
             .max = 1000,
             .help = "Standing delay that is put up with; 5 to 10 % of the round trips that the link sees. It should "
                     "not be "
                     "below the time that a few packets take on a slow link."},
            {.name = "interval_ms",
             .label = "Interval",
             .unit = "ms",
             .initial = 100,
             .min = 1,
             .max = 10'000,
             .help =
                 "How long the delay must stay above the target before the first drop; about the longest round trip "
                 "of the flows."},
            {.name = "ecn",
             .label = "Mark instead of dropping",
             .type = ParamType::boolean,
             .unit = "",
             .help = "Marks packets of flows that understand marks; packets of other flows are dropped as ever."},
            {.name = "mahimahi_quirk",
             .label = "As in Mahimahi",
             .type = ParamType::boolean,
             .unit = "",
             .help =
                 "Delivers the packet at the head and drops those behind it, as Mahimahi's CoDel does by an oversight; "
                 "to compare with published Mahimahi results. It never marks."},
        },
    .make = [](const QueueSetup& setup, const Params& params) { return std::make_unique<Codel>(setup, params); },
}};

}  // namespace
}  // namespace paceline
