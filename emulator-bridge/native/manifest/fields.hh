#pragma once
// Reads a JSON object strictly: every fault names its path, and a key that nobody asked for is one.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/limits.gen.hh"

namespace paceline {

class Fields {
 public:
  // Throws Refusal unless `value` is an object. `path` is "" for the document.
  Fields(const nlohmann::json& value, std::string path);

  [[nodiscard]] std::string path(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] bool is_null(std::string_view key);
  // Throws Refusal when the key is missing.
  const nlohmann::json& any(std::string_view key);

  Fields object(std::string_view key) { return {any(key), path(key)}; }
  const nlohmann::json& array(std::string_view key, std::size_t least, std::size_t most);
  const nlohmann::json& array(std::string_view key, Bounds entries) {
    return array(key, static_cast<std::size_t>(entries.least), static_cast<std::size_t>(entries.most));
  }
  std::string text(std::string_view key);
  // One of `choices`.
  std::string choice(std::string_view key, const std::vector<std::string_view>& choices);
  bool flag(std::string_view key);
  double number(std::string_view key, double least, double most);
  double number(std::string_view key, Bounds bounds) { return number(key, bounds.least, bounds.most); }
  int64_t integer(std::string_view key, int64_t least, int64_t most);
  int64_t integer(std::string_view key, Bounds bounds) {
    return integer(key, static_cast<int64_t>(bounds.least), static_cast<int64_t>(bounds.most));
  }

  // Throws Refusal for the first key that was never asked for.
  void done() const;

 private:
  const nlohmann::json* value_;
  std::string path_;
  std::set<std::string, std::less<>> asked_{};
};

}  // namespace paceline
