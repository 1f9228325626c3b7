#include "path/chain.hh"

#include <algorithm>

#include "metrics/rows.hh"

namespace paceline {

Chain::Place::Place(Chain& of, std::size_t at, std::string_view name, std::unique_ptr<PathElement> what,
                    const ElementDescriptor* described)
    : chain{&of},
      index{at},
      id{name},
      element{std::move(what)},
      about{described},
      row(telemetry::kElementColumns.size() + (described ? described->columns.size() : 0), kUnknown) {}

void Chain::Place::pass(const Packet& packet, Time now) {
  ++passed;
  if (index + 1 < chain->places_.size()) {
    chain->places_[index + 1]->take(packet, now);
  } else {
    chain->left_.push({packet, now});
  }
}

void Chain::Place::lose(const Packet& packet, Time now) { chain->host_.chain_lost(packet, now); }

Packet Chain::Place::copy(const Packet& packet) {
  ++copied;
  Packet copy = packet;
  chain->host_.chain_copied(copy);
  return copy;
}

void Chain::Place::take(const Packet& packet, Time now) {
  if (element->next() <= now) element->advance(now, *this);
  ++entered;
  element->enter(packet, now, *this);
}

std::span<const float> Chain::Place::sample(Time now, Duration interval) {
  const auto grown = [&](std::size_t which, uint64_t total) {
    return static_cast<float>(growth[which].of(static_cast<int64_t>(total)));
  };
  const telemetry::ElementRow common{.entered_packets = grown(0, entered),
                                     .passed_packets = grown(1, passed),
                                     .lost_packets = grown(2, lost()),
                                     .copied_packets = grown(3, copied),
                                     .held_packets = static_cast<float>(element->held())};
  const auto values = columns_of(common);
  std::ranges::copy(values, row.begin());
  element->sample(now, interval, std::span{row}.subspan(values.size()));
  return row;
}

void Chain::add(std::string_view id, std::unique_ptr<PathElement> element, const ElementDescriptor* about) {
  places_.push_back(std::make_unique<Place>(*this, places_.size(), id, std::move(element), about));
}

Time Chain::next() const {
  Time next = Time::never();
  for (const auto& place : places_) next = std::min(next, place->element->next());
  return next;
}

// Everything due has been served: nothing earlier comes to that place any more.
void Chain::enter(const Packet& packet, Time now, std::size_t place) { places_[place]->take(packet, now); }

// What comes late in the list is moved on by what comes early, so one pass is enough.
void Chain::advance(Time now) {
  for (const auto& place : places_) place->element->advance(now, *place);
}

void Chain::hold_clocks() {
  for (const auto& place : places_) place->element->hold_clock();
}

void Chain::start_clocks(Time now) {
  for (const auto& place : places_) place->element->start_clock(now);
}

std::size_t Chain::held() const {
  std::size_t packets = 0;
  for (const auto& place : places_) packets += place->element->held();
  return packets;
}

std::vector<ElementSummary> Chain::summaries(Time now) const {
  std::vector<ElementSummary> all;
  for (const auto& place : places_) {
    ElementSummary& summary = all.emplace_back(ElementSummary{.element = std::string{place->id},
                                                              .entered_packets = place->entered,
                                                              .passed_packets = place->passed,
                                                              .lost_packets = place->lost(),
                                                              .copied_packets = place->copied,
                                                              .held_packets = place->element->held()});
    if (!place->about) continue;
    std::vector<double> values(place->about->figures.size(), kNotMeasured);
    place->element->sum_up(now, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      summary.figures.emplace_back(place->about->figures[i].name, values[i]);
  }
  return all;
}

}  // namespace paceline
