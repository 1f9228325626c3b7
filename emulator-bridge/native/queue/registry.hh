#pragma once
// Self-registering queue disciplines: a file in queue/ that defines one `const RegisterQueue` is all it takes to add one.

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/params.hh"
#include "queue/discipline.hh"

namespace paceline {

struct QueueDescriptor {
  std::string_view id;     // lower case, stable for ever: it is in permalinks
  std::string_view label;  // as people write it
  Prose summary;           // one or two plain sentences
  Prose source;            // paper section, RFC, program
  bool limited{true};      // false: ignores the queue limit
  std::vector<ParamSpec> params{};
  std::function<std::unique_ptr<QueueDiscipline>(const QueueSetup&, const Params&)> make;
};

// All registered disciplines, sorted by id.
[[nodiscard]] std::span<const QueueDescriptor* const> registered_queues();
// Null if unknown.
[[nodiscard]] const QueueDescriptor* find_queue(std::string_view id);

class RegisterQueue {
 public:
  explicit RegisterQueue(QueueDescriptor descriptor);

 private:
  std::unique_ptr<const QueueDescriptor> descriptor_;
};

}  // namespace paceline
