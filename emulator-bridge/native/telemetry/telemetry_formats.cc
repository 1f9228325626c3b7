#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "metrics/columns.gen.hh"
#include "telemetry/telemetry.hh"

namespace paceline {
namespace {

using nlohmann::json;

// Values are copied as they lie in memory.
static_assert(std::endian::native == std::endian::little, "telemetry is little-endian");

class Frames final : public TelemetryFormat {
 public:
  void control(const json& message, std::string& out) override {
    const std::string text = message.dump();
    header(out, text.size(), telemetry::kControlFrame, 0, controls_++, 0);
    out += text;
  }

  void samples(const PendingRows& rows, std::string& out) override {
    const std::size_t count = rows.times.size();
    const std::size_t columns = rows.description.values;
    header(out, count * (sizeof(double) + columns * sizeof(float)), telemetry::kSamplesFrame, rows.description.stream,
           rows.first_row, static_cast<uint32_t>(count));
    const std::size_t at = out.size();
    out.resize(at + count * (sizeof(double) + columns * sizeof(float)));
    char* to = out.data() + at;
    std::memcpy(to, rows.times.data(), count * sizeof(double));
    to += count * sizeof(double);
    for (std::size_t column = 0; column < columns; ++column)
      for (std::size_t row = 0; row < count; ++row, to += sizeof(float))
        std::memcpy(to, &rows.values[row * columns + column], sizeof(float));
  }

 private:
  template <typename T>
  static void append(std::string& out, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
  }

  static void header(std::string& out, std::size_t payload, uint8_t kind, uint16_t stream, uint32_t seq,
                     uint32_t rows) {
    append(out, static_cast<uint32_t>(payload));
    append(out, kind);
    append(out, telemetry::kProtocolVersion);
    append(out, stream);
    append(out, seq);
    append(out, rows);
  }

  uint32_t controls_{};
};

// One line per control frame and per row; unknown values are null.
class Lines final : public TelemetryFormat {
 public:
  void control(const json& message, std::string& out) override {
    out += message.dump();
    out += '\n';
  }

  void samples(const PendingRows& rows, std::string& out) override {
    const auto& description = rows.description;
    for (std::size_t row = 0; row < rows.times.size(); ++row) {
      out += R"({"type":"sample","stream":)" + std::to_string(description.stream) + R"(,"time_s":)";
      append(out, rows.times[row]);
      for (std::size_t column = 0; column < description.values; ++column) {
        out += ",\"" + description.names[column] + "\":";
        append(out, rows.values[row * description.values + column]);
      }
      out += "}\n";
    }
  }

 private:
  // The shortest digits that read back as the same float or double.
  template <typename T>
  static void append(std::string& out, T value) {
    if (!std::isfinite(value)) {
      out += "null";
      return;
    }
    char text[32];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
  }
};

}  // namespace

std::unique_ptr<TelemetryFormat> frame_format() { return std::make_unique<Frames>(); }
std::unique_ptr<TelemetryFormat> ndjson_format() { return std::make_unique<Lines>(); }

}  // namespace paceline
