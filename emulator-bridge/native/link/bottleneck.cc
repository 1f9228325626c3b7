#include "link/bottleneck.hh"

namespace paceline {
namespace {

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
      ns_per_byte_{capacity.kind == Capacity::Kind::constant ? 8e9 / capacity.rate.bps : 0},
      trace_{capacity.trace},
      schedule_{trace_ ? *trace_ : placeholder(), trace_ ? capacity.offset_ms : 0} {
  if (kind_ != Capacity::Kind::trace) return;
  DeliverySchedule before = schedule_;
  for (; before.next() < from; before.advance()) offered_before_ += kMtu.v * before.count();
}

void Bottleneck::on_drop(const Packet& packet, Time now) {
  meter_.dropped();
  if (drops_) drops_->on_drop(packet, now);
}

void Bottleneck::begin_service(Time now) {
  if (now > service_end_) ns_fraction_ = 0;  // the link was idle
  serving_ = queue_->dequeue(in_service_, now, *this);
  if (!serving_) return;
  const double service = static_cast<double>(in_service_.size) * ns_per_byte_ + ns_fraction_;
  const auto whole = static_cast<int64_t>(service);
  ns_fraction_ = service - static_cast<double>(whole);
  service_begin_ = now;
  service_end_ = now + Duration{whole};
}

double Bottleneck::capacity_total(Time now) const {
  switch (kind_) {
    case Capacity::Kind::constant:
      return static_cast<double>(now.ns) / ns_per_byte_;
    case Capacity::Kind::trace:
      return static_cast<double>(offered_);
    case Capacity::Kind::unlimited:
      break;
  }
  return static_cast<double>(meter_.carried_bytes().v);
}

LinkSummary Bottleneck::summary(Time now) const {
  double capacity = capacity_total(now);
  if (kind_ == Capacity::Kind::constant) capacity = static_cast<double>((now - meter_.from()).ns) / ns_per_byte_;
  if (kind_ == Capacity::Kind::trace) capacity -= static_cast<double>(offered_before_);
  return meter_.summary(now, capacity, queue_->packets() + in_service_packets());
}

}  // namespace paceline
