#pragma once
// Delivery-rate estimation (draft-ietf-ccwg-bbr section 4.1).

#include <algorithm>

#include "cca/controller.hh"
#include "core/units.hh"
#include "transport/scoreboard.hh"

namespace paceline {

class RateSampler {
 public:
  // Before a packet leaves.
  void on_send(Segment& segment, Bytes inflight_before, Bytes size, Time now) {
    if (inflight_before == Bytes::zero()) first_sent_time_ = delivered_time_ = now;
    segment.delivered = delivered_;
    segment.delivered_time = delivered_time_;
    segment.first_sent_time = first_sent_time_;
    segment.lost = lost_;
    segment.inflight = static_cast<uint32_t>((inflight_before + size).v);
    segment.set(Segment::kAppLimited, app_limited_.v != 0);
  }

  void on_delivered(Bytes bytes) { delivered_ += bytes; }
  void on_lost(Bytes bytes) { lost_ += bytes; }

  // Ends an ACK that newly acknowledged something; `newest` is the most recently sent packet of it. Every field of `s` is set.
  void sample(const Segment& newest, Time now, Duration min_rtt, RateSample& s) {
    delivered_time_ = now;
    first_sent_time_ = newest.sent;
    if (app_limited_.v != 0 && delivered_ > app_limited_) app_limited_ = Bytes::zero();
    s.prior_delivered = newest.delivered;
    s.tx_inflight = Bytes{newest.inflight};
    s.lost = lost_ - newest.lost;
    s.app_limited = newest.has(Segment::kAppLimited);
    s.delivered = delivered_ - newest.delivered;
    s.interval = std::max(newest.sent - newest.first_sent_time, now - newest.delivered_time);
    s.valid = s.interval >= min_rtt && s.interval.ns > 0;
    s.rate = s.valid ? Rate::of(s.delivered, s.interval) : Rate::zero();
  }

  void mark_app_limited(Bytes inflight) { app_limited_ = std::max(delivered_ + inflight, Bytes{1}); }
  [[nodiscard]] bool app_limited() const { return app_limited_.v != 0; }
  [[nodiscard]] Bytes delivered() const { return delivered_; }
  [[nodiscard]] Bytes lost() const { return lost_; }

 private:
  Bytes delivered_{};
  Bytes lost_{};
  Time delivered_time_{};
  Time first_sent_time_{};
  Bytes app_limited_{};  // the bubble ends when this much is delivered; 0: none
};

}  // namespace paceline
