#include "path/chain.hh"

#include <algorithm>

namespace paceline {

void Chain::Place::pass(const Packet& packet, Time now) {
  ++passed;
  if (index + 1 < chain->places_.size()) {
    chain->places_[index + 1]->take(packet, now);
  } else {
    chain->left_.push({packet, now});
  }
}

void Chain::Place::lose(const Packet& packet, Time) { chain->host_.chain_lost(packet); }

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

void Chain::add(std::string_view id, std::unique_ptr<PathElement> element) {
  places_.push_back(std::make_unique<Place>(*this, places_.size(), id, std::move(element)));
}

Time Chain::next() const {
  Time next = Time::never();
  for (const auto& place : places_) next = std::min(next, place->element->next());
  return next;
}

void Chain::enter(const Packet& packet, Time now) { places_.front()->take(packet, now); }

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

std::vector<ElementSummary> Chain::summaries() const {
  std::vector<ElementSummary> all;
  for (const auto& place : places_) {
    const uint64_t held = place->element->held();
    all.push_back({.element = std::string{place->id},
                   .entered_packets = place->entered,
                   .passed_packets = place->passed,
                   .lost_packets = place->entered + place->copied - place->passed - held,
                   .copied_packets = place->copied,
                   .held_packets = held});
  }
  return all;
}

}  // namespace paceline
