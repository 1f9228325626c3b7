#pragma once
// The algorithms in whose loops somebody outside can decide: the learned ones, and one that exists for that alone.

#include <memory>
#include <span>
#include <string_view>

#include "cca/agent.hh"
#include "cca/registry.hh"

namespace paceline {

// Makes "agent" known; once.
void add_agent_loops();

// By id; stays the same once add_agent_loops() is done.
[[nodiscard]] std::span<const Descriptor* const> agent_loops();
// What a loop shows whoever decides, by name and in order; empty: it has no loop.
[[nodiscard]] std::span<const std::string_view> loop_inputs(const Descriptor& cca);

// Of the loop that exists for somebody outside: he decides, else a network of the parameter `weights`. Null: nobody.
[[nodiscard]] std::shared_ptr<Agent> agent_here(const Setup& setup, const Params& params,
                                                std::span<const std::string_view> inputs);
[[nodiscard]] ParamSpec agent_weights(std::string_view algorithm, std::span<const std::string_view> inputs);
[[nodiscard]] Descriptor agent_loop();

}  // namespace paceline
