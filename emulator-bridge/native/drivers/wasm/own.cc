#include "drivers/wasm/own.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cca/registry.hh"
#include "drivers/wasm/host.hh"
#include "manifest/fields.hh"
#include "manifest/json_text.hh"
#include "plugin/algorithm.hh"
#include "plugin/paceline_plugin.h"
#include "program/refusal.hh"

namespace paceline {
namespace {

using nlohmann::json;

// What own_event is told of.
enum class Event : int32_t { ack = 0, loss = 1, timeout = 2, sent = 3, tick = 4, idle_restart = 5 };

int32_t flow_of(void* state) { return static_cast<int32_t>(reinterpret_cast<intptr_t>(state)); }

// How the language has the fields of a structure, a letter each: m milliseconds, r Mbps, c as it is. The host's to say.
struct Layouts {
  std::array<std::string, 6> events{};  // by Event
  std::string acked{};
  std::string lost{};
};
Layouts& layouts() {
  static Layouts all;
  return all;
}

constexpr std::size_t kMostFields = 32;
constexpr double kNsInMs = 1e6;
constexpr double kBpsInMbps = 1e6;

double in_ms(int64_t ns) { return ns == PACELINE_UNKNOWN ? NAN : static_cast<double>(ns) / kNsInMs; }

// Structures of fields of eight bytes each, as doubles.
void translate(const void* from, const std::string& layout, std::size_t count, double* to) {
  const char* at = static_cast<const char*>(from);
  for (std::size_t row = 0; row < count; ++row)
    for (const char kind : layout) {
      if (kind == 'r') {
        double bps{};
        std::memcpy(&bps, at, sizeof bps);
        *to++ = bps / kBpsInMbps;
      } else {
        int64_t whole{};
        std::memcpy(&whole, at, sizeof whole);
        *to++ = kind == 'm' ? in_ms(whole) : static_cast<double>(whole);
      }
      at += sizeof(int64_t);
    }
}

// The last is told once, as a flow is made: which events it listens to, a bit each.
constexpr std::size_t kAnswers = 11;
constexpr std::size_t kListens = 10;
using Answer = std::array<double, kAnswers>;

int64_t whole(double value) { return value >= 0x1p63 ? PACELINE_NEVER : static_cast<int64_t>(std::floor(value)); }
int64_t ns_of(double ms) {
  const double ns = ms * kNsInMs;
  return ns >= 0x1p63 ? PACELINE_NEVER : std::llround(ns);
}

void take(const Answer& answer, paceline_control& control) {
  control = {.cwnd_bytes = whole(answer[0]),
             .ssthresh_bytes = whole(answer[1]),
             .pacing_bps = answer[2] * kBpsInMbps,
             .send_quantum_bytes = whole(answer[3]),
             .hold_until_ns = ns_of(answer[4]),
             .next_tick_ns = ns_of(answer[5]),
             .tag = whole(answer[6]),
             .limits_itself = answer[7] != 0 ? 1 : 0,
             .media_bps = answer[8] * kBpsInMbps,
             .phase = whole(answer[9])};
}

std::vector<uint32_t>& listening() {
  static std::vector<uint32_t> all;
  return all;
}

bool listens(void* state, Event kind) {
  return (listening()[static_cast<std::size_t>(flow_of(state))] >> static_cast<uint32_t>(kind) & 1U) != 0;
}

template <Event kind, typename Told>
void hand(void* state, const Told* told, paceline_control* control) {
  if (!listens(state, kind)) return;
  constexpr auto index = static_cast<std::size_t>(kind);
  std::array<double, kMostFields> fields;
  translate(told, layouts().events[index], 1, fields.data());
  Answer answer;
  paceline_host_own_event(flow_of(state), static_cast<int32_t>(kind), fields.data(), nullptr, 0, answer.data());
  take(answer, *control);
}

template <Event kind>
void hand_time(void* state, int64_t now_ns, paceline_control* control) {
  hand<kind>(state, &now_ns, control);
}

template <Event kind, typename Told, typename Packet>
void hand_packets(void* state, const Told* told, const Packet* packets, std::size_t count, paceline_control* control) {
  if (count == 0) return hand<kind>(state, told, control);
  if (!listens(state, kind)) return;
  constexpr auto index = static_cast<std::size_t>(kind);
  std::array<double, kMostFields> fields;
  translate(told, layouts().events[index], 1, fields.data());
  const std::string& layout = kind == Event::ack ? layouts().acked : layouts().lost;
  static std::vector<double> listed;
  listed.resize(count * layout.size());
  translate(packets, layout, count, listed.data());
  Answer answer;
  paceline_host_own_event(flow_of(state), static_cast<int32_t>(kind), fields.data(), listed.data(), count,
                          answer.data());
  take(answer, *control);
}

// One algorithm with the texts that its description points to.
struct Own {
  std::deque<std::string> texts{};
  std::deque<std::vector<const char*>> lists{};
  std::vector<paceline_param> params{};
  std::vector<paceline_internal> internals{};
  paceline_algorithm algorithm{};
  // Words that flows have used for their phases, by the host's numbers.
  std::map<std::pair<int32_t, int64_t>, std::string> phases{};

