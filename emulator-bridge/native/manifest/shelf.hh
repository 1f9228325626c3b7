#pragma once
// What a manifest names by hash, from wherever it is kept: a folder of files, or the memory of a page.

#include <memory>
#include <string>

#include "core/params.hh"
#include "trace/trace.hh"

namespace paceline {

class Shelf {
 public:
  virtual ~Shelf() = default;
  // Both refuse what is not there; `where`: the place in the manifest.
  virtual std::shared_ptr<const Trace> trace(const std::string& sha256, const std::string& where) = 0;
  virtual Params::Weights network(const std::string& sha256, const std::string& where) = 0;
};

}  // namespace paceline
