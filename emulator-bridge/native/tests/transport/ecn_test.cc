// Marks: from the queue to the receiver, back in acknowledgements, to the controller, or answered in its stead (RFC 3168).

#include <doctest/doctest.h>

#include "tests/queue/link.hh"
#include "tests/queue/scalable.hh"
#include "transport/sender.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// What a controller is told.
class Listening final : public Controller {
 public:
  explicit Listening(uint64_t& marks) : marks_{&marks} {}
  void on_ack(const AckEvent& ack) override { *marks_ += ack.ce_packets; }
  [[nodiscard]] Bytes cwnd() const override { return kMtu * 60; }

 private:
  uint64_t* marks_;
};

RunPlan cubic_over_codel(bool ecn) {
  FlowPlan f = flow(cca("cubic"));
  f.ecn = ecn;
  return on_t1("codel", {{"ecn", true}}, {f}, 60);
}

}  // namespace

TEST_CASE("every mark that the link gives reaches the controller once, with delayed and lost acknowledgements too") {
  uint64_t told = 0;
  Descriptor d{};
  d.id = "listening";
  d.make = [&](const Setup&, const Params&) { return std::make_unique<Listening>(told); };
  for (const Ecn ecn : {Ecn::classic, Ecn::l4s}) {
    told = 0;
    d.needs = {.pacing = Pacing::none, .prr = false, .ecn = ecn};
    FlowPlan f = flow(&d, 2);
    f.stop = Time::zero() + Duration::seconds(8);
    RunPlan plan = on_t1("codel", {{"ecn", true}}, {f}, 10);
    plan.reverse.loss = 0.05;
    const Outcome o = outcome_of(plan);
    CHECK(o.link().marked_packets > 50);
    CHECK(o.link().dropped_packets == 0);
    CHECK(told >= o.link().marked_packets - 60);  // the last window's marks come after the flow's stop
    CHECK(told <= o.link().marked_packets);
  }
}

// RFC 3168 section 6.1.2: a mark counts as a loss does, and nothing has to be sent again.
TEST_CASE("with the option on Cubic answers marks as it answers losses, and loses nothing") {
  const Outcome off = outcome_of(cubic_over_codel(false));
  const Outcome on = outcome_of(cubic_over_codel(true));
  CHECK(off.link().marked_packets == 0);
  CHECK(off.link().dropped_packets > 20);
  CHECK(on.link().dropped_packets == 0);
  CHECK(on.summary.senders[0].retransmitted_packets == 0);
  CHECK(on.summary.senders[0].loss_episodes == 0);
  const auto marked = on.seen.events_named("marked");
  CHECK(marked.size() > 20);
  CHECK(marked.size() <= on.link().marked_packets);
  CHECK(on.mean("sojourn_mean_ms", 10) == doctest::Approx(off.mean("sojourn_mean_ms", 10)).epsilon(0.3));
  CHECK(on.utilisation(10) == doctest::Approx(off.utilisation(10)).epsilon(0.03));
}

// RFC 3168 section 6.1.2: once per window of data, however many of its packets are marked.
TEST_CASE("a window of marks makes the window smaller once") {
  FlowPlan f = flow(cca("newreno"));
  f.ecn = true;
  // From some queue on everything is marked: the whole window carries marks when it comes back.
  RunPlan plan = on_t1("dualpi2", {{"target_ms", 20.0}, {"alpha_hz", 100.0}, {"beta_hz", 100.0}}, {f}, 30);
  const Outcome o = outcome_of(plan);
  const auto marked = o.seen.events_named("marked");
  REQUIRE(marked.size() > 5);
  CHECK(o.link().marked_packets > 3 * marked.size());
  for (std::size_t i = 1; i < marked.size(); ++i) CHECK(marked[i].time - marked[i - 1].time >= Duration::millis(40));
  const auto cwnd = o.seen.sender_column(0, "cwnd_bytes");
  CHECK(*std::ranges::min_element(cwnd) > 4 * 1500);
}

// Algorithms that would not slow down stay without marks: BBR would take marked packets for delivered ones and go on.
TEST_CASE("an algorithm that neither knows marks nor answers losses by a smaller window stays as it is") {
  FlowPlan f = flow(cca("bbr"));
  f.ecn = true;
  const Outcome o = outcome_of(on_t1("codel", {{"ecn", true}}, {f, flow(cca("cubic"))}, 20));
  CHECK(o.link().marked_packets == 0);
  CHECK(o.link().dropped_packets > 0);
}

TEST_CASE("an acknowledgement that was overtaken does not invent marks") {
  uint64_t told = 0;
  class : public SenderObserver {
  } nobody;
  Sender sender{
      {.needs = {.pacing = Pacing::none, .prr = false, .ecn = Ecn::l4s}}, std::make_unique<Listening>(told), nobody};
  sender.on_timer(Time::zero());
  Packet packet{};
  while (sender.poll_send(Time::zero(), packet)) CHECK(packet.ecn == EcnMark::ect1);
  Ack ack{};
  ack.cumulative = 4;
  ack.ce_packets = 3;
  sender.on_ack(ack, at_ms(40));
  ack.cumulative = 2;
  ack.ce_packets = 1;
  sender.on_ack(ack, at_ms(41));
  ack.cumulative = 5;
  ack.ce_packets = 4;
  sender.on_ack(ack, at_ms(42));
  CHECK(told == 4);
}
