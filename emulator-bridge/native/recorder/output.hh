#pragma once
// What a recording leaves behind: files, JSON, sentences.

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "recorder/analysis.hh"
#include "recorder/client.hh"

namespace paceline::recorder {

struct Files {
  std::string log{};       // NAME.csv
  std::string ms_count{};  // NAME.trace
  std::string mahimahi{};  // NAME.down or NAME.up
  std::string report{};    // NAME.json
};

[[nodiscard]] Files files_of(const std::string& name, Direction direction);

[[nodiscard]] nlohmann::json report_json(const Analysis& analysis, const Recording& recording,
                                         const std::vector<Flag>& flags, const Files& files);
[[nodiscard]] std::string report_text(const Analysis& analysis, const Recording& recording,
                                      const std::vector<Flag>& flags, const Files& files);

// `recording.log` as analyse() left it. Throws std::runtime_error naming the file that cannot be written.
void write_files(const Files& files, const Recording& recording, const nlohmann::json& report);

}  // namespace paceline::recorder
