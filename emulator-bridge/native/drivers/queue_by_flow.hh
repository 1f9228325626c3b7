#pragma once
// Whose packets fill the queue: the mean over each interval of the bytes that every flow has at the link's bottleneck, the packet that
// is being sent among them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "drivers/packet_observer.hh"

namespace paceline {

class QueueByFlow final : public PacketObserver {
 public:
  QueueByFlow(std::size_t flows, Duration period) : period_{period}, next_{Time::zero() + period}, flows_(flows) {}

  void sent(const Packet&, Time) override {}
  void received(const Packet&, Time) override {}
  void acknowledged(const Packet&, const Ack&, Time) override {}
  void taken(uint64_t, Time) override {}
  void arrived(Direction direction, const Packet& packet, Time now) override { change(direction, packet, now, 1); }
  void departed(Direction direction, const Packet& packet, Time scheduled) override {
    change(direction, packet, scheduled, -1);
  }
  void dropped(Direction direction, const Packet& packet, Time now) override { change(direction, packet, now, -1); }

  // The run is over: closes every interval up to `end`, the last of which may be shorter.
  void finish(Time end);

  [[nodiscard]] Duration period() const { return period_; }
  // By flow, then by interval.
  [[nodiscard]] const std::vector<double>& mean_bytes(std::size_t flow) const { return flows_[flow].means; }
  [[nodiscard]] std::size_t flows() const { return flows_.size(); }

 private:
  struct Flow {
    int64_t bytes{};
    Time since{};
    double integral{};  // byte-nanoseconds of the interval
    std::vector<double> means{};
  };

  void change(Direction direction, const Packet& packet, Time now, int sign);
  void close(Time end);
  static void move_on(Flow& flow, Time now) {
    flow.integral += static_cast<double>(flow.bytes) * static_cast<double>((now - flow.since).ns);
    flow.since = now;
  }

  Duration period_;
  Time begin_{};
  Time next_;
  std::vector<Flow> flows_;
};

}  // namespace paceline
