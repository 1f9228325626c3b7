#pragma once
// Path element: a queue in front of a capacity (a trace, a constant rate, or no limit). Works in any driver: time is passed
// in, due opportunities are served before an arrival is admitted.
//
// Trace: opportunities of 1500 bytes on the millisecond. Several small packets may share one; a packet may span several and
// is then not counted in the queue; when the queue empties, the rest of the opportunity is lost.
// Constant rate: packets are serialised one after the other, exact to the nanosecond.

#include <cstdint>
#include <memory>

#include "core/packet.hh"
#include "metrics/link_meter.hh"
#include "queue/discipline.hh"
#include "trace/trace.hh"

namespace paceline {

class Bottleneck final : public DropListener {
 public:
  struct Capacity {
    enum class Kind : uint8_t { unlimited, constant, trace };
    Kind kind{Kind::unlimited};
    Rate rate{};  // constant
    std::shared_ptr<const Trace> trace{};
    int64_t offset_ms{};
  };

  // Capacity and delays are counted from `from` on (the first flow's start). `drops` also hears of every dropped packet.
  Bottleneck(const Capacity& capacity, std::unique_ptr<QueueDiscipline> queue, Time from,
             DropListener* drops = nullptr);

  // When something will happen next, if nothing arrives before.
  [[nodiscard]] Time next() const { return earliest(queue_tick_, service_); }

  // Serves all that is due up to and including `now`: out(packet, departure).
  template <typename Out>
  [[gnu::always_inline]] void advance(Time now, Out&& out) {
    while (queue_tick_ <= now) [[unlikely]] {
        const Time due = queue_tick_;
        serve(due, out);
        queue_->on_tick(due, *this);
        meter_.backlog(queue_->bytes(), due);
        queue_tick_ = queue_->next_tick();
        plan_service();
      }
    serve(now, out);
  }

  // A packet reaches the queue. Everything due before must have been served.
  template <typename Out>
  void arrive(const Packet& packet, Time now, Out&& out) {
    meter_.arrived();
    if (kind_ == Capacity::Kind::unlimited) {
      meter_.carried(packet.bytes());
      meter_.delivered_at_once(packet.flow);
      out(packet, now);
      return;
    }
    if (kind_ == Capacity::Kind::trace && schedule_.next() <= now) [[unlikely]]
      advance(now, out);
    if (packet.stamp == now) {
      queue_->enqueue(packet, now, *this);
    } else {
      enqueue_stamped(packet, now);
    }
    if (kind_ == Capacity::Kind::trace) {
      plan_service();
    } else if (!serving_) {
      begin_service(now);
    }
    meter_.backlog(queue_->bytes(), now);
    queue_tick_ = queue_->next_tick();
  }

  // Takes the place of the capacity so far, also for what is being sent. Everything due up to and including `now` must have
  // been served. A trace goes on at the place that its clock has reached.
  void set_capacity(const Capacity& capacity, Time now);
  // The trace's clock stands still until start_trace().
  void hold_trace() {
    schedule_.hold();
    plan_service();
  }
  void start_trace(Time now);
  [[nodiscard]] QueueDiscipline& queue() { return *queue_; }

  // Opportunities so far, in bytes, since the run began; serve up to `now` first.
  [[nodiscard]] double capacity_total(Time now) const;
  [[nodiscard]] int64_t queued_packets() const { return queue_->packets(); }
  [[nodiscard]] Bytes queued_bytes() const { return queue_->bytes(); }
  [[nodiscard]] int64_t in_service_packets() const { return serving_ ? 1 : 0; }
  [[nodiscard]] bool limited() const { return kind_ != Capacity::Kind::unlimited; }

  [[nodiscard]] LinkMeter& meter() { return meter_; }
  [[nodiscard]] const LinkMeter& meter() const { return meter_; }
  telemetry::LinkRow sample(Time now, Duration interval) {
    return meter_.sample(interval, capacity_total(now), queue_->packets(), queue_->marked_packets());
  }
  [[nodiscard]] LinkSummary summary(Time now) const;

