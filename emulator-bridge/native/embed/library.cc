#include "embed/library.hh"

#include "core/fail.hh"
#include "embed/algorithms.hh"
#include "manifest/weights_file.hh"
#include "program/refusal.hh"
#include "trace/text.hh"

namespace paceline {
namespace {

template <typename Kept>
Kept found(const std::map<std::string, Kept, std::less<>>& all, const std::string& sha256, const std::string& where,
           const char* what) {
  const auto known = all.find(sha256);
  if (known == all.end()) fail(Refusal{where, std::string{"this "} + what + " was not handed in"});
  return known->second;
}

}  // namespace

void Library::keep_trace(std::string_view sha256, std::string_view text) {
  TraceTextParser parser{TraceTextParser::Ambiguous::accept};
  parser.feed(text);
  auto trace = std::make_shared<const Trace>(parser.finish().counts);
  const std::scoped_lock lock{guard_};
  traces_[std::string{sha256}] = std::move(trace);
}

void Library::keep_network(std::string_view sha256, std::string_view text) {
  auto network = std::make_shared<const FeedForward>(weights_of(text));
  const std::scoped_lock lock{guard_};
  networks_[std::string{sha256}] = std::move(network);
}

std::shared_ptr<const Trace> Library::trace(const std::string& sha256, const std::string& where) {
  const std::scoped_lock lock{guard_};
  return found(traces_, sha256, where, "trace");
}

Params::Weights Library::network(const std::string& sha256, const std::string& where) {
  const std::scoped_lock lock{guard_};
  return found(networks_, sha256, where, "weights");
}

const Descriptor* Library::added_cca(std::string_view id) { return added_algorithm(id); }

}  // namespace paceline
