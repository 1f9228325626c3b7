#include "recipe/edit_file.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "formats/trace_file.hh"
#include "recipe/trace_sketch.hh"
#include "trace/edit.hh"
#include "trace/text.hh"

namespace paceline {

using nlohmann::json;
using trace_edit::Counts;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostSteps = 100;
constexpr uint64_t kInterruptionMs = 30;  // the channel models draw from 20 to 40 ms, and have no ramp

std::string hash_at(const json& value, const std::string& where) {
  const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  const std::string hash = value.is_string() ? value.get<std::string>() : "";
  if (hash.size() != 64 || !std::ranges::all_of(hash, hex)) throw EditRefused{where, "must be a trace's SHA-256"};
  return hash;
}

Counts stored(const fs::path& traces, const std::string& hash, const std::string& where) {
  if (!fs::exists(traces / (hash + ".trace"))) throw EditRefused{where, "there is no trace " + hash};
  return read_stored_trace(traces, hash);
}

// One step, read key by key; keys that nobody asked for are refused.
class EditStep {
 public:
  EditStep(const json& step, std::string where, const fs::path& traces)
      : step_{step}, where_{std::move(where)}, traces_{traces} {
    if (!step.is_object()) throw EditRefused{where_, "must be an object"};
  }

  [[nodiscard]] std::string op() { return text("op"); }
  [[nodiscard]] uint64_t ms(const char* key, uint64_t least) {
    const json& value = any(key);
    if (!value.is_number()) refuse(key, "must be a number of milliseconds");
    const double number = value.get<double>();
    if (number != std::floor(number) || number < static_cast<double>(least) ||
        number > static_cast<double>(kMaxTracePeriodMs))
      refuse(key, "must be a whole number of milliseconds from " + std::to_string(least) + " to " +
                      std::to_string(kMaxTracePeriodMs));
    return static_cast<uint64_t>(number);
  }
  [[nodiscard]] uint64_t ms_or(const char* key, uint64_t otherwise) {
    return any(key).is_null() ? otherwise : ms(key, 0);
  }
  [[nodiscard]] uint64_t millionths(const char* key) {
    constexpr double kMost = 1000;
    const json& value = any(key);
    if (!value.is_number() || value.get<double>() < 1e-6 || value.get<double>() > kMost)
      refuse(key, "must be a number from 0.000001 to 1000");
    return static_cast<uint64_t>(std::llround(value.get<double>() * 1e6));
  }
  [[nodiscard]] std::string text(const char* key) {
    const json& value = any(key);
    if (!value.is_string()) refuse(key, "must be text");
    return value.get<std::string>();
  }
  [[nodiscard]] Counts trace(const char* key) {
    const std::string where = where_ + "." + key;
    return stored(traces_, hash_at(any(key), where), where);
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const {
    throw EditRefused{where_ + "." + key, why};
  }
  [[noreturn]] void refuse(const std::string& why) const { throw EditRefused{where_, why}; }
  void no_more() const {
    for (const auto& [key, value] : step_.items())
      if (!asked_.contains(key)) refuse(key, "is not a parameter of this step");
  }

 private:
  const json& any(const char* key) {
    static const json kNothing{};
    asked_.insert(key);
    const auto found = step_.find(key);
    return found == step_.end() ? kNothing : *found;
  }

  const json& step_;
  std::string where_;
  const fs::path& traces_;
  std::set<std::string, std::less<>> asked_{};
};

Counts outage(Counts counts, EditStep& step) {
  const std::string mode = step.text("mode");
  if (mode != "insert" && mode != "overwrite") step.refuse("mode", "must be insert or overwrite");
  const uint64_t at_ms = step.ms("at_ms", 0);
  const uint64_t duration_ms = step.ms("duration_ms", 1);
  return mode == "insert" ? trace_edit::insert_outage(std::move(counts), at_ms, duration_ms)
                          : trace_edit::overwrite_outage(std::move(counts), at_ms, duration_ms);
}

struct Operation {
  std::string_view name;
  Counts (*apply)(Counts, EditStep&);
};

constexpr std::array kOperations{
    Operation{"cut",
              [](Counts counts, EditStep& s) {
                const uint64_t from_ms = s.ms("from_ms", 0);
                return trace_edit::cut(std::move(counts), from_ms, s.ms("to_ms", 1));
              }},
    Operation{"remove",
              [](Counts counts, EditStep& s) {
                const uint64_t from_ms = s.ms("from_ms", 0);
                return trace_edit::remove(std::move(counts), from_ms, s.ms("to_ms", 1));
              }},
    Operation{"loop",
              [](Counts counts, EditStep& s) { return trace_edit::loop(std::move(counts), s.ms("duration_ms", 1)); }},
    Operation{"concatenate",
              [](Counts counts, EditStep& s) { return trace_edit::concatenate(std::move(counts), s.trace("trace")); }},
    Operation{"scale",
              [](Counts counts, EditStep& s) { return trace_edit::scale(std::move(counts), s.millionths("factor")); }},
    Operation{"smooth", [](Counts counts, EditStep& s) { return trace_edit::smooth(counts, s.ms("window_ms", 1)); }},
    Operation{"outage", outage},
    Operation{"handover",
              [](Counts counts, EditStep& s) {
                const uint64_t at_ms = s.ms("at_ms", 0);
                const uint64_t interruption_ms = s.ms_or("interruption_ms", kInterruptionMs);
                return trace_edit::handover(std::move(counts), at_ms, interruption_ms, s.ms_or("ramp_ms", 0));
              }},
    Operation{"reverse", [](Counts counts, EditStep&) { return trace_edit::reverse(std::move(counts)); }},
    Operation{"shift",
              [](Counts counts, EditStep& s) { return trace_edit::shift(std::move(counts), s.ms("by_ms", 0)); }},
};

Counts apply(Counts counts, EditStep& step, bool first) {
  const std::string op = step.op();
  const auto* const operation = std::ranges::find(kOperations, op, &Operation::name);
  if (operation == kOperations.end()) {
    std::string names;
    for (const Operation& o : kOperations) names.append(names.empty() ? "" : ", ").append(o.name);
    step.refuse("op", "must be one of: " + names);
  }
  try {
    counts = operation->apply(std::move(counts), step);
  } catch (const trace_edit::Refused& refused) {
    step.refuse(refused.parameter(), refused.what() + std::string{first ? "" : ", after the steps before"});
  }
  step.no_more();
  return counts;
}

}  // namespace

EditedTrace edited_trace(std::string_view text, const fs::path& traces) {
  const json edit = json::parse(text, nullptr, false);
  if (edit.is_discarded() || !edit.is_object()) throw EditRefused{"edit", "is not a JSON object"};
  for (const auto& [key, value] : edit.items())
    if (key != "schema" && key != "source" && key != "steps") throw EditRefused{key, "is not known here"};
  if (!edit.contains("schema") || edit["schema"] != 1) throw EditRefused{"schema", "must be 1"};
  if (!edit.contains("steps") || !edit["steps"].is_array() || edit["steps"].size() > kMostSteps)
    throw EditRefused{"steps", "must be a list of at most " + std::to_string(kMostSteps) + " steps"};
  const json source = edit.value("source", json{});
  EditedTrace out{.counts = stored(traces, hash_at(source, "source"), "source")};
  const json& steps = edit["steps"];
  if (!steps.empty()) out.counts = trace_edit::folded(std::move(out.counts));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string where = "steps[" + std::to_string(i) + "]";
    out.lengths_ms.push_back(out.counts.size() - 1);
    EditStep step{steps[i], where, traces};
    out.counts = apply(std::move(out.counts), step, i == 0);
    if (std::ranges::all_of(out.counts, [](uint32_t n) { return n == 0; }))
      step.refuse("not one delivery opportunity is left");
  }
  out.lengths_ms.push_back(out.counts.size() - 1);
  return out;
}

json edit_sketch(const EditedTrace& edited, uint64_t bins) {
  json out = trace_sketch_json(edited.counts, bins);
  out["lengths_ms"] = edited.lengths_ms;
  return out;
}

}  // namespace paceline
