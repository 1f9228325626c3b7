#include "path/registry.hh"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/fail.hh"

namespace paceline {
namespace {

// Function-local, so that it exists before the first RegisterElement of any other file runs.
std::vector<const ElementDescriptor*>& element_table() {
  static std::vector<const ElementDescriptor*> elements;
  return elements;
}

}  // namespace

std::span<const ElementDescriptor* const> registered_elements() { return element_table(); }

const ElementDescriptor* find_element(std::string_view id) {
  const auto found = std::ranges::find(element_table(), id, &ElementDescriptor::id);
  return found == element_table().end() ? nullptr : *found;
}

RegisterElement::RegisterElement(ElementDescriptor descriptor)
    : descriptor_{std::make_unique<const ElementDescriptor>(std::move(descriptor))} {
  auto& elements = element_table();
  const auto at = std::ranges::lower_bound(elements, descriptor_->id, {}, &ElementDescriptor::id);
  if (at != elements.end() && (*at)->id == descriptor_->id) {
    // Before main(): nobody catches it, so the program ends and the runtime prints the sentence.
    fail(std::logic_error("two files in path/ register the id " + std::string{descriptor_->id} +
                          ": give one another id"));
  }
  elements.insert(at, descriptor_.get());
}

}  // namespace paceline
