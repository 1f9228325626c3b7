#pragma once
// Who is sent into hostile weather: every algorithm as it is, and again with each of its variants and switches.

#include <string>
#include <vector>

#include "cca/registry.hh"
#include "core/random.hh"

namespace paceline::testing {

struct Subject {
  const Descriptor* cca{};
  const ParamSpec* variant{};  // none: every choice is free
  std::size_t chosen{};        // of the variant's choices; of a boolean: 0 or 1

  [[nodiscard]] std::string name() const;  // "ledbat profile=libutp"
};

// In the order of the algorithms' ids.
[[nodiscard]] std::vector<Subject> hostile_subjects();

// Parameters within their declared ranges: about half of them as they are, the others anywhere, also at either end.
[[nodiscard]] Params::Given random_params(std::span<const ParamSpec> specs, Random& random, double moved);
// The same for an algorithm, its variant held.
[[nodiscard]] Params::Given random_params(const Subject& subject, Random& random, double moved);

// "delta = 0.04, mode = auto"
[[nodiscard]] std::string text_of(const Params::Given& given);

}  // namespace paceline::testing
