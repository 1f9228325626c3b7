#include "cca/registry.hh"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace paceline {
namespace {

// Function-local, so that it exists before the first RegisterCca of any other file runs.
std::vector<const Descriptor*>& table() {
  static std::vector<const Descriptor*> ccas;
  return ccas;
}

}  // namespace

std::span<const Descriptor* const> registered_ccas() { return table(); }

const Descriptor* find_cca(std::string_view id) {
  const auto found = std::ranges::find(table(), id, &Descriptor::id);
  return found == table().end() ? nullptr : *found;
}

RegisterCca::RegisterCca(Descriptor descriptor)
    : descriptor_{std::make_unique<const Descriptor>(std::move(descriptor))} {
  auto& ccas = table();
  const auto at = std::ranges::lower_bound(ccas, descriptor_->id, {}, &Descriptor::id);
  if (at != ccas.end() && (*at)->id == descriptor_->id) {
    // Before main(): nobody catches it, so the program ends and the runtime prints the sentence.
    throw std::logic_error("two files in cca/ register the id " + std::string{descriptor_->id} +
                           ": give one another id");
  }
  ccas.insert(at, descriptor_.get());
}

}  // namespace paceline
