#include "transport/receiver.hh"

#include <memory>

#include "drivers/flow_events.hh"
#include "drivers/realtime/cpu_time.hh"
#include "drivers/realtime/priority.hh"
#include "drivers/realtime/pulse.hh"
#include "drivers/realtime/sampling.hh"
#include "drivers/realtime_udp/session.hh"
#include "drivers/realtime_udp/wire.hh"
#include "drivers/rows.hh"
#include "drivers/summary_builder.hh"
#include "metrics/flow_meters.hh"

namespace paceline {

namespace {

class ReceiverProcess {
 public:
  ReceiverProcess(const Session& session, std::size_t flow)
      : session_{session},
        plan_{session.plan},
        flow_{plan_.flows[flow]},
        number_{static_cast<uint16_t>(flow)},
        socket_{session.socket},
        pulse_{session.pulse(), session.sink},
        messages_{make_message_meter(plan_, flow)},
        message_events_{static_cast<int>(flow), session.sink},
        receiver_{receiver_setup(plan_, number_), make_agent(flow)},
        samples_{plan_} {
    pulse_.watch(socket_.fd());
  }

  std::optional<RunSummary> run() {
    for (Time due = Time::zero();; due = std::min(receiver_.next_event(), samples_.next())) {
      const std::optional<Time> now = pulse_.next(due);
      if (!now) return std::nullopt;
      receive(*now);
      while (receiver_.next_event() <= *now) {
        reached_ = std::max(reached_, receiver_.next_event());
        if (receiver_.on_timer(reached_)) acknowledge();
      }
      passes(*now);
      socket_.flush();
      if (*now == pulse_.end()) return summary();
    }
  }

 private:
  std::unique_ptr<ReceiverAgent> make_agent(std::size_t flow) const {
    return flow_.cca->make_receiver_agent ? flow_.cca->make_receiver_agent(controller_setup(plan_, flow), flow_.params)
                                          : nullptr;
  }

  void receive(Time now) {
    for (auto batch = socket_.receive(); !batch.empty(); batch = socket_.receive()) {
      for (const UdpSocket::Datagram& datagram : batch) {
        const auto data = read_data(datagram.header);
        if (!data || data->packet.flow != number_) continue;
        gaps_.arrived(data->hop);
        const Time arrived = std::max(std::min(pulse_.clock().at(datagram.arrived_ns), now), reached_);
        passes(arrived);
        reached_ = arrived;
        if (data->packet.has_data()) meter_.arrived(arrived - data->packet.sent);
        const bool due = receiver_.on_packet(data->packet, arrived);
        if (messages_ && data->packet.has_data()) take_message(*data, arrived);
        if (due) acknowledge();
      }
      socket_.flush();
      if (socket_.drained()) return;
    }
  }

  void take_message(const DataDatagram& data, Time arrived) {
    if (data.message) messages_->ends(data.packet.sequence, *data.message);
    if (messages_->waits())
      messages_->reach(receiver_.cumulative(), arrived,
                       [&](const Message& m, Duration delay) { message_events_.whole(m, delay, arrived); });
  }

  void acknowledge() {
    do {
      answer();
    } while (receiver_.answers());
  }

  void answer() {
    receiver_.write_ack(ack_.ack);
    ack_.ack.flow = number_;
    ack_.sent = reached_;
    ack_.hop = hops_++;
    socket_.add(session_.go.emulator, write_ack(socket_.next_header(), ack_), payload_for(ack_.ack.wire_size()));
  }

  // Samples that are due, and the flow's stop.
  void passes(Time now) {
    if (now >= flow_.stop && !bytes_at_stop_) bytes_at_stop_ = receiver_.received_bytes();
    samples_.take(now, session_.sink, [&](Time at, Duration interval) {
      session_.sink.samples(receiver_stream(number_), at, columns_of(meter_.sample(receiver_, interval)));
    });
  }

  RunSummary summary() {
    SummaryBuilder summary{plan_, SummaryOf::process};
    summary.receiver(number_, receiver_, meter_, bytes_at_stop_.value_or(receiver_.received_bytes()), messages_);
    const UnmodelledLosses losses{.lost = std::max(gaps_.missing(), socket_.dropped()) + socket_.refused(),
                                  .packets = gaps_.sent() + hops_};
    summary.receiver_cpu(number_, cpu_.seconds());
    summary.lateness(pulse_.summary(losses, pulse_.end(), number_));
    return summary.build();
  }

  const Session& session_;
  const RunPlan& plan_;
  const FlowPlan& flow_;
  uint16_t number_;
  UdpSocket& socket_;
  Pulse pulse_;
  std::optional<MessageMeter> messages_;
  MessageEvents message_events_;
  Receiver receiver_;
  ReceiverMeter meter_{};
  SampleTimes samples_;
  std::optional<Bytes> bytes_at_stop_{};
  Time reached_{};
  AckDatagram ack_{};
  HopGaps gaps_{};
  uint64_t hops_{};
  ProcessCpu cpu_{};
};

}  // namespace

std::optional<RunSummary> run_receiver(const Session& session, std::size_t flow) {
  raise_priority(Role::receiver);
  return std::make_unique<ReceiverProcess>(session, flow)->run();
}

}  // namespace paceline
