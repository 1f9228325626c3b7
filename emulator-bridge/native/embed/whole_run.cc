#include "embed/whole_run.hh"

#include <algorithm>

#include "drivers/virtual.hh"
#include "manifest/manifest.hh"
#include "telemetry/telemetry.hh"
#include "telemetry/virtual_run.hh"

namespace paceline {
namespace {

using nlohmann::json;

// How many events go by before somebody is asked whether to go on: some milliseconds.
constexpr uint64_t kSlice = 1U << 16U;

// What would be written is kept.
class Collecting final : public TelemetryFormat {
 public:
  explicit Collecting(WholeRun& run) : run_{run} {}

  void control(const json& message, std::string&) override {
    const std::string& type = message.at("type").get_ref<const std::string&>();
    if (type == "hello") {
      run_.hello = message.dump();
    } else if (type == "summary") {
      run_.summary = message.dump();
    } else if (type == "event") {
      run_.events += (run_.events.empty() ? "[" : ",") + message.dump();
    }
  }

  void samples(const PendingRows& rows, std::string&) override {
    Series& series = of(rows.description);
    series.times.insert(series.times.end(), rows.times.begin(), rows.times.end());
    series.values.insert(series.values.end(), rows.values.begin(), rows.values.end());
  }

 private:
  Series& of(const StreamDescription& stream) {
    const auto known = std::ranges::find(run_.series, stream.stream, &Series::stream);
    if (known != run_.series.end()) return *known;
    return run_.series.emplace_back(Series{.stream = stream.stream, .columns = stream.values});
  }

  WholeRun& run_;
};

}  // namespace

std::unique_ptr<WholeRun> run_whole(std::string_view manifest, Shelf& shelf, bool with_samples,
                                    const std::function<bool()>& cancelled) {
  auto run = std::make_unique<WholeRun>();
  RunPlan plan = plan_of(json_of(manifest, "the manifest"), shelf, Engine::virtual_time);
  TelemetryWriter writer{std::make_unique<Collecting>(*run), [](std::string_view) { return true; }};
  greet(plan, with_samples, writer);
  const auto simulation = start_simulation(plan, writer);
  while (simulation->advance(kSlice))
    if (cancelled()) return nullptr;
  writer.control(summary_message(simulation->summary()));
  run->events += run->events.empty() ? "[]" : "]";
  return run;
}

}  // namespace paceline
