#pragma once
// The JSON that paceline-trace prints: TraceInfo, TraceDynamics, TracePreview and TraceProblem of protocol/trace.ts.

#include <cstdint>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "formats/trace_reading.hh"
#include "trace/dynamics.hh"
#include "trace/stats.hh"

namespace paceline {

[[nodiscard]] nlohmann::json trace_info_json(const TraceFile& file, const TraceStats& stats, const std::string& sha256);
// What was understood of the file it came from.
[[nodiscard]] nlohmann::json trace_source_json(const TraceFile& file);
// What takes a look at the whole trace: TraceDynamics of protocol/trace.ts.
[[nodiscard]] nlohmann::json trace_dynamics_json(const TraceDynamics& dynamics);
[[nodiscard]] nlohmann::json trace_preview_json(const TracePreview& preview);
[[nodiscard]] nlohmann::json trace_problem_json(const TraceError& error);

// What is printed. Names of columns and lines that are quoted come from files and need not be UTF-8: such bytes are replaced.
[[nodiscard]] std::string json_text(const nlohmann::json& value);

}  // namespace paceline
