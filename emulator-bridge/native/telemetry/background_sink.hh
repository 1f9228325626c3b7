#pragma once
// Between the data path, which must never wait, and the telemetry's reader, who may: a ring of records with one
// producer and one consumer, emptied by a thread of its own.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "drivers/sink.hh"

namespace paceline {

class BackgroundSink final : public RunSink {
 public:
  // Everything goes to `target`, in order, from a thread that runs until finish().
  explicit BackgroundSink(RunSink& target);
  // Without finish(), what was not handed on yet is given up.
  ~BackgroundSink() override;
  BackgroundSink(const BackgroundSink&) = delete;
  BackgroundSink& operator=(const BackgroundSink&) = delete;

  void samples(uint16_t stream, Time time, std::span<const float> row) override;
  void samples_complete(Time now) override;
  void event(const RunEvent& event) override;

  // Waits until all has been handed on. Throws what `target` threw.
  void finish();

 private:
  struct Record {
    enum class Kind : uint8_t { samples, complete, event } kind{};
    uint16_t stream{};
    Time time{};
    std::vector<float> row{};
    int flow{};
    double value{};
    std::string_view event{};  // a literal
    std::string detail{};
  };
  static constexpr std::size_t kRecords = 1 << 14;  // at three per 10 ms, 50 s

  // The slot for the next record. Throws std::runtime_error when the reader is that far behind, or has failed.
  Record& slot();
  void publish() { written_.store(written_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
  void work();
  void hand_on(const Record& record);

  RunSink& target_;
  std::vector<Record> records_;
  std::atomic<std::size_t> written_{};
  std::atomic<std::size_t> read_{};
  std::atomic<bool> finishing_{};
  std::atomic<bool> abandoned_{};
  std::atomic<bool> failed_{};
  std::exception_ptr failure_{};
  std::thread thread_;
};

}  // namespace paceline
