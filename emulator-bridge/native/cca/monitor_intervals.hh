#pragma once
// Monitor intervals (MIs): the clock of the PCC family (NSDI'15 section 3.1; docs/reference.md 5.1). Packets are sent at one rate
// for about a round trip, and what became of each of them – acknowledged, lost, and with what RTT – is charged to the interval
// that sent it. An interval's result is complete when all its packets are settled, about one round trip after it ended.

#include <cstdint>
#include <optional>

#include "cca/controller.hh"
#include "cca/line_fit.hh"
#include "core/ring.hh"

namespace paceline {

// What an interval is to try.
struct IntervalPlan {
  Rate rate{};
  bool useful{true};  // its result is waited for; others fill the time until a decision
  uint32_t role{};    // the controller's own mark
  int64_t packets{};  // how many it should send; 0: its controller ends it by time
};

struct MonitorInterval {
  IntervalPlan plan{};
  uint64_t id{};
  uint64_t first{};  // transmission numbers [first, end)
  uint64_t end{};
  Time first_sent{};
  Time last_sent{};
  Time closed{};  // when the next interval's first packet left; zero: still sending
  Bytes bytes_sent{};
  Bytes bytes_acked{};
  Bytes bytes_lost{};
  uint32_t pending{};  // packets neither acknowledged nor lost yet
  uint32_t app_limited{};
  uint32_t rtts{};  // RTT samples, reliable or not
  LineFit rtt{};    // reliable samples: microseconds over seconds since first_sent
  bool extended{};  // belongs to the controller

  [[nodiscard]] uint64_t packets() const { return end - first; }
  [[nodiscard]] bool is_closed() const { return closed > first_sent; }
  // How long it sent: until the next interval began.
  [[nodiscard]] Duration duration() const { return closed - first_sent; }
  [[nodiscard]] Rate sent_rate() const { return Rate::of(bytes_sent, duration()); }
  [[nodiscard]] Rate delivered_rate() const { return Rate::of(bytes_acked, duration()); }
  [[nodiscard]] double loss() const {
    return bytes_sent.v == 0 ? 0 : static_cast<double>(bytes_lost.v) / static_cast<double>(bytes_sent.v);
  }
  // Seconds of RTT gained per second of sending.
  [[nodiscard]] double rtt_slope() const { return rtt.slope() * 1e-6; }
  // It shows what its rate does to the path: the application was not the limit, and the rate was reached.
  [[nodiscard]] bool representative() const {
    return app_limited == 0 && sent_rate().bps >= kLeastShareOfRate * plan.rate.bps;
  }

  // Room for a pacer that wakes up late; an interval held back by the window or a silence sends far less.
  static constexpr double kLeastShareOfRate = 0.8;
};

class MonitorIntervals {
 public:
  // `first` and what is sent after it belong to a new interval; the one before ends.
  void begin(const IntervalPlan& plan, const SentPacket& first);
  void on_sent(const SentPacket& packet);  // every packet, also the one given to begin()
  void on_loss(const LossEvent& loss);
  // All packets of an ACK take the RTT of its newest: the others only waited for it at the receiver.
  void on_ack(const AckEvent& ack);
  // The same one packet at a time, for who looks at each packet's own RTT. `reliable`: this RTT is worth looking at.
  void on_arrived(const AckedPacket& packet, std::optional<Duration> rtt, bool reliable, Duration srtt);

  // The interval that is being sent, if any.
  [[nodiscard]] bool sending() const { return !intervals_.empty(); }
  [[nodiscard]] MonitorInterval& current() { return intervals_.at(intervals_.size() - 1); }
  [[nodiscard]] const MonitorInterval& current() const { return intervals_.at(intervals_.size() - 1); }
  // The oldest useful interval if its result is complete, else null; pop() when done with it.
  [[nodiscard]] const MonitorInterval* finished();
  void pop() {
    --useful_;
    intervals_.pop();
  }

  // Useful intervals whose results have not been taken yet, the current one included.
  [[nodiscard]] std::size_t useful() const { return useful_; }
  // What is under way is of no use any more.
  void abandon();

 private:
  enum class Fate : uint8_t { pending, settled, lost };
  struct Packet {
    uint32_t interval{};  // low bits of its id
    uint16_t size{};
    Fate fate{};
  };

  // Null when the packet's interval is gone.
  [[nodiscard]] MonitorInterval* owner(uint64_t number);
  void settle(const AckedPacket& packet, std::optional<Duration> rtt, bool reliable);
  void write_off_superseded(Time newest_sent, Duration srtt);

  Ring<MonitorInterval> intervals_{16};
  WindowRing<Packet> packets_{1024};
  uint64_t next_id_{};
  std::size_t useful_{};
  uint64_t next_number_{};
};

}  // namespace paceline
