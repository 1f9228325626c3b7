#pragma once
// The traces that runs name, decoded.

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <string>

#include "trace/trace.hh"

namespace paceline {

// A trace that several flows, directions or runs share is read once. Those that were asked for last are kept, up to so many bytes
// together; the very last always is.
class TraceStore {
 public:
  static constexpr std::size_t kKeptBytes = std::size_t{64} << 20U;

  explicit TraceStore(std::filesystem::path directory, std::size_t kept_bytes = kKeptBytes)
      : directory_{std::move(directory)}, kept_bytes_{kept_bytes} {}

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }

  // Reads <directory>/<sha256>.trace. Throws Refusal, naming the place `where` in the manifest.
  std::shared_ptr<const Trace> get(const std::string& sha256, const std::string& where);

 private:
  struct Kept {
    std::string sha256{};
    std::size_t bytes{};
    std::shared_ptr<const Trace> trace{};
  };

  std::filesystem::path directory_;
  std::size_t kept_bytes_;
  std::size_t bytes_{};
  std::list<Kept> kept_{};  // the last one asked for first
};

}  // namespace paceline
