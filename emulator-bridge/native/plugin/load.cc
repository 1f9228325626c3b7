#include "plugin/load.hh"

#include <dlfcn.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "cca/registry.hh"
#include "io/sha256.hh"
#include "plugin/algorithm.hh"
#include "plugin/paceline_plugin.h"
#include "program/refusal.hh"

namespace paceline {
namespace {

constexpr const char* kVariable = "PACELINE_CCA_PLUGINS";
constexpr const char* kSymbol = "paceline_get_plugin";
// Enough of a hash to tell two builds apart.
constexpr std::size_t kRevisionDigits = 12;

std::vector<std::string> files_of(const Arguments& arguments) {
  std::vector<std::string> files = arguments.values(std::string{kPluginOption});
  const char* const variable = std::getenv(kVariable);
  std::string all{variable == nullptr ? "" : variable};
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find(':', at), all.size());
    if (end > at) files.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return files;
}

std::string revision_of(const std::string& file) {
  std::ifstream stream{file, std::ios::binary};
  if (!stream) throw Refusal{file, "this plug-in cannot be read"};
  const std::string bytes{std::istreambuf_iterator<char>{stream}, {}};
  Sha256 hash;
  hash.update(bytes);
  return hash.finish().substr(0, kRevisionDigits);
}

const paceline_plugin& opened(const std::string& file) {
  // Its symbols are its own: two plug-ins may call theirs alike.
  void* const library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Refusal{file, std::string{"this plug-in cannot be loaded: "} + dlerror()};
  const auto give = reinterpret_cast<const paceline_plugin* (*)()>(dlsym(library, kSymbol));
  if (give == nullptr) throw Refusal{file, std::string{"is no plug-in: it has no "} + kSymbol + "()"};
  const paceline_plugin* const plugin = give();
  if (plugin == nullptr) throw Refusal{file, "this plug-in gives nothing"};
  if (plugin->abi != PACELINE_PLUGIN_ABI || plugin->algorithm_bytes != sizeof(paceline_algorithm))
    throw Refusal{file, "this plug-in was built for version " + std::to_string(plugin->abi) +
                            " of the interface, this program has " + std::to_string(PACELINE_PLUGIN_ABI)};
  return *plugin;
}

void load(const std::string& file) {
  static std::deque<std::string> revisions;
  revisions.push_back(revision_of(file));
  const paceline_plugin& plugin = opened(file);
  for (const paceline_algorithm& algorithm : std::span{plugin.algorithms, plugin.algorithm_count}) {
    if (const std::string fault = fault_of(algorithm); !fault.empty()) throw Refusal{file, fault};
    Descriptor descriptor = descriptor_of(algorithm);
    descriptor.revision = revisions.back();
    try {
      add_cca(std::move(descriptor));
    } catch (const std::invalid_argument& taken) {
      throw Refusal{file, taken.what()};
    }
  }
}

}  // namespace

void load_plugins(const Arguments& arguments) {
  std::set<std::string> seen;
  for (const std::string& file : files_of(arguments))
    if (seen.insert(file).second) load(file);
}

}  // namespace paceline
