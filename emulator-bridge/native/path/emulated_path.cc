#include "path/emulated_path.hh"

namespace paceline {

LinkSummary EmulatedPath::summary(Direction direction, Time now) const {
  LinkSummary summary = link(direction).summary(now);
  summary.direction = direction;
  summary.path = way(direction).summaries();
  return summary;
}

}  // namespace paceline