 private:
  void on_drop(const Packet& packet, Time now) override;
  // Constant rate: the next packet goes on the wire, if there is one.
  void begin_service(Time now) {
    if (now > service_end_) ns_fraction_ = 0;  // the link was idle
    serving_ = queue_->dequeue(in_service_, now, *this);
    if (!serving_) [[unlikely]] {
      service_ = Time::never();
      return;
    }
    const double service = static_cast<double>(in_service_.size) * ns_per_byte_ + ns_fraction_;
    const auto whole = static_cast<int64_t>(service);
    ns_fraction_ = service - static_cast<double>(whole);
    unsent_ = in_service_.size;
    service_begin_ = now;
    service_ = service_end_ = now + Duration{whole};
  }
  // A trace's opportunities matter while something waits for them.
  void plan_service() {
    if (kind_ == Capacity::Kind::trace) service_ = serving_ || queue_->packets() > 0 ? schedule_.next() : Time::never();
  }
  void enqueue_stamped(Packet packet, Time now);

  template <typename Out>
  [[gnu::always_inline]] void serve(Time now, Out&& out) {
    if (kind_ == Capacity::Kind::constant) {
      while (service_ <= now) {
        const Time departure = service_;
        meter_.carried({unsent_});
        meter_.delivered(in_service_.flow, service_begin_ - in_service_.stamp);
        out(in_service_, departure);
        begin_service(departure);
        meter_.backlog(queue_->bytes(), departure);
      }
    } else if (kind_ == Capacity::Kind::trace) {
      while (schedule_.next() <= now) {
        const Time tick = schedule_.next();
        const int64_t offered = kMtu.v * schedule_.count();
        schedule_.advance();
        offered_ += offered;
        if (tick >= meter_.from()) counted_ += offered;
        if (serving_ || queue_->packets() > 0) use_opportunities(tick, offered, out);
      }
      plan_service();
    }
  }

  // All opportunities of one millisecond: as long as packets wait, they are one stretch of bytes.
  template <typename Out>
  void use_opportunities(Time tick, int64_t offered, Out&& out) {
    int64_t left = offered;
    while (left > 0) {
      if (!serving_) {
        if (!queue_->dequeue(in_service_, tick, *this)) break;
        serving_ = true;
        unsent_ = in_service_.size;
      }
      const int64_t used = left < unsent_ ? left : unsent_;
      left -= used;
      unsent_ -= used;
      if (unsent_ > 0) break;
      serving_ = false;
      meter_.delivered(in_service_.flow, tick - in_service_.stamp);
      out(in_service_, tick);
    }
    meter_.carried({offered - left});
    meter_.backlog(queue_->bytes(), tick);
  }

  // Bytes offered by a constant rate from the later of `from` and its beginning on.
  [[nodiscard]] double offered_since(Time from, Time now) const {
    return static_cast<double>((now - (from < since_ ? since_ : from)).ns) / ns_per_byte_;
  }
  [[nodiscard]] double counted_total(Time now) const;

  Capacity::Kind kind_;
  bool serving_{};  // constant: on the wire; trace: partly sent
  Packet in_service_{};
  std::unique_ptr<QueueDiscipline> queue_;
  Time queue_tick_{Time::never()};
  Time service_{Time::never()};  // when the capacity serves next: never, if nothing waits
  LinkMeter meter_;
  DropListener* drops_;

  double ns_per_byte_{};  // constant
  Time since_{};          // when this rate began
  double ns_fraction_{};  // of the service time, carried on within a busy period
  Time service_begin_{};
  Time service_end_{};

  std::shared_ptr<const Trace> trace_;
  int64_t offset_ms_;
  Time origin_{};  // of the trace's clock
  DeliverySchedule schedule_;
  int64_t unsent_{};  // of the packet in service
  int64_t offered_{};
  int64_t counted_{};         // of it, since the first flow's start
  double offered_earlier_{};  // by capacities that were replaced
  double counted_earlier_{};
};

}  // namespace paceline
