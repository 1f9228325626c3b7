#pragma once
// Parameters that a CCA or a queue discipline declares and a user may set.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/feed_forward.hh"
#include "core/prose.hh"

namespace paceline {

// weights: a network that the user brings along; whoever reads the user's file hands it over, read and checked.
enum class ParamType : uint8_t { number, integer, boolean, choice, weights };

// A choice among the other parameters and one of its names.
struct ParamChoice {
  std::string_view param;
  std::string_view value;
};

// Some names of a choice among the other parameters; of a boolean one, "true" or "false".
struct ParamChoices {
  std::string_view param;
  std::vector<std::string_view> values;
};

// One parameter a user may set. Booleans use 0 and 1; choices are named and stored by name.
struct ParamSpec {
  std::string_view name;
  std::string_view label;
  ParamType type{ParamType::number};
  std::string_view unit;  // "" if none
  double initial{};       // default; for choices: index into `choices`
  double min{};
  double max{};
  // ParamType::choice: the names. ParamType::weights: the inputs that a network may have.
  std::vector<std::string_view> choices{};
  std::string_view algorithm{};  // ParamType::weights: for which a network must be made
  ParamChoice needed_with{};     // ParamType::weights: there must be a network when that is chosen
  ParamChoices matters_with{};  // without these it changes nothing: forms leave it out, a spec's value of it is dropped
  Prose help;                   // one sentence: what it does and when to move it
};

// Throws std::invalid_argument, naming the place in the file, when a network does not fit a parameter of ParamType::weights.
void check_network(const FeedForward& network, const ParamSpec& spec);

// Values of one instance's parameters, complete: every ParamSpec has a value.
class Params {
 public:
  // Defaults of `specs`, overridden by `given`. Refuses, naming the parameter, when a name is unknown, a value is outside its range or
  // not one of the choices. `refuse` does not return.
  using Weights = std::shared_ptr<const FeedForward>;  // null: none
  using Given = std::map<std::string, std::variant<double, bool, std::string, Weights>, std::less<>>;
  using Refuse = std::function<void(const std::string& why)>;
  Params(std::span<const ParamSpec> specs, const Given& given, const Refuse& refuse = invalid_argument);

  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] int64_t integer(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] std::string_view choice(std::string_view name) const;
  [[nodiscard]] const Weights& weights(std::string_view name) const;

 private:
  static void invalid_argument(const std::string& why);
  [[nodiscard]] std::size_t index(std::string_view name) const;

  std::span<const ParamSpec> specs_;
  std::vector<double> values_{};
  std::vector<Weights> weights_{};  // one per spec
};

}  // namespace paceline
