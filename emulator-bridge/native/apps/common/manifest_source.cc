#include "apps/common/manifest_source.hh"

#include <cmath>

#include "apps/common/refusal.hh"

namespace paceline {
namespace {

using nlohmann::json;

constexpr double kFastestMbps = 1'000'000;
constexpr double kLongestS = 86'400;
constexpr int64_t kLargestMessage = int64_t{1} << 40;
constexpr std::size_t kMostRecorded = 200'000;

Rate rate_of(Fields& fields, std::string_view key) { return Rate::mbps(fields.number(key, 0.001, kFastestMbps)); }

OnOffPlan on_off_of(Fields& fields) {
  OnOffPlan plan{};
  constexpr double kShortest = 0.001;
  plan.on = Duration::seconds(fields.number("on_s", kShortest, kLongestS));
  plan.off = Duration::seconds(fields.number("off_s", kShortest, kLongestS));
  plan.exponential = fields.choice("durations", {"fixed", "exponential"}) == "exponential";
  if (fields.has("rate_mbps")) plan.rate = rate_of(fields, "rate_mbps");
  return plan;
}

MessagePlan transfers_of(Fields& fields) {
  MessagePlan plan{.kind = MessagePlan::Kind::transfers};
  plan.mean_bytes = Bytes{fields.integer("bytes", 1, kLargestMessage)};
  const std::string sizes = fields.choice("sizes", {"fixed", "exponential", "pareto", "lognormal"});
  if (sizes == "exponential") plan.sizes = MessagePlan::Sizes::exponential;
  if (sizes == "pareto") {
    plan.sizes = MessagePlan::Sizes::pareto;
    plan.shape = fields.number("shape", 1.01, 100);
  }
  if (sizes == "lognormal") {
    plan.sizes = MessagePlan::Sizes::lognormal;
    plan.shape = fields.number("shape", 0.01, 10);
  }
  const std::string arrivals = fields.choice("arrivals", {"after", "every", "poisson"});
  constexpr double kLeastInterval = 0.001;
  plan.interval = Duration::seconds(fields.number("interval_s", arrivals == "after" ? 0 : kLeastInterval, kLongestS));
  if (arrivals == "every") plan.arrivals = MessagePlan::Arrivals::every;
  if (arrivals == "poisson") plan.arrivals = MessagePlan::Arrivals::poisson;
  if (fields.has("count")) plan.count = static_cast<uint64_t>(fields.integer("count", 1, kLargestMessage));
  return plan;
}

MessagePlan frames_of(Fields& fields) {
  MessagePlan plan{.kind = MessagePlan::Kind::frames};
  plan.fps = fields.number("fps", 0.1, 1000);
  plan.rate = rate_of(fields, "rate_mbps");
  plan.key_every = static_cast<uint64_t>(fields.integer("key_every", 1, 1'000'000));
  plan.key_ratio = fields.number("key_ratio", 1, 1000);
  plan.deadline = Duration::seconds(fields.number("deadline_ms", 0.1, kLongestS * 1e3) / 1e3);
  if (fields.has("least_rate_mbps")) {
    plan.adapts = true;
    plan.least_rate = rate_of(fields, "least_rate_mbps");
    if (plan.least_rate > plan.rate) throw Refusal{fields.path("least_rate_mbps"), "is more than rate_mbps"};
  }
  return plan;
}

MessagePlan replay_of(Fields& fields) {
  if (fields.has("name")) fields.text("name");
  const json& times = fields.array("times_ms", 1, kMostRecorded);
  const json& sizes = fields.array("bytes", 1, kMostRecorded);
  if (times.size() != sizes.size())
    throw Refusal{fields.path("bytes"), "there are " + std::to_string(times.size()) + " times, but " +
                                            std::to_string(sizes.size()) + " sizes"};
  std::vector<Message> recorded;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto place = [&](std::string_view key) { return fields.path(key) + "[" + std::to_string(i) + "]"; };
    if (!times[i].is_number() || times[i].get<double>() < 0 || times[i].get<double>() > kLongestS * 1e3)
      throw Refusal{place("times_ms"), "must be a number of milliseconds from 0 on"};
    const Time born{std::llround(times[i].get<double>() * 1e6)};
    if (!recorded.empty() && born < recorded.back().born)
      throw Refusal{place("times_ms"), "is before the one before it"};
    if (!sizes[i].is_number_integer() || sizes[i].get<int64_t>() < 1 || sizes[i].get<int64_t>() > kLargestMessage)
      throw Refusal{place("bytes"), "must be a whole number of bytes"};
    recorded.push_back({.born = born, .bytes = Bytes{sizes[i].get<int64_t>()}});
  }
  MessagePlan plan{.kind = MessagePlan::Kind::replay};
  plan.recorded = std::make_shared<const std::vector<Message>>(std::move(recorded));
  return plan;
}

}  // namespace

void read_source(Fields source, FlowPlan& flow) {
  const std::string kind = source.choice("kind", {"bulk", "rate", "on_off", "transfers", "frames", "replay"});
  if (kind == "rate") flow.source_rate = rate_of(source, "rate_mbps");
  if (kind == "on_off") flow.on_off = std::make_shared<const OnOffPlan>(on_off_of(source));
  if (kind == "transfers") flow.messages = std::make_shared<const MessagePlan>(transfers_of(source));
  if (kind == "frames") flow.messages = std::make_shared<const MessagePlan>(frames_of(source));
  if (kind == "replay") flow.messages = std::make_shared<const MessagePlan>(replay_of(source));
  source.done();
}

}  // namespace paceline
