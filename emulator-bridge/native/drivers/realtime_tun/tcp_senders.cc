#include "drivers/realtime_tun/tcp_senders.hh"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

#include "drivers/flow_events.hh"
#include "drivers/realtime/cpu_time.hh"
#include "drivers/realtime/priority.hh"
#include "drivers/realtime/sampling.hh"
#include "drivers/realtime_tun/kernel_ccas.hh"
#include "drivers/realtime_tun/tcp_flow_meter.hh"
#include "drivers/realtime_tun/tcp_socket.hh"
#include "drivers/rows.hh"
#include "transport/source.hh"

namespace paceline {

namespace {

// What of a packet on the wire is data; at least a byte, so that a message that is all headers can arrive.
std::size_t payload_of(Bytes packet) {
  return packet.v > kTcpHeaders ? static_cast<std::size_t>(packet.v - kTcpHeaders) : 1;
}

// Short enough that the socket is not locked for long while acknowledgements come.
constexpr std::size_t kWrite = 128 << 10;
constexpr int kWritesAtOnce = 8;
constexpr std::array<char, kWrite> kNothing{};

// Between samples the sockets are asked so often, for events.
constexpr Duration kWatch = Duration::millis(2);

}  // namespace

class TcpSenders::Flow {
 public:
  enum class State : uint8_t { waiting, sending, over };

  Flow(const RunPlan& run, std::size_t index, std::string_view algorithm, MessageBook& shared)
      : plan{run.flows[index]},
        number{static_cast<int>(index)},
        socket{make_sender_socket(algorithm)},
        source{make_source(run, index)},
        book{shared},
        messages{make_message_meter(run, index)} {
    greedy = plan.on_off ? plan.on_off->rate.bps <= 0 : !plan.messages && plan.source_rate.bps <= 0;
    if (!greedy) send_at_once(socket.get());
    if (greedy && plan.on_off) keep_little_waiting(socket.get());
  }

  // When it must be woken, whether or not its socket can be written.
  [[nodiscard]] Time due() const {
    if (state == State::waiting) return plan.start;
    if (state == State::over) return Time::never();
    return listening && !ends_spells() ? plan.stop : std::min(plan.stop, source.ready(kMtu));
  }

  // What it may write has an end, whether or not the socket takes it.
  [[nodiscard]] bool ends_spells() const { return greedy && plan.on_off != nullptr; }

  void start(const TcpEndpoints& endpoints, int epoll, RunSink& sink, Time now) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(endpoints.first_port + number));
    to.sin_addr.s_addr = endpoints.address;
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0 && errno != EINPROGRESS)
      throw std::system_error{errno, std::generic_category(), "flow " + std::to_string(number) + ": connect"};
    poll = epoll;
    listen(EPOLL_CTL_ADD, true);
    source.start(now);
    state = State::sending;
    sink.event({.time = now, .flow = number, .event = "flow_start"});
  }

  // Writes what there is, until the socket takes no more.
  void fill(Time now) {
    if (greedy) {
      const bool writes = source.next(kMtu, now) > Bytes::zero();
      if (writes != listening) listen(EPOLL_CTL_MOD, writes);
      for (int i = 0; writes && i < kWritesAtOnce; ++i)
        if (write(kWrite) == 0) return;
      return;
    }
    for (Bytes packet = source.next(kMtu, now); packet > Bytes::zero(); packet = source.next(kMtu, now)) {
      source.take(packet, ++packets);
      owed += payload_of(packet);
      written += payload_of(packet);
      if (const auto message = source.ending_at(packets)) book.written(written, *message);
    }
    while (owed > 0) {
      const std::size_t taken = write(std::min(owed, kWrite));
      owed -= taken;
      if (taken == 0) break;
    }
    // Waits for room only while there is something to write: it would be woken all the time.
    if (const bool more = owed > 0; more != listening) listen(EPOLL_CTL_MOD, more);
  }

  // At once: what waits in the socket is not sent any more.
  void stop(RunSink& sink, Time now) {
    socket.reset();
    state = State::over;
    sink.event({.time = now, .flow = number, .event = "flow_stop"});
  }

  void observe(Time now) {
    if (state != State::sending) return;
    const TcpInfo info = read_tcp_info(socket.get());
    meter->observe(info, tells_bbr(*plan.cca) ? read_bbr_info(socket.get()) : std::nullopt, now);
    // All is acknowledged: an application that waited for that can go on.
    if (messages && owed == 0 && info.base.tcpi_unacked == 0 && info.base.tcpi_notsent_bytes == 0)
      source.arrived(packets + 1, now);
  }

  // What the receiving end has got since.
  void tell_messages(MessageEvents& events) {
    while (messages) {
      const auto whole = book.take();
      if (!whole) return;
      messages->complete(whole->message, whole->at,
                         [&](const Message& m, Duration delay) { events.whole(m, delay, whole->at); });
    }
  }

  const FlowPlan& plan;
  int number;
  FileDescriptor socket;
  Source source;
  MessageBook& book;
  std::optional<MessageMeter> messages;
  bool greedy{};  // writes as much as the socket takes
  State state{State::waiting};
  std::optional<TcpFlowMeter> meter{};
  int64_t cpu_ns{};

 private:
  void listen(int operation, bool for_room) {
    epoll_event interest{};
    if (for_room) interest.events = EPOLLOUT;
    interest.data.ptr = this;
    if (::epoll_ctl(poll, operation, socket.get(), &interest) != 0)
      throw std::system_error{errno, std::generic_category(), "epoll"};
    listening = for_room;
  }

  // How much the socket took.
  std::size_t write(std::size_t bytes) {
    const ssize_t taken = ::send(socket.get(), kNothing.data(), bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (taken > 0) return static_cast<std::size_t>(taken);
    if (errno == EAGAIN || errno == EINTR || errno == ENOTCONN) return 0;
    throw std::system_error{errno, std::generic_category(), "flow " + std::to_string(number) + " lost its connection"};
  }

  int poll{};
  bool listening{};
  std::size_t owed{};  // written by the application, not yet taken by the socket
  uint64_t written{};  // by the application, in all
  uint64_t packets{};  // if each of its packets were one of the connection
};

