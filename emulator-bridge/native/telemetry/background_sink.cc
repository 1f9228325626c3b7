#include "telemetry/background_sink.hh"

#include <chrono>
#include <stdexcept>

namespace paceline {

BackgroundSink::BackgroundSink(RunSink& target) : target_{target}, records_(kRecords), thread_{[this] { work(); }} {}

BackgroundSink::~BackgroundSink() {
  abandoned_ = true;
  if (thread_.joinable()) thread_.join();
}

BackgroundSink::Record& BackgroundSink::slot() {
  const std::size_t next = written_.load(std::memory_order_relaxed);
  if (failed_.load(std::memory_order_acquire)) throw std::runtime_error("the telemetry could not be written");
  if (next - read_.load(std::memory_order_acquire) == kRecords)
    throw std::runtime_error("the telemetry's reader is too far behind; a run in real time cannot wait for it");
  return records_[next % kRecords];
}

void BackgroundSink::samples(uint16_t stream, Time time, std::span<const float> row) {
  Record& record = slot();
  record.kind = Record::Kind::samples;
  record.stream = stream;
  record.time = time;
  record.row.assign(row.begin(), row.end());
  publish();
}

void BackgroundSink::samples_complete(Time now) {
  Record& record = slot();
  record.kind = Record::Kind::complete;
  record.time = now;
  publish();
}

void BackgroundSink::event(const RunEvent& event) {
  Record& record = slot();
  record.kind = Record::Kind::event;
  record.time = event.time;
  record.flow = event.flow;
  record.value = event.value;
  record.event = event.event;
  record.detail = event.detail;
  publish();
}

void BackgroundSink::hand_on(const Record& record) {
  switch (record.kind) {
    case Record::Kind::samples:
      return target_.samples(record.stream, record.time, record.row);
    case Record::Kind::complete:
      return target_.samples_complete(record.time);
    case Record::Kind::event:
      return target_.event({.time = record.time,
                            .flow = record.flow,
                            .event = record.event,
                            .detail = record.detail,
                            .value = record.value});
  }
}

void BackgroundSink::work() {
  constexpr std::chrono::milliseconds kPause{10};
  try {
    for (;;) {
      const bool last = finishing_.load();
      const std::size_t end = written_.load(std::memory_order_acquire);
      for (std::size_t next = read_.load(std::memory_order_relaxed); next != end && !abandoned_;) {
        hand_on(records_[next % kRecords]);
        read_.store(++next, std::memory_order_release);
      }
      if (last || abandoned_) return;
      std::this_thread::sleep_for(kPause);
    }
  } catch (...) {
    failure_ = std::current_exception();
    failed_.store(true, std::memory_order_release);
  }
}

void BackgroundSink::finish() {
  finishing_ = true;
  thread_.join();
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace paceline
