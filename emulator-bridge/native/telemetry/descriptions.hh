#pragma once
// JSON forms of what the engine has and finds: streams, summaries, CCAs, queue disciplines (protocol/*.ts).

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "drivers/packet_log.hh"
#include "drivers/plan.hh"
#include "drivers/queue_by_flow.hh"
#include "metrics/summary.hh"

namespace paceline {

struct StreamDescription {
  uint16_t stream{};
  std::size_t values{};  // columns beside the time
  std::vector<std::string> names{};
  nlohmann::json info{};  // StreamInfo
};

// The link, its way back only if that has a capacity, and all elements of paths that list them.
[[nodiscard]] std::vector<StreamDescription> describe_path(const RunPlan& plan);
[[nodiscard]] StreamDescription describe_sender(const RunPlan& plan, std::size_t flow);
[[nodiscard]] StreamDescription describe_receiver(const RunPlan& plan, std::size_t flow);
// Everything that one process holding the whole run writes.
[[nodiscard]] std::vector<StreamDescription> describe_all(const RunPlan& plan);

// The `hello` frame. `clock` is "virtual" or "monotonic".
[[nodiscard]] nlohmann::json hello(const RunPlan& plan, std::string_view clock,
                                   const std::vector<StreamDescription>& streams);

// RunSummary without a `type`.
[[nodiscard]] nlohmann::json to_json(const RunSummary& summary);
// PacketWindow without a `type`.
[[nodiscard]] nlohmann::json to_json(const PacketLog& log);
// QueueShares without a `type`.
[[nodiscard]] nlohmann::json to_json(const QueueByFlow& queue);

// An algorithm that was asked for and cannot be had on this machine.
struct UnavailableCca {
  std::string id{};
  std::string label{};
  std::string reason{};
};

// EngineListing; `added`: algorithms that are not registered.
[[nodiscard]] nlohmann::json engine_listing(const std::vector<UnavailableCca>& unavailable = {},
                                            std::span<const Descriptor* const> added = {});

}  // namespace paceline
