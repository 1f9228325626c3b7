// A sender never asks to be called in the past: a driver in virtual time would go back to it.
#include <doctest/doctest.h>

#include "transport/sender.hh"

using namespace paceline;

namespace {

constexpr Time kStart = Time::zero() + Duration::seconds(5);

// Wants to be called at a time that is over.
class Late final : public Controller {
 public:
  explicit Late(std::vector<Time>& ticks) : ticks_{&ticks} {}
  void on_ack(const AckEvent&) override {}
  void on_tick(Time now) override { ticks_->push_back(now); }
  [[nodiscard]] Time next_tick() const override {
    return ticks_->empty() ? Time::zero() + Duration::seconds(1) : Time::never();
  }
  [[nodiscard]] Bytes cwnd() const override { return kMtu * 2; }

 private:
  std::vector<Time>* ticks_;
};

void send_all(Sender& sender, Time now) {
  Packet packet{};
  while (sender.poll_send(now, packet)) CHECK(packet.sent == now);
}

}  // namespace

TEST_CASE("a deadline that is over is due now, not then") {
  std::vector<Time> ticks;
  SenderObserver observer;
  Sender sender{{.start = kStart, .needs = {.pacing = Pacing::none}}, std::make_unique<Late>(ticks), observer};
  CHECK(sender.next_event() == kStart);
  sender.on_timer(kStart);
  send_all(sender, kStart);
  CHECK(sender.next_event() == kStart);
  CHECK(ticks.empty());
  sender.on_timer(kStart);
  send_all(sender, kStart);
  CHECK(ticks == std::vector<Time>{kStart});
  CHECK(sender.next_event() > kStart);
}
