#pragma once
// What manifests name by hash, handed in by the program around: many runs read it at once.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "manifest/shelf.hh"

namespace paceline {

class Library final : public Shelf {
 public:
  void keep_trace(std::string_view sha256, std::string_view text);
  void keep_network(std::string_view sha256, std::string_view text);

  std::shared_ptr<const Trace> trace(const std::string& sha256, const std::string& where) override;
  Params::Weights network(const std::string& sha256, const std::string& where) override;
  const Descriptor* added_cca(std::string_view id) override;

 private:
  std::mutex guard_{};
  std::map<std::string, std::shared_ptr<const Trace>, std::less<>> traces_{};
  std::map<std::string, Params::Weights, std::less<>> networks_{};
};

}  // namespace paceline
