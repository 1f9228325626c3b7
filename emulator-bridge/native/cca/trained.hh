#pragma once
// The networks that were trained here and come with the engine: native/weights has their files, cards and trainings.

#include <memory>
#include <string_view>

#include "core/feed_forward.hh"

namespace paceline {

// For the loop of this algorithm. Fails where none was trained.
[[nodiscard]] std::shared_ptr<const FeedForward> trained_network(std::string_view algorithm);

}  // namespace paceline
