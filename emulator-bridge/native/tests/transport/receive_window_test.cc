// The receive window stops a flow that nothing else stops.

#include <doctest/doctest.h>

#include "tests/transport/pipe.hh"

using namespace paceline;
using namespace paceline::testing;

TEST_CASE("no more than the receive window is outstanding, and an acknowledgement opens it again") {
  SenderObserver nobody;
  Sender sender{{.needs = {.pacing = Pacing::none}, .receive_window = kMtu * 20},
                std::make_unique<NotingController>(1000),
                nobody};
  sender.on_timer(Time::zero());
  Packet packet{};
  int sent = 0;
  while (sender.poll_send(Time::zero(), packet)) ++sent;
  CHECK(sent == 20);

  Ack ack{};
  ack.cumulative = 5;
  ack.echo_sequence = ack.echo_number = 4;
  sender.on_ack(ack, Time::zero() + Duration::millis(20));
  while (sender.poll_send(Time::zero() + Duration::millis(21), packet)) ++sent;
  CHECK(sent == 25);
}
