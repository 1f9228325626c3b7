#pragma once
// RunManifest (protocol/manifest.ts) -> RunPlan. Refuses what is unknown or impossible, with its place and the reason.

#include <filesystem>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "drivers/plan.hh"
#include "manifest/trace_store.hh"

namespace paceline {

// Which driver reads the manifest.
enum class Engine : uint8_t { virtual_time, realtime_udp, realtime_tun };

// Reads a file, or standard input for "-". Throws Refusal.
[[nodiscard]] nlohmann::json read_json(const std::string& file);

// The same of a text that came from `where`.
[[nodiscard]] nlohmann::json json_of(const std::string& text, const std::string& where);

// Traces are read from <traces>/<sha256>.trace. Throws Refusal, also when the manifest is meant for another engine. `endpoints`: one per
// flow, or none: all are built in.
[[nodiscard]] RunPlan plan_of(const nlohmann::json& manifest, const std::filesystem::path& traces, Engine engine,
                              std::span<const Endpoints> endpoints = {});
// For one run after the other: what `traces` has read before is not read again.
[[nodiscard]] RunPlan plan_of(const nlohmann::json& manifest, TraceStore& traces, Engine engine,
                              std::span<const Endpoints> endpoints = {});

}  // namespace paceline
