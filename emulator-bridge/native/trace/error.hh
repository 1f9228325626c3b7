#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace paceline {

// Why a trace was refused: what, where, why, what next.
class TraceError : public std::runtime_error {
 public:
  struct Place {
    uint64_t line{};  // from 1
    std::string text{};
  };
  TraceError(std::string code, std::string message, std::string hint = {}, std::optional<Place> place = {});

  [[nodiscard]] const std::string& code() const { return code_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] const std::string& hint() const { return hint_; }
  [[nodiscard]] const std::optional<Place>& place() const { return place_; }

 private:
  std::string code_;
  std::string message_;
  std::string hint_;
  std::optional<Place> place_;
};

}  // namespace paceline
