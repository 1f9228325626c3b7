#include "program/arguments.hh"

#include <charconv>

#include "program/refusal.hh"

namespace paceline {

Arguments::Arguments(int argc, char** argv, const std::set<std::string_view>& options,
                     const std::set<std::string_view>& flags) {
  for (int i = 1; i < argc; ++i) {
    const std::string word{argv[i]};
    if (flags.contains(word)) {
      flags_.insert(word);
    } else if (!options.contains(word)) {
      throw Refusal{word, "is not an option of this program (see --help)"};
    } else if (i + 1 == argc) {
      throw Refusal{word, "needs a value"};
    } else {
      values_[word].emplace_back(argv[++i]);
    }
  }
}

std::optional<std::string> Arguments::value(const std::string& option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::nullopt : std::optional{found->second.back()};
}

std::vector<std::string> Arguments::values(const std::string& option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::string Arguments::needed(const std::string& option) const {
  if (const auto given = value(option)) return *given;
  throw Refusal{option, "is needed (see --help)"};
}

int64_t Arguments::whole(const std::string& option, int64_t least, int64_t most) const {
  const std::string text = needed(option);
  int64_t number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < least || number > most)
    throw Refusal{option, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most)};
  return number;
}

}  // namespace paceline
