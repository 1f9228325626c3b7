#pragma once
// The traces that runs name, decoded, and the weights beside them, from a folder.

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <string>

#include "manifest/shelf.hh"

namespace paceline {

// A trace that several flows, directions or runs share is read once. Those that were asked for last are kept, up to so many bytes
// together; the very last always is.
class TraceStore final : public Shelf {
 public:
  static constexpr std::size_t kKeptBytes = std::size_t{64} << 20U;

  explicit TraceStore(std::filesystem::path directory, std::size_t kept_bytes = kKeptBytes)
      : directory_{std::move(directory)}, kept_bytes_{kept_bytes} {}

  // Reads <directory>/<sha256>.trace. Throws Refusal, naming the place `where` in the manifest.
  std::shared_ptr<const Trace> trace(const std::string& sha256, const std::string& where) override;
  // Reads <directory>/<sha256>.weights.json, and throws alike.
  Params::Weights network(const std::string& sha256, const std::string& where) override;

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
