#pragma once
// A run from beginning to end, with all that it tells in memory, column by column as they are.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "manifest/shelf.hh"

namespace paceline {

struct Series {
  uint16_t stream{};
  std::size_t columns{};  // beside the time
  std::vector<double> times{};
  std::vector<float> values{};  // row after row
};

struct WholeRun {
  std::string hello{};
  std::string summary{};
  std::string events{};
  std::vector<Series> series{};
};

// Null when `cancelled` said so. Throws what plan_of() and start_simulation() throw.
[[nodiscard]] std::unique_ptr<WholeRun> run_whole(std::string_view manifest, Shelf& shelf, bool with_samples,
                                                  const std::function<bool()>& cancelled);

}  // namespace paceline
