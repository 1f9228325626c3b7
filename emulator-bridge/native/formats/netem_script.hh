#pragma once
// A trace as a bash script that sets the rate of a network interface with tc netem, step by step.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace paceline {

struct NetemScript {
  std::string name;    // of the trace
  std::string sha256;  // its identity
  uint64_t step_ms{100};
};

// netem takes a rate of 0 for no limit at all. Where a step has no opportunity the script holds what comes by a delay up to
// the next step that has one, as a cellular link holds it; "loss 100%" would drop it, and the smallest rate would give the
// first packet, and so all behind it, a departure minutes later. Throws std::invalid_argument when the step is out of range.
void write_netem_script(std::span<const uint32_t> counts, const NetemScript& about,
                        const std::function<void(std::string_view)>& sink);

}  // namespace paceline
