#pragma once
// Self-registering path elements: a file in path/ that defines one `const RegisterElement` is all it takes to add one.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/params.hh"
#include "core/random.hh"
#include "link/bottleneck.hh"
#include "path/element.hh"
#include "path/recorded_delays.hh"

namespace paceline {

struct ElementSetup {
  Random random;  // the element's own stream
  Time from{};    // figures count from here
  // Of those with a capacity and a queue (`queues`):
  Bottleneck::Capacity capacity{};
  std::unique_ptr<QueueDiscipline> queue{};
  // Of those that repeat what was measured, when that is chosen (`recorded_with`):
  std::shared_ptr<const RecordedDelays> recorded{};
};

// What an element tells beside the packets that a Chain counts for all.
struct ElementValue {
  std::string_view name;  // snake_case, ends in its unit: "queue_bytes"
  std::string_view label;
  std::string_view unit;
  std::vector<std::string_view> states{};  // non-empty: the value is an index into these
  Prose help;
};

struct ElementDescriptor {
  std::string_view id;          // lower case, stable for ever: it is in permalinks
  std::string_view label;       // as people write it
  Prose summary;                // one or two plain sentences
  Prose source;                 // paper section, RFC, program
  bool queues{};                // is given a capacity and a queue discipline with its limit
  std::size_t most{SIZE_MAX};   // how many of it a direction may have: those that multiply packets would do so together
  ParamChoice recorded_with{};  // it is given delays that were measured when, and only when, that is chosen
  std::vector<ParamSpec> params{};
  std::vector<ElementValue> columns{};  // what PathElement::sample() fills; what says most comes first
  std::vector<ElementValue> figures{};  // what PathElement::sum_up() fills
  // What a packet takes at least, which is part of the base RTT; none: no time.
  std::function<Duration(const Params&)> least_delay{};
  // Throws std::invalid_argument, naming the parameters, when they do not go together.
  std::function<std::unique_ptr<PathElement>(ElementSetup, const Params&)> make;

  [[nodiscard]] bool repeats(const Params& of) const {
    return !recorded_with.param.empty() && of.choice(recorded_with.param) == recorded_with.value;
  }
};

// All registered elements, sorted by id.
[[nodiscard]] std::span<const ElementDescriptor* const> registered_elements();
// Null if unknown.
[[nodiscard]] const ElementDescriptor* find_element(std::string_view id);

class RegisterElement {
 public:
  explicit RegisterElement(ElementDescriptor descriptor);

 private:
  std::unique_ptr<const ElementDescriptor> descriptor_;
};

}  // namespace paceline
