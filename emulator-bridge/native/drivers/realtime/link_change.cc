#include "drivers/realtime/link_change.hh"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "core/limits.gen.hh"

namespace paceline {

namespace {

using nlohmann::json;

[[noreturn]] void refuse_change(const std::string& why) {
  throw std::invalid_argument{"the link is not changed: " + why};
}

std::optional<double> number(const json& change, const char* key, Bounds bounds) {
  const auto [least, most] = bounds;
  const auto found = change.find(key);
  if (found == change.end()) return std::nullopt;
  const double value = found->is_number() ? found->get<double>() : NAN;
  if (!(value >= least && value <= most))
    refuse_change(std::string{key} + " must be a number from " + json(least).dump() + " to " + json(most).dump());
  return value;
}

// null means that there is no limit.
template <typename T>
std::optional<T> limit(const json& change, const char* key, Bounds bounds, T unlimited, const QueuePlan& queue) {
  const auto least = static_cast<int64_t>(bounds.least);
  const auto found = change.find(key);
  if (found == change.end()) return std::nullopt;
  if (!queue.discipline->limited)
    refuse_change("the queue discipline " + std::string{queue.discipline->id} + " has no limit");
  if (found->is_null()) return unlimited;
  if (!found->is_number_integer() || found->get<int64_t>() < least ||
      found->get<int64_t>() > static_cast<int64_t>(bounds.most))
    refuse_change(std::string{key} + " must be null or a whole number, at least " + std::to_string(least));
  return T{found->get<int64_t>()};
}

}  // namespace

LinkChange parse_link_change(std::string_view line, const RunPlan& plan) {
  static const std::set<std::string> known{"type",     "direction", "rate_mbps",   "capacity",
                                           "delay_ms", "loss",      "limit_bytes", "limit_packets"};
  const json order = json::parse(line, nullptr, false);
  if (!order.is_object() || order.value("type", json{}) != "set")
    refuse_change("the line is not {\"type\":\"set\",...}");
  for (const auto& [key, unused] : order.items())
    if (!known.contains(key)) refuse_change(key + " is not known");
  const json direction = order.value("direction", json{});
  if (direction != "forward" && direction != "reverse") refuse_change("direction must be forward or reverse");
  if (order.size() == 2) refuse_change("nothing is to be changed");

  LinkChange change{.direction = direction == "forward" ? Direction::forward : Direction::reverse};
  const LinkPlan& link = link_of(plan, change.direction);
  if (const auto mbps = number(order, "rate_mbps", limits::rate_mbps)) change.rate = Rate::mbps(*mbps);
  if (order.contains("capacity")) {
    if (order["capacity"] != "trace") refuse_change("capacity can only be set to trace (a constant rate is rate_mbps)");
    if (link.capacity.kind != Bottleneck::Capacity::Kind::trace)
      refuse_change("this direction of the run has no trace");
    if (change.rate) refuse_change("rate_mbps and capacity exclude each other");
    change.back_to_trace = true;
  }
  if (const auto ms = number(order, "delay_ms", limits::delay_ms)) change.delay = Duration{std::llround(*ms * 1e6)};
  change.loss = number(order, "loss", limits::loss);
  change.limit_bytes = limit<Bytes>(order, "limit_bytes", limits::queue_bytes, Bytes::infinite(), link.queue);
  change.limit_packets = limit<int64_t>(order, "limit_packets", limits::queue_packets, INT64_MAX, link.queue);

  const std::string text = order.dump();
  if (text.size() > change.text.size()) refuse_change("the line is too long");
  std::ranges::copy(text, change.text.begin());
  change.text_size = text.size();
  return change;
}

}  // namespace paceline
