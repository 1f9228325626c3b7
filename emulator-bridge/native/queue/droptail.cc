// Droptail: first in, first out, and an arrival that would take the queue over its limit is dropped.

#include "core/ring.hh"
#include "queue/registry.hh"

namespace paceline {
namespace {

class Droptail final : public QueueDiscipline {
 public:
  explicit Droptail(const QueueSetup& setup) : QueueDiscipline{setup} {}

  void enqueue(const Packet& packet, Time now, DropListener& drops) override {
    if (!fits(packet)) {
      drops.on_drop(packet, now);
      return;
    }
    queue_.push(packet);
    entered(packet);
  }

  bool dequeue(Packet& packet, Time, DropListener&) override {
    if (queue_.empty()) return false;
    packet = queue_.front();
    queue_.pop();
    left(packet);
    return true;
  }

 private:
  Ring<Packet> queue_{1024};
};

const RegisterQueue droptail{{
    .id = "droptail",
    .label = "Droptail",
    .summary = "First in, first out. A packet that does not fit is dropped on arrival. What most routers and base "
               "stations do.",
    .source = "Mahimahi mm-link, droptail_packet_queue",
    .make = [](const QueueSetup& setup, const Params&) { return std::make_unique<Droptail>(setup); },
}};

}  // namespace
}  // namespace paceline
