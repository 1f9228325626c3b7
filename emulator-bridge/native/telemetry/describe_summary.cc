#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "telemetry/descriptions.hh"

namespace paceline {
namespace {

using nlohmann::json;

// A struct of the summary as an object.
struct Object {
  template <typename T>
  void field(const char* name, const T& value) {
    object[name] = json_of(value);
  }
  template <typename T>
  void optional(const char* name, const std::optional<T>& value) {
    if (value) field(name, *value);
  }
  template <typename T>
  void optional(const char* name, const std::vector<T>& values) {
    if (!values.empty()) field(name, values);
  }

  static json json_of(double v) { return std::isfinite(v) ? json(v) : json(nullptr); }
  static json json_of(std::integral auto v) { return v; }
  static json json_of(const std::string& v) { return v; }
  static json json_of(std::string_view v) { return v; }
  static json json_of(Direction v) { return name_of(v); }
  template <typename T>
  static json json_of(const std::optional<T>& value) {
    return value ? json_of(*value) : json(nullptr);
  }
  template <typename T>
  static json json_of(const std::vector<T>& values) {
    json all = json::array();
    for (const T& v : values) all.push_back(json_of(v));
    return all;
  }
  template <typename T>
  static json json_of(const std::vector<std::pair<std::string_view, T>>& named) {
    json all = json::object();
    for (const auto& [name, value] : named) all[std::string{name}] = json_of(value);
    return all;
  }
  template <typename T>
  requires std::is_class_v<T>
  static json json_of(const T& figures) {
    Object made;
    each_field(figures, made);
    return std::move(made.object);
  }

  json object = json::object();
};

}  // namespace

json to_json(const RunSummary& s) { return Object::json_of(s); }

}  // namespace paceline
