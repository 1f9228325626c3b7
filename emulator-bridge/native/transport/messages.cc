#include "transport/messages.hh"

#include <algorithm>
#include <cmath>

#include "core/math.hh"

namespace paceline {
namespace {

constexpr double kLargestDraw = 1e12;  // a heavy tail must not overflow

}  // namespace

void MessageSchedule::start(Time now) {
  start_ = now;
  next_ = now;
  if (plan_.kind == MessagePlan::Kind::transfers && plan_.arrivals == MessagePlan::Arrivals::poisson)
    next_ = now + Duration::seconds(random_.exponential(plan_.interval.to_seconds()));
  if (plan_.kind == MessagePlan::Kind::replay)
    next_ = plan_.recorded->empty() ? Time::never() : now + (plan_.recorded->front().born - Time::zero());
}

Message MessageSchedule::take(Rate rate) {
  Message message{.born = next_, .bytes = {}};
  const uint64_t number = taken_++;
  switch (plan_.kind) {
    case MessagePlan::Kind::transfers:
      message.bytes = draw_size();
      if (plan_.arrivals == MessagePlan::Arrivals::after || taken_ >= plan_.count) {
        next_ = Time::never();
      } else if (plan_.arrivals == MessagePlan::Arrivals::every) {
        next_ = next_ + plan_.interval;
      } else {
        next_ = next_ + Duration::seconds(random_.exponential(plan_.interval.to_seconds()));
      }
      break;
    case MessagePlan::Kind::frames:
      message.bytes = frame_size(plan_.adapts ? std::clamp(rate, plan_.least_rate, plan_.rate) : plan_.rate);
      next_ = birth_of_frame(taken_);
      break;
    case MessagePlan::Kind::replay:
      message.bytes = (*plan_.recorded)[number].bytes;
      next_ =
          taken_ < plan_.recorded->size() ? start_ + ((*plan_.recorded)[taken_].born - Time::zero()) : Time::never();
      break;
  }
  return message;
}

void MessageSchedule::all_delivered(Time now) {
  const bool waits = plan_.kind == MessagePlan::Kind::transfers && plan_.arrivals == MessagePlan::Arrivals::after;
  if (waits && taken_ < plan_.count && next_.is_never()) next_ = now + plan_.interval;
}

uint64_t MessageSchedule::born_by(Time end) const {
  MessageSchedule ahead = *this;
  while (ahead.next_ <= end) ahead.take(plan_.least_rate);
  return ahead.taken_;
}

uint64_t MessageSchedule::due_by(Time end) const {
  if (plan_.kind != MessagePlan::Kind::frames || plan_.deadline == Duration::infinite()) return 0;
  uint64_t due = 0;
  while (birth_of_frame(due) + plan_.deadline <= end) ++due;
  return due;
}

Bytes MessageSchedule::draw_size() {
  const auto mean = static_cast<double>(plan_.mean_bytes.v);
  double size = mean;
  switch (plan_.sizes) {
    case MessagePlan::Sizes::fixed:
      return plan_.mean_bytes;
    case MessagePlan::Sizes::exponential:
      size = random_.exponential(mean);
      break;
    case MessagePlan::Sizes::pareto:  // the least is what gives the mean
      size = mean * (plan_.shape - 1) / plan_.shape * exact::pow(1 - random_.uniform(), -1 / plan_.shape);
      break;
    case MessagePlan::Sizes::lognormal:
      size = mean * exact::exp(plan_.shape * random_.normal() - plan_.shape * plan_.shape / 2);
      break;
  }
  return {std::max<int64_t>(1, static_cast<int64_t>(std::min(size, kLargestDraw)))};
}

// Over a group of `key_every` frames the mean is the rate's.
Bytes MessageSchedule::frame_size(Rate rate) const {
  const double mean = rate.bps / 8 / plan_.fps;
  const auto group = static_cast<double>(plan_.key_every);
  const double other = mean * group / (group - 1 + plan_.key_ratio);
  const bool key = (taken_ - 1) % plan_.key_every == 0;
  return {std::max<int64_t>(1, std::llround(key ? other * plan_.key_ratio : other))};
}

Time MessageSchedule::birth_of_frame(uint64_t number) const {
  return start_ + Duration{std::llround(static_cast<double>(number) * 1e9 / plan_.fps)};
}

}  // namespace paceline
