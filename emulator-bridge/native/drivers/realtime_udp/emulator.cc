#include <memory>
#include <string>

#include "drivers/ack_pool.hh"
#include "drivers/realtime/path.hh"
#include "drivers/realtime/priority.hh"
#include "drivers/realtime/pulse.hh"
#include "drivers/realtime/sampling.hh"
#include "drivers/realtime_udp/messages_under_way.hh"
#include "drivers/realtime_udp/session.hh"
#include "drivers/realtime_udp/wire.hh"
#include "drivers/summary_builder.hh"
#include "metrics/fairness.hh"
#include "transport/receiver.hh"

namespace paceline {

namespace {

class Emulator final : private PathOutput {
 public:
  explicit Emulator(const Session& session)
      : session_{session},
        plan_{session.plan},
        socket_{session.socket},
        pulse_{session.pulse(), session.sink},
        path_{plan_, plan_.flows.size(), *this},
        next_slot_{acks_.take()},
        data_gaps_(plan_.flows.size()),
        ack_gaps_(plan_.flows.size()),
        data_hops_(plan_.flows.size()),
        messages_(plan_.flows.size()),
        ack_hops_(plan_.flows.size()),
        samples_{plan_},
        fairness_{plan_.flows.size(), plan_.base_rtt(), plan_.last_start(), plan_.first_stop()} {
    pulse_.watch(socket_.fd());
    pulse_.watch(session.change_fd);
    scheduled_.reserve(UdpSocket::kBatch);
    for (std::size_t flow = 0; flow < plan_.flows.size(); ++flow)
      arrivals_.emplace_back(ReceiverSetup{.flow = static_cast<uint16_t>(flow)}, nullptr);
  }

  std::optional<RunSummary> run() {
    for (Time due = Time::zero();; due = std::min(path_.next(), samples_.next())) {
      const std::optional<Time> now = pulse_.next(due);
      if (!now) return std::nullopt;
      receive();
      advance(*now);
      take_change();
      send();
      if (*now == pulse_.end()) return summary();
    }
  }

 private:
  // What is read carries the time at which it came; what was due before is served before. So neither being woken late
  // nor reading in batches changes which opportunity a packet gets.
  void receive() {
    for (auto batch = socket_.receive(); !batch.empty(); batch = socket_.receive()) {
      for (const UdpSocket::Datagram& datagram : batch) take(datagram);
      if (socket_.drained()) return;
    }
  }

  void take(const UdpSocket::Datagram& datagram) {
    const Time arrived = std::max(pulse_.clock().at(datagram.arrived_ns), served_);
    if (arrived > pulse_.end()) return;
    switch (datagram_kind(datagram.header)) {
      case DatagramKind::data: {
        const auto data = read_data(datagram.header);
        if (!data || data->packet.flow >= plan_.flows.size()) return;
        data_gaps_[data->packet.flow].arrived(data->hop);
        advance(arrived);
        if (data->message) messages_[data->packet.flow].enter(data->packet.number, *data->message);
        path_.packet_in(Direction::forward, data->packet, arrived);
        return;
      }
      case DatagramKind::ack: {
        AckDatagram& ack = arriving_;
        if (!read_ack(datagram.header, ack) || ack.ack.flow >= plan_.flows.size()) return;
        ack_gaps_[ack.ack.flow].arrived(ack.hop);
        advance(arrived);
        acks_[next_slot_] = ack.ack;
        const Packet packet{.number = next_slot_, .sent = arrived, .size = ack.ack.wire_size(), .flow = ack.ack.flow};
        next_slot_ = acks_.take();
        path_.packet_in(Direction::reverse, packet, arrived);
        return;
      }
      case DatagramKind::other:
        return;
    }
  }

  void advance(Time to) {
    samples_.take(to, session_.sink, [&](Time at, Duration interval) {
      path_.advance(at);
      path_.sample(at, interval,
                   [&](uint16_t stream, std::span<const float> row) { session_.sink.samples(stream, at, row); });
    });
    path_.advance(to);
    served_ = to;
  }

  void take_change() {
    constexpr std::size_t kChanges = 1;  // the second that is watched
    if (pulse_.readable(kChanges)) path_.take_change(session_.change_fd, served_, session_.sink);
  }

