#pragma once
// A sender and a receiver joined by a path of fixed delay without a bottleneck, whose packets the test may drop or hold back.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "transport/receiver.hh"
#include "transport/sender.hh"

namespace paceline::testing {

// Holds a window, halves it (or not) on an episode, and writes down all it is told.
class NotingController final : public Controller {
 public:
  explicit NotingController(int64_t packets, bool reduces = true) : cwnd_{kMtu * packets}, reduces_{reduces} {}

  void on_ack(const AckEvent& ack) override {
    acks.push_back(ack);
    edges.emplace_back(ack.now, ack.recovery);
    rates.push_back(ack.rate);
    if (ack.recovery == Recovery::undone) {
      cwnd_ = prior_;
      ssthresh_ = prior_ssthresh_;
    }
    // QUIC has no repair of a timeout: after persistent congestion there is slow start.
    const bool restarts =
        quic ? ack.recovery != Recovery::in && ack.recovery != Recovery::entered : ack.recovery == Recovery::timeout;
    if (restarts && !timeouts.empty() && cwnd_ < ssthresh_) cwnd_ += ack.acked_bytes;
  }
  void on_loss(const LossEvent& loss) override {
    losses.push_back(loss);
    for (const LostPacket& p : loss.packets) lost_numbers.push_back(p.number);
    if (!loss.new_episode) return;
    remember();
    if (!reduces_) return;
    ssthresh_ = std::max(Bytes{cwnd_.v / 2 / kMtu.v * kMtu.v}, kMtu * 2);
    cwnd_ = ssthresh_;
  }
  void on_timeout(const TimeoutEvent& timeout) override {
    timeouts.push_back(timeout);
    if (!timeout.repeated) {
      remember();
      ssthresh_ = std::max(Bytes{cwnd_.v / 2}, kMtu * 2);
    }
    cwnd_ = timeout.inflight + kMtu * (quic ? 2 : 1);
  }
  void on_idle_restart(Time now) override { idle_restarts.push_back(now); }
  [[nodiscard]] Bytes cwnd() const override { return cwnd_; }
  [[nodiscard]] Bytes ssthresh() const override { return ssthresh_; }

  [[nodiscard]] std::size_t count(Recovery edge) const {
    std::size_t n = 0;
    for (const auto& [when, e] : edges) n += e == edge ? 1 : 0;
    return n;
  }

  bool quic{};
  std::vector<AckEvent> acks{};  // without their spans
  std::vector<std::pair<Time, Recovery>> edges{};
  std::vector<RateSample> rates{};
  std::vector<LossEvent> losses{};
  std::vector<uint64_t> lost_numbers{};
  std::vector<TimeoutEvent> timeouts{};
  std::vector<Time> idle_restarts{};

 private:
  void remember() {
    prior_ = cwnd_;
    prior_ssthresh_ = ssthresh_;
  }

  Bytes cwnd_;
  Bytes ssthresh_{Bytes::infinite()};
  Bytes prior_{};
  Bytes prior_ssthresh_{};
  bool reduces_;
};

class Pipe {
 public:
  struct Setup {
    Duration one_way{Duration::millis(50)};
    int ack_every{1};
    bool prr{true};
    TransportProfile profile{TransportProfile::tcp};
    Source source{};
    Duration spacing{};  // the path lets a packet through only this often
    Handshake handshake{};
  };

  Pipe(const Setup& setup, std::unique_ptr<NotingController> c)
      : controller{*c},
        setup_{setup},
        sender{{.needs = {.pacing = Pacing::none, .prr = setup.prr},
                .profile = setup.profile,
                .source = setup.source,
                .handshake = setup.handshake},
               std::move(c),
               observer_},
        receiver{ReceiverSetup::of(setup.profile, 0, setup.ack_every, setup.handshake), nullptr} {
    controller.quic = setup.profile != TransportProfile::tcp;
  }

  // Extra delay of a packet, or nothing: lost. `copy` counts the transmissions of the segment from 0.
  using Fate = std::function<std::optional<Duration>(const Packet&, int copy)>;
  Fate data_fate = [](const Packet&, int) { return Duration::zero(); };
  std::function<std::optional<Duration>(const Ack&)> ack_fate = [](const Ack&) { return Duration::zero(); };
  std::function<void()> after_each_step = [] {};

  void run_until(Time end) {
    for (;;) {
      Time next = std::min(sender.next_event(), receiver.next_event());
      if (!data_.empty()) next = std::min(next, data_.begin()->first);
      if (!acks_.empty()) next = std::min(next, acks_.begin()->first);
      if (next > end) break;
      now = next;
      step();
      after_each_step();
    }
    now = end;
  }

  struct Sent {
    Time at{};
    uint64_t sequence{};
    uint64_t number{};
    bool retransmission{};
    PacketKind kind{};
  };

  NotingController& controller;
  Time now{};
  std::vector<Sent> sent{};
  std::vector<std::pair<Time, Ack>> acks{};  // as they leave the receiver
  uint64_t underway() const { return data_.size(); }

 private:
  void step() {
    if (!data_.empty() && data_.begin()->first <= now) {
      const Packet packet = data_.begin()->second;
      data_.erase(data_.begin());
      if (receiver.on_packet(packet, now)) acknowledge();
    } else if (!acks_.empty() && acks_.begin()->first <= now) {
      const Ack ack = acks_.begin()->second;
      acks_.erase(acks_.begin());
      sender.on_ack(ack, now);
      pump();
    } else if (receiver.next_event() <= now) {
      if (receiver.on_timer(now)) acknowledge();
    } else {
      sender.on_timer(now);
      pump();
    }
  }

  void pump() {
    Packet packet{};
    while (sender.poll_send(now, packet)) {
      sent.push_back({now, packet.sequence, packet.number, packet.kind == PacketKind::retransmission, packet.kind});
      const auto extra = data_fate(packet, copies_[packet.sequence]++);
      Time out = now;
      if (setup_.spacing > Duration::zero()) {
        free_ = std::max(free_, now) + setup_.spacing;
        out = free_;
      }
      if (extra) data_.emplace(out + setup_.one_way + *extra, packet);
    }
  }

  void acknowledge() {
    do {
      Ack ack{};
      receiver.write_ack(ack);
      acks.emplace_back(now, ack);
      if (const auto extra = ack_fate(ack)) acks_.emplace(now + setup_.one_way + *extra, ack);
    } while (receiver.answers());
  }

  Setup setup_;
  SenderObserver observer_{};
  Time free_{};
  std::multimap<Time, Packet> data_{};
  std::multimap<Time, Ack> acks_{};
  std::map<uint64_t, int> copies_{};

 public:
  Sender sender;
  Receiver receiver;
};

}  // namespace paceline::testing
