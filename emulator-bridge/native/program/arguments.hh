#pragma once
// Command lines of the programs: `--name value` and `--flag`.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace paceline {

class Arguments {
 public:
  // Throws Refusal for anything that is not in `options` (which take a value) or `flags`.
  Arguments(int argc, char** argv, const std::set<std::string_view>& options, const std::set<std::string_view>& flags);

  [[nodiscard]] bool has(const std::string& flag) const { return flags_.contains(flag); }
  // The last one that was given.
  [[nodiscard]] std::optional<std::string> value(const std::string& option) const;
  // All of them, for options that may be repeated.
  [[nodiscard]] std::vector<std::string> values(const std::string& option) const;
  [[nodiscard]] std::string needed(const std::string& option) const;
  [[nodiscard]] int64_t whole(const std::string& option, int64_t least, int64_t most) const;

 private:
  std::map<std::string, std::vector<std::string>> values_{};
  std::set<std::string> flags_{};
};

}  // namespace paceline