  void packet_out(Direction direction, const Packet& packet, Time scheduled) override {
    if (direction == Direction::forward) return data_out(packet, scheduled);
    const auto slot = static_cast<uint32_t>(packet.number);
    ack_out(acks_[slot], scheduled);
    acks_.release(slot);
  }

  void packet_gone(Direction direction, const Packet& packet) override {
    if (direction == Direction::reverse) return acks_.release(static_cast<uint32_t>(packet.number));
    (void)messages_[packet.flow].leave(packet.number);
  }

  void packet_copied(Direction direction, Packet& copy) override {
    if (direction == Direction::forward) return;
    const uint32_t slot = acks_.take();
    acks_[slot] = acks_[static_cast<uint32_t>(copy.number)];
    copy.number = slot;
  }

  void data_out(const Packet& packet, Time scheduled) {
    const std::size_t header = write_data(
        socket_.next_header(),
        {.packet = packet, .hop = data_hops_[packet.flow]++, .message = messages_[packet.flow].leave(packet.number)});
    socket_.add(session_.go.receivers[packet.flow], header, payload_for(packet.size));
    leaves(scheduled);
    Receiver& arrivals = arrivals_[packet.flow];
    const Bytes before = arrivals.received_bytes();
    (void)arrivals.on_packet(packet, scheduled);
    fairness_.add(packet.flow, arrivals.received_bytes() - before, scheduled);
  }

  void ack_out(const Ack& ack, Time scheduled) {
    ack_.ack = ack;
    ack_.hop = ack_hops_[ack.flow]++;
    socket_.add(session_.go.senders[ack.flow], write_ack(socket_.next_header(), ack_), payload_for(ack.wire_size()));
    leaves(scheduled);
  }

  void leaves(Time scheduled) {
    scheduled_.push_back(scheduled);
    if (!socket_.unsent()) note_sent();
  }
  void send() {
    socket_.flush();
    note_sent();
  }
  void note_sent() {
    if (scheduled_.empty()) return;
    const Time now = pulse_.clock().now();
    for (const Time scheduled : scheduled_) pulse_.lateness().served(now - scheduled);
    scheduled_.clear();
  }

  [[nodiscard]] UnmodelledLosses unmodelled_losses() const {
    UnmodelledLosses losses{};
    for (const auto* all : {&data_gaps_, &ack_gaps_})
      for (const HopGaps& gaps : *all) {
        losses.lost += gaps.missing();
        losses.packets += gaps.sent();
      }
    // What the kernel dropped is missing as well, except at the very end, where no later packet shows the gap.
    losses.lost = std::max(losses.lost, socket_.dropped()) + socket_.refused();
    return losses;
  }

  RunSummary summary() {
    SummaryBuilder summary{plan_, SummaryOf::process};
    summary.path(path_, pulse_.end());
    summary.fairness(fairness_, pulse_.end());
    summary.lateness(pulse_.summary(unmodelled_losses(), pulse_.end(), -1));
    return summary.build();
  }

  const Session& session_;
  const RunPlan& plan_;
  UdpSocket& socket_;
  Pulse pulse_;
  RealtimePath path_;
  // Acknowledgements on their way; the packet that stands for one has its slot as number.
  AckPool acks_{};
  uint32_t next_slot_;
  AckDatagram ack_{};       // leaves …
  AckDatagram arriving_{};  // … while this one has been read: what is due before it is served first
  std::vector<HopGaps> data_gaps_;
  std::vector<HopGaps> ack_gaps_;
  std::vector<uint64_t> data_hops_;
  std::vector<MessagesUnderWay> messages_;
  std::vector<uint64_t> ack_hops_;
  std::vector<Time> scheduled_{};  // of the packets in the socket's batch
  Time served_{};                  // up to here everything has happened
  SampleTimes samples_;
  FairnessMeter fairness_;
  std::vector<Receiver> arrivals_{};  // knows which packets are first arrivals; nothing is acknowledged from here
};

}  // namespace

std::optional<RunSummary> run_emulator(const Session& session) {
  raise_priority(Role::emulator);
  return std::make_unique<Emulator>(session)->run();
}

}  // namespace paceline
