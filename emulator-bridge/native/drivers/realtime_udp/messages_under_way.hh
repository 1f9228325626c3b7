#pragma once
// The ends of messages that wait in the emulator, which keeps of a packet only what the link needs: by transmission number, in which
// order a flow's packets come.

#include <cstdint>
#include <optional>

#include "core/ring.hh"
#include "transport/messages.hh"

namespace paceline {

class MessagesUnderWay {
 public:
  void enter(uint64_t number, const Message& message) { waiting_.push({.number = number, .message = message}); }
  // The packet has left, or is lost. Empty: no message ends in it.
  std::optional<Message> leave(uint64_t number) {
    std::size_t low = 0;
    std::size_t high = waiting_.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (waiting_.at(middle).number < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == waiting_.size() || waiting_.at(low).number != number) return std::nullopt;
    waiting_.at(low).gone = true;
    const Message message = waiting_.at(low).message;
    while (!waiting_.empty() && waiting_.front().gone) waiting_.pop();
    return message;
  }

 private:
  struct Waiting {
    uint64_t number{};
    Message message{};
    bool gone{};
  };
  Ring<Waiting> waiting_{16};
};

}  // namespace paceline