  const char* text(std::string of) { return texts.emplace_back(std::move(of)).c_str(); }
  const std::vector<const char*>& list(const json& words) {
    std::vector<const char*>& all = lists.emplace_back();
    for (const json& word : words) all.push_back(text(word.get<std::string>()));
    return all;
  }
};

std::vector<std::unique_ptr<Own>>& all_own() {
  static std::vector<std::unique_ptr<Own>> all;
  return all;
}

void* create(const void* context, const paceline_setup* setup, const double* params, paceline_control* control) {
  auto& own = *const_cast<Own*>(static_cast<const Own*>(context));
  const std::string_view id{own.algorithm.id};
  const std::array<double, 7> told{in_ms(setup->now_ns),
                                   static_cast<double>(setup->mss_bytes),
                                   static_cast<double>(setup->initial_window_packets),
                                   static_cast<double>(setup->transport),
                                   in_ms(setup->handshake_rtt_ns),
                                   static_cast<double>(setup->seed >> 32),
                                   static_cast<double>(setup->seed & 0xffffffff)};
  Answer answer;
  const intptr_t flow = paceline_host_own_create(id.data(), id.size(), told.data(), params, answer.data());
  const auto place = static_cast<std::size_t>(flow);
  if (listening().size() <= place) listening().resize(place + 1);
  listening()[place] = static_cast<uint32_t>(answer[kListens]);
  take(answer, *control);
  // The words of a flow of an earlier run, which had the same number.
  std::erase_if(own.phases, [flow](const auto& phase) { return phase.first.first == flow; });
  return reinterpret_cast<void*>(flow);
}

std::string_view phase_of(const paceline_algorithm& algorithm, void* state, int64_t phase) {
  auto& phases = const_cast<Own*>(static_cast<const Own*>(algorithm.context))->phases;
  auto& word = phases[{flow_of(state), phase}];
  if (word.empty()) {
    std::array<char, 64> room{};
    word.assign(room.data(),
                paceline_host_own_phase(flow_of(state), static_cast<int32_t>(phase), room.data(), room.size()));
  }
  return word;
}

paceline_param param_of(Own& own, const json& p) {
  const std::string type = p.at("type");
  const auto number = [&p](const char* key) { return p.at(key).is_number() ? p.at(key).get<double>() : 0.0; };
  paceline_param param{.name = own.text(p.at("name")),
                       .label = own.text(p.at("label")),
                       .unit = own.text(p.at("unit")),
                       .help = own.text(p.at("help")),
                       .type = PACELINE_PARAM_NUMBER,
                       .initial = number("default"),
                       .min = number("min"),
                       .max = number("max"),
                       .choices = nullptr,
                       .choice_count = 0};
  if (type == "integer") param.type = PACELINE_PARAM_INTEGER;
  if (type == "boolean") {
    param.type = PACELINE_PARAM_BOOLEAN;
    param.initial = p.at("default").get<bool>() ? 1 : 0;
    param.max = 1;
  }
  if (type == "choice") {
    const json& choices = p.at("choices");
    param.type = PACELINE_PARAM_CHOICE;
    param.initial = static_cast<double>(std::ranges::find(choices, p.at("default")) - choices.begin());
    param.choices = own.list(choices).data();
    param.choice_count = choices.size();
  }
  return param;
}

paceline_internal internal_of(Own& own, const json& i) {
  const json& states = i.at("states");
  return {.name = own.text(i.at("name")),
          .label = own.text(i.at("label")),
          .unit = own.text(i.at("unit")),
          .states = states.empty() ? nullptr : own.list(states).data(),
          .state_count = states.size()};
}

uint32_t needs_of(const json& needs) {
  uint32_t all = 0;
  if (needs.at("paced_start").get<bool>()) all |= PACELINE_NEEDS_PACED_START;
  if (!needs.at("prr").get<bool>()) all |= PACELINE_NEEDS_NO_PRR;
  if (needs.at("acked_packets").get<bool>()) all |= PACELINE_NEEDS_ACKED_PACKETS;
  if (needs.at("receiver_timestamps").get<bool>()) all |= PACELINE_NEEDS_RECEIVER_TIMESTAMPS;
  return all;
}

int32_t place_of(const json& word, std::initializer_list<std::string_view> words) {
  return static_cast<int32_t>(std::ranges::find(words, word.get<std::string_view>()) - words.begin());
}

paceline_algorithm algorithm_of(Own& own, const json& d) {
  const json& needs = d.at("needs");
  return {
      .id = own.text(d.at("id")),
      .label = own.text(d.at("label")),
      .family = "own",
      .summary = "",
      .source = "",
      .pacing = place_of(needs.at("pacing"), {"window", "own", "none"}),
      .ecn = place_of(needs.at("ecn"), {"none", "classic", "l4s"}),
      .needs = needs_of(needs),
      .params = own.params.data(),
      .param_count = own.params.size(),
      .internals = own.internals.data(),
      .internal_count = own.internals.size(),
      .phases = nullptr,
      .phase_count = 0,
      .context = &own,
      .create = create,
      .destroy = [](void* state) { paceline_host_own_destroy(flow_of(state)); },
      .on_ack = hand_packets<Event::ack, paceline_ack, paceline_acked_packet>,
      .on_loss = hand_packets<Event::loss, paceline_loss, paceline_lost_packet>,
      .on_timeout = hand<Event::timeout, paceline_timeout>,
      .on_sent = hand<Event::sent, paceline_sent>,
      .on_tick = hand_time<Event::tick>,
      .on_idle_restart = hand_time<Event::idle_restart>,
      .read_internals = own.internals.empty()
                            ? nullptr
                            : +[](void* state, double* values) { paceline_host_own_internals(flow_of(state), values); },
  };
}

}  // namespace

void set_own_layouts(std::string_view text) {
  const json d = json_of(std::string{text}, "the layouts");
  const json& events = d.at("events");
  for (std::size_t i = 0; i < events.size() && i < layouts().events.size(); ++i) layouts().events[i] = events[i];
  layouts().acked = d.at("acked");
  layouts().lost = d.at("lost");
}

void add_own(std::string_view declaration) {
  const json d = json_of(std::string{declaration}, "the declaration");
  if (find_cca(d.at("id").get<std::string_view>()) != nullptr) return;
  Own& own = *all_own().emplace_back(std::make_unique<Own>());
  for (const json& p : d.at("params")) own.params.push_back(param_of(own, p));
  for (const json& i : d.at("internals")) own.internals.push_back(internal_of(own, i));
  own.algorithm = algorithm_of(own, d);
  if (const std::string fault = fault_of(own.algorithm); !fault.empty()) fail(Refusal{"", fault});
  add_cca(descriptor_of(own.algorithm, phase_of));
}

void forget_own() {
  forget_added_ccas();
  all_own().clear();
}

}  // namespace paceline
