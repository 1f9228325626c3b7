#pragma once
// Leaving slow start before the first loss, by two published rules (docs/reference.md 1.8):
//   hystart    Linux tcp_cubic.c: an ACK train as long as the path, or a rise of the round's least RTT; ends slow start at once.
//   hystart++  RFC 9406: a rise of the round's least RTT slows growth to a quarter for up to five rounds, then ends it.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "cca/controller.hh"

namespace paceline {

class HyStart {
 public:
  enum class Rule : uint8_t { off, hystart, hystart_plus_plus };

  static Rule rule(std::string_view name, TransportProfile profile) {
    if (name == "hystart") return Rule::hystart;
    if (name == "hystart++") return Rule::hystart_plus_plus;
    if (name == "auto") return profile == TransportProfile::tcp ? Rule::hystart : Rule::hystart_plus_plus;
    return Rule::off;
  }

  HyStart(Rule rule, bool paced) : rule_{rule}, paced_{paced} {}

  // To be called with each ACK of slow start that has an RTT sample, before the window grows.
  // True: slow start ends here, ssthresh <- cwnd.
  [[nodiscard]] bool on_ack(const AckEvent& ack, int64_t cwnd, Bytes mss) {
    if (rule_ == Rule::off || done_ || !ack.rtt) return false;
    const bool new_round = ack.newest_number >= round_end_number_;
    if (rule_ == Rule::hystart) return done_ = hystart(ack, new_round, cwnd, mss);
    return done_ = plus_plus(ack, new_round);
  }

  // How many packets slow start may add for `acked` ones.
  [[nodiscard]] int64_t growth(int64_t acked) {
    if (rule_ != Rule::hystart_plus_plus || done_) return acked;
    if (!paced_) acked = std::min<int64_t>(acked, 8);  // RFC 9406 L: no burst larger than this when nothing paces it
    if (!conservative_) return acked;
    quarter_packets_ += acked;  // CSS_GROWTH_DIVISOR 4
    const int64_t grown = quarter_packets_ / 4;
    quarter_packets_ %= 4;
    return grown;
  }

  // A loss ends the first slow start and with it HyStart++; Linux' rule stays off once it has fired.
  void on_loss() {
    if (rule_ == Rule::hystart_plus_plus) done_ = true;
  }

  // A retransmission timeout starts over in Linux; RFC 9406 applies to the first slow start only.
  void on_timeout() {
    least_rtt_ = Duration::infinite();
    if (rule_ != Rule::hystart) return;
    done_ = false;
    round_end_number_ = 0;
  }

  // Lifetime least RTT, for rules that need it outside slow start too.
  void observe(Duration rtt) { least_rtt_ = std::min(least_rtt_, rtt); }
  [[nodiscard]] Duration least_rtt() const { return least_rtt_; }

 private:
  static constexpr int kSamples = 8;
  static constexpr int64_t kLowWindow = 16;  // packets; below it the signals are noise
  static constexpr int kConservativeRounds = 5;
  static constexpr Duration kTrainGap = Duration::millis(2);
  static constexpr Bytes kGsoMax{65536};  // Linux' largest burst from the host to its interface

  // Rise of the RTT that counts as a queue: an eighth, within 4..16 ms. Both rules use the same numbers.
  static Duration threshold(Duration rtt) { return std::clamp(rtt / 8, Duration::millis(4), Duration::millis(16)); }

  bool hystart(const AckEvent& ack, bool new_round, int64_t cwnd, Bytes mss) {
    if (new_round) {
      round_end_number_ = ack.next_number;
      round_start_ = last_in_train_ = ack.now;
      round_rtt_ = Duration::infinite();
      samples_ = 0;
    }
    if (cwnd < kLowWindow) return false;
    bool leave = false;
    if (ack.now - last_in_train_ <= kTrainGap) {
      last_in_train_ = ack.now;
      // The sender itself may have spread the train: by four bursts at Linux' rate in slow start, 2 cwnd / srtt.
      const Rate pace = Rate::of(mss * (2 * cwnd), ack.srtt);
      Duration length = least_rtt_ + std::min(Duration::millis(1), pace.time_for(4 * kGsoMax));
      if (!paced_) length = length / 2;
      leave = ack.now - round_start_ > length;
    }
    round_rtt_ = std::min(round_rtt_, *ack.rtt);
    if (samples_ < kSamples) {
      ++samples_;
    } else {
      leave = leave || round_rtt_ > least_rtt_ + threshold(least_rtt_);
    }
    return leave;
  }

  bool plus_plus(const AckEvent& ack, bool new_round) {
    if (new_round) {
      round_end_number_ = ack.next_number;
      last_round_rtt_ = round_rtt_;
      round_rtt_ = Duration::infinite();
      samples_ = 0;
      if (conservative_ && ++conservative_rounds_ >= kConservativeRounds) return true;
    }
    round_rtt_ = std::min(round_rtt_, *ack.rtt);
    if (++samples_ < kSamples) return false;
    if (conservative_) {
      if (round_rtt_ < baseline_rtt_) conservative_ = false;  // the rise was spurious
    } else if (last_round_rtt_ < Duration::infinite() && round_rtt_ >= last_round_rtt_ + threshold(last_round_rtt_)) {
      conservative_ = true;
      conservative_rounds_ = 0;
      baseline_rtt_ = round_rtt_;
    }
    return false;
  }

  Rule rule_{};
  bool paced_{};
  bool done_{};
  uint64_t round_end_number_{};
  Duration round_rtt_{Duration::infinite()};
  int samples_{};

  Duration least_rtt_{Duration::infinite()};  // hystart
  Time round_start_{};
  Time last_in_train_{};

  Duration last_round_rtt_{Duration::infinite()};  // hystart++
  Duration baseline_rtt_{Duration::infinite()};
  bool conservative_{};
  int conservative_rounds_{};
  int64_t quarter_packets_{};
};

}  // namespace paceline
