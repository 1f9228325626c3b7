#pragma once
// What something that declares parameters can be set to, for tests that hold whatever is chosen.

#include <span>
#include <string>
#include <vector>

#include "core/params.hh"

namespace paceline::testing {

// The defaults, then one at a time: least and greatest value of every number, every choice, every boolean the other way round.
inline std::vector<Params::Given> variants_of(std::span<const ParamSpec> params) {
  std::vector<Params::Given> all{{}};
  for (const ParamSpec& p : params) {
    if (p.type == ParamType::boolean) all.push_back({{std::string{p.name}, p.initial == 0}});
    if (p.type == ParamType::choice)
      for (const auto choice : p.choices) all.push_back({{std::string{p.name}, std::string{choice}}});
    if (p.type == ParamType::number || p.type == ParamType::integer) {
      all.push_back({{std::string{p.name}, p.min}});
      all.push_back({{std::string{p.name}, p.max}});
    }
  }
  return all;
}

}  // namespace paceline::testing
