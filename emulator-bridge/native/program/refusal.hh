#pragma once
// Why a program will not do what it was asked to: bad input (exit 2) or an unknown CCA or queue discipline (exit 127).

#include <stdexcept>
#include <string>

namespace paceline {

inline constexpr int kExitFailed = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitUnknown = 127;

class Refusal : public std::runtime_error {
 public:
  // `where`: JSON path, option or file; may be empty.
  Refusal(std::string where, const std::string& why, int exit_code = kExitBadInput)
      : std::runtime_error{where.empty() ? why : where + ": " + why}, where_{std::move(where)}, exit_code_{exit_code} {}

  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  std::string where_;
  int exit_code_;
};

}  // namespace paceline
