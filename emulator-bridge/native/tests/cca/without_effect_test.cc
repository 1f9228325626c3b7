// A parameter that says where it means something means nothing elsewhere: specs drop it there, so that two names never stand for the same
// bytes. And where it says so it does: else it would be dropped although it matters.
#include <doctest/doctest.h>

#include <bit>

#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// All that a run tells, as one number.
class Digest final : public RunSink {
 public:
  void samples(uint16_t stream, Time time, std::span<const float> row) override {
    add(stream);
    add(static_cast<uint64_t>(time.ns));
    for (const float value : row) add(std::bit_cast<uint32_t>(value));
  }
  void samples_complete(Time) override {}
  void event(const RunEvent& e) override { add(static_cast<uint64_t>(e.time.ns)); }
  [[nodiscard]] uint64_t value() const { return value_; }

 private:
  void add(uint64_t next) {  // FNV-1a, a word at a time
    value_ ^= next;
    value_ *= 0x100000001b3;
  }
  uint64_t value_{0xcbf29ce484222325};
};

// Losses and steps over a long path, then marks over a short one, each beside a rival, and a fall to a tenth in an endless queue.
struct Course {
  std::string_view queue{};
  Params::Given rules{};
  double limit_packets{};
  double rtt_ms{};
  double loss{};
  std::shared_ptr<const Trace> trace{};
  double rival_at_s{};
};

const std::vector<Course>& courses() {
  static const std::vector<Course> all{
      {.queue = "droptail",
       .limit_packets = 120,
       .rtt_ms = 40,
       .loss = 0.002,
       .trace = steps({{6, 2000}, {8, 200}, {16, 3000}}),
       .rival_at_s = 9},
      {.queue = "dualpi2",
       .limit_packets = 1000,
       .rtt_ms = 3,
       .trace = steps({{8, 2000}, {16, 1000}}),
       .rival_at_s = 6},
      {.queue = "codel",
       .rules = {{"ecn", true}},
       .limit_packets = 1000,
       .rtt_ms = 3,
       .trace = steps({{8, 2000}, {16, 1000}}),
       .rival_at_s = 6},
      {.queue = "infinite", .rtt_ms = 100, .trace = steps({{8, 3000}, {16, 300}}), .rival_at_s = 20},
  };
  return all;
}

uint64_t digest(const Descriptor& cca, const Params::Given& given, const Course& course) {
  RunPlan plan;
  plan.duration = Duration::seconds(16);
  plan.sample_period = Duration::millis(50);
  plan.seed = 7;
  plan.forward.loss = course.loss;
  const QueueDescriptor* queue = find_queue(std::string{course.queue});
  plan.forward.queue.discipline = queue;
  plan.forward.queue.params = Params{queue->params, course.rules};
  if (course.limit_packets > 0)
    plan.forward.queue.limit_bytes = Bytes{static_cast<int64_t>(course.limit_packets * kPacket)};
  plan.forward.capacity.kind = Bottleneck::Capacity::Kind::trace;
  plan.forward.capacity.trace = course.trace;
  plan.forward.delay = plan.reverse.delay = Duration::seconds(course.rtt_ms / 2000);
  plan.reverse.queue.discipline = find_queue("infinite");
  plan.flows.push_back({.cca = &cca, .params = Params{cca.params, given}, .ack_every = 1});
  if (course.rival_at_s < 16) plan.flows.push_back(flow_plan({.cca = "cubic", .start_s = course.rival_at_s}, 1));
  Digest digest;
  simulate(plan, digest);
  return digest.value();
}

using Value = Params::Given::mapped_type;

std::vector<Value> extremes(const ParamSpec& p) {
  switch (p.type) {
    case ParamType::boolean:
      return {false, true};
    case ParamType::choice: {
      std::vector<Value> all;
      for (const std::string_view name : p.choices) all.emplace_back(std::string{name});
      return all;
    }
    case ParamType::number:
    case ParamType::integer:
      return {p.min, p.max};
    case ParamType::weights:
      break;
  }
  return {};
}

const ParamSpec& spec_of(const Descriptor& cca, std::string_view name) {
  const auto found = std::ranges::find(cca.params, name, &ParamSpec::name);
  REQUIRE(found != cca.params.end());
  return *found;
}

Value named(const ParamSpec& p, std::string_view value) {
  if (p.type == ParamType::boolean) return value == "true";
  return std::string{value};
}

std::vector<std::string_view> names(const ParamSpec& p) {
  if (p.type == ParamType::boolean) return {"false", "true"};
  return {p.choices.begin(), p.choices.end()};
}

bool has(const std::vector<std::string_view>& all, std::string_view value) {
  return std::ranges::find(all, value) != all.end();
}

// What must be set so that `p` means something.
Params::Given where_it_matters(const Descriptor& cca, const ParamSpec& p) {
  if (p.matters_with.param.empty()) return {};
  const ParamSpec& other = spec_of(cca, p.matters_with.param);
  Params::Given given = where_it_matters(cca, other);
  given.insert_or_assign(std::string{other.name}, named(other, p.matters_with.values.front()));
  return given;
}

bool changes_something(const Descriptor& cca, Params::Given given, const ParamSpec& p) {
  for (const Course& course : courses()) {
    given.erase(std::string{p.name});
    const uint64_t before = digest(cca, given, course);
    for (const Value& value : extremes(p)) {
      given.insert_or_assign(std::string{p.name}, value);
      if (digest(cca, given, course) != before) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("a CCA's parameter changes something where it says that it means something, and nothing elsewhere") {
  int found = 0;
  for (const Descriptor* cca : registered_ccas()) {
    CAPTURE(cca->id);
    for (const ParamSpec& p : cca->params) {
      if (p.matters_with.param.empty()) continue;
      ++found;
      CAPTURE(p.name);
      const ParamSpec& other = spec_of(*cca, p.matters_with.param);
      REQUIRE((other.type == ParamType::choice || other.type == ParamType::boolean));
      for (const std::string_view value : p.matters_with.values) REQUIRE(has(names(other), value));
      CHECK(changes_something(*cca, where_it_matters(*cca, p), p));
      for (const std::string_view value : names(other)) {
        if (has(p.matters_with.values, value)) continue;
        CAPTURE(value);
        Params::Given given = where_it_matters(*cca, other);
        given.insert_or_assign(std::string{other.name}, named(other, value));
        CHECK_FALSE(changes_something(*cca, given, p));
      }
    }
  }
  CHECK(found >= 20);
}
