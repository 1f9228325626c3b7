#pragma once
// Turns what a sender does into events of the run.

#include <cstdint>
#include <functional>
#include <string>

#include "drivers/sink.hh"
#include "transport/sender.hh"

namespace paceline {

// Some algorithms change their phase every round trip: a run lists the first ones only, and says so.
class PhaseBudget {
 public:
  static constexpr int kListed = 2000;
  enum class Verdict : uint8_t { list, last, drop };
  Verdict spend() {
    if (spent_ > kListed) return Verdict::drop;
    return spent_++ < kListed ? Verdict::list : Verdict::last;
  }

 private:
  int spent_{};
};

// Tells of a flow's messages as they become whole: of the first ones only, and says so.
class MessageEvents {
 public:
  static constexpr int kListed = 5000;

  MessageEvents(int flow, RunSink& sink) : flow_{flow}, sink_{&sink} {}

  void whole(const Message& message, Duration delay, Time now) {
    if (told_ > kListed) return;
    if (told_++ == kListed)
      return sink_->event({.time = now, .flow = flow_, .event = "message", .detail = "further ones are not listed"});
    sink_->event({.time = now,
                  .flow = flow_,
                  .event = "message",
                  .detail = std::to_string(message.bytes.v),
                  .value = delay.to_millis()});
  }

 private:
  int flow_;
  RunSink* sink_;
  int told_{};
};

class FlowEvents final : public SenderObserver {
 public:
  FlowEvents(int flow, RunSink& sink, PhaseBudget& phases) : flow_{flow}, sink_{&sink}, phases_{&phases} {}

  void on_start(Time now) override { say(now, "flow_start"); }
  void on_connected(Time now, Duration took) override { say(now, "connected", {}, took.to_millis()); }
  void on_stop(Time now) override {
    if (stopped) stopped();
    say(now, "flow_stop");
  }
  void on_episode(Time now, uint64_t packets) override { say(now, "loss_episode", {}, static_cast<double>(packets)); }
  void on_recovered(Time now, uint64_t packets) override { say(now, "recovered", {}, static_cast<double>(packets)); }
  void on_marks(Time now, uint64_t marks) override { say(now, "marked", {}, static_cast<double>(marks)); }
  void on_timeout(Time now) override { say(now, "rto"); }
  void on_phase(Time now, std::string_view name) override {
    switch (phases_->spend()) {
      case PhaseBudget::Verdict::list:
        return say(now, "phase", name);
      case PhaseBudget::Verdict::last:
        return say(now, "phase", "further phase changes of this run are not listed");
      case PhaseBudget::Verdict::drop:
        return;
    }
  }

  std::function<void()> stopped{};

 private:
  void say(Time now, std::string_view event, std::string_view detail = {}, double value = kNotMeasured) {
    sink_->event({.time = now, .flow = flow_, .event = event, .detail = detail, .value = value});
  }

  int flow_;
  RunSink* sink_;
  PhaseBudget* phases_;
};

}  // namespace paceline
