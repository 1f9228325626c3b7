#pragma once
// The messages of a flow of the kernel's TCP: one thread writes them into its socket, another one sees when the other socket has given
// all of them. Counts payload, in order, as the sockets do.

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "transport/messages.hh"

namespace paceline {

class MessageBook {
 public:
  struct Whole {
    Message message{};
    Time at{};
  };

  // `end`: bytes of the flow up to the message's end. Before they are written.
  void written(uint64_t end, const Message& message) {
    const std::lock_guard lock{mutex_};
    under_way_.push_back({end, message});
  }
  // So many bytes of the flow have come by now.
  void arrived(uint64_t bytes, Time now) {
    const std::lock_guard lock{mutex_};
    for (; !under_way_.empty() && under_way_.front().end <= bytes; under_way_.pop_front())
      whole_.push_back({.message = under_way_.front().message, .at = now});
  }
  // One that became whole and was not taken yet.
  std::optional<Whole> take() {
    const std::lock_guard lock{mutex_};
    if (whole_.empty()) return std::nullopt;
    const Whole first = whole_.front();
    whole_.pop_front();
    return first;
  }

 private:
  struct UnderWay {
    uint64_t end{};
    Message message{};
  };
  std::mutex mutex_{};
  std::deque<UnderWay> under_way_{};
  std::deque<Whole> whole_{};
};

// One per flow.
using MessageBooks = std::vector<MessageBook>;

}  // namespace paceline
