#pragma once
// A source in memory, given in chunks of a size.

#include <algorithm>
#include <string>
#include <utility>

#include "formats/source.hh"

namespace paceline::testing {

class MemorySource final : public formats::Source {
 public:
  explicit MemorySource(std::string content, std::size_t chunk = 1 << 16)
      : content_{std::move(content)}, chunk_{chunk} {}
  [[nodiscard]] std::string_view head() override { return std::string_view{content_}.substr(0, kHead); }
  [[nodiscard]] std::span<const char> next() override {
    const std::size_t size = std::min(chunk_, content_.size() - at_);
    at_ += size;
    return {content_.data() + at_ - size, size};
  }
  void rewind() override { at_ = 0; }

 private:
  std::string content_;
  std::size_t chunk_;
  std::size_t at_{};
};

}  // namespace paceline::testing
