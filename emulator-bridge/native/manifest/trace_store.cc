#include "manifest/trace_store.hh"

#include <algorithm>

#include "formats/trace_file.hh"
#include "io/sha256.hh"
#include "manifest/weights_file.hh"
#include "program/refusal.hh"

namespace paceline {

std::shared_ptr<const Trace> TraceStore::trace(const std::string& sha256, const std::string& where) {
  const auto known = std::ranges::find(kept_, sha256, &Kept::sha256);
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
    return known->trace;
  }
  try {
    auto trace = std::make_shared<const Trace>(read_stored_trace(directory_, sha256));
    const auto bytes = static_cast<std::size_t>(trace->period_ms() + 1) * sizeof(uint32_t);
    kept_.push_front({sha256, bytes, trace});
    bytes_ += bytes;
    for (; bytes_ > kept_bytes_ && kept_.size() > 1; kept_.pop_back()) bytes_ -= kept_.back().bytes;
    return trace;
  } catch (const TraceError& e) {
    throw Refusal{where, e.message() + (e.hint().empty() ? "" : " (" + e.hint() + ")")};
  }
}

Params::Weights TraceStore::network(const std::string& sha256, const std::string& where) {
  try {
    const std::string text = read_weights_file(directory_ / (sha256 + ".weights.json"));
    Sha256 hash;
    hash.update(text);
    if (hash.finish() != sha256) throw Refusal{"", "the stored file is no longer what it was: store it again"};
    return std::make_shared<const FeedForward>(weights_of(text));
  } catch (const Refusal& e) {
    throw Refusal{where, e.what()};
  }
}

}  // namespace paceline
