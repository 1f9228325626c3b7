#pragma once
// What a manifest names by hash, from wherever it is kept: a folder of files, or the memory of a page.

#include <memory>
#include <string>
#include <string_view>

#include "cca/registry.hh"
#include "core/params.hh"
#include "trace/trace.hh"

namespace paceline {

class Shelf {
 public:
  virtual ~Shelf() = default;
  // Both refuse what is not there; `where`: the place in the manifest.
  virtual std::shared_ptr<const Trace> trace(const std::string& sha256, const std::string& where) = 0;
  virtual Params::Weights network(const std::string& sha256, const std::string& where) = 0;
  // An algorithm that is not one of those registered; null: there is none of this id. It outlives the run.
  virtual const Descriptor* added_cca(std::string_view /*id*/) { return nullptr; }
};

}  // namespace paceline
