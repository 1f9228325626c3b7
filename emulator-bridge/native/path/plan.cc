#include "path/plan.hh"

#include <algorithm>

namespace paceline {

std::unique_ptr<QueueDiscipline> QueuePlan::make(const Random& random, bool flows_by_tag) const {
  return discipline->make(
      {.limit_bytes = limit_bytes, .limit_packets = limit_packets, .random = random, .flows_by_tag = flows_by_tag},
      params);
}

bool LinkPlan::plain() const {
  constexpr ElementPlan::Own kUsual[]{ElementPlan::Own::loss, ElementPlan::Own::bottleneck, ElementPlan::Own::delay};
  if (path.empty()) return true;
  const bool names_loss = path.front().own == ElementPlan::Own::loss;
  return std::ranges::equal(path, std::span{kUsual}.subspan(names_loss ? 0 : 1), {}, &ElementPlan::own);
}

Duration LinkPlan::least_delay() const {
  Duration least = delay;
  for (const ElementPlan& e : path)
    if (e.own == ElementPlan::Own::none && e.element->least_delay) least = least + e.element->least_delay(e.params);
  return least;
}

}  // namespace paceline
