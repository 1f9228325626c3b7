#include "drivers/realtime_tun/tun_emulator.hh"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "drivers/realtime/priority.hh"
#include "drivers/rows.hh"

namespace paceline {

namespace {

// So many packets are read from one end before the other one has its turn.
constexpr int kReadsAtOnce = 256;

// A write costs about the same whether it holds one segment or forty, and the receiver acknowledges a write that holds
// more than one at once. So as few are joined as keep the emulator's load bounded: below 1 Gbps two, which is how often a receiver
// acknowledges anyway.
int coalesce_for(const LinkPlan& link) {
  constexpr double kMbpsPerSegment = 500;
  const auto& capacity = link.capacity;
  const Rate rate = capacity.kind == Bottleneck::Capacity::Kind::trace ? capacity.trace->mean_rate() : capacity.rate;
  return std::clamp(static_cast<int>(rate.to_mbps() / kMbpsPerSegment), 2, TunEmulator::kMostCoalesced);
}

}  // namespace

// The emulator acts at most this often. Waking up is most of what it costs at moderate rates; waiting adds to every RTT, a half
// of a percent at most.
Duration TunEmulator::least_period(const RunPlan& plan) {
  return std::clamp(plan.base_rtt() / 200, Duration::micros(50), Duration::micros(250));
}

TunEmulator::TunEmulator(const RunPlan& plan, const TunEmulatorSetup& setup, const PulseSetup& pulse, RunSink& sink)
    : plan_{plan},
      setup_{setup},
      sink_{sink},
      pulse_{pulse, sink},
      store_{setup.memory_bytes},
      path_{plan, plan.flows.size() + 1, *this, true},
      awaiting_packet_{plan.traces_await_packet},
      flows_(plan.flows.size() + 1),
      samples_{plan},
      fairness_{plan.flows.size(), plan.base_rtt(), plan.last_start(), plan.first_stop()} {
  if (setup_.coalesce == 0) setup_.coalesce = std::max(coalesce_for(plan.forward), coalesce_for(plan.reverse));
  path_.observe(setup_.observer);
  pulse_.watch(setup_.sender.fd);
  pulse_.watch(setup_.receiver.fd);
  pulse_.watch(setup_.change_fd);
  if (!awaiting_packet_) return;
  path_.way(Direction::forward).hold_traces();
  path_.way(Direction::reverse).hold_traces();
}

bool TunEmulator::run(SummaryBuilder& summary) {
  raise_priority(Role::emulator);
  for (Time due = Time::zero();; due = std::min(path_.next(), samples_.next())) {
    const std::optional<Time> now = pulse_.next(due);
    if (!now) {
      if (!setup_.summary_when_stopped) return false;
      advance(std::clamp(pulse_.clock().now(), served_, pulse_.end()));
      break;
    }
    writes_ = 0;
    advance(*now);
    write_group();
    take_change();
    read(Direction::forward);
    read(Direction::reverse);
    write_group();
    if (*now == pulse_.end()) break;
  }
  sum_up(summary);
  return true;
}

// A packet arrives when it is read: TUN has no other time for it. What was due before is served before.
void TunEmulator::read(Direction direction) {
  const int fd = end_of(direction, true).fd;
  for (int i = 0; i < kReadsAtOnce; ++i) {
    const auto into = store_.next();
    const ssize_t got = ::readv(fd, into.data(), static_cast<int>(into.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got < 0) throw std::system_error{errno, std::generic_category(), "reading from TUN"};
    const Time now = std::max(pulse_.clock().now(), served_);
    if (now > pulse_.end()) return;
    advance(now);
    if (static_cast<std::size_t>(got) > sizeof(VirtioHeader))
      take(direction, static_cast<std::size_t>(got) - sizeof(VirtioHeader), now);
  }
}

void TunEmulator::take(Direction direction, std::size_t bytes, Time now) {
  const auto shape = shape_of(store_.next_virtio(), store_.next_head(), bytes);
  if (!shape) return;  // not IPv4: the modelled path does not carry it
  if (awaiting_packet_ && direction == Direction::forward) {
    awaiting_packet_ = false;
    path_.way(Direction::forward).start_traces(now);
    path_.way(Direction::reverse).start_traces(now);
  }
  taken_ += shape->segments;
  const auto slot = store_.keep(*shape);
  if (!slot) {
    unkept_ += shape->segments;
    return;
  }
  Packet packet{.number = *slot, .sent = now, .tag = shape->connection, .ecn = shape->ecn};
  packet.flow = static_cast<uint16_t>(flow_of(direction, *shape));
  if (direction == Direction::forward) flows_[packet.flow].sent(*shape, now);
  for (uint32_t segment = 0; segment < shape->segments; ++segment) {
    packet.sequence = segment;
    packet.size = shape->headers + shape->payload(segment);
    path_.packet_in(direction, packet, now);
  }
}

std::size_t TunEmulator::flow_of(Direction direction, const PacketShape& shape) const {
  const bool forward = direction == Direction::forward;
  const uint32_t of_receiver = (forward ? shape.destination : shape.source) - setup_.first_receiver;
  const uint32_t of_sender = (forward ? shape.source : shape.destination) - setup_.first_sender;
  if (const uint32_t flow = std::min(of_receiver, of_sender); flow < plan_.flows.size()) return flow;
  const uint16_t port = forward ? shape.destination_port : shape.source_port;
  const auto flow = static_cast<std::size_t>(port - setup_.first_port);
  return port >= setup_.first_port && flow < plan_.flows.size() ? flow : plan_.flows.size();
}

void TunEmulator::advance(Time to) {
  samples_.take(to, sink_, [&](Time at, Duration interval) { sample(at, interval); });
  path_.advance(to);
  served_ = to;
}

void TunEmulator::sample(Time at, Duration interval) {
  path_.advance(at);
  write_group();
  path_.sample(at, interval, [&](uint16_t stream, std::span<const float> row) { sink_.samples(stream, at, row); });
  for (std::size_t i = 0; i < plan_.flows.size(); ++i) {
    const FlowPlan& flow = plan_.flows[i];
    if (flow.stop <= at && flow.stop > at - interval) flows_[i].stopped();
    sink_.samples(receiver_stream(i), at, columns_of(flows_[i].sample(interval)));
    if (flow.endpoints == Endpoints::foreign)
      sink_.samples(sender_stream(i), at, columns_of(flows_[i].sender_sample(interval)));
    if (setup_.ends) fairness_.ends(setup_.ends->get(i));
  }
}

void TunEmulator::take_change() {
  constexpr std::size_t kChanges = 2;  // the third that is watched
  if (pulse_.readable(kChanges)) path_.take_change(setup_.change_fd, served_, sink_);
}

void TunEmulator::packet_out(Direction direction, const Packet& packet, Time scheduled) {
  const auto slot = static_cast<uint32_t>(packet.number);
  const bool joins = group_.count > 0 && group_.count < most_together() && group_.direction == direction &&
                     group_.slot == slot && group_.first + group_.count == packet.sequence && group_.ecn == packet.ecn;
  if (!joins) {
    write_group();
    group_.direction = direction;
    group_.slot = slot;
    group_.first = static_cast<uint32_t>(packet.sequence);
    group_.ecn = packet.ecn;
    group_.flow = packet.flow;
    group_.arrived = packet.sent;
  }
  group_.scheduled[group_.count++] = scheduled;
  if (direction == Direction::forward && packet.flow < plan_.flows.size()) {
    const Bytes fresh = flows_[packet.flow].arrives(store_[slot].shape, group_.first + group_.count - 1, scheduled);
    fairness_.add(packet.flow, fresh, scheduled);
  }
}

// The more has to leave at once, the more is written together: a millisecond with hundreds of opportunities must not be over before
// all of it is written.
uint32_t TunEmulator::most_together() const {
  constexpr int kWritesBeforeMore = 16;
  if (setup_.coalesce == 1) return 1;
  const int most = setup_.coalesce * (1 + writes_ / kWritesBeforeMore);
  return static_cast<uint32_t>(std::min(most, kMostCoalesced));
}

void TunEmulator::packet_gone(Direction direction, const Packet& packet) {
  if (direction == Direction::forward)
    flows_[packet.flow].lost(store_[static_cast<uint32_t>(packet.number)].shape,
                             static_cast<uint32_t>(packet.sequence));
  store_.release(static_cast<uint32_t>(packet.number), 1);
}

void TunEmulator::packet_copied(Direction, Packet& copy) { store_.retain(static_cast<uint32_t>(copy.number)); }

void TunEmulator::write_group() {
  if (group_.count == 0) return;
  ++writes_;
  const PacketStore::Stored& stored = store_[group_.slot];
  std::array<std::byte, kLongestHeaders> headers{};
  VirtioHeader virtio = write_headers(headers, stored.shape, stored.virtio, store_.head(group_.slot), group_.first,
                                      group_.count, group_.ecn);
  std::array<iovec, PacketStore::kChunksOfLargest + 3> out{};
  out[0] = {.iov_base = &virtio, .iov_len = sizeof virtio};
  out[1] = {.iov_base = headers.data(), .iov_len = stored.shape.headers};
  const std::size_t pieces = store_.pieces(group_.slot, stored.shape.payload_offset(group_.first),
                                           stored.shape.payload(group_.first, group_.count), std::span{out}.subspan(2));
  const int fd = end_of(group_.direction, false).fd;
  ssize_t written = 0;
  do {
    written = ::writev(fd, out.data(), static_cast<int>(pieces + 2));
  } while (written < 0 && errno == EINTR);
  if (written < 0) {
    unwritten_ += group_.count;
    if (write_error_.empty()) write_error_ = std::generic_category().message(errno);
  }
  const Time now = pulse_.clock().now();
  for (uint32_t i = 0; i < group_.count; ++i) pulse_.lateness().served(now - group_.scheduled[i]);
  left(stored, now);
  store_.release(group_.slot, static_cast<uint16_t>(group_.count));
  group_.count = 0;
}

void TunEmulator::left(const PacketStore::Stored& stored, Time now) {
  TunFlow& flow = flows_[group_.flow];
  if (group_.direction == Direction::forward) {
    flow.delayed(stored.shape, group_.first, group_.count, now - group_.arrived);
  } else if (const auto rtt = flow.acknowledged(stored.shape, store_.head(group_.slot), now)) {
    if (group_.flow < plan_.flows.size()) setup_.rtts->set(group_.flow, *rtt);
  }
}

// A flow that ended by itself lasted until the last of its data had arrived.
Duration TunEmulator::running(std::size_t flow) const {
  const FlowPlan& plan = plan_.flows[flow];
  Time stop = std::min(plan.stop, pulse_.end());
  if (setup_.ends) stop = std::min(stop, std::max(setup_.ends->get(flow), flows_[flow].last_arrival()));
  return std::max(stop - plan.start, Duration::zero());
}

UnmodelledLosses TunEmulator::losses() const {
  UnmodelledLosses all{.packets = taken_};
  const auto add = [&](const std::string& what, uint64_t packets) {
    if (packets == 0) return;
    all.lost += packets;
    all.where += (all.where.empty() ? "" : ", ") + what + " " + std::to_string(packets);
  };
  for (const DropCount& count : setup_.sender.drops->read()) add("sender's end " + count.where, count.packets);
  for (const DropCount& count : setup_.receiver.drops->read()) add("receiver's end " + count.where, count.packets);
  add("no memory in the emulator", unkept_);
  add("refused by TUN (" + write_error_ + ")", unwritten_);
  return all;
}

void TunEmulator::sum_up(SummaryBuilder& summary) {
  summary.path(path_, served_);
  for (std::size_t i = 0; i < plan_.flows.size(); ++i) {
    const TunFlow& flow = flows_[i];
    summary.received(i, flow.received(), flow.received_in_time(), running(i));
    summary.one_way(i, flow.delays());
    if (plan_.flows[i].endpoints == Endpoints::foreign_telling) continue;
    summary.sent(i, flow.sent());
    summary.rtts(i, flow.rtts());
  }
  summary.fairness(fairness_, served_);
  summary.lateness(pulse_.summary(losses(), served_, -1));
}

}  // namespace paceline
