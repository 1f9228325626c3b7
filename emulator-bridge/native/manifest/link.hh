#pragma once
// One direction of a manifest: the link's loss, queue, capacity and delay, and the list of its path's elements.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/fields.hh"
#include "manifest/shelf.hh"
#include "path/plan.hh"

namespace paceline {

// All of these throw Refusal with the path of what is wrong.
[[nodiscard]] Params read_params(Fields& fields, std::string_view key, std::span<const ParamSpec> specs, Shelf& shelf);
[[nodiscard]] LinkPlan read_link(Fields fields, Shelf& shelf);
// The elements of a direction, `where` in the document.
[[nodiscard]] std::vector<ElementPlan> read_path(const nlohmann::json& list, const std::string& where,
                                                 const std::function<Bottleneck::Capacity(Fields)>& read_capacity,
                                                 Shelf& shelf);

}  // namespace paceline
