#include <memory>
#include <stdexcept>
#include <string>

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
#include "transport/sender.hh"

namespace paceline {

namespace {

// A timer that fires late must not cost the flow its rate: so much lost time the pacer makes up for.
constexpr Duration kPacingCredit = Duration::micros(200);

class SenderProcess {
 public:
  SenderProcess(const Session& session, std::size_t flow)
      : session_{session},
        plan_{session.plan},
        flow_{plan_.flows[flow]},
        number_{static_cast<uint16_t>(flow)},
        socket_{session.socket},
        pulse_{session.pulse(), session.sink},
        events_{static_cast<int>(flow), session.sink, phases_},
        sender_{{.flow = number_,
                 .start = flow_.start,
                 .stop = flow_.stop,
                 .needs = needs_of(*flow_.cca, flow_.params),
                 .profile = flow_.profile,
                 .receive_window = receive_window(flow_),
                 .source = make_source(plan_, flow),
                 .ecn = flow_.ecn,
                 .pacing_credit = kPacingCredit,
                 .handshake = flow_.handshake,
                 .controller_when_open = controller_when_open(plan_, flow)},
                flow_.cca->make(controller_setup(plan_, flow), flow_.params),
                events_},
        row_(telemetry::kSenderColumns.size() + flow_.cca->internals.size()),
        samples_{plan_} {
    pulse_.watch(socket_.fd());
  }

  std::optional<RunSummary> run() {
    for (Time due = Time::zero();; due = std::min(sender_.next_event(), samples_.next())) {
      const std::optional<Time> now = pulse_.next(due);
      if (!now) return std::nullopt;
      receive(*now);
      happens(*now);
      socket_.flush();
      if (*now == pulse_.end()) return summary();
    }
  }

 private:
  void receive(Time now) {
    for (auto batch = socket_.receive(); !batch.empty(); batch = socket_.receive()) {
      for (const UdpSocket::Datagram& datagram : batch) {
        if (!read_ack(datagram.header, ack_) || ack_.ack.flow != number_) continue;
        gaps_.arrived(ack_.hop);
        const Time arrived = std::max(std::min(pulse_.clock().at(datagram.arrived_ns), now), reached_);
        take_samples(arrived);
        reached_ = arrived;
        sender_.on_ack(ack_.ack, arrived);
        pump();
      }
      if (socket_.drained()) return;
    }
  }

  // Timers and samples that are due by now.
  void happens(Time now) {
    while (sender_.next_event() <= now) {
      reached_ = std::max(reached_, sender_.next_event());
      sender_.on_timer(reached_);
      pump();
    }
    take_samples(now);
  }

  // Packets leave now, whatever the time of what released them.
  void pump() {
    Packet packet{};
    reached_ = std::max(reached_, std::min(pulse_.clock().now(), pulse_.end()));
    while (sender_.poll_send(reached_, packet)) {
      const std::size_t header =
          write_data(socket_.next_header(),
                     {.packet = packet,
                      .hop = hops_++,
                      .message = packet.has_data() ? sender_.source().ending_at(packet.sequence) : std::nullopt});
      socket_.add(session_.go.emulator, header, payload_for(packet.size));
    }
  }

  void take_samples(Time now) {
    samples_.take(now, session_.sink, [&](Time at, Duration interval) {
      const auto row = meter_.sample(sender_, interval);
      const auto fixed = columns_of(row);
      std::copy(fixed.begin(), fixed.end(), row_.begin());
      tell_internals(sender_.controller(), std::span{row_}.subspan(fixed.size()));
      session_.sink.samples(sender_stream(number_), at, row_);
    });
  }

  RunSummary summary() {
    SummaryBuilder summary{plan_, SummaryOf::process};
    summary.sender(number_, sender_);
    const UnmodelledLosses losses{.lost = std::max(gaps_.missing(), socket_.dropped()) + socket_.refused(),
                                  .packets = gaps_.sent() + hops_};
    summary.sender_cpu(number_, cpu_.seconds());
    summary.lateness(pulse_.summary(losses, pulse_.end(), number_));
    return summary.build();
  }

  const Session& session_;
  const RunPlan& plan_;
  const FlowPlan& flow_;
  uint16_t number_;
  UdpSocket& socket_;
  Pulse pulse_;
  PhaseBudget phases_{};
  FlowEvents events_;
  Sender sender_;
  SenderMeter meter_{};
  std::vector<float> row_;
  SampleTimes samples_;
  Time reached_{};  // the sender has been told of everything up to here
  AckDatagram ack_{};
  HopGaps gaps_{};
  uint64_t hops_{};
  ProcessCpu cpu_{};
};

}  // namespace

std::optional<RunSummary> run_sender(const Session& session, std::size_t flow) {
  const FlowPlan& plan = session.plan.flows[flow];
  if (needs_of(*plan.cca, plan.params).channel_state)
    throw std::invalid_argument{std::string{plan.cca->label} +
                                " must be told the channel's state, which only virtual time can do"};
  raise_priority(Role::sender);
  return std::make_unique<SenderProcess>(session, flow)->run();
}

}  // namespace paceline
