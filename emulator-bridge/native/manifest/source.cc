#include "manifest/source.hh"

#include <cmath>

#include "core/fail.hh"
#include "program/refusal.hh"

namespace paceline {
namespace {

using nlohmann::json;

Rate rate_of(Fields& fields, std::string_view key) { return Rate::mbps(fields.number(key, limits::rate_mbps)); }

template <typename T>
bool within(T value, Bounds bounds) {
  return static_cast<double>(value) >= bounds.least && static_cast<double>(value) <= bounds.most;
}

OnOffPlan on_off_of(Fields& fields) {
  OnOffPlan plan{};
  plan.on = Duration::seconds(fields.number("on_s", limits::spell_s));
  plan.off = Duration::seconds(fields.number("off_s", limits::spell_s));
  plan.exponential = fields.choice("durations", {"fixed", "exponential"}) == "exponential";
  if (fields.has("rate_mbps")) plan.rate = rate_of(fields, "rate_mbps");
  return plan;
}

MessagePlan transfers_of(Fields& fields) {
  MessagePlan plan{.kind = MessagePlan::Kind::transfers};
  plan.mean_bytes = Bytes{fields.integer("bytes", limits::message_bytes)};
  const std::string sizes = fields.choice("sizes", {"fixed", "exponential", "pareto", "lognormal"});
  if (sizes == "exponential") plan.sizes = MessagePlan::Sizes::exponential;
  if (sizes == "pareto") {
    plan.sizes = MessagePlan::Sizes::pareto;
    plan.shape = fields.number("shape", limits::pareto_shape);
  }
  if (sizes == "lognormal") {
    plan.sizes = MessagePlan::Sizes::lognormal;
    plan.shape = fields.number("shape", limits::lognormal_shape);
  }
  const std::string arrivals = fields.choice("arrivals", {"after", "every", "poisson"});
  const Bounds interval = arrivals == "after" ? limits::interval_s : limits::arrival_s;
  plan.interval = Duration::seconds(fields.number("interval_s", interval));
  if (arrivals == "every") plan.arrivals = MessagePlan::Arrivals::every;
  if (arrivals == "poisson") plan.arrivals = MessagePlan::Arrivals::poisson;
  if (fields.has("count")) plan.count = static_cast<uint64_t>(fields.integer("count", limits::messages));
  return plan;
}

MessagePlan frames_of(Fields& fields) {
  MessagePlan plan{.kind = MessagePlan::Kind::frames};
  plan.fps = fields.number("fps", limits::fps);
  plan.rate = rate_of(fields, "rate_mbps");
  plan.key_every = static_cast<uint64_t>(fields.integer("key_every", limits::key_every));
  plan.key_ratio = fields.number("key_ratio", limits::key_ratio);
  plan.deadline = Duration::seconds(fields.number("deadline_ms", limits::deadline_ms) / 1e3);
  if (fields.has("least_rate_mbps")) {
    plan.adapts = true;
    plan.least_rate = rate_of(fields, "least_rate_mbps");
    if (plan.least_rate > plan.rate) fail(Refusal{fields.path("least_rate_mbps"), "is more than rate_mbps"});
  }
  return plan;
}

MessagePlan replay_of(Fields& fields) {
  if (fields.has("name")) fields.text("name");
  const json& times = fields.array("times_ms", limits::recorded_writes);
  const json& sizes = fields.array("bytes", limits::recorded_writes);
  if (times.size() != sizes.size())
    fail(Refusal{fields.path("bytes"), "there are " + std::to_string(times.size()) + " times, but " +
                                           std::to_string(sizes.size()) + " sizes"});
  std::vector<Message> recorded;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto place = [&](std::string_view key) { return fields.path(key) + "[" + std::to_string(i) + "]"; };
    if (!times[i].is_number() || !within(times[i].get<double>(), limits::recorded_ms))
      fail(Refusal{place("times_ms"), "must be a number of milliseconds from 0 on"});
    const Time born{std::llround(times[i].get<double>() * 1e6)};
    if (!recorded.empty() && born < recorded.back().born)
      fail(Refusal{place("times_ms"), "is before the one before it"});
    if (!sizes[i].is_number_integer() || !within(sizes[i].get<int64_t>(), limits::message_bytes))
      fail(Refusal{place("bytes"), "must be a whole number of bytes"});
    recorded.push_back({.born = born, .bytes = Bytes{sizes[i].get<int64_t>()}});
  }
  MessagePlan plan{.kind = MessagePlan::Kind::replay};
  plan.recorded = std::make_shared<const std::vector<Message>>(std::move(recorded));
  return plan;
}

}  // namespace

void read_source(Fields source, FlowPlan& flow) {
  const std::string kind = source.choice("kind", {"bulk", "rate", "on_off", "transfers", "frames", "replay"});
  if (kind == "rate") {
    flow.source_rate = rate_of(source, "rate_mbps");
    if (source.has("catch_up") && !source.flag("catch_up")) flow.source_missed = Source::Missed::dropped;
  }
  if (kind == "on_off") flow.on_off = std::make_shared<const OnOffPlan>(on_off_of(source));
  if (kind == "transfers") flow.messages = std::make_shared<const MessagePlan>(transfers_of(source));
  if (kind == "frames") flow.messages = std::make_shared<const MessagePlan>(frames_of(source));
  if (kind == "replay") flow.messages = std::make_shared<const MessagePlan>(replay_of(source));
  source.done();
}

}  // namespace paceline
