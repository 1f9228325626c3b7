// Drophead: every arrival is kept, and the oldest packets go until the queue is within its limits again.

#include "core/ring.hh"
#include "queue/registry.hh"

namespace paceline {
namespace {

class Drophead final : public QueueDiscipline {
 public:
  explicit Drophead(const QueueSetup& setup) : QueueDiscipline{setup} {}

  void enqueue(const Packet& packet, Time now, DropListener& drops) override {
    queue_.push(packet);
    entered(packet);
    while (over_limit()) {
      const Packet oldest = take();
      drops.on_drop(oldest, now);
    }
  }

  bool dequeue(Packet& packet, Time, DropListener&) override {
    if (queue_.empty()) return false;
    packet = take();
    return true;
  }

 private:
  Packet take() {
    const Packet oldest = queue_.front();
    queue_.pop();
    left(oldest);
    return oldest;
  }

  Ring<Packet> queue_{1024};
};

const RegisterQueue drophead{{
    .id = "drophead",
    .label = "Drophead",
    .summary =
        "First in, first out. A full queue drops its oldest packets to make room for the newest, so that senders "
        "learn of the congestion one queue earlier.",
    .source = "Mahimahi mm-link, drophead_packet_queue",
    .make = [](const QueueSetup& setup, const Params&) { return std::make_unique<Drophead>(setup); },
}};

}  // namespace
}  // namespace paceline
