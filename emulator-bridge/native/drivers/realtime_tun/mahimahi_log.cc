#include "drivers/realtime_tun/mahimahi_log.hh"

#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>

#include "drivers/realtime/clock.hh"

namespace paceline {

namespace {

using CapacityKind = Bottleneck::Capacity::Kind;

constexpr int64_t kLogTick = 1'000'000;
long long ms_of(Time time) { return time.ns / kLogTick; }

const Trace& trace_of(const Bottleneck::Capacity& capacity) {
  static const Trace placeholder{{0, 1}};
  return capacity.trace ? *capacity.trace : placeholder;
}

std::string limits_of(const QueuePlan& queue) {
  std::string text;
  if (queue.limit_bytes < Bytes::infinite()) text += "bytes=" + std::to_string(queue.limit_bytes.v);
  if (queue.limit_packets < INT64_MAX)
    text += (text.empty() ? "" : ", ") + ("packets=" + std::to_string(queue.limit_packets));
  return text.empty() ? "" : " [" + text + "]";
}

}  // namespace

MahimahiLog::MahimahiLog(const std::string& file, const std::string& direction, const std::string& command,
                         const LinkPlan& link)
    : capacity_{link.capacity},
      schedule_{trace_of(link.capacity), link.capacity.offset_ms},
      file_{std::fopen(file.c_str(), "w")},
      records_(kRecords) {
  if (file_ == nullptr) throw std::system_error{errno, std::generic_category(), file};
  std::fprintf(file_, "# paceline-shell (%s) > %s\n# command line: %s\n# queue: %s%s\n", direction.c_str(),
               file.c_str(), command.c_str(), std::string{link.queue.discipline->id}.c_str(),
               limits_of(link.queue).c_str());
  std::fprintf(file_, "# init timestamp: %lld\n# base timestamp: 0\n",
               static_cast<long long>(clock_ns(CLOCK_REALTIME) / kLogTick));
}

MahimahiLog::~MahimahiLog() {
  finishing_ = true;
  if (thread_.joinable()) thread_.join();
  std::fclose(file_);
}

void MahimahiLog::start() {
  thread_ = std::thread{[this] { work(); }};
}

void MahimahiLog::add(const Record& record) {
  const std::size_t next = written_.load(std::memory_order_relaxed);
  if (next - read_.load(std::memory_order_acquire) == kRecords) {
    ++no_room_;
    return;
  }
  records_[next % kRecords] = record;
  written_.store(next + 1, std::memory_order_release);
}

void MahimahiLog::work() {
  constexpr std::chrono::milliseconds kPause{5};
  while (!finishing_) {
    write_waiting();
    std::this_thread::sleep_for(kPause);
  }
}

uint64_t MahimahiLog::finish(Time now) {
  finishing_ = true;
  thread_.join();
  write_waiting();
  write_opportunities(now);
  std::fflush(file_);
  return no_room_;
}

void MahimahiLog::write_waiting() {
  const std::size_t end = written_.load(std::memory_order_acquire);
  for (std::size_t next = read_.load(std::memory_order_relaxed); next != end;) {
    const Record record = records_[next % kRecords];
    read_.store(++next, std::memory_order_release);
    write_opportunities(record.time);
    switch (record.kind) {
      case '+':
        std::fprintf(file_, "%lld + %u\n", ms_of(record.time), record.bytes);
        break;
      case '-':
        std::fprintf(file_, "%lld - %u %lld\n", ms_of(record.time), record.bytes,
                     static_cast<long long>(record.waited.ns / kLogTick));
        break;
      default:
        std::fprintf(file_, "%lld d 1 %u\n", ms_of(record.time), record.bytes);
    }
  }
}

// Those that nobody used are logged as well, so they come from the link's plan and not from what passed.
void MahimahiLog::write_opportunities(Time to) {
  const auto bytes = static_cast<int>(kMtu.v);
  if (capacity_.kind == CapacityKind::trace) {
    for (; schedule_.next() <= to; schedule_.advance())
      for (uint32_t i = 0; i < schedule_.count(); ++i)
        std::fprintf(file_, "%lld # %d\n", ms_of(schedule_.next()), bytes);
  } else if (capacity_.kind == CapacityKind::constant) {
    for (; constant_ms_ <= ms_of(to); ++constant_ms_) {
      const auto due = static_cast<int64_t>(capacity_.rate.bps * static_cast<double>(constant_ms_) / 8e3 /
                                            static_cast<double>(kMtu.v));
      for (; constant_written_ < due; ++constant_written_)
        std::fprintf(file_, "%lld # %d\n", static_cast<long long>(constant_ms_), bytes);
    }
  }
}

}  // namespace paceline
