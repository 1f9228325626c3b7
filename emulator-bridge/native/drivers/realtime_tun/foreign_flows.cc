#include "drivers/realtime_tun/foreign_flows.hh"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "drivers/realtime_tun/contained_process.hh"
#include "drivers/realtime_tun/flow_addresses.hh"

namespace paceline {

namespace {

// How long the run waits for what is called to listen.
constexpr int64_t kListenPatience = 10'000'000'000;
constexpr int64_t kListenLook = 5'000'000;
// After the run's end: for those that know when it is, and from SIGTERM to SIGKILL.
constexpr int64_t kOwnEndPatience = 2'000'000'000;
constexpr int64_t kTerminationPatience = 500'000'000;
constexpr int64_t kMeasuredPatience = 1'000'000'000;
// How often it is looked at who waits for a processor: what ends between two looks was seen at the first of them.
constexpr int64_t kWaitsLook = 200'000'000;

// Of the last minute; less than nothing where nobody tells.
double load_average() {
  double load = -1;
  ::getloadavg(&load, 1);
  return load;
}

using Values = std::array<std::pair<std::string_view, std::string>, 5>;

Values values_for(const RunPlan& plan, std::size_t flow) {
  const Time stop = std::min(plan.flows[flow].stop, Time::zero() + plan.duration);
  std::array<char, 32> seconds{};
  std::snprintf(seconds.data(), seconds.size(), "%.9g", (stop - plan.flows[flow].start).to_seconds());
  const auto number = static_cast<uint32_t>(flow);
  return {{{"sender", dotted(kFirstForeignSender + number)},
           {"receiver", dotted(kFirstForeignReceiver + number)},
           {"port", std::to_string(kFirstForeignPort + number)},
           {"duration_s", seconds.data()},
           {"flow", std::to_string(number)}}};
}

std::string filled_in(std::string word, const Values& values) {
  for (const auto& [name, value] : values) {
    std::string place{'{'};
    place.append(name).push_back('}');
    for (std::size_t at = 0; (at = word.find(place, at)) != std::string::npos; at += value.size())
      word.replace(at, place.size(), value);
  }
  return word;
}

// Whoever is not told of the port listens elsewhere, if at all.
bool told_of_port(const ForeignEnd& end) {
  return std::ranges::any_of(end.argv, [](const std::string& word) {
    return word.find("{port}") != std::string::npos || word.find("PACELINE_PORT") != std::string::npos;
  });
}

std::string variable_of(std::string_view name) {
  std::string variable = "PACELINE_";
  for (const char c : name) variable += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return variable;
}

ForeignProgramSetup setup_for(const ForeignEnd& end, const ForeignNetwork& network, const Values& values) {
  ForeignProgramSetup setup{.network_fd = network.fd, .folder = end.folder, .pipes = end.pipes, .output = end.output};
  for (const std::string& word : end.argv) setup.words.push_back(filled_in(word, values));
  for (const auto& [name, value] : end.variables) setup.environment.push_back(name + "=" + filled_in(value, values));
  for (const auto& [name, value] : values) setup.environment.push_back(variable_of(name) + "=" + value);
  return setup;
}

std::string end_of(const ForeignProgram& program) {
  const int code = program.exit_code();
  if (code == kExitNotFound || code == kExitNotRun) return "could not be started";
  if (code > kExitSignal) return std::string{"was ended by the signal "} + ::strsignal(code - kExitSignal);
  return "ended with exit code " + std::to_string(code);
}

}  // namespace

struct ForeignFlows::Flow {
  enum class State : uint8_t { waiting, running, over };

  Flow(const RunPlan& run, std::size_t index, const ForeignFlow& flow, const ForeignNetwork& senders,
       const ForeignNetwork& receivers)
      : plan{run.flows[index]},
        number{index},
        sender{setup_for(flow.sender, senders, values_for(run, index))},
        receiver{setup_for(flow.receiver, receivers, values_for(run, index))},
        called{flow.receiver_calls ? sender : receiver},
        calling{flow.receiver_calls ? receiver : sender},
        ports{*(flow.receiver_calls ? senders : receivers).ports},
        awaited{!called.piped() && told_of_port(flow.receiver_calls ? flow.sender : flow.receiver)} {}

