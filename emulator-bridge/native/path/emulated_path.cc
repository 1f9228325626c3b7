#include "path/emulated_path.hh"

namespace paceline {

LinkSummary EmulatedPath::summary(Direction direction, Time now) const {
  LinkSummary summary = link(direction).summary(now);
  summary.reverse = direction == Direction::reverse;
  summary.path = way(direction).summaries();
  return summary;
}

}  // namespace paceline
