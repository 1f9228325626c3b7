#pragma once
// Strong units of the engine: nanoseconds, bytes, bits per second. Mixing them up does not compile.

#include <compare>
#include <cstdint>
#include <limits>

namespace paceline {

// A span of time in integer nanoseconds.
struct Duration {
  int64_t ns{};

  static constexpr Duration zero() { return {0}; }
  static constexpr Duration infinite() { return {std::numeric_limits<int64_t>::max()}; }
  static constexpr Duration micros(int64_t v) { return {v * 1'000}; }
  static constexpr Duration millis(int64_t v) { return {v * 1'000'000}; }
  static constexpr Duration seconds(double v) { return {static_cast<int64_t>(v * 1e9 + (v < 0 ? -0.5 : 0.5))}; }

  [[nodiscard]] constexpr double to_seconds() const { return static_cast<double>(ns) / 1e9; }
  [[nodiscard]] constexpr double to_millis() const { return static_cast<double>(ns) / 1e6; }

  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration& operator+=(Duration d) {
    ns += d.ns;
    return *this;
  }
  constexpr Duration& operator-=(Duration d) {
    ns -= d.ns;
    return *this;
  }
};

constexpr Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }
constexpr Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }
constexpr Duration operator*(Duration a, int64_t k) { return {a.ns * k}; }
constexpr Duration operator*(int64_t k, Duration a) { return {a.ns * k}; }
constexpr Duration operator/(Duration a, int64_t k) { return {a.ns / k}; }
constexpr Duration scale(Duration a, double k) { return {static_cast<int64_t>(static_cast<double>(a.ns) * k)}; }

// A point on the run's clock: nanoseconds since the run began. Never wall-clock time.
struct Time {
  int64_t ns{};

  static constexpr Time zero() { return {0}; }
  // Later than every real time: "no timer".
  static constexpr Time never() { return {std::numeric_limits<int64_t>::max()}; }

  [[nodiscard]] constexpr bool is_never() const { return ns == std::numeric_limits<int64_t>::max(); }
  [[nodiscard]] constexpr double to_seconds() const { return static_cast<double>(ns) / 1e9; }

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time& operator+=(Duration d) {
    ns += d.ns;
    return *this;
  }
};

constexpr Time operator+(Time t, Duration d) { return {t.ns + d.ns}; }
constexpr Time operator-(Time t, Duration d) { return {t.ns - d.ns}; }
constexpr Duration operator-(Time a, Time b) { return {a.ns - b.ns}; }

// The least of some points in time, without the array that std::min would make of them.
constexpr Time earliest(Time time) { return time; }
template <typename... Times>
constexpr Time earliest(Time first, Times... others) {
  const Time other = earliest(others...);
  return other < first ? other : first;
}

// A number of bytes (signed, so that differences are safe).
struct Bytes {
  int64_t v{};

  static constexpr Bytes zero() { return {0}; }
  static constexpr Bytes infinite() { return {std::numeric_limits<int64_t>::max()}; }
  static constexpr Bytes packets(double n, Bytes mss) { return {static_cast<int64_t>(n * static_cast<double>(mss.v))}; }

  [[nodiscard]] constexpr double in_packets(Bytes mss) const {
    return static_cast<double>(v) / static_cast<double>(mss.v);
  }

  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes b) {
    v += b.v;
    return *this;
  }
  constexpr Bytes& operator-=(Bytes b) {
    v -= b.v;
    return *this;
  }
};

constexpr Bytes operator+(Bytes a, Bytes b) { return {a.v + b.v}; }
constexpr Bytes operator-(Bytes a, Bytes b) { return {a.v - b.v}; }
constexpr Bytes operator*(Bytes a, int64_t k) { return {a.v * k}; }
constexpr Bytes operator/(Bytes a, int64_t k) { return {a.v / k}; }
constexpr Bytes operator*(int64_t k, Bytes a) { return {a.v * k}; }
constexpr Bytes scale(Bytes a, double k) { return {static_cast<int64_t>(static_cast<double>(a.v) * k)}; }

// A rate in bits per second. Zero means "none" where a rate is optional.
struct Rate {
  double bps{};

  static constexpr Rate zero() { return {0.0}; }
  static constexpr Rate mbps(double v) { return {v * 1e6}; }
  // The rate that carries `b` in `d`; zero if no time passed.
  static constexpr Rate of(Bytes b, Duration d) {
    return {d.ns > 0 ? static_cast<double>(b.v) * 8e9 / static_cast<double>(d.ns) : 0.0};
  }

  [[nodiscard]] constexpr double to_mbps() const { return bps / 1e6; }
  // Time to send `b` at this rate; infinite at rate zero.
  [[nodiscard]] constexpr Duration time_for(Bytes b) const {
    return bps > 0.0 ? Duration{static_cast<int64_t>(static_cast<double>(b.v) * 8e9 / bps)} : Duration::infinite();
  }
  // Bytes carried in `d`.
  [[nodiscard]] constexpr Bytes bytes_in(Duration d) const {
    return {static_cast<int64_t>(bps * static_cast<double>(d.ns) / 8e9)};
  }

  constexpr auto operator<=>(const Rate&) const = default;
};

constexpr Rate operator*(Rate r, double k) { return {r.bps * k}; }
constexpr Rate operator*(double k, Rate r) { return {r.bps * k}; }

// Size of a full packet on the wire, IP headers included (design: MTU 1500 B; one delivery opportunity).
inline constexpr Bytes kMtu{1500};
// What of it is IPv4 and TCP with timestamps.
inline constexpr int64_t kTcpHeaders = 52;

}  // namespace paceline
