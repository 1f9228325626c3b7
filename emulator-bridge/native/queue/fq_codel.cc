// FQ-CoDel: flows are hashed into queues of their own that take turns by deficit round robin, new flows first, each under CoDel.

#include <vector>

#include "queue/codel.hh"
#include "queue/packet_pool.hh"
#include "queue/registry.hh"

namespace paceline {
namespace {

// RFC 8290 section 4.1.3 and Linux' drop_batch_size: a full queue loses so many packets of its fattest flow at once at most.
constexpr uint32_t kDropBatch = 64;

class FqCodel final : public QueueDiscipline {
 public:
  FqCodel(const QueueSetup& setup, const Params& params)
      : QueueDiscipline{setup},
        rules_{.target = Duration::seconds(params.number("target_ms") / 1e3),
               .interval = Duration::seconds(params.number("interval_ms") / 1e3),
               .ecn = params.flag("ecn")},
        quantum_{params.integer("quantum_bytes")},
        by_tag_{setup.flows_by_tag},
        key_{Random{setup.random}.next()},
        flows_(static_cast<std::size_t>(params.integer("queues"))) {}

  void enqueue(const Packet& packet, Time now, DropListener& drops) override {
    const uint32_t i = flow_of(packet);
    Flow& flow = flows_[i];
    pool_.push(flow.packets, packet);
    flow.backlog += packet.bytes();
    entered(packet);
    if (!flow.listed) {
      flow.listed = true;
      flow.deficit = quantum_;
      append(new_, i);
    }
    while (over_limit()) drop_from_fattest(now, drops);
  }

  bool dequeue(Packet& packet, Time now, DropListener& drops) override {
    for (;;) {
      TurnList& turns = new_.first != kNone ? new_ : old_;
      const uint32_t i = turns.first;
      if (i == kNone) return false;
      Flow& flow = flows_[i];
      if (flow.deficit <= 0) {
        flow.deficit += quantum_;
        remove_first(turns);
        append(old_, i);
        continue;
      }
      FlowQueue queue{*this, flow, now, drops};
      if (flow.law.dequeue(rules_, queue, packet, now)) {
        flow.deficit -= packet.size;
        return true;
      }
      remove_first(turns);
      // A flow that was new waits for a turn of the old ones, so that it cannot starve them by coming again and again.
      if (&turns == &new_ && old_.first != kNone) {
        append(old_, i);
      } else {
        flow.listed = false;
      }
    }
  }

 private:
  static constexpr uint32_t kNone = PacketPool::kNone;

  struct Flow {
    PacketPool::List packets{};
    Bytes backlog{};
    int64_t deficit{};
    CodelLaw law{};
    uint32_t next{kNone};  // in the list of turns
    bool listed{};
  };

  struct TurnList {
    uint32_t first{kNone};
    uint32_t last{kNone};
  };

  // One flow's queue as CoDel sees it.
  struct FlowQueue {
    bool pop(Packet& packet) const {
      if (flow.packets.empty()) return false;
      packet = all.take(flow);
      return true;
    }
    [[nodiscard]] Bytes backlog() const { return flow.backlog; }
    void drop(const Packet& packet) const { drops.on_drop(packet, now); }
    [[nodiscard]] bool mark(Packet& packet) const { return all.mark(packet); }
    FqCodel& all;
    Flow& flow;
    Time now;
    DropListener& drops;
  };

  [[nodiscard]] uint32_t flow_of(const Packet& packet) const {
    const uint64_t key = by_tag_ ? packet.tag : packet.flow;
    return static_cast<uint32_t>(mix64(key ^ key_) % flows_.size());
  }

  Packet take(Flow& flow) {
    const Packet packet = pool_.pop(flow.packets);
    flow.backlog -= packet.bytes();
    left(packet);
    return packet;
  }

  // Half of the bytes of the flow that holds most of them, from its head; its CoDel hears of them.
  void drop_from_fattest(Time now, DropListener& drops) {
    uint32_t fattest = kNone;
    for (const TurnList* turns : {&new_, &old_})
      for (uint32_t i = turns->first; i != kNone; i = flows_[i].next)
        if (fattest == kNone || flows_[i].backlog > flows_[fattest].backlog) fattest = i;
    Flow& flow = flows_[fattest];
    const Bytes enough = flow.backlog / 2;
    Bytes dropped{};
    uint32_t count = 0;
    do {
      const Packet packet = take(flow);
      dropped += packet.bytes();
      drops.on_drop(packet, now);
      ++count;
    } while (count < kDropBatch && dropped < enough);
    flow.law.press(count);
  }

  void append(TurnList& turns, uint32_t i) {
    flows_[i].next = kNone;
    if (turns.first == kNone) {
      turns.first = i;
    } else {
      flows_[turns.last].next = i;
    }
    turns.last = i;
  }
  void remove_first(TurnList& turns) { turns.first = flows_[turns.first].next; }

  CodelRules rules_;
  int64_t quantum_;
  bool by_tag_;
  uint64_t key_;
  std::vector<Flow> flows_;
  PacketPool pool_{};
  TurnList new_{};
  TurnList old_{};
};

const RegisterQueue fq_codel{{
    .id = "fq_codel",
    .label = "FQ-CoDel",
    .summary =
        "Gives every flow a queue of its own, lets them take turns and starts with those that have just begun to send; "
        "CoDel keeps each queue short. What Linux puts on most interfaces.",
    .source = "RFC 8290; Linux sch_fq_codel.c",
    .params =
        {
            {.name = "target_ms",
             .label = "Target",
             .unit = "ms",
             .initial = 5,
             .min = 0.1,
             .max = 1000,
             .help =
                 "Standing delay that is put up with in each flow's queue; 5 to 10 % of the round trips that the link "
                 "sees."},
            {.name = "interval_ms",
             .label = "Interval",
             .unit = "ms",
             .initial = 100,
             .min = 1,
             .max = 10'000,
             .help =
                 "How long a flow's delay must stay above the target before its first drop; about the longest round "
                 "trip of the flows."},
            {.name = "quantum_bytes",
             .label = "Quantum",
             .type = ParamType::integer,
             .unit = "bytes",
             .initial = 1514,
             .min = 256,
             .max = 1'000'000,
             .help = "Bytes that a flow may send per turn; a smaller one favours flows of small packets."},
            {.name = "queues",
             .label = "Queues",
             .type = ParamType::integer,
             .unit = "",
             .initial = 1024,
             .min = 1,
             .max = 65'536,
             .help = "How many queues flows are hashed into; flows that meet in one share it."},
            {.name = "ecn",
             .label = "Mark instead of dropping",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .help = "Marks packets of flows that understand marks; packets of other flows are dropped as ever."},
        },
    .make = [](const QueueSetup& setup, const Params& params) { return std::make_unique<FqCodel>(setup, params); },
}};

}  // namespace
}  // namespace paceline
