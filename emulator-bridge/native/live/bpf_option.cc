#include "live/bpf_option.hh"

#include <stdexcept>

#include "drivers/realtime_tun/bpf_cca.hh"
#include "program/refusal.hh"

namespace paceline {

std::vector<BpfObject> bpf_option(const Arguments& arguments) {
  std::vector<BpfObject> objects;
  for (const std::string& word : arguments.values(std::string{kBpfOption})) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals + 1 == word.size())
      throw Refusal{std::string{kBpfOption}, "wants NAME=FILE, not \"" + word + "\""};
    objects.push_back({.name = word.substr(0, equals), .path = word.substr(equals + 1)});
  }
  return objects;
}

TriedObjects try_out(const std::vector<BpfObject>& objects) {
  TriedObjects tried;
  for (const BpfObject& object : objects) {
    try {
      const BpfCca loaded{object.path, BpfCca::Until::loaded};
      tried.usable.push_back(object);
    } catch (const std::runtime_error& e) {
      tried.unavailable.push_back(
          {.id = std::string{kBpfPrefix} + object.name, .label = bpf_label(object.name), .reason = e.what()});
    }
  }
  return tried;
}

}  // namespace paceline
