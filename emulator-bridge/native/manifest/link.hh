#pragma once
// One direction of a manifest: the link's loss, queue, capacity and delay, and the list of its path's elements.

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/fields.hh"
#include "manifest/trace_store.hh"
#include "path/plan.hh"

namespace paceline {

// All of these throw Refusal with the path of what is wrong. Networks among the parameters are read from <weights>/<sha256>.weights.json.
[[nodiscard]] Params read_params(Fields& fields, std::string_view key, std::span<const ParamSpec> specs,
                                 const std::filesystem::path& weights);
[[nodiscard]] LinkPlan read_link(Fields fields, TraceStore& traces);
// The elements of a direction, `where` in the document.
[[nodiscard]] std::vector<ElementPlan> read_path(const nlohmann::json& list, const std::string& where,
                                                 const std::function<Bottleneck::Capacity(Fields)>& read_capacity,
                                                 const std::filesystem::path& weights);

}  // namespace paceline
