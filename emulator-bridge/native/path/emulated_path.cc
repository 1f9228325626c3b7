#include "path/emulated_path.hh"

namespace paceline {

std::vector<LinkSummary> EmulatedPath::summaries(Time now) const {
  std::vector<LinkSummary> all;
  for (const Way* way : {&forward_, &reverse_})
    if (auto summary = way->summary(now)) all.push_back(std::move(*summary));
  return all;
}

}  // namespace paceline
