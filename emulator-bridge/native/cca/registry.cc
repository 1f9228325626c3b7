#include "cca/registry.hh"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "core/fail.hh"

namespace paceline {
namespace {

// Function-local, so that it exists before the first RegisterCca of any other file runs.
std::vector<Descriptor*>& entries() {
  static std::vector<Descriptor*> ccas;
  return ccas;
}

using Look = std::tuple<bool, int, std::string_view>;
Look look_of(const Identity& identity) { return {identity.hollow, identity.slot, identity.marker}; }

// Solid before hollow, and of these the colour that the fewest have.
Identity first_free(const std::set<Look>& taken) {
  const auto wearers = [&](int slot) {
    return std::ranges::count_if(taken, [slot](const Look& look) { return std::get<1>(look) == slot; });
  };
  std::array<int, kLookSlots> slots{};
  for (int i = 0; i < kLookSlots; ++i) slots[static_cast<std::size_t>(i)] = i;
  std::ranges::stable_sort(slots, {}, wearers);
  for (const bool hollow : {false, true})
    for (const int slot : slots)
      for (const std::string_view marker : kLookMarkers)
        if (!taken.contains({hollow, slot, marker})) return {.slot = slot, .marker = marker, .hollow = hollow};
  fail(std::logic_error("there are more algorithms in cca/ than looks"));
}

std::vector<const Descriptor*> with_looks() {
  std::set<Look> taken;
  for (const Descriptor* cca : entries())
    if (!cca->identity.marker.empty()) taken.insert(look_of(cca->identity));
  for (Descriptor* cca : entries()) {
    if (!cca->identity.marker.empty()) continue;
    cca->identity = first_free(taken);
    taken.insert(look_of(cca->identity));
  }
  return {entries().begin(), entries().end()};
}

std::vector<const Descriptor*>& listed() {
  static std::vector<const Descriptor*> ccas = with_looks();
  return ccas;
}

std::vector<std::unique_ptr<Descriptor>>& added() {
  static std::vector<std::unique_ptr<Descriptor>> ccas;
  return ccas;
}

}  // namespace

std::span<const Descriptor* const> registered_ccas() { return listed(); }

void add_cca(Descriptor descriptor) {
  std::vector<const Descriptor*>& all = listed();
  const auto at = std::ranges::lower_bound(all, descriptor.id, {}, &Descriptor::id);
  if (at != all.end() && (*at)->id == descriptor.id)
    fail(std::invalid_argument("there is a CCA \"" + std::string{descriptor.id} + "\" already"));
  if (descriptor.identity.marker.empty()) descriptor.identity = free_look({});
  added().push_back(std::make_unique<Descriptor>(std::move(descriptor)));
  all.insert(at, added().back().get());
}

void forget_added_ccas() {
  for (const auto& cca : added()) std::erase(listed(), cca.get());
  added().clear();
}

const Descriptor* find_cca(std::string_view id) {
  const auto found = std::ranges::find(registered_ccas(), id, &Descriptor::id);
  return found == registered_ccas().end() ? nullptr : *found;
}

Identity free_look(std::span<const Descriptor* const> beside) {
  std::set<Look> taken;
  for (const auto ccas : {registered_ccas(), beside})
    for (const Descriptor* cca : ccas) taken.insert(look_of(cca->identity));
  return first_free(taken);
}

RegisterCca::RegisterCca(Descriptor descriptor) : descriptor_{std::make_unique<Descriptor>(std::move(descriptor))} {
  auto& ccas = entries();
  const auto at = std::ranges::lower_bound(ccas, descriptor_->id, {}, &Descriptor::id);
  if (at != ccas.end() && (*at)->id == descriptor_->id) {
    // Before main(): nobody catches it, so the program ends and the runtime prints the sentence.
    fail(std::logic_error("two files in cca/ register the id " + std::string{descriptor_->id} +
                          ": give one another id"));
  }
  ccas.insert(at, descriptor_.get());
}

}  // namespace paceline
