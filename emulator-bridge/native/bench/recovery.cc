// Our sender over a path that does to each transmission what a script says, for `scripts/fidelity/recovery.py`, which has kernels do the same.
//
//   stdin:   <one way, ms> <a packet is written every … ms> <packets>, then lines of <segment> <copy> <ms later; below 0: lost>
//   stdout:  a line for each transmission: <ms since the start> <segment>
//
// Copy 0 is a segment's first transmission. An ACK for each packet; nothing is paced.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <utility>

#include "cca/registry.hh"
#include "transport/receiver.hh"
#include "transport/sender.hh"

namespace {

using namespace paceline;

constexpr Duration kLongest = Duration::seconds(20);

Duration millis(double ms) { return Duration::micros(static_cast<int64_t>(ms * 1000)); }

class ScriptedPath {
 public:
  ScriptedPath(const Descriptor& cca, Duration one_way, double spacing_ms, int packets)
      : one_way_{one_way},
        sender_{{.needs = unpaced(cca.needs), .source = Source{Rate::mbps(kMtu.v * 8e-3 / spacing_ms), kMtu * packets}},
                cca.make({.random = Random{1, 0, cca.id}}, Params{cca.params, {}}),
                observer_} {}

  void decide(uint64_t segment, int copy, double ms) { fates_[{segment, copy}] = ms; }

  void run() {
    for (Time now{}; (now = next_event()) <= Time::zero() + kLongest;) step(now);
  }

 private:
  static Needs unpaced(Needs needs) {
    needs.pacing = Pacing::none;
    return needs;
  }

  [[nodiscard]] Time next_event() const {
    const Time packet = packets_.empty() ? Time::never() : packets_.begin()->first;
    const Time ack = acks_.empty() ? Time::never() : acks_.begin()->first;
    return earliest(sender_.next_event(), receiver_.next_event(), packet, ack);
  }

  void step(Time now) {
    if (!packets_.empty() && packets_.begin()->first <= now) {
      if (receiver_.on_packet(packets_.extract(packets_.begin()).mapped(), now)) acknowledge(now);
    } else if (!acks_.empty() && acks_.begin()->first <= now) {
      sender_.on_ack(acks_.extract(acks_.begin()).mapped(), now);
      send(now);
    } else if (receiver_.next_event() <= now) {
      if (receiver_.on_timer(now)) acknowledge(now);
    } else {
      sender_.on_timer(now);
      send(now);
    }
  }

  void send(Time now) {
    for (Packet packet{}; sender_.poll_send(now, packet);) {
      std::printf("%.3f %llu\n", (now - Time::zero()).to_millis(), static_cast<unsigned long long>(packet.sequence));
      const auto fate = fates_.find({packet.sequence, copies_[packet.sequence]++});
      const double later = fate == fates_.end() ? 0 : fate->second;
      if (later >= 0) packets_.emplace(now + one_way_ + millis(later), packet);
    }
  }

  void acknowledge(Time now) {
    Ack ack{};
    receiver_.write_ack(ack);
    acks_.emplace(now + one_way_, ack);
  }

  Duration one_way_;
  SenderObserver observer_{};
  Sender sender_;
  Receiver receiver_{ReceiverSetup::of(TransportProfile::tcp, 0, 1), nullptr};
  std::map<std::pair<uint64_t, int>, double> fates_{};
  std::map<uint64_t, int> copies_{};
  std::multimap<Time, Packet> packets_{};
  std::multimap<Time, Ack> acks_{};
};

}  // namespace

int main(int argc, char** argv) {
  const Descriptor* cca = argc == 2 ? find_cca(argv[1]) : nullptr;
  double one_way{};
  double spacing{};
  int packets{};
  if (cca == nullptr || !(std::cin >> one_way >> spacing >> packets) || spacing <= 0 || packets <= 0) {
    std::cerr << "usage: paceline-bench-recovery ALGORITHM < SCRIPT\n";
    return EXIT_FAILURE;
  }
  ScriptedPath path{*cca, millis(one_way), spacing, packets};
  uint64_t segment{};
  int copy{};
  for (double ms{}; std::cin >> segment >> copy >> ms;) path.decide(segment, copy, ms);
  path.run();
}
