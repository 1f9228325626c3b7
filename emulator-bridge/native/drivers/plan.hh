#pragma once
// A run, everything resolved: the manifest as the drivers need it.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cca/registry.hh"
#include "core/params.hh"
#include "core/units.hh"
#include "metrics/message_meter.hh"
#include "path/plan.hh"
#include "path/way_setup.hh"
#include "transport/handshake.hh"
#include "transport/receiver.hh"
#include "transport/source.hh"

namespace paceline {

// Who is at the ends of a flow.
enum class Endpoints : uint8_t {
  built_in,        // our transport, or the kernel's TCP
  foreign,         // other programs; what their sender does is told as far as the link sees it
  foreign_telling  // other programs, whose sender writes its part of the telemetry itself
};

// The CCA of other programs, of which nothing but the name is known here.
struct ForeignCca {
  explicit ForeignCca(std::string name) : id{std::move(name)} {
    descriptor.id = id;
    descriptor.label = id;
    descriptor.kind = Kind::foreign;
  }
  ForeignCca(const ForeignCca&) = delete;
  ForeignCca& operator=(const ForeignCca&) = delete;

  std::string id;
  Descriptor descriptor{};
};

struct FlowPlan {
  const Descriptor* cca{};
  Endpoints endpoints{};
  std::shared_ptr<const ForeignCca> foreign_cca{};  // what `cca` is then
  Params params{{}, {}};
  Time start{};
  Time stop{Time::never()};
  Duration extra_rtt{};  // on the acknowledgements' way
  std::size_t joins{};   // where in the forward path its data enter
  TransportProfile profile{TransportProfile::tcp};
  int ack_every{2};
  bool linux_acks{};                  // TCP: the receiver acknowledges as Linux does
  Bytes window_limit{Bytes::zero()};  // receive window, in bytes of data; zero: what TCP can offer at most
  Rate source_rate{};                 // zero: endless, unless the application is one of these
  Source::Missed source_missed{};     // at that rate
  std::shared_ptr<const OnOffPlan> on_off{};
  std::shared_ptr<const MessagePlan> messages{};
  bool ecn{};  // SenderSetup::ecn
  Handshake handshake{};
  Agent* agent{};  // Setup::agent; outlives the run
};

struct RunPlan {
  Duration duration{};
  Duration sample_period{Duration::millis(10)};
  uint64_t seed{};
  bool traces_await_packet{};  // their clock begins with the first packet, not with the run
  LinkPlan forward{};
  LinkPlan reverse{};
  std::vector<FlowPlan> flows{};

  [[nodiscard]] Duration base_rtt() const { return forward.least_delay() + reverse.least_delay(); }
  // When a flow's time is over.
  [[nodiscard]] Time end_of(const FlowPlan& flow) const { return std::min(flow.stop, Time::zero() + duration); }
  [[nodiscard]] Duration base_rtt(const FlowPlan& flow) const {
    return forward.least_delay(flow.joins) + reverse.least_delay() + flow.extra_rtt;
  }
  [[nodiscard]] Duration base_one_way(const FlowPlan& flow) const { return forward.least_delay(flow.joins); }
  // From here on capacity, utilisation and the queue's mean count.
  [[nodiscard]] Time first_start() const {
    Time first = Time::never();
    for (const FlowPlan& flow : flows) first = flow.start < first ? flow.start : first;
    return first;
  }
  // Between these two all flows run.
  [[nodiscard]] Time last_start() const {
    Time last{};
    for (const FlowPlan& flow : flows) last = flow.start > last ? flow.start : last;
    return last;
  }
  [[nodiscard]] Time first_stop() const {
    Time first = Time::zero() + duration;
    for (const FlowPlan& flow : flows) first = flow.stop < first ? flow.stop : first;
    return first;
  }
};

// The parts that every driver builds alike; random processes have streams of their own.
[[nodiscard]] const LinkPlan& link_of(const RunPlan& plan, Direction direction);
// One direction of the path. Packets have a flow from 0 to `flows` - 1; those of the plan have their extra RTT on the way back.
// `flows_by_tag`: see QueueSetup.
[[nodiscard]] WaySetup way_setup(const RunPlan& plan, Direction direction, std::size_t flows,
                                 bool flows_by_tag = false);
[[nodiscard]] Source make_source(const RunPlan& plan, std::size_t flow);
// None unless the flow's application writes messages.
[[nodiscard]] std::optional<MessageMeter> make_message_meter(const RunPlan& plan, std::size_t flow);
[[nodiscard]] std::optional<OfferedMessages> offered_messages(const RunPlan& plan, std::size_t flow,
                                                              const Source& source);
// SenderSetup::receive_window: bytes on the wire of the packets whose data fill the flow's window.
[[nodiscard]] Bytes receive_window(const FlowPlan& flow);
[[nodiscard]] ReceiverSetup receiver_setup(const RunPlan& plan, std::size_t flow);
[[nodiscard]] Setup controller_setup(const RunPlan& plan, std::size_t flow);
// SenderSetup::controller_when_open.
[[nodiscard]] std::function<std::unique_ptr<Controller>(Time, Duration)> controller_when_open(const RunPlan& plan,
                                                                                              std::size_t flow);

}  // namespace paceline