  [[nodiscard]] Time due() const {
    if (state == State::over || calling.piped()) return Time::never();
    return state == State::waiting ? plan.start : plan.stop;
  }
  [[nodiscard]] bool listens() const {
    return !awaited || called.ended() || ports.has(static_cast<uint16_t>(kFirstForeignPort + number));
  }
  // While it runs: what its programs do afterwards is nobody's figure.
  void look_at_waits() {
    if (state == State::running)
      for (ForeignProgram* program : programs()) program->look_at_waits();
  }
  [[nodiscard]] std::array<ForeignProgram*, 2> programs() { return {&called, &calling}; }

  const FlowPlan& plan;
  std::size_t number;
  ForeignProgram sender;
  ForeignProgram receiver;
  ForeignProgram& called;
  ForeignProgram& calling;
  const OpenPorts& ports;
  bool awaited;
  State state{State::waiting};
};

ForeignFlows::ForeignFlows(const RunPlan& plan, const ForeignFlowList& flows, const ForeignNetwork& senders,
                           const ForeignNetwork& receivers, FlowEnds& ends)
    : ends_{ends} {
  for (std::size_t i = 0; i < flows.size(); ++i)
    if (flows[i]) flows_.push_back(std::make_unique<Flow>(plan, i, *flows[i], senders, receivers));
}

ForeignFlows::~ForeignFlows() = default;

bool ForeignFlows::prepare(int leash_fd) {
  for (const auto& flow : flows_)
    for (ForeignProgram* program : flow->programs())
      if (program == &flow->called || program->piped()) program->start();
  const int64_t latest = clock_ns(CLOCK_MONOTONIC) + kListenPatience;
  const auto waiting = [&] { return std::ranges::any_of(flows_, [](const auto& flow) { return !flow->listens(); }); };
  for (int64_t now = 0; (now = clock_ns(CLOCK_MONOTONIC)) < latest && waiting();)
    if (watch(now + kListenLook, leash_fd, POLLRDHUP)) return false;
  return true;
}

void ForeignFlows::await(int fd) {
  while (!watch(clock_ns(CLOCK_MONOTONIC) + kListenPatience, fd, POLLIN)) {
  }
}

void ForeignFlows::run(const PulseSetup& setup, int measured_fd, RunSink& sink) {
  sink_ = &sink;
  clock_.emplace(setup.start_ns);
  load_before_ = load_average();
  const Time end = Time::zero() + setup.duration;
  for (Time now = clock_->now(); now < end; now = clock_->now()) {
    follow_plan(now);
    Time due = end;
    for (const auto& flow : flows_) due = std::min(due, flow->due());
    if (watch(clock_->monotonic_ns(due), setup.stop_fd, POLLIN)) return;
  }
  load_after_ = load_average();
  look_at_waits();
  for (const auto& flow : flows_) flow->state = Flow::State::over;
  watch(clock_ns(CLOCK_MONOTONIC) + kMeasuredPatience, measured_fd, POLLIN);
  if (end_all(0, false, setup.stop_fd)) end_all(kOwnEndPatience, true, setup.stop_fd);
}

void ForeignFlows::follow_plan(Time now) {
  for (const auto& flow : flows_) {
    if (flow->due() > now) continue;
    const bool starts = flow->state == Flow::State::waiting;
    if (starts) {
      for (ForeignProgram* program : flow->programs())
        if (!program->piped()) program->begin_waits();
      flow->calling.start();
      flow->state = Flow::State::running;
    } else {
      flow->look_at_waits();
      flow->state = Flow::State::over;
      for (ForeignProgram* program : flow->programs()) program->terminate();
    }
    sink_->event({.time = now, .flow = static_cast<int>(flow->number), .event = starts ? "flow_start" : "flow_stop"});
  }
}

bool ForeignFlows::any_left(bool piped) const {
  return std::ranges::any_of(flows_, [&](const auto& flow) {
    return std::ranges::any_of(flow->programs(), [&](const ForeignProgram* program) {
      return program->piped() == piped && !program->ended();
    });
  });
}

// Waits so long, ends them, and kills what then is left. False: told to stop.
bool ForeignFlows::end_all(int64_t patience_ns, bool piped, int stop_fd) {
  const auto each = [&](auto act) {
    for (const auto& flow : flows_)
      for (ForeignProgram* program : flow->programs())
        if (program->piped() == piped) act(*program);
  };
  const auto wait = [&](int64_t so_long) {
    const int64_t latest = clock_ns(CLOCK_MONOTONIC) + so_long;
    for (int64_t now = 0; (now = clock_ns(CLOCK_MONOTONIC)) < latest && any_left(piped);)
      if (watch(std::min(latest, now + kListenLook), stop_fd, POLLIN)) return false;
    return true;
  };
  if (!wait(patience_ns)) return false;
  each([](ForeignProgram& program) { program.terminate(); });
  if (!wait(kTerminationPatience)) return false;
  each([](ForeignProgram& program) { program.kill(); });
  return true;
}

// Attends to the programs until then, or until `fd` shows one of the events, or has an end or an error; true: that.
bool ForeignFlows::watch(int64_t until_ns, int fd, short events) {
  constexpr int64_t kSecond = 1'000'000'000;
  std::vector<int> descriptors;
  std::vector<pollfd> polled;
  for (;;) {
    descriptors.clear();
    for (const auto& flow : flows_)
      for (const ForeignProgram* program : flow->programs()) program->list(descriptors);
    polled.assign(1, {.fd = fd, .events = events, .revents = 0});
    for (const int descriptor : descriptors) polled.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
    const int64_t now = clock_ns(CLOCK_MONOTONIC);
    if (now >= next_look_ns_) {
      look_at_waits();
      next_look_ns_ = now + kWaitsLook;
    }
    const int64_t left = std::max<int64_t>(std::min(until_ns, next_look_ns_) - now, 0);
    const timespec timeout{.tv_sec = left / kSecond, .tv_nsec = left % kSecond};
    const int ready = ::ppoll(polled.data(), polled.size(), &timeout, nullptr);
    if (ready < 0 && errno != EINTR) throw std::system_error{errno, std::generic_category(), "poll"};
    if (ready > 0 && polled[0].revents != 0) return true;
    if (ready > 0)
      for (const auto& flow : flows_)
        for (ForeignProgram* program : flow->programs())
          if (program->attend()) ended(*flow, *program, program == &flow->sender);
    if (clock_ns(CLOCK_MONOTONIC) >= until_ns) return false;
  }
}

void ForeignFlows::look_at_waits() {
  for (const auto& flow : flows_) flow->look_at_waits();
}

void ForeignFlows::sum_up(SummaryBuilder& summary) const {
  constexpr double kSecond = 1e9;
  for (const auto& flow : flows_)
    for (const ForeignProgram* program : {&flow->sender, &flow->receiver}) {
      const auto waits = program->waits();
      if (!waits) continue;
      const double ran_s = static_cast<double>(waits->ran_ns) / kSecond;
      const bool sends = program == &flow->sender;
      if (sends)
        summary.sender_cpu(flow->number, ran_s);
      else
        summary.receiver_cpu(flow->number, ran_s);
      summary.program({.flow = static_cast<int64_t>(flow->number),
                       .end = sends ? "sender" : "receiver",
                       .looked_s = static_cast<double>(waits->looked_ns) / kSecond,
                       .ran_s = ran_s,
                       .waited_s = static_cast<double>(waits->waited_ns) / kSecond,
                       .kept_waiting_s = static_cast<double>(waits->kept_waiting_ns) / kSecond});
    }
  const bool any = std::ranges::any_of(flows_, [](const auto& flow) { return !flow->sender.piped(); });
  if (any && load_before_ >= 0 && load_after_ >= 0)
    summary.host({.processors = static_cast<uint64_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L)),
                  .load_before = load_before_,
                  .load_after = load_after_});
}

// A program that ends well ends its flow when it is the calling one; what happens afterwards is nobody's failure.
void ForeignFlows::ended(Flow& flow, const ForeignProgram& program, bool sender) {
  if (program.told_to_end() || (flow.state == Flow::State::over && !program.piped())) return;
  if (program.exit_code() != 0) {
    const std::string words = program.last_words();
    throw std::runtime_error{std::string{sender ? "the sender" : "the receiver"} + " of flow " +
                             std::to_string(flow.number) + ", " + program.name() + ", " + end_of(program) +
                             (words.empty() ? " and said nothing" : ": " + words)};
  }
  if (&program != &flow.calling || program.piped()) return;
  flow.look_at_waits();
  flow.state = Flow::State::over;
  const Time now = clock_->now();
  ends_.set(flow.number, now);
  sink_->event({.time = now, .flow = static_cast<int>(flow.number), .event = "flow_stop"});
}

}  // namespace paceline
