#pragma once
// Telemetry on its way out (protocol/frames.ts, control.ts): frames for programs, one JSON object a line for people.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "drivers/sink.hh"
#include "program/arguments.hh"
#include "telemetry/descriptions.hh"

namespace paceline {

// Rows of one stream that were not written yet.
struct PendingRows {
  StreamDescription description{};
  uint32_t first_row{};
  std::vector<double> times{};
  std::vector<float> values{};  // row after row
};

class TelemetryFormat {
 public:
  virtual ~TelemetryFormat() = default;
  virtual void control(const nlohmann::json& message, std::string& out) = 0;
  virtual void samples(const PendingRows& rows, std::string& out) = 0;
};
[[nodiscard]] std::unique_ptr<TelemetryFormat> frame_format();
[[nodiscard]] std::unique_ptr<TelemetryFormat> ndjson_format();
// --format; frames unless it is given.
[[nodiscard]] std::unique_ptr<TelemetryFormat> format_of(const Arguments& arguments);

// Where the bytes go; false when nobody takes them any more.
using TelemetryOut = std::function<bool(std::string_view)>;
[[nodiscard]] TelemetryOut to_file(std::FILE* file);

// Collects rows and writes them in blocks: the first after 8 rows, so that something is seen at once, then twice as many
// each time up to 256. All streams are written together, then a `progress` frame.
class TelemetryWriter final : public RunSink {
 public:
  TelemetryWriter(std::unique_ptr<TelemetryFormat> format, TelemetryOut put)
      : format_{std::move(format)}, put_{std::move(put)} {}
  TelemetryWriter(std::unique_ptr<TelemetryFormat> format, std::FILE* file)
      : TelemetryWriter{std::move(format), to_file(file)} {}

  static constexpr uint32_t kLargestBlock = 256;

  // Nobody will read them: all else is told as ever.
  void leave_out_samples() { with_samples_ = false; }

  // The `hello` frame; rows may follow for these streams, at most `largest_block` of each at a time.
  void start(const nlohmann::json& hello, std::vector<StreamDescription> streams,
             uint32_t largest_block = kLargestBlock);
  [[nodiscard]] bool started() const { return started_; }

  void samples(uint16_t stream, Time time, std::span<const float> row) override;
  void samples_complete(Time now) override;
  void event(const RunEvent& event) override;
  // Any other control frame; rows that wait are written before it.
  void control(const nlohmann::json& message);
  // Writes what waits. Throws std::runtime_error when the reader is gone.
  void flush();

 private:
  static constexpr uint32_t kFirstBlock = 8;

  void write_rows();

  std::unique_ptr<TelemetryFormat> format_;
  TelemetryOut put_;
  bool started_{};
  bool with_samples_{true};
  std::vector<PendingRows> streams_{};
  uint32_t block_{kFirstBlock};
  uint32_t largest_block_{kLargestBlock};
  uint32_t waiting_{};
  Time complete_{};
  std::string out_{};
};

}  // namespace paceline
