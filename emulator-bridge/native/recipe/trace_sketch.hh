#pragma once
// A trace that is being made, at a glance: figures and a preview.

#include <cstdint>
#include <span>

#include <nlohmann/json_fwd.hpp>

namespace paceline {

// TraceSketch of protocol/trace.ts; the preview of at most `bins` bins.
[[nodiscard]] nlohmann::json trace_sketch_json(std::span<const uint32_t> counts, uint64_t bins);

}  // namespace paceline
