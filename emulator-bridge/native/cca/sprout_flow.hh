#pragma once
// What Sprout and Sprout-EWMA share: a receiver that counts arrivals tick by tick and sends a forecast back, and a sender that
// spends it (keithw/sprout src/network/sproutconn.cc and src/examples/sproutbt2.cc; docs/reference.md 6.3).

#include <array>
#include <cstring>
#include <memory>

#include "cca/registry.hh"
#include "cca/send_budget.hh"
#include "core/ring.hh"

namespace paceline {

inline constexpr std::size_t kSproutHorizon = 8;  // ticks

// What an acknowledgement carries.
struct SproutForecast {
  uint64_t received_or_lost{};                   // packets that are not under way any more
  uint32_t tick{};                               // of the receiver; 0: no forecast yet
  std::array<uint32_t, kSproutHorizon> units{};  // that will have arrived after 1, 2 … ticks
  float rate{};                                  // units per second believed in
  float outage{};                                // probability; NaN: not known
};
static_assert(sizeof(SproutForecast) <= kMaxFeedbackBytes);

// How many units the next ticks will bring.
class SproutForecaster {
 public:
  SproutForecaster() = default;
  SproutForecaster(const SproutForecaster&) = delete;
  SproutForecaster& operator=(const SproutForecaster&) = delete;
  virtual ~SproutForecaster() = default;

  virtual void skip() {}                     // a tick in which nothing was to be expected
  virtual void observe(uint32_t units) = 0;  // a tick in which so many arrived
  virtual void forecast(SproutForecast& into) = 0;
};

struct SproutUnits {
  // The authors count 1400 bytes as one and send 1440 for each; their largest rate of 1000 a second is 11.2 Mbps. For faster links
  // the unit is larger.
  static constexpr double kCountedShare = 1400.0 / 1440;
  static constexpr double kAuthorsMbps = 11.2;

  explicit SproutUnits(double max_rate_mbps) : packets{max_rate_mbps / kAuthorsMbps} {}
  // Units that so many packets are: rounded, but something is never nothing.
  [[nodiscard]] uint32_t counted(uint32_t arrived) const {
    if (arrived == 0) return 0;
    return std::max(static_cast<uint32_t>(static_cast<double>(arrived) / (packets * kCountedShare) + 0.5), 1U);
  }
  double packets{};  // sent per unit of the forecast
};

// Counts what arrived or is lost: what was sent 10 ms before something that arrived, and did not arrive yet, never will.
class SproutArrivals {
 public:
  void add(uint64_t number, Time sent);
  [[nodiscard]] uint64_t received_or_lost() const { return mark_ + beyond_; }

 private:
  static constexpr Duration kPatience = Duration::millis(10);
  static constexpr Time kNotArrived = Time::never();

  WindowRing<Time> sent_{1024};  // when what arrived of [mark, end) was sent
  uint64_t mark_{};              // everything before has arrived or is lost
  uint64_t end_{};
  uint64_t beyond_{};  // arrived after the mark
};

class SproutReceiver final : public ReceiverAgent {
 public:
  SproutReceiver(const Params& params, std::unique_ptr<SproutForecaster> forecaster)
      : units_{params.number("max_rate_mbps")},
        tick_{Duration::seconds(params.number("tick_ms") / 1e3)},
        forecaster_{std::move(forecaster)} {
    next_forecast();  // what is believed before anything arrived
  }

  void on_packet(const ReceivedPacket& packet) override;
  void on_tick(Time now) override;
  [[nodiscard]] Time next_tick() const override { return tick_end_; }
  [[nodiscard]] bool wants_ack() const override { return due_; }
  std::size_t feedback(std::span<std::byte> out) override;

 private:
  void next_forecast() {
    ++message_.tick;
    forecaster_->forecast(message_);
  }

  SproutUnits units_;
  Duration tick_;
  std::unique_ptr<SproutForecaster> forecaster_;
  SproutArrivals arrivals_{};
  SproutForecast message_{};
  Time tick_end_{Time::never()};  // until the first packet arrives
  Time quiet_until_{};            // the sender said it would send nothing before
  uint32_t arrived_{};            // packets in this tick
  bool due_{true};
};

class SproutSender final : public Controller {
 public:
  SproutSender(const Setup& setup, const Params& params);

  void on_sent(const SentPacket& packet) override;
  void on_ack(const AckEvent& ack) override;
  void on_loss(const LossEvent& loss) override { budget_.in_flight(loss.inflight); }
  void on_timeout(const TimeoutEvent& timeout) override { budget_.in_flight(timeout.inflight); }
  void on_tick(Time now) override;
  [[nodiscard]] Time next_tick() const override { return std::min(next_step_, fallback_); }

  [[nodiscard]] Bytes cwnd() const override { return budget_.cwnd(); }
  [[nodiscard]] bool may_send(Time) const override { return budget_.may_send(); }
  [[nodiscard]] Rate pacing_rate() const override { return pace_; }
  // What the receiver may expect (ms): after the last packet of what may be sent now, perhaps nothing for a while.
  [[nodiscard]] uint64_t tag() const override { return budget_.packets() < 2 ? kFallback.ns / 1'000'000 : 0; }
  [[nodiscard]] std::string_view phase() const override;
  void internals(std::span<float> out) const override { told().tell(*this, out); }
  [[nodiscard]] static const Internals<SproutSender>& told();

 private:
  static constexpr Duration kFallback = Duration::millis(50);

  template <class Value>
  [[nodiscard]] float if_forecast(Value value) const {
    return if_known(latest_.tick > 0, value);
  }
  [[nodiscard]] double forecast(std::size_t tick) const;  // packets that leave the queue until then
  void spend(Time now);

  Bytes mss_{};
  SproutUnits units_;
  std::size_t ahead_{};
  Duration tick_{};
  bool over_subtract_{};
  bool paced_{};

  SendBudget budget_;
  SproutForecast latest_{};
  Time received_{};     // the forecast
  std::size_t step_{};  // ticks of it that are over
  double queued_{};     // packets believed to be under way
  uint64_t sent_{};
  Rate pace_{};
  Time next_step_{Time::never()};
  Time fallback_;
};

[[nodiscard]] std::vector<ParamSpec> sprout_params(std::vector<ParamSpec> own);
[[nodiscard]] Needs sprout_needs(const Params& params);

}  // namespace paceline
