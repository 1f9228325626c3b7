#include "telemetry/telemetry.hh"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/fail.hh"

namespace paceline {

using nlohmann::json;

void TelemetryWriter::start(const json& hello, std::vector<StreamDescription> streams, uint32_t largest_block) {
  largest_block_ = largest_block;
  block_ = std::min(kFirstBlock, largest_block);
  for (auto& description : streams) streams_.push_back({.description = std::move(description)});
  format_->control(hello, out_);
  started_ = true;
  flush();
}

void TelemetryWriter::samples(uint16_t stream, Time time, std::span<const float> row) {
  const auto found = std::ranges::find(streams_, stream, [](const PendingRows& p) { return p.description.stream; });
  if (found == streams_.end() || row.size() != found->description.values)
    fail(std::logic_error("a sample of stream " + std::to_string(stream) + " does not fit its description"));
  if (!with_samples_) return;
  found->times.push_back(static_cast<double>(time.ns) / 1e9);
  found->values.insert(found->values.end(), row.begin(), row.end());
}

void TelemetryWriter::samples_complete(Time now) {
  complete_ = now;
  if (++waiting_ < block_) return;
  block_ = std::min(block_ * 2, largest_block_);
  write_rows();
  flush();
}

void TelemetryWriter::write_rows() {
  if (waiting_ == 0) return;
  waiting_ = 0;
  for (PendingRows& rows : streams_) {
    if (rows.times.empty()) continue;
    format_->samples(rows, out_);
    rows.first_row += static_cast<uint32_t>(rows.times.size());
    rows.times.clear();
    rows.values.clear();
  }
  format_->control({{"type", "progress"}, {"time_s", static_cast<double>(complete_.ns) / 1e9}}, out_);
}

void TelemetryWriter::event(const RunEvent& event) {
  json message{{"type", "event"},
               {"time_s", static_cast<double>(event.time.ns) / 1e9},
               {"flow", event.flow < 0 ? json(nullptr) : json(event.flow)},
               {"event", event.event}};
  if (!event.detail.empty()) message["detail"] = event.detail;
  if (std::isfinite(event.value)) message["value"] = event.value;
  format_->control(message, out_);
}

void TelemetryWriter::control(const json& message) {
  write_rows();
  format_->control(message, out_);
  flush();
}

void TelemetryWriter::flush() {
  if (out_.empty()) return;
  const bool written = put_(out_);
  out_.clear();
  if (!written) fail(std::runtime_error("the telemetry cannot be written: its reader is gone or the disk is full"));
}

}  // namespace paceline
