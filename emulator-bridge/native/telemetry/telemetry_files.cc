#include "program/refusal.hh"
#include "telemetry/telemetry.hh"

namespace paceline {

TelemetryOut to_file(std::FILE* file) {
  return [file](std::string_view bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0;
  };
}

std::unique_ptr<TelemetryFormat> format_of(const Arguments& arguments) {
  const std::string name = arguments.value("--format").value_or("frames");
  if (name == "frames") return frame_format();
  if (name == "ndjson") return ndjson_format();
  throw Refusal{"--format", "must be frames or ndjson"};
}

}  // namespace paceline
