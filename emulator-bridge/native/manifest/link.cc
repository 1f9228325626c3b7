#include "manifest/link.hh"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/fail.hh"
#include "program/refusal.hh"

namespace paceline {

namespace {

bool is_sha256(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// The network that a manifest names by the hash of its file; "" names none.
Params::Weights network_of(Shelf& shelf, const std::string& sha256, const std::string& where) {
  if (sha256.empty()) return nullptr;
  if (!is_sha256(sha256)) fail(Refusal{where, "must be the SHA-256 of a weights file, 64 hexadecimal digits"});
  return shelf.network(sha256, where);
}

}  // namespace

Params read_params(Fields& fields, std::string_view key, std::span<const ParamSpec> specs, Shelf& shelf) {
  Fields given = fields.object(key);
  Params::Given values;
  for (const auto& [name, value] : fields.any(key).items()) {
    if (value.is_boolean()) {
      values[name] = value.get<bool>();
    } else if (value.is_number()) {
      values[name] = value.get<double>();
    } else if (value.is_string()) {
      const auto spec = std::ranges::find(specs, name, &ParamSpec::name);
      if (spec != specs.end() && spec->type == ParamType::weights) {
        values[name] = network_of(shelf, value.get<std::string>(), given.path(name));
      } else {
        values[name] = value.get<std::string>();
      }
    } else {
      fail(Refusal{given.path(name), "must be a number, true, false or a string"});
    }
  }
  return Params{specs, values, [&](const std::string& why) { fail(Refusal{fields.path(key), why}); }};
}

namespace {

Bottleneck::Capacity capacity_of(Fields fields, Shelf& shelf) {
  Bottleneck::Capacity capacity{};
  const std::string kind = fields.choice("kind", {"trace", "constant", "unlimited"});
  if (kind == "constant") {
    capacity.kind = Bottleneck::Capacity::Kind::constant;
    capacity.rate = Rate::mbps(fields.number("rate_mbps", limits::rate_mbps));
  } else if (kind == "trace") {
    capacity.kind = Bottleneck::Capacity::Kind::trace;
    const std::string sha256 = fields.text("sha256");
    if (!is_sha256(sha256)) fail(Refusal{fields.path("sha256"), "must be 64 hexadecimal digits"});
    fields.text("name");
    capacity.offset_ms = fields.has("offset_ms") ? fields.integer("offset_ms", limits::trace_offset_ms) : 0;
    capacity.trace = shelf.trace(sha256, fields.path("sha256"));
  }
  fields.done();
  return capacity;
}

QueuePlan queue_of(Fields fields, Shelf& shelf) {
  QueuePlan queue{};
  const std::string id = fields.text("id");
  queue.discipline = find_queue(id);
  if (!queue.discipline)
    fail(Refusal{fields.path("id"), "there is no queue discipline \"" + id + "\" (paceline-list shows all)",
                 kExitUnknown});
  if (!fields.is_null("limit_bytes")) queue.limit_bytes = Bytes{fields.integer("limit_bytes", limits::queue_bytes)};
  if (!fields.is_null("limit_packets")) queue.limit_packets = fields.integer("limit_packets", limits::queue_packets);
  queue.params = read_params(fields, "params", queue.discipline->params, shelf);
  fields.done();
  return queue;
}

// The link's own elements are named without values: LinkPlan has them.
using Own = ElementPlan::Own;
Own own_of(const std::string& id, const Fields& fields) {
  for (const char* key : {"params", "capacity", "queue", "recorded"})
    if (fields.has(key)) return Own::none;
  if (id == "loss") return Own::loss;
  if (id == "bottleneck") return Own::bottleneck;
  return id == "delay" ? Own::delay : Own::none;
}

std::vector<Duration> millis_of(Fields& fields, std::string_view key, Bounds bounds) {
  std::vector<Duration> all;
  for (const nlohmann::json& value : fields.array(key, limits::recorded_delays)) {
    const double ms = value.is_number() ? value.get<double>() : -1;
    if (!(ms >= bounds.least && ms <= bounds.most))
      fail(Refusal{fields.path(key) + "[" + std::to_string(all.size()) + "]",
                   "must be a number of milliseconds from 0 to " + std::to_string(std::llround(bounds.most))});
    all.push_back({std::llround(ms * 1e6)});
  }
  return all;
}

std::shared_ptr<const RecordedDelays> recorded_of(Fields fields) {
  if (fields.has("name")) fields.text("name");
  std::vector<Duration> times = millis_of(fields, "times_ms", limits::recorded_ms);
  std::vector<Duration> delays = millis_of(fields, "delays_ms", limits::delay_ms);
  if (times.size() != delays.size())
    fail(Refusal{fields.path("delays_ms"), "there are " + std::to_string(times.size()) + " times, but " +
                                               std::to_string(delays.size()) + " delays"});
  if (times.front() != Duration::zero())
    fail(Refusal{fields.path("times_ms") + "[0]", "must be 0: times count from the first delay"});
  const auto early = std::ranges::adjacent_find(times, std::greater_equal<>{});
  if (early != times.end())
    fail(Refusal{fields.path("times_ms") + "[" + std::to_string(early - times.begin() + 1) + "]",
                 "is not after the one before it"});
  const double offset_ms = fields.has("offset_ms") ? fields.number("offset_ms", limits::recorded_offset_ms) : 0;
  fields.done();
  return std::make_shared<const RecordedDelays>(std::move(times), std::move(delays),
                                                Duration{std::llround(offset_ms * 1e6)});
}

ElementPlan element_of(Fields fields, const std::function<Bottleneck::Capacity(Fields)>& read_capacity, Shelf& shelf) {
  ElementPlan plan{};
  const std::string id = fields.text("element");
  plan.element = find_element(id);
  if (!plan.element)
    fail(Refusal{fields.path("element"), "there is no path element \"" + id + "\" (paceline-list shows all)",
                 kExitUnknown});
  plan.own = own_of(id, fields);
  if (plan.own == Own::none) {
    plan.params = fields.has("params") ? read_params(fields, "params", plan.element->params, shelf)
                                       : Params{plan.element->params, {}};
    if (plan.element->queues) {
      plan.capacity = read_capacity(fields.object("capacity"));
      plan.queue = queue_of(fields.object("queue"), shelf);
    }
    const auto& [param, value] = plan.element->recorded_with;
    if (plan.element->repeats(plan.params)) {
      plan.recorded = recorded_of(fields.object("recorded"));
    } else if (fields.has("recorded")) {
      fail(Refusal{fields.path("recorded"),
                   param.empty() ? id + " repeats nothing recorded"
                                 : "is for " + std::string{param} + " " + std::string{value} + " alone"});
    }
  }
  fields.done();
  return plan;
}

}  // namespace

std::vector<ElementPlan> read_path(const nlohmann::json& list, const std::string& where,
                                   const std::function<Bottleneck::Capacity(Fields)>& read_capacity, Shelf& shelf) {
  std::vector<ElementPlan> path;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = where + "[" + std::to_string(i) + "]";
    ElementPlan element = element_of(Fields{list[i], place}, read_capacity, shelf);
    if (element.own != Own::none && std::ranges::find(path, element.own, &ElementPlan::own) != path.end())
      fail(Refusal{place, "the link's own " + std::string{element.element->id} +
                              " is in the list already: give a further one values of its own"});
    const auto alike = std::ranges::count(path, element.element, &ElementPlan::element);
    if (static_cast<std::size_t>(alike) >= element.element->most)
      fail(Refusal{place, "a direction has at most " + std::to_string(element.element->most) + " " +
                              std::string{element.element->id}});
    path.push_back(std::move(element));
  }
  for (const auto& [own, id] : {std::pair{Own::bottleneck, "bottleneck"}, std::pair{Own::delay, "delay"}})
    if (std::ranges::find(path, own, &ElementPlan::own) == path.end())
      fail(Refusal{where, std::string{"the link's own "} + id + " has no place in it: add {\"element\": \"" + id +
                              "\"} where packets meet it"});
  return path;
}

LinkPlan read_link(Fields fields, Shelf& shelf) {
  LinkPlan link{};
  link.loss = fields.number("loss", limits::loss);
  link.queue = queue_of(fields.object("queue"), shelf);
  link.capacity = capacity_of(fields.object("capacity"), shelf);
  link.delay = {std::llround(fields.number("delay_ms", limits::delay_ms) * 1e6)};
  if (fields.has("path"))
    link.path = read_path(
        fields.array("path", limits::path_elements), fields.path("path"),
        [&](Fields capacity) { return capacity_of(std::move(capacity), shelf); }, shelf);
  fields.done();
  return link;
}

}  // namespace paceline
