#include "cca/sprout_flow.hh"

#include <algorithm>
#include <cmath>

namespace paceline {

void SproutArrivals::add(uint64_t number, Time sent) {
  if (number < mark_) return;  // had been given up
  sent_.reserve(mark_, number + 1);
  for (; end_ <= number; ++end_) sent_[end_] = kNotArrived;
  if (sent_[number] != kNotArrived) return;
  sent_[number] = sent;
  ++beyond_;
  const Time given_up = sent - kPatience;
  for (uint64_t i = mark_; i < end_; ++i) {
    if (sent_[i] == kNotArrived) continue;
    if (sent_[i] > given_up) break;
    mark_ = i + 1;  // and all the holes before
    --beyond_;
  }
}

void SproutReceiver::on_packet(const ReceivedPacket& packet) {
  if (tick_end_.is_never()) tick_end_ = packet.now + tick_;
  ++arrived_;
  arrivals_.add(packet.number, packet.sent);
  quiet_until_ = std::max(quiet_until_, tick_end_ - tick_ + Duration::millis(static_cast<int64_t>(packet.tag)));
}

void SproutReceiver::on_tick(Time now) {
  const bool expected = tick_end_ - tick_ >= quiet_until_;
  if (expected || arrived_ > 0) {
    forecaster_->observe(units_.counted(arrived_));
  } else {
    forecaster_->skip();
  }
  arrived_ = 0;
  tick_end_ = now + tick_;
  next_forecast();
  due_ = true;
}

std::size_t SproutReceiver::feedback(std::span<std::byte> out) {
  due_ = false;
  message_.received_or_lost = arrivals_.received_or_lost();
  std::memcpy(out.data(), &message_, sizeof message_);
  return sizeof message_;
}

SproutSender::SproutSender(const Setup& setup, const Params& params)
    : mss_{setup.mss},
      units_{params.number("max_rate_mbps")},
      ahead_{static_cast<std::size_t>(params.integer("target_ticks"))},
      tick_{Duration::seconds(params.number("tick_ms") / 1e3)},
      over_subtract_{params.flag("sub_author_quirk")},
      paced_{params.choice("pacing") == "on"},
      budget_{setup.mss},
      fallback_{setup.now} {
  budget_.set(1);
}

void SproutSender::on_sent(const SentPacket& packet) {
  budget_.on_sent(packet);
  ++sent_;
  queued_ += 1;
  fallback_ = packet.now + kFallback;
}

void SproutSender::on_ack(const AckEvent& ack) {
  budget_.in_flight(ack.inflight);
  if (ack.feedback.size() < sizeof(SproutForecast)) return;
  SproutForecast news;
  std::memcpy(&news, ack.feedback.data(), sizeof news);
  if (news.tick <= latest_.tick) return;  // the same one again, or an older one that was overtaken
  latest_ = news;
  received_ = ack.now;
  step_ = 0;
  queued_ = static_cast<double>(sent_ - std::min(sent_, news.received_or_lost));
  spend(ack.now);
}

void SproutSender::on_tick(Time now) {
  if (now >= next_step_) spend(now);
  if (now >= fallback_) {  // the window stayed closed: one packet all the same, so that the receiver learns something
    fallback_ = now + kFallback;
    budget_.set(std::max(budget_.packets(), 1.0));
  }
}

double SproutSender::forecast(std::size_t tick) const {
  return tick == 0 ? 0 : units_.packets * static_cast<double>(latest_.units[std::min(tick, kSproutHorizon) - 1]);
}

// Moves on to the tick of the forecast in which `now` lies, and grants what the queue will have drained in time.
void SproutSender::spend(Time now) {
  const auto over = static_cast<std::size_t>((now - received_).ns / tick_.ns);
  while (step_ < std::min(over, kSproutHorizon - 1)) {
    const double left = over_subtract_ ? forecast(step_ + 1) : forecast(step_ + 1) - forecast(step_);
    queued_ = std::max(0.0, queued_ - left);
    ++step_;
  }
  next_step_ = step_ + 1 < kSproutHorizon ? received_ + tick_ * static_cast<int64_t>(step_ + 1) : Time::never();
  const double window = forecast(step_ + 1 + ahead_) - forecast(step_ + 1) - queued_;
  budget_.set(window);
  pace_ = paced_ ? Rate::of(Bytes::packets(std::max(budget_.packets(), 1.0), mss_), tick_) : Rate::zero();
}

std::string_view SproutSender::phase() const { return latest_.tick == 0 ? "start" : "forecast"; }

Needs sprout_needs(const Params& params) {
  return {.pacing = params.choice("pacing") == "on" ? Pacing::own : Pacing::none, .prr = false};
}

std::vector<ParamSpec> sprout_params(std::vector<ParamSpec> own) {
  std::vector<ParamSpec> all{
      {.name = "max_rate_mbps",
       .label = "Largest rate",
       .unit = "Mbps",
       .initial = SproutUnits::kAuthorsMbps,
       .min = 1,
       .max = 20'000,
       .help = "What the forecast reaches at most; the authors' 11.2 is for LTE of 2013. More makes the unit of "
               "counting larger "
               "than a packet."},
      {.name = "target_ticks",
       .label = "Target delay",
       .type = ParamType::integer,
       .unit = "ticks",
       .initial = 5,
       .min = 1,
       .max = 7,
       .help =
           "A packet is sent if it will have left the queue within so many ticks, with the forecast's certainty; 5 are "
           "100 ms."},
      {.name = "tick_ms",
       .label = "Tick",
       .unit = "ms",
       .initial = 20,
       .min = 10,
       .max = 40,
       .help = "How often arrivals are counted and a forecast is made."},
      {.name = "sub_author_quirk",
       .label = "Subtract as released",
       .type = ParamType::boolean,
       .unit = "",
       .initial = 0,
       .max = 1,
       .help = "The released program lets the queue it assumes shrink by the whole forecast at each tick, not by the "
               "tick's "
               "share."},
      {.name = "pacing",
       .label = "Pacing",
       .type = ParamType::choice,
       .unit = "",
       .initial = 1,
       .choices = {"on", "off"},
       .help = "On: what may be sent is spread over a tick. The released program sends it at once."},
  };
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

const Internals<SproutSender>& SproutSender::told() {
  using Sender = const SproutSender&;
  static const Internals<SproutSender> all{{
      {"forecast_1_packets", "forecast: 1 tick", "packets", [](Sender s) { return s.if_forecast(s.forecast(1)); }},
      {"forecast_2_packets", "forecast: 2 ticks", "packets", [](Sender s) { return s.if_forecast(s.forecast(2)); }},
      {"forecast_3_packets", "forecast: 3 ticks", "packets", [](Sender s) { return s.if_forecast(s.forecast(3)); }},
      {"forecast_4_packets", "forecast: 4 ticks", "packets", [](Sender s) { return s.if_forecast(s.forecast(4)); }},
      {"forecast_5_packets", "forecast: 5 ticks", "packets", [](Sender s) { return s.if_forecast(s.forecast(5)); }},
      {"forecast_6_packets", "forecast: 6 ticks", "packets", [](Sender s) { return s.if_forecast(s.forecast(6)); }},
      {"forecast_7_packets", "forecast: 7 ticks", "packets", [](Sender s) { return s.if_forecast(s.forecast(7)); }},
      {"forecast_8_packets", "forecast: 8 ticks", "packets", [](Sender s) { return s.if_forecast(s.forecast(8)); }},
      {"believed_rate_packets_per_s", "rate believed in", "packets/s",
       [](Sender s) { return s.if_forecast(s.latest_.rate * static_cast<float>(s.units_.packets)); }},
      {"outage_probability", "probability of an outage", "", [](Sender s) { return s.if_forecast(s.latest_.outage); }},
      {"assumed_queue_packets", "packets: under way, as assumed", "packets", [](Sender s) { return s.queued_; }},
      {"budget_packets", "packets: may be sent now", "packets", [](Sender s) { return s.budget_.packets(); }},
  }};
  return all;
}

}  // namespace paceline
