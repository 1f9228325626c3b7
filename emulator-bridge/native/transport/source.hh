#pragma once
// What the application has to send: data without end or up to a total, at once or at a steady rate; data in spells; or messages. It is
// given out packet by packet. A packet never holds parts of two messages.

#include <cstdint>
#include <optional>

#include "core/ring.hh"
#include "core/units.hh"
#include "transport/messages.hh"
#include "transport/on_off.hh"

namespace paceline {

class Source {
 public:
  // What becomes of a packet of a rate whose time came while the flow could not take it.
  enum class Missed : uint8_t { later, dropped };

  // Rate zero: everything is there from the start.
  explicit Source(Rate rate = Rate::zero(), Bytes total = Bytes::infinite(), Missed missed = Missed::later)
      : rate_{rate}, total_{total}, missed_{missed} {}
  Source(const OnOffPlan& plan, Random random) : steady_{false}, on_off_{OnOff{plan, random}} {}
  Source(const MessagePlan& plan, Random random) : steady_{false}, messages_{Messages{{plan, random}}} {}

  void start(Time now);
  // Size of the next packet, at most `mss`; zero: the application has written nothing more by now.
  [[nodiscard]] Bytes next(Bytes mss, Time now) {
    if (!steady_) return next_written(mss, now);
    if (missed_ == Missed::dropped) drop_missed(mss, now);
    const bool has = mss <= total_ - taken_ && (rate_.bps <= 0 || taken_ + mss <= rate_.bytes_in(now - start_));
    return has ? mss : Bytes::zero();
  }
  // The packet that next() spoke of leaves as segment `sequence`.
  void take(Bytes size, uint64_t sequence) {
    if (steady_) {
      taken_ += size;
    } else {
      take_written(size, sequence);
    }
  }
  // When to look again after next() said that there is nothing; never if nothing more will be written.
  [[nodiscard]] Time ready(Bytes mss) const {
    if (!steady_) return next_write(mss);
    if (mss > total_ - taken_ || rate_.bps <= 0) return Time::never();
    return start_ + rate_.time_for(taken_ + mss) + Duration{1};
  }

  // Messages whose size follows the controller are written at these times, whatever waits to be sent.
  [[nodiscard]] Time tick() const { return tick_; }
  void on_tick(Time now, Rate rate);

  // All segments below `sequence` have arrived.
  void arrived(uint64_t sequence, Time now) {
    if (messages_) all_below_arrived(sequence, now);
  }
  // The message whose last packet is this segment, while it is not known to have arrived.
  [[nodiscard]] std::optional<Message> ending_at(uint64_t sequence) const;

  // What a run's summary says of the messages.
  struct Offered {
    uint64_t messages{};
    uint64_t due{};  // have a deadline before the end
  };
  [[nodiscard]] std::optional<Offered> offered(Time end) const;

 private:
  struct Sent {
    uint64_t last{};  // segment
    Message message{};
  };
  struct Messages {
    MessageSchedule schedule;
    Message current{};
    Bytes left{};             // of it
    Ring<Message> written{};  // wait behind it
    Ring<Sent> sent{};        // left, and are not known to have arrived
  };

  void drop_missed(Bytes mss, Time now);
  [[nodiscard]] Bytes next_written(Bytes mss, Time now);
  void take_written(Bytes size, uint64_t sequence);
  [[nodiscard]] Time next_write(Bytes mss) const;
  void all_below_arrived(uint64_t sequence, Time now);

  Rate rate_{};
  Bytes total_{Bytes::infinite()};
  Missed missed_{Missed::later};
  Time start_{};
  Bytes taken_{};  // or dropped
  Time tick_{Time::never()};
  bool steady_{true};
  std::optional<OnOff> on_off_{};
  std::optional<Messages> messages_{};
};

}  // namespace paceline
