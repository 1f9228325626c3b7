#pragma once
// Reminis with the settings that its paper names, and Reno below: what the default is not (docs/cca/reminis.md).

#include <string>

#include "cca/registry.hh"

namespace paceline::testing {

[[nodiscard]] inline Params::Given by_the_letter(Params::Given given = {}) {
  given.insert({{"d_stat", std::string{"mean"}}, {"base", std::string{"reno"}}, {"si_factor", 1.0}});
  return given;
}

}  // namespace paceline::testing
