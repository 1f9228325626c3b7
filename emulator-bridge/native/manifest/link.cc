#include "manifest/link.hh"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "io/sha256.hh"
#include "manifest/weights_file.hh"
#include "program/refusal.hh"

namespace paceline {

namespace {

bool is_sha256(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// The network that a manifest names by the hash of its file, from where the traces are; "" names none.
Params::Weights stored_weights(const std::filesystem::path& directory, const std::string& sha256,
                               const std::string& where) {
  if (sha256.empty()) return nullptr;
  if (!is_sha256(sha256)) throw Refusal{where, "must be the SHA-256 of a weights file, 64 hexadecimal digits"};
  try {
    const std::string text = read_weights_file(directory / (sha256 + ".weights.json"));
    Sha256 hash;
    hash.update(text);
    if (hash.finish() != sha256) throw Refusal{"", "the stored file is no longer what it was: store it again"};
    return std::make_shared<const FeedForward>(weights_of(text));
  } catch (const Refusal& e) {
    throw Refusal{where, e.what()};
  }
}

}  // namespace

Params read_params(Fields& fields, std::string_view key, std::span<const ParamSpec> specs,
                   const std::filesystem::path& weights) {
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
        values[name] = stored_weights(weights, value.get<std::string>(), given.path(name));
      } else {
        values[name] = value.get<std::string>();
      }
    } else {
      throw Refusal{given.path(name), "must be a number, true, false or a string"};
    }
  }
  try {
    return Params{specs, values};
  } catch (const std::invalid_argument& e) {
    throw Refusal{fields.path(key), e.what()};
  }
}

namespace {

Bottleneck::Capacity capacity_of(Fields fields, TraceStore& traces) {
  Bottleneck::Capacity capacity{};
  const std::string kind = fields.choice("kind", {"trace", "constant", "unlimited"});
  if (kind == "constant") {
    capacity.kind = Bottleneck::Capacity::Kind::constant;
    capacity.rate = Rate::mbps(fields.number("rate_mbps", limits::rate_mbps));
  } else if (kind == "trace") {
    capacity.kind = Bottleneck::Capacity::Kind::trace;
    const std::string sha256 = fields.text("sha256");
    if (!is_sha256(sha256)) throw Refusal{fields.path("sha256"), "must be 64 hexadecimal digits"};
    fields.text("name");
    capacity.offset_ms = fields.has("offset_ms") ? fields.integer("offset_ms", limits::trace_offset_ms) : 0;
    capacity.trace = traces.get(sha256, fields.path("sha256"));
  }
  fields.done();
  return capacity;
}

QueuePlan queue_of(Fields fields, const std::filesystem::path& weights) {
  QueuePlan queue{};
  const std::string id = fields.text("id");
  queue.discipline = find_queue(id);
  if (!queue.discipline)
    throw Refusal{fields.path("id"), "there is no queue discipline \"" + id + "\" (paceline-list shows all)",
                  kExitUnknown};
  if (!fields.is_null("limit_bytes")) queue.limit_bytes = Bytes{fields.integer("limit_bytes", limits::queue_bytes)};
  if (!fields.is_null("limit_packets")) queue.limit_packets = fields.integer("limit_packets", limits::queue_packets);
  queue.params = read_params(fields, "params", queue.discipline->params, weights);
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
      throw Refusal{fields.path(key) + "[" + std::to_string(all.size()) + "]",
                    "must be a number of milliseconds from 0 to " + std::to_string(std::llround(bounds.most))};
    all.push_back({std::llround(ms * 1e6)});
  }
  return all;
}

