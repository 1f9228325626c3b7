#pragma once
// CoDel's control law (RFC 8289 section 5; Linux codel_impl.h), apart from the queue it watches: codel has one of them, fq_codel one
// for every flow's queue.

#include <cmath>
#include <cstdint>

#include "core/packet.hh"
#include "core/units.hh"

namespace paceline {

struct CodelRules {
  Duration target{Duration::millis(5)};
  Duration interval{Duration::millis(100)};
  bool ecn{};             // marks packets that can be marked instead of dropping them
  bool mahimahi_quirk{};  // drops the packets behind the one that it delivers
};

class CodelLaw {
 public:
  // The next packet to deliver, after what has to go before it. The queue gives pop(Packet&), backlog() without the packets
  // that were taken out, drop(const Packet&) and mark(Packet&).
  template <typename Queue>
  bool dequeue(const CodelRules& rules, Queue& queue, Packet& packet, Time now) {
    const bool some = queue.pop(packet);
    bool ok_to_drop = judge(rules, queue, some, packet, now);
    if (rules.mahimahi_quirk) {
      if (some) quirk(rules, queue, ok_to_drop, now);
      return some;
    }
    if (dropping_) {
      if (!ok_to_drop) dropping_ = false;
      while (dropping_ && now >= drop_next_) {
        ++count_;
        if (rules.ecn && queue.mark(packet)) {
          drop_next_ += spacing(rules);
          return true;
        }
        queue.drop(packet);
        const bool next = queue.pop(packet);
        ok_to_drop = judge(rules, queue, next, packet, now);
        if (!next) return dropping_ = false;
        dropping_ = ok_to_drop;
        if (dropping_) drop_next_ += spacing(rules);
      }
      return some;
    }
    if (!ok_to_drop) return some;
    bool left = true;
    if (!(rules.ecn && queue.mark(packet))) {
      queue.drop(packet);
      left = queue.pop(packet);
      judge(rules, queue, left, packet, now);
    }
    begin_dropping(rules, now);
    return left;
  }

  // So many packets were dropped for another reason (fq_codel's limit): the signal grows stronger by them.
  void press(uint32_t drops) { count_ += drops; }

  [[nodiscard]] bool dropping() const { return dropping_; }
  [[nodiscard]] uint32_t count() const { return count_; }

 private:
  // Has the delay been above the target for a whole interval? A queue that holds no more than one packet is let be.
  template <typename Queue>
  bool judge(const CodelRules& rules, const Queue& queue, bool some, const Packet& packet, Time now) {
    if (!some || now - packet.stamp < rules.target || queue.backlog() <= kMtu) {
      first_above_ = Time::never();
      return false;
    }
    if (first_above_.is_never()) {
      first_above_ = now + rules.interval;
      return false;
    }
    return now >= first_above_;
  }

  [[nodiscard]] Duration spacing(const CodelRules& rules) const {
    return scale(rules.interval, 1 / std::sqrt(static_cast<double>(count_)));
  }

  // Where dropping stopped only a while ago it goes on at the pace that was found then.
  void begin_dropping(const CodelRules& rules, Time now) {
    const uint32_t gained = count_ - last_count_;
    dropping_ = true;
    count_ = gained > 1 && now - drop_next_ < rules.interval * 16 ? gained : 1;
    last_count_ = count_;
    drop_next_ = now + spacing(rules);
  }

  // Mahimahi's codel_packet_queue: what it dequeues to look at next is gone, and the packet taken first is delivered.
  template <typename Queue>
  void quirk(const CodelRules& rules, Queue& queue, bool ok_to_drop, Time now) {
    const auto discard = [&] {
      Packet behind{};
      const bool some = queue.pop(behind);
      const bool again = judge(rules, queue, some, behind, now);
      if (some) queue.drop(behind);
      return again;
    };
    if (dropping_) {
      if (!ok_to_drop) dropping_ = false;
      while (dropping_ && now >= drop_next_) {
        dropping_ = discard();
        ++count_;
        if (dropping_) drop_next_ += spacing(rules);
      }
    } else if (ok_to_drop) {
      discard();
      begin_dropping(rules, now);
    }
  }

  bool dropping_{};
  uint32_t count_{};
  uint32_t last_count_{};
  Time first_above_{Time::never()};
  Time drop_next_{};
};

}  // namespace paceline
