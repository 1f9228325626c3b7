#include "program/arguments.hh"

#include <CLI/CLI.hpp>

namespace paceline {

Arguments::Arguments(int argc, char** argv, const std::set<std::string_view>& options,
                     const std::set<std::string_view>& flags, std::string_view word) {
  CLI::App app;
  app.set_help_flag();  // run_program has answered it
  app.allow_extras();
  std::map<CLI::Option*, std::string> named;
  // A value is taken as it is, whatever it begins with: -5, [1,2] and --this are values behind an option.
  for (const std::string_view name : options) named[app.add_option(std::string{name})->take_all()] = name;
  for (const std::string_view name : flags) named[app.add_flag(std::string{name})->disable_flag_override()] = name;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ArgumentMismatch& mismatch) {
    // Only the last word of a command line can lack its value, but for a flag that was given one.
    const std::string last{argv[argc - 1]};
    if (options.contains(last)) throw Refusal{last, "needs a value"};
    throw Refusal{"", mismatch.what()};
  } catch (const CLI::Error& error) {
    throw Refusal{"", error.what()};
  }
  for (const auto& [option, name] : named) {
    if (option->count() == 0) continue;
    if (flags.contains(name))
      flags_.insert(name);
    else
      values_[name] = option->results();
  }
  for (const std::string& extra : app.remaining()) {
    const bool its_word = !word.empty() && !extra.starts_with("--");
    if (!its_word) throw Refusal{extra, "is not an option of this program (see --help)"};
    if (!word_.empty()) throw Refusal{extra, "is one " + std::string{word} + " too many (see --help)"};
    word_ = extra;
  }
  if (!word.empty() && word_.empty()) throw Refusal{std::string{word}, "is needed (see --help)"};
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

}  // namespace paceline
