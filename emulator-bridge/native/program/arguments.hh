#pragma once
// Command lines of the programs: `--name value` (or `--name=value`) and `--flag`. CLI11 reads them; its header, which takes seconds to
// compile, is included in arguments.cc alone.

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/fail.hh"
#include "program/refusal.hh"

namespace paceline {

class Arguments {
 public:
  // Throws Refusal for anything that is not in `options` (which take a value) or `flags`. `word`: what the one word beside them
  // is, which must be there then.
  Arguments(int argc, char** argv, const std::set<std::string_view>& options, const std::set<std::string_view>& flags,
            std::string_view word = {});

  [[nodiscard]] bool has(const std::string& flag) const { return flags_.contains(flag); }
  [[nodiscard]] const std::string& word() const { return word_; }
  // The last one that was given.
  [[nodiscard]] std::optional<std::string> value(const std::string& option) const;
  // All of them, for options that may be repeated.
  [[nodiscard]] std::vector<std::string> values(const std::string& option) const;
  [[nodiscard]] std::string needed(const std::string& option) const;

  // Digits and nothing else: no sign but a minus, no blank, no other base.
  template <typename Whole = int64_t>
  [[nodiscard]] Whole whole(const std::string& option, std::type_identity_t<Whole> least,
                            std::type_identity_t<Whole> most) const {
    const std::string text = needed(option);
    Whole number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number < least || number > most)
      fail(Refusal{option, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most)});
    return number;
  }

 private:
  std::map<std::string, std::vector<std::string>> values_{};
  std::set<std::string> flags_{};
  std::string word_{};
};

}  // namespace paceline
