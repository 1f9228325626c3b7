#pragma once
// Applications that write messages: transfers, frames, or what was recorded elsewhere. A message is data that is written at one moment and
// of use when the receiver has all of it.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/random.hh"
#include "core/units.hh"

namespace paceline {

struct Message {
  Time born{};    // when the application wrote it
  Bytes bytes{};  // on the wire, headers included, as everywhere
};

struct MessagePlan {
  enum class Kind : uint8_t { transfers, frames, replay } kind{};

  // Transfers.
  enum class Sizes : uint8_t { fixed, exponential, pareto, lognormal } sizes{};
  Bytes mean_bytes{};
  double shape{};  // pareto: its exponent; lognormal: standard deviation of the logarithm
  enum class Arrivals : uint8_t { after, every, poisson } arrivals{};
  Duration interval{};  // between arrivals (poisson: the mean); after: from the end of one to the start of the next
  uint64_t count{UINT64_MAX};

  // Frames.
  double fps{};
  Rate rate{};  // the mean; with `adapts` the most
  uint64_t key_every{1};
  double key_ratio{1};                      // size of a key frame in other frames
  Duration deadline{Duration::infinite()};  // from a frame's birth to its last byte at the receiver
  bool adapts{};                            // each frame is as large as the controller's rate at its birth makes it
  Rate least_rate{};                        // even then

  // Replay: times count from the flow's start, in order.
  std::shared_ptr<const std::vector<Message>> recorded{};
};

// One message after the other, each when it is asked for.
class MessageSchedule {
 public:
  MessageSchedule(const MessagePlan& plan, Random random) : plan_{plan}, random_{random} {}

  void start(Time now);
  // Of the next message; never while it waits for the end of the one before, and when there is none.
  [[nodiscard]] Time next_birth() const { return next_; }
  // The next message. `rate`: the controller's, for frames that adapt.
  Message take(Rate rate);
  // The receiver has all messages that were taken.
  void all_delivered(Time now);

  // How many are born by `end`, those that were taken included, as things stand.
  [[nodiscard]] uint64_t born_by(Time end) const;
  // How many have their deadline by `end`.
  [[nodiscard]] uint64_t due_by(Time end) const;
  [[nodiscard]] const MessagePlan& plan() const { return plan_; }

 private:
  [[nodiscard]] Bytes draw_size();
  [[nodiscard]] Bytes frame_size(Rate rate) const;
  [[nodiscard]] Time birth_of_frame(uint64_t number) const;

  MessagePlan plan_;
  Random random_;
  Time start_{};
  Time next_{Time::never()};
  uint64_t taken_{};
};

}  // namespace paceline
