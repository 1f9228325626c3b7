#include <fstream>
#include <iostream>
#include <iterator>

#include "manifest/manifest.hh"
#include "manifest/trace_store.hh"
#include "program/refusal.hh"

namespace paceline {

using nlohmann::json;

json read_json(const std::string& file) {
  std::string text;
  if (file == "-") {
    text.assign(std::istreambuf_iterator<char>{std::cin}, {});
  } else {
    std::ifstream stream{file, std::ios::binary};
    if (!stream) throw Refusal{file, "cannot be read"};
    text.assign(std::istreambuf_iterator<char>{stream}, {});
  }
  return json_of(text, file == "-" ? "standard input" : file);
}

RunPlan plan_of(const json& manifest, const std::filesystem::path& traces, Engine engine,
                std::span<const Endpoints> endpoints) {
  TraceStore store{traces};
  return plan_of(manifest, store, engine, endpoints);
}

}  // namespace paceline