std::shared_ptr<const RecordedDelays> recorded_of(Fields fields) {
  if (fields.has("name")) fields.text("name");
  std::vector<Duration> times = millis_of(fields, "times_ms", limits::recorded_ms);
  std::vector<Duration> delays = millis_of(fields, "delays_ms", limits::delay_ms);
  if (times.size() != delays.size())
    throw Refusal{fields.path("delays_ms"), "there are " + std::to_string(times.size()) + " times, but " +
                                                std::to_string(delays.size()) + " delays"};
  if (times.front() != Duration::zero())
    throw Refusal{fields.path("times_ms") + "[0]", "must be 0: times count from the first delay"};
  const auto early = std::ranges::adjacent_find(times, std::greater_equal<>{});
  if (early != times.end())
    throw Refusal{fields.path("times_ms") + "[" + std::to_string(early - times.begin() + 1) + "]",
                  "is not after the one before it"};
  const double offset_ms = fields.has("offset_ms") ? fields.number("offset_ms", limits::recorded_offset_ms) : 0;
  fields.done();
  return std::make_shared<const RecordedDelays>(std::move(times), std::move(delays),
                                                Duration{std::llround(offset_ms * 1e6)});
}

ElementPlan element_of(Fields fields, const std::function<Bottleneck::Capacity(Fields)>& read_capacity,
                       const std::filesystem::path& weights) {
  ElementPlan plan{};
  const std::string id = fields.text("element");
  plan.element = find_element(id);
  if (!plan.element)
    throw Refusal{fields.path("element"), "there is no path element \"" + id + "\" (paceline-list shows all)",
                  kExitUnknown};
  plan.own = own_of(id, fields);
  if (plan.own == Own::none) {
    plan.params = fields.has("params") ? read_params(fields, "params", plan.element->params, weights)
                                       : Params{plan.element->params, {}};
    if (plan.element->queues) {
      plan.capacity = read_capacity(fields.object("capacity"));
      plan.queue = queue_of(fields.object("queue"), weights);
    }
    const auto& [param, value] = plan.element->recorded_with;
    if (plan.element->repeats(plan.params)) {
      plan.recorded = recorded_of(fields.object("recorded"));
    } else if (fields.has("recorded")) {
      throw Refusal{fields.path("recorded"),
                    param.empty() ? id + " repeats nothing recorded"
                                  : "is for " + std::string{param} + " " + std::string{value} + " alone"};
    }
  }
  fields.done();
  return plan;
}

}  // namespace

std::vector<ElementPlan> read_path(const nlohmann::json& list, const std::string& where,
                                   const std::function<Bottleneck::Capacity(Fields)>& read_capacity,
                                   const std::filesystem::path& weights) {
  std::vector<ElementPlan> path;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = where + "[" + std::to_string(i) + "]";
    ElementPlan element = element_of(Fields{list[i], place}, read_capacity, weights);
    if (element.own != Own::none && std::ranges::find(path, element.own, &ElementPlan::own) != path.end())
      throw Refusal{place, "the link's own " + std::string{element.element->id} +
                               " is in the list already: give a further one values of its own"};
    const auto alike = std::ranges::count(path, element.element, &ElementPlan::element);
    if (static_cast<std::size_t>(alike) >= element.element->most)
      throw Refusal{place, "a direction has at most " + std::to_string(element.element->most) + " " +
                               std::string{element.element->id}};
    path.push_back(std::move(element));
  }
  for (const auto& [own, id] : {std::pair{Own::bottleneck, "bottleneck"}, std::pair{Own::delay, "delay"}})
    if (std::ranges::find(path, own, &ElementPlan::own) == path.end())
      throw Refusal{where, std::string{"the link's own "} + id + " has no place in it: add {\"element\": \"" + id +
                               "\"} where packets meet it"};
  return path;
}

LinkPlan read_link(Fields fields, TraceStore& traces) {
  LinkPlan link{};
  link.loss = fields.number("loss", limits::loss);
  link.queue = queue_of(fields.object("queue"), traces.directory());
  link.capacity = capacity_of(fields.object("capacity"), traces);
  link.delay = {std::llround(fields.number("delay_ms", limits::delay_ms) * 1e6)};
  if (fields.has("path"))
    link.path = read_path(
        fields.array("path", limits::path_elements), fields.path("path"),
        [&](Fields capacity) { return capacity_of(std::move(capacity), traces); }, traces.directory());
  fields.done();
  return link;
}

}  // namespace paceline
