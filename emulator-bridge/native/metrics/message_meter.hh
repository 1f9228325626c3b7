#pragma once
// Messages as the receiving end gets them: when each was whole, counted from its birth. One stream in order, so a message is whole when
// all before it are.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/histogram.hh"
#include "core/ring.hh"
#include "metrics/summary.hh"
#include "transport/messages.hh"

namespace paceline {

class MessageMeter {
 public:
  // `until`: the flow's end. A message whose deadline comes later does not count as being on time, or late.
  MessageMeter(Duration deadline, Time until) : deadline_{deadline}, until_{until} {}

  using Whole = std::function<void(const Message&, Duration)>;

  // The last packet of `message` arrived.
  void ends(uint64_t sequence, const Message& message) {
    if (sequence < reached_) return;
    std::size_t place = waiting_.size();
    while (place > 0 && waiting_[place - 1].last > sequence) --place;
    if (place > 0 && waiting_[place - 1].last == sequence) return;
    waiting_.insert(waiting_.begin() + static_cast<std::ptrdiff_t>(place), {sequence, message});
  }
  // All segments below `cumulative` have arrived by now.
  void reach(uint64_t cumulative, Time now, const Whole& whole) {
    reached_ = cumulative;
    std::size_t done = 0;
    for (; done < waiting_.size() && waiting_[done].last < cumulative; ++done)
      complete(waiting_[done].message, now, whole);
    if (done > 0) waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(done));
  }
  [[nodiscard]] bool waits() const { return !waiting_.empty(); }

  // One that is known to be whole.
  void complete(const Message& message, Time now, const Whole& whole) {
    const Duration delay = now - message.born;
    delays_.add(delay);
    bytes_ += message.bytes.v;
    const bool due = deadline_ < Duration::infinite() && message.born + deadline_ <= until_;
    if (due && delay <= deadline_) ++on_time_;
    whole(message, delay);
  }

  [[nodiscard]] ReceivedMessages summary() const;
  [[nodiscard]] const DelayHistogram& delays() const { return delays_; }

 private:
  struct Waiting {
    uint64_t last{};
    Message message{};
  };

  Duration deadline_;
  Time until_;
  uint64_t reached_{};
  std::vector<Waiting> waiting_{};  // in order
  DelayHistogram delays_{};
  int64_t bytes_{};
  uint64_t on_time_{};
};

}  // namespace paceline
