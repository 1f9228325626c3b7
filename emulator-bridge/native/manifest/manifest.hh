#pragma once
// RunManifest (protocol/manifest.ts) -> RunPlan. Refuses what is unknown or impossible, with its place and the reason.

#include <filesystem>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "drivers/plan.hh"
#include "manifest/json_text.hh"
#include "manifest/shelf.hh"

namespace paceline {

// Which driver reads the manifest.
enum class Engine : uint8_t { virtual_time, realtime_udp, realtime_tun };

// Reads a file, or standard input for "-". Throws Refusal.
[[nodiscard]] nlohmann::json read_json(const std::string& file);

// Traces are read from <traces>/<sha256>.trace. Throws Refusal, also when the manifest is meant for another engine. `endpoints`: one per
// flow, or none: all are built in.
[[nodiscard]] RunPlan plan_of(const nlohmann::json& manifest, const std::filesystem::path& traces, Engine engine,
                              std::span<const Endpoints> endpoints = {});
// Traces and networks from wherever `shelf` has them; for one run after the other, too: a TraceStore reads nothing twice.
[[nodiscard]] RunPlan plan_of(const nlohmann::json& manifest, Shelf& shelf, Engine engine,
                              std::span<const Endpoints> endpoints = {});

}  // namespace paceline
