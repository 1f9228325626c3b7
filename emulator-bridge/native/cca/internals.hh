#pragma once
// What an algorithm shows of its inside: each value stands beside the getter that reads it, so that the list of names and the row of
// values are one and the same.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace paceline {

// A value inside the algorithm that is sampled for plots. State internals are numbered names (0, 1, 2 …).
struct InternalSpec {
  std::string_view name;  // column name, snake_case with unit: "bw_mbps"
  std::string_view label;
  std::string_view unit;
  std::vector<std::string_view> states{};  // non-empty: a state ribbon; the sampled value is an index
};

template <class Value>
[[nodiscard]] float if_known(bool known, Value value) {
  return known ? static_cast<float>(value) : NAN;
}

template <class Read, class Of>
concept Reads = std::is_empty_v<Read> && std::invocable<const Read&, const Of&>;

// Reads a number, a flag or the index of a state from an object. Made from a lambda that captures nothing.
template <class Of>
class Getter {
 public:
  template <Reads<Of> Read>
  Getter(Read) : read_{[](const Of& of) { return static_cast<float>(Read{}(of)); }} {}

  [[nodiscard]] float operator()(const Of& of) const { return read_(of); }

 private:
  float (*read_)(const Of&);
};

template <class Of>
struct Internal {
  std::string_view name;
  std::string_view label;
  std::string_view unit;
  Getter<Of> value;  // NaN: unknown
  std::vector<std::string_view> states{};
};

// The internals of the class `Of`, in the order of their columns.
template <class Of>
class Internals {
 public:
  explicit Internals(std::vector<Internal<Of>> all) : all_{std::move(all)} {}

  [[nodiscard]] std::vector<InternalSpec> specs() const {
    std::vector<InternalSpec> specs;
    for (const Internal<Of>& i : all_) specs.push_back({i.name, i.label, i.unit, i.states});
    return specs;
  }

  void tell(const Of& of, std::span<float> out) const {
    std::ranges::transform(all_, out.begin(), [&of](const Internal<Of>& i) { return i.value(of); });
  }

 private:
  std::vector<Internal<Of>> all_;
};

}  // namespace paceline
