#pragma once
// Both directions of the modelled path, with their times worked out from schedules alone: what is due is served first,
// then what has arrived is admitted, and a packet leaves at the time of its opportunity plus the delay, however late
// the machine is.

#include <cstdint>
#include <vector>

#include "drivers/ack_pool.hh"
#include "drivers/plan.hh"
#include "link/bottleneck.hh"
#include "link/delay_line.hh"
#include "link/random_loss.hh"
#include "transport/ack.hh"

namespace paceline {

// Where packets come out, with the time for which they were scheduled.
class PathOutput {
 public:
  virtual ~PathOutput() = default;
  virtual void data_out(const Packet& packet, Time scheduled) = 0;
  virtual void ack_out(const Ack& ack, Time scheduled) = 0;
};

class EmulatedPath final : private DropListener {
 public:
  EmulatedPath(const RunPlan& plan, PathOutput& output);

  // Serves everything due up to and including `to`.
  void advance(Time to);
  // When something is due next, if nothing arrives.
  [[nodiscard]] Time next() const;

  // Something reaches the path; everything due before must have been served.
  void data_in(const Packet& packet, Time now);
  // An acknowledgement is written into next_ack() first, and then taken.
  [[nodiscard]] Ack& next_ack() { return acks_[next_slot_]; }
  void ack_in(Time now);

  [[nodiscard]] Bottleneck& forward() { return forward_; }
  [[nodiscard]] Bottleneck& reverse() { return reverse_; }

 private:
  void on_drop(const Packet& packet, Time now) override;  // of an acknowledgement

  PathOutput* output_;
  RandomLoss forward_loss_;
  RandomLoss reverse_loss_;
  Bottleneck forward_;
  Bottleneck reverse_;
  DelayLine forward_line_;
  std::vector<DelayLine> reverse_lines_;  // one per flow: its extra RTT is added here

  // Acknowledgements on their way; the packet that stands for one has its slot as number.
  AckPool acks_{};
  uint32_t next_slot_;
};

}  // namespace paceline
