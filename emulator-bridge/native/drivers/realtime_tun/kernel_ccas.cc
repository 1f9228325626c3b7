#include "drivers/realtime_tun/kernel_ccas.hh"

#include <algorithm>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "drivers/realtime_tun/kernel_internals.hh"

namespace paceline {

namespace {

constexpr std::string_view kAvailable = "/proc/sys/net/ipv4/tcp_available_congestion_control";

struct Known {
  std::string_view name;
  std::string_view label;
  std::string_view twin;  // our own algorithm of that name
  std::string_view summary;
};

constexpr Known kKnown[] = {
    {"cubic", "Cubic", "cubic",
     "Cubic as the kernel's TCP has it, the default of most systems: real packets of a real stack."},
    {"reno", "Reno", "newreno",
     "Reno as the kernel's TCP has it, with its loss detection: real packets of a real stack."},
    {"bbr", "BBR", "bbr",
     "BBR as the kernel's TCP has it, version 1 in an unpatched Linux: real packets of a real stack."},
    {"dctcp", "DCTCP", "dctcp",
     "DCTCP as the kernel's TCP has it. It needs congestion marks from the link, and ECN at both ends."},
    {"vegas", "Vegas", "vegas",
     "Vegas as the kernel's TCP has it: it holds a few packets in the queue, judged by the RTT."},
};

// An id that can stand in permalinks.
bool usable(std::string_view name) {
  constexpr std::size_t kLongest = 64 - kBpfPrefix.size();
  return !name.empty() && name.size() <= kLongest && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

using Look = std::pair<int, std::string_view>;

std::set<Look> hollow_looks() {
  std::set<Look> taken;
  for (const Descriptor* cca : registered_ccas())
    if (cca->identity.hollow) taken.insert({cca->identity.slot, cca->identity.marker});
  return taken;
}

// The twin's colour and marker, hollow; where that is taken another marker of that colour; without a twin the first look that
// nobody has.
Identity identity_for(std::string_view twin, std::set<Look>& taken) {
  const auto take = [&](int slot, std::string_view marker) -> std::optional<Identity> {
    if (!taken.insert({slot, marker}).second) return std::nullopt;
    return Identity{.slot = slot, .marker = marker, .hollow = true};
  };
  if (const Descriptor* own = find_cca(twin)) {
    if (const auto same = take(own->identity.slot, own->identity.marker)) return *same;
    const auto own_marker =
        static_cast<std::size_t>(std::ranges::find(kLookMarkers, own->identity.marker) - kLookMarkers.begin());
    for (std::size_t i = 1; i < kLookMarkers.size(); ++i)
      if (const auto alike = take(own->identity.slot, kLookMarkers[(own_marker + i) % kLookMarkers.size()]))
        return *alike;
  }
  for (int slot = kLookSlots - 1; slot >= 0; --slot)
    for (const std::string_view marker : kLookMarkers)
      if (const auto free = take(slot, marker)) return *free;
  return {.slot = kLookSlots - 1, .marker = kLookMarkers[0], .hollow = true};
}

std::vector<BpfObject>& bpf_objects() {
  static std::vector<BpfObject> objects;
  return objects;
}

const KernelCcaList& of_this_kernel() {
  static const KernelCcaList list{[] {
                                    std::vector<std::string> names;
                                    std::ifstream file{std::string{kAvailable}};
                                    for (std::string name; file >> name;) names.push_back(name);
                                    return names;
                                  }(),
                                  bpf_objects()};
  return list;
}

}  // namespace

KernelCcaList::KernelCcaList(std::vector<std::string> names, const std::vector<BpfObject>& objects) {
  std::ranges::sort(names);
  // Those with a twin choose first, so that a newcomer never takes their look.
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) {
    return std::ranges::find(kKnown, name, &Known::name) != std::end(kKnown) || find_cca(name);
  });
  std::set<Look> taken = hollow_looks();
  for (std::string& name : names)
    if (usable(name)) describe(std::move(name), nullptr, taken);
  for (const BpfObject& object : objects) describe(object.name, &object, taken);
  for (const auto& entry : entries_) sorted_.push_back(&entry->descriptor);
  std::ranges::sort(sorted_, {}, &Descriptor::id);
}

void KernelCcaList::describe(std::string name, const BpfObject* object, std::set<Look>& taken) {
  auto entry = std::make_unique<Entry>();
  entry->name = std::move(name);
  const auto known = std::ranges::find(kKnown, entry->name, &Known::name);
  const bool listed = known != std::end(kKnown);
  entry->id = std::string{object ? kBpfPrefix : kKernelPrefix} + entry->name;
  if (object) {
    entry->label = bpf_label(entry->name);
    entry->summary =
        "A compiled algorithm that is loaded into the kernel's TCP for the time of a run: real packets of a real "
        "stack.";
    entry->source = object->path + " (BPF struct_ops)";
  } else {
    entry->label = std::string{listed ? known->label : std::string_view{entry->name}} + " · kernel";
    entry->summary =
        listed ? std::string{known->summary}
               : "The algorithm that the running kernel's TCP calls " + entry->name + ": real packets of a real stack.";
    entry->source = "the running kernel (TCP_CONGESTION)";
  }
  entry->descriptor.id = entry->id;
  entry->descriptor.label = entry->label;
  entry->descriptor.family = "kernel";
  entry->descriptor.kind = Kind::kernel;
  entry->descriptor.baseline = entry->id == "kernel-cubic";
  entry->descriptor.summary = entry->summary;
  entry->descriptor.source = entry->source;
  entry->descriptor.identity = identity_for(listed ? known->twin : std::string_view{entry->name}, taken);
  entry->descriptor.internals = kernel_internals(tells_bbr(entry->descriptor)).specs();
  entries_.push_back(std::move(entry));
}

std::string bpf_label(std::string name) {
  const auto known = std::ranges::find(kKnown, name, &Known::name);
  if (known != std::end(kKnown)) name = known->label;
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name + " · kernel (BPF)";
}

void add_bpf_objects(std::vector<BpfObject> objects) {
  for (const BpfObject& object : objects)
    if (!usable(object.name))
      throw std::invalid_argument{"\"" + object.name + "\" is not a name: lower-case letters, digits, - and _"};
  bpf_objects() = std::move(objects);
}

const BpfObject* bpf_object_of(const Descriptor& cca) {
  if (!cca.id.starts_with(kBpfPrefix)) return nullptr;
  const auto found = std::ranges::find(bpf_objects(), cca.id.substr(kBpfPrefix.size()), &BpfObject::name);
  return found == bpf_objects().end() ? nullptr : &*found;
}

std::span<const Descriptor* const> kernel_ccas() { return of_this_kernel().descriptors(); }

const Descriptor* find_kernel_cca(std::string_view id) {
  const auto all = kernel_ccas();
  const auto found = std::ranges::find(all, id, &Descriptor::id);
  return found == all.end() ? nullptr : *found;
}

std::string_view kernel_name(const Descriptor& cca) { return cca.id.substr(kKernelPrefix.size()); }

std::string kernel_cca_names() {
  std::string names;
  for (const Descriptor* cca : kernel_ccas()) names += (names.empty() ? "" : ", ") + std::string{kernel_name(*cca)};
  return names.empty() ? "none" : names;
}

bool tells_bbr(const Descriptor& cca) { return kernel_name(cca) == "bbr"; }

}  // namespace paceline