TcpSenders::TcpSenders(const RunPlan& plan, const TcpEndpoints& endpoints, const LatestRtts& rtts,
                       const LoadedCcas& loaded, MessageBooks& books)
    : plan_{plan}, endpoints_{endpoints}, rtts_{rtts} {
  for (std::size_t i = 0; i < plan.flows.size(); ++i)
    if (plan.flows[i].endpoints == Endpoints::built_in)
      flows_.push_back(std::make_unique<Flow>(plan, i, loaded.name_of(*plan.flows[i].cca), books[i]));
}

TcpSenders::~TcpSenders() = default;

bool TcpSenders::run(const PulseSetup& setup, RunSink& sink) {
  raise_priority(Role::sender);
  const FileDescriptor epoll{::epoll_create1(EPOLL_CLOEXEC)};
  if (!epoll) throw std::system_error{errno, std::generic_category(), "epoll"};
  Pulse pulse{setup, sink};
  pulse.watch(epoll.get());
  SampleTimes samples{plan_};
  std::vector<MessageEvents> messages;
  for (auto& flow : flows_) {
    flow->meter.emplace(flow->number, *flow->plan.cca, sink);
    messages.emplace_back(flow->number, sink);
  }

  for (Time watched{};;) {
    Time due = samples.next();
    if (!flows_.empty()) due = std::min(due, watched + kWatch);
    for (const auto& flow : flows_) due = std::min(due, flow->due());
    const std::optional<Time> now = pulse.next(due);
    if (!now) return false;
    for (auto& flow : flows_) {
      if (flow->due() > *now) continue;
      const ThreadCpuShare cpu{flow->cpu_ns};
      if (flow->state == Flow::State::waiting) {
        flow->start(endpoints_, epoll.get(), sink, *now);
      } else if (flow->plan.stop <= *now) {
        flow->observe(*now);
        flow->stop(sink, *now);
      } else {
        flow->fill(*now);
      }
    }
    std::array<epoll_event, 64> ready{};
    const int count = ::epoll_wait(epoll.get(), ready.data(), ready.size(), 0);
    for (int i = 0; i < count; ++i) {
      Flow& flow = *static_cast<Flow*>(ready[static_cast<std::size_t>(i)].data.ptr);
      if (flow.state != Flow::State::sending) continue;
      const ThreadCpuShare cpu{flow.cpu_ns};
      flow.fill(*now);
    }
    if (*now >= watched + kWatch || samples.next() <= *now) {
      watched = *now;
      for (auto& flow : flows_) flow->observe(*now);
      for (std::size_t i = 0; i < flows_.size(); ++i) flows_[i]->tell_messages(messages[i]);
    }
    samples.take(*now, sink, [&](Time at, Duration interval) {
      for (auto& flow : flows_)
        sink.samples(sender_stream(static_cast<std::size_t>(flow->number)), at,
                     flow->meter->row(flow->state == Flow::State::sending, interval,
                                      rtts_.get(static_cast<std::size_t>(flow->number))));
    });
    if (*now == pulse.end()) break;
  }
  for (std::size_t i = 0; i < flows_.size(); ++i) flows_[i]->tell_messages(messages[i]);
  return true;
}

void TcpSenders::sum_up(SummaryBuilder& summary) const {
  for (const auto& flow : flows_) {
    const auto number = static_cast<std::size_t>(flow->number);
    summary.sent(number, flow->meter->counts());
    summary.offered(number, flow->source);
    if (flow->messages) summary.messages(number, *flow->messages);
    summary.sender_cpu(number, static_cast<double>(flow->cpu_ns) * 1e-9);
  }
}

}  // namespace paceline
