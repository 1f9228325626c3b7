#pragma once
// The functions of <cmath> whose last bit the standard leaves to each library, from nothing but IEEE additions, multiplications,
// divisions and square roots: the same bits from every compiler, processor and library, WebAssembly included. They are computed to
// twice a double's digits and rounded once, so they are correctly rounded but for about one argument in 2^40. A microsecond or so
// each: not for every packet.

namespace paceline::exact {

[[nodiscard]] double exp(double x);
[[nodiscard]] double exp2(double x);
[[nodiscard]] double log(double x);
[[nodiscard]] double log1p(double x);
// `base` must not be negative.
[[nodiscard]] double pow(double base, double exponent);
[[nodiscard]] double cbrt(double x);
[[nodiscard]] double erfc(double x);

}  // namespace paceline::exact
