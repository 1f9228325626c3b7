#include "path/plan.hh"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace paceline {

std::unique_ptr<QueueDiscipline> QueuePlan::make(const Random& random, bool flows_by_tag) const {
  return discipline->make(
      {.limit_bytes = limit_bytes, .limit_packets = limit_packets, .random = random, .flows_by_tag = flows_by_tag},
      params);
}

bool LinkPlan::plain() const {
  constexpr ElementPlan::Own kUsual[]{ElementPlan::Own::loss, ElementPlan::Own::bottleneck, ElementPlan::Own::delay};
  if (path.empty()) return true;
  if (joined) return false;
  const bool names_loss = path.front().own == ElementPlan::Own::loss;
  return std::ranges::equal(path, std::span{kUsual}.subspan(names_loss ? 0 : 1), {}, &ElementPlan::own);
}

const ElementDescriptor& ElementPlan::about() const {
  if (element) return *element;
  constexpr std::array<std::string_view, 4> kIds{"", "loss", "bottleneck", "delay"};
  return *find_element(kIds.at(static_cast<std::size_t>(own)));
}

std::vector<ElementPlan> LinkPlan::places() const {
  using Own = ElementPlan::Own;
  if (plain()) return {};
  std::vector<ElementPlan> all = path;
  if (std::ranges::find(all, Own::loss, &ElementPlan::own) == all.end()) all.insert(all.begin(), {.own = Own::loss});
  return all;
}

std::size_t LinkPlan::place_of(std::size_t index) const {
  const bool names_loss = std::ranges::find(path, ElementPlan::Own::loss, &ElementPlan::own) != path.end();
  return index == 0 || names_loss ? index : index + 1;
}

Duration LinkPlan::least_delay(std::size_t index) const {
  Duration least = path.empty() ? delay : Duration::zero();
  for (const ElementPlan& e : std::span{path}.subspan(index)) {
    if (e.own == ElementPlan::Own::delay) least = least + delay;
    if (e.own == ElementPlan::Own::none && e.element->least_delay) least = least + e.element->least_delay(e.params);
  }
  return least;
}

}  // namespace paceline
