#pragma once
// An edit as data: a list of steps on a source trace, applied in order (docs/traces.md, protocol/edit.ts).
//   {"schema": 1, "source": "<sha256>", "steps": [{"op": "cut", "from_ms": 0, "to_ms": 10000}, …]}

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace paceline {

// An edit that cannot be made: the place in it ("steps[2].to_ms") and the reason.
class EditRefused : public std::invalid_argument {
 public:
  EditRefused(std::string where, const std::string& why)
      : std::invalid_argument{where + ": " + why}, where_{std::move(where)}, why_{why} {}
  [[nodiscard]] nlohmann::json json() const { return {{"where", where_}, {"message", why_}}; }

 private:
  std::string where_;
  std::string why_;
};

struct EditedTrace {
  std::vector<uint32_t> counts{};
  std::vector<uint64_t> lengths_ms{};  // of the trace before each step, and at the end
};

// The traces that it names are `traces`/<sha256>.trace. Throws EditRefused. Memory: the trace twice, and one other that is appended.
[[nodiscard]] EditedTrace edited_trace(std::string_view text, const std::filesystem::path& traces);

// What has come of it: figures, a preview of `bins` bins, and the lengths.
[[nodiscard]] nlohmann::json edit_sketch(const EditedTrace& edited, uint64_t bins);

}  // namespace paceline
