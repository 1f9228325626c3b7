#include "embed/algorithms.hh"

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/fail.hh"
#include "embed/loops.hh"
#include "plugin/algorithm.hh"
#include "program/refusal.hh"
#include "telemetry/descriptions.hh"

namespace paceline {
namespace {

struct Added {
  std::mutex guard{};
  std::map<std::string_view, const Descriptor*> current{};
  // Never shortened: runs and listings hold what is in them.
  std::deque<Descriptor> all{};
  std::deque<std::string> revisions{};
  std::deque<std::string> listings{};
  bool listed{};  // as it is now

  // Only while the guard is held.
  [[nodiscard]] std::vector<const Descriptor*> now() const {
    std::vector<const Descriptor*> found;
    for (const auto& [id, cca] : current) found.push_back(cca);
    return found;
  }
};

Added& added() {
  static Added one;
  return one;
}

}  // namespace

void add_algorithm(const paceline_algorithm& algorithm, std::string_view revision) {
  if (const std::string fault = fault_of(algorithm); !fault.empty()) fail(Refusal{"", fault});
  Descriptor descriptor = descriptor_of(algorithm);
  const std::string id{descriptor.id};
  if (revision.empty()) fail(Refusal{"", id + " has no revision"});
  add_agent_loops();
  if (find_cca(id)) fail(Refusal{"", "there is a CCA \"" + id + "\" already"});
  Added& here = added();
  const std::scoped_lock lock{here.guard};
  const auto before = here.current.find(id);
  descriptor.identity = before == here.current.end() ? free_look(here.now()) : before->second->identity;
  descriptor.revision = here.revisions.emplace_back(revision);
  const Descriptor& kept = here.all.emplace_back(std::move(descriptor));
  here.current[kept.id] = &kept;
  here.listed = false;
}

const Descriptor* added_algorithm(std::string_view id) {
  Added& here = added();
  const std::scoped_lock lock{here.guard};
  const auto found = here.current.find(id);
  return found == here.current.end() ? nullptr : found->second;
}

const char* listing_now() {
  add_agent_loops();
  Added& here = added();
  const std::scoped_lock lock{here.guard};
  if (!here.listed) here.listings.push_back(engine_listing({}, here.now()).dump());
  here.listed = true;
  return here.listings.back().c_str();
}

}  // namespace paceline
