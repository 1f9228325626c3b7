#include "link/bottleneck.hh"

#include <algorithm>
#include <cmath>

namespace paceline {
namespace {

double ns_per_byte(const Bottleneck::Capacity& capacity) {
  return capacity.kind == Bottleneck::Capacity::Kind::constant ? 8e9 / capacity.rate.bps : 0;
}

// Gives links without a trace a schedule that is never asked.
const Trace& placeholder() {
  static const Trace trace{{0, 1}};
  return trace;
}

}  // namespace

Bottleneck::Bottleneck(const Capacity& capacity, std::unique_ptr<QueueDiscipline> queue, Time from, DropListener* drops)
    : kind_{capacity.kind},
      queue_{std::move(queue)},
      queue_tick_{queue_->next_tick()},
      meter_{from},
      drops_{drops},
      ns_per_byte_{ns_per_byte(capacity)},
      trace_{capacity.trace},
      offset_ms_{capacity.offset_ms},
      schedule_{trace_ ? *trace_ : placeholder(), trace_ ? capacity.offset_ms : 0} {}

void Bottleneck::start_trace(Time now) {
  origin_ = now;
  if (kind_ == Capacity::Kind::trace) schedule_ = DeliverySchedule{*trace_, offset_ms_, origin_, now};
  plan_service();
}

void Bottleneck::set_capacity(const Capacity& capacity, Time now) {
  offered_earlier_ = capacity_total(now);
  counted_earlier_ = counted_total(now);
  offered_ = 0;
  counted_ = 0;
  if (serving_ && kind_ == Capacity::Kind::constant) {
    const auto left = static_cast<int64_t>(std::ceil(static_cast<double>((service_end_ - now).ns) / ns_per_byte_));
    meter_.carried({unsent_ - std::min(left, unsent_)});
    unsent_ = std::min(left, unsent_);
  } else {
    service_begin_ = now;
  }
  kind_ = capacity.kind;
  ns_per_byte_ = ns_per_byte(capacity);
  since_ = now;
  ns_fraction_ = 0;
  if (kind_ == Capacity::Kind::trace) {
    trace_ = capacity.trace;
    offset_ms_ = capacity.offset_ms;
    schedule_ = DeliverySchedule{*trace_, offset_ms_, origin_, now};
    plan_service();
  } else if (serving_) {
    service_ = service_end_ = now + Duration{static_cast<int64_t>(static_cast<double>(unsent_) * ns_per_byte_)};
  } else {
    begin_service(now);
    meter_.backlog(queue_->bytes(), now);
  }
}

void Bottleneck::on_drop(const Packet& packet, Time now) {
  meter_.dropped();
  if (drops_) drops_->on_drop(packet, now);
}

void Bottleneck::enqueue_stamped(Packet packet, Time now) {
  packet.stamp = now;
  queue_->enqueue(packet, now, *this);
}

double Bottleneck::capacity_total(Time now) const {
  switch (kind_) {
    case Capacity::Kind::constant:
      return offered_earlier_ + offered_since(since_, now);
    case Capacity::Kind::trace:
      return offered_earlier_ + static_cast<double>(offered_);
    case Capacity::Kind::unlimited:
      break;
  }
  return static_cast<double>(meter_.carried_bytes().v);
}

double Bottleneck::counted_total(Time now) const {
  switch (kind_) {
    case Capacity::Kind::constant:
      return counted_earlier_ + (now > meter_.from() ? offered_since(meter_.from(), now) : 0);
    case Capacity::Kind::trace:
      return counted_earlier_ + static_cast<double>(counted_);
    case Capacity::Kind::unlimited:
      break;
  }
  return capacity_total(now);
}

LinkSummary Bottleneck::summary(Time now) const {
  return meter_.summary(now, counted_total(now), queue_->packets() + in_service_packets(), queue_->marked_packets());
}

}  // namespace paceline
