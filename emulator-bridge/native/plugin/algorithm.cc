#include "plugin/algorithm.hh"

#include <algorithm>
#include <cmath>
#include <span>

#include "plugin/controller.hh"

namespace paceline {
namespace {

std::string_view text(const char* given) { return given == nullptr ? std::string_view{} : given; }

// As ids in specs, manifests and addresses look.
bool is_id(std::string_view id) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !id.empty() && id.size() <= 64 && letter(id.front()) &&
         std::ranges::all_of(id, [&](char c) { return letter(c) || c == '-' || c == '_'; });
}

// As columns and parameters are called.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && name.front() >= 'a' && name.front() <= 'z' &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

template <typename T>
bool listed(const T* first, std::size_t count) {
  return count == 0 || first != nullptr;
}

std::string param_fault(const paceline_param& p) {
  const std::string name{text(p.name)};
  if (!is_name(name)) return "a parameter is called “" + name + "”, not in snake_case";
  if (p.type < PACELINE_PARAM_NUMBER || p.type > PACELINE_PARAM_CHOICE) return name + " is of no known type";
  if (p.type == PACELINE_PARAM_CHOICE) {
    if (p.choice_count == 0 || p.choices == nullptr) return name + " has no choices";
    if (!(p.initial >= 0 && p.initial < static_cast<double>(p.choice_count))) return name + " has no such default";
  } else if (p.type != PACELINE_PARAM_BOOLEAN) {
    if (!std::isfinite(p.min) || !std::isfinite(p.max) || !(p.min <= p.initial && p.initial <= p.max))
      return name + " has a default outside of its range";
  }
  return {};
}

std::string internal_fault(const paceline_internal& i) {
  if (!is_name(text(i.name))) return "an internal is called “" + std::string{text(i.name)} + "”, not in snake_case";
  return listed(i.states, i.state_count) ? "" : std::string{i.name} + " has states that are not there";
}

ParamSpec param_of(const paceline_param& p) {
  ParamSpec spec{.name = p.name,
                 .label = text(p.label),
                 .unit = text(p.unit),
                 .initial = p.initial,
                 .min = p.min,
                 .max = p.max,
                 .help = text(p.help)};
  switch (p.type) {
    case PACELINE_PARAM_INTEGER:
      spec.type = ParamType::integer;
      break;
    case PACELINE_PARAM_BOOLEAN:
      spec.type = ParamType::boolean;
      break;
    case PACELINE_PARAM_CHOICE:
      spec.type = ParamType::choice;
      for (const char* choice : std::span{p.choices, p.choice_count}) spec.choices.emplace_back(choice);
      break;
    default:
      break;
  }
  return spec;
}

InternalSpec internal_of(const paceline_internal& i) {
  InternalSpec spec{.name = i.name, .label = text(i.label), .unit = text(i.unit)};
  for (const char* state : std::span{i.states, i.state_count}) spec.states.emplace_back(state);
  return spec;
}

Needs needs_of(const paceline_algorithm& a) {
  const auto asks = [&a](uint32_t what) { return (a.needs & what) != 0; };
  return {.pacing = a.pacing == PACELINE_PACE_OWN    ? Pacing::own
                    : a.pacing == PACELINE_PACE_NONE ? Pacing::none
                                                     : Pacing::window,
          .paced_start = asks(PACELINE_NEEDS_PACED_START),
          .prr = !asks(PACELINE_NEEDS_NO_PRR),
          .acked_packets = asks(PACELINE_NEEDS_ACKED_PACKETS),
          .receiver_timestamps = asks(PACELINE_NEEDS_RECEIVER_TIMESTAMPS),
          .ecn = a.ecn == PACELINE_ECN_L4S       ? Ecn::l4s
                 : a.ecn == PACELINE_ECN_CLASSIC ? Ecn::classic
                                                 : Ecn::none};
}

}  // namespace

std::string_view listed_phase(const paceline_algorithm& algorithm, void*, int64_t phase) {
  const auto index = static_cast<std::size_t>(phase);
  return index < algorithm.phase_count ? text(algorithm.phases[index]) : std::string_view{};
}

std::string fault_of(const paceline_algorithm& a) {
  if (!is_id(text(a.id))) return "its id “" + std::string{text(a.id)} + "” is not of lower-case letters, digits and -";
  const std::string id{a.id};
  if (text(a.label).empty()) return id + " has no label";
  if (a.create == nullptr || a.on_ack == nullptr) return id + " has no create or no on_ack";
  if (!listed(a.params, a.param_count) || !listed(a.internals, a.internal_count) || !listed(a.phases, a.phase_count))
    return id + " counts what is not there";
  for (const paceline_param& p : std::span{a.params, a.param_count})
    if (const std::string fault = param_fault(p); !fault.empty()) return id + ": " + fault;
  for (const paceline_internal& i : std::span{a.internals, a.internal_count})
    if (const std::string fault = internal_fault(i); !fault.empty()) return id + ": " + fault;
  return {};
}

Descriptor descriptor_of(const paceline_algorithm& a, PhaseOf phase_of) {
  Descriptor descriptor{.id = a.id,
                        .label = a.label,
                        .family = text(a.family).empty() ? "plug-in" : text(a.family),
                        .summary = text(a.summary),
                        .source = text(a.source),
                        .needs = needs_of(a),
                        .make = [&a, phases = std::move(phase_of)](const Setup& setup, const Params& params) {
                          return std::make_unique<PluginController>(a, phases, setup, params);
                        }};
  for (const paceline_param& p : std::span{a.params, a.param_count}) descriptor.params.push_back(param_of(p));
  for (const paceline_internal& i : std::span{a.internals, a.internal_count})
    descriptor.internals.push_back(internal_of(i));
  return descriptor;
}

}  // namespace paceline
