#include "core/number_text.hh"

#include <cmath>
#include <cstdint>

namespace paceline {
namespace {

constexpr int kDigits = 15;

// Ten to the power of it; exact up to 22.
double ten_to(int power) {
  double ten = 1;
  for (int i = 0; i < power; ++i) ten *= 10;
  return ten;
}

// digits * 10^exponent, no zero at the end.
struct Decimal {
  std::string digits{};
  int exponent{};
};

Decimal decimal_of(double value) {
  constexpr double kWhole = 9007199254740992;  // up to here every whole number is exact
  const bool whole = value < kWhole && value == std::floor(value);
  int exponent = whole ? 0 : static_cast<int>(std::floor(std::log10(value))) + 1 - kDigits;
  const auto scaled = [&] {
    if (exponent >= 0) return value / ten_to(exponent);
    constexpr int kHalf = 200;  // 10^400 would be infinite
    return -exponent > kHalf ? value * ten_to(kHalf) * ten_to(-exponent - kHalf) : value * ten_to(-exponent);
  };
  std::string digits = std::to_string(std::llround(scaled()));
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  return {std::move(digits), exponent};
}

std::string fixed(const Decimal& d) {
  if (d.exponent >= 0) return d.digits + std::string(static_cast<std::size_t>(d.exponent), '0');
  const auto behind = static_cast<std::size_t>(-d.exponent);
  if (behind >= d.digits.size()) return "0." + std::string(behind - d.digits.size(), '0') + d.digits;
  return d.digits.substr(0, d.digits.size() - behind) + "." + d.digits.substr(d.digits.size() - behind);
}

std::string scientific(const Decimal& d) {
  const int power = d.exponent + static_cast<int>(d.digits.size()) - 1;
  std::string text = d.digits.substr(0, 1);
  if (d.digits.size() > 1) text += "." + d.digits.substr(1);
  text += power < 0 ? "e-" : "e+";
  if (std::abs(power) < 10) text += "0";
  return text + std::to_string(std::abs(power));
}

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "inf";
  if (value == 0) return sign + "0";
  const Decimal decimal = decimal_of(std::abs(value));
  std::string plain = fixed(decimal);
  std::string powers = scientific(decimal);
  return sign + (powers.size() < plain.size() ? powers : plain);
}

}  // namespace paceline
