#pragma once
// Parameters that a CCA or a queue discipline declares and a user may set.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace paceline {

enum class ParamType : uint8_t { number, integer, boolean, choice };

// One parameter a user may set. Booleans use 0 and 1; choices are named and stored by name.
struct ParamSpec {
  std::string_view name;
  std::string_view label;
  ParamType type{ParamType::number};
  std::string_view unit;  // "" if none
  double initial{};       // default; for choices: index into `choices`
  double min{};
  double max{};
  std::vector<std::string_view> choices{};  // only for ParamType::choice
  std::string_view help;                    // one sentence: what it does and when to move it
};

// Values of one instance's parameters, complete: every ParamSpec has a value.
class Params {
 public:
  // Defaults of `specs`, overridden by `given`. Throws std::invalid_argument naming the parameter when a name is unknown,
  // a value is outside its range or not one of the choices.
  using Given = std::map<std::string, std::variant<double, bool, std::string>, std::less<>>;
  Params(std::span<const ParamSpec> specs, const Given& given);

  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] int64_t integer(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] std::string_view choice(std::string_view name) const;

 private:
  [[nodiscard]] std::size_t index(std::string_view name) const;

  std::span<const ParamSpec> specs_;
  std::vector<double> values_{};
};

}  // namespace paceline
