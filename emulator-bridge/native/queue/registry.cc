#include "queue/registry.hh"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/fail.hh"

namespace paceline {
namespace {

// Function-local, so that it exists before the first RegisterQueue of any other file runs.
std::vector<const QueueDescriptor*>& queue_table() {
  static std::vector<const QueueDescriptor*> queues;
  return queues;
}

}  // namespace

std::span<const QueueDescriptor* const> registered_queues() { return queue_table(); }

const QueueDescriptor* find_queue(std::string_view id) {
  const auto found = std::ranges::find(queue_table(), id, &QueueDescriptor::id);
  return found == queue_table().end() ? nullptr : *found;
}

RegisterQueue::RegisterQueue(QueueDescriptor descriptor)
    : descriptor_{std::make_unique<const QueueDescriptor>(std::move(descriptor))} {
  auto& queues = queue_table();
  const auto at = std::ranges::lower_bound(queues, descriptor_->id, {}, &QueueDescriptor::id);
  if (at != queues.end() && (*at)->id == descriptor_->id) {
    // Before main(): nobody catches it, so the program ends and the runtime prints the sentence.
    fail(std::logic_error("two files in queue/ register the id " + std::string{descriptor_->id} +
                          ": give one another id"));
  }
  queues.insert(at, descriptor_.get());
}

}  // namespace paceline
