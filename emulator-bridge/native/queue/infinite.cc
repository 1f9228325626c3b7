// Infinite: first in, first out, never drops.

#include "core/ring.hh"
#include "queue/registry.hh"

namespace paceline {
namespace {

class Infinite final : public QueueDiscipline {
 public:
  void enqueue(const Packet& packet, Time, DropListener&) override {
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

const RegisterQueue infinite{{
    .id = "infinite",
    .label = "Infinite",
    .summary =
        "First in, first out, and never full: shows what an algorithm does when nothing but delay tells it to stop.",
    .source = "Mahimahi mm-link, infinite_packet_queue",
    .limited = false,
    .make = [](const QueueSetup&, const Params&) { return std::make_unique<Infinite>(); },
}};

}  // namespace
}  // namespace paceline
