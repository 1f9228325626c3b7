#pragma once
// Any list of elements, one after the other. An element is told the time before a packet enters it, so that each sees its packets and
// its own due moments in the order of time, however far the whole list is advanced at once.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/ring.hh"
#include "metrics/interval.hh"
#include "metrics/summary.hh"
#include "path/element.hh"
#include "path/registry.hh"

namespace paceline {

class ChainHost {
 public:
  virtual ~ChainHost() = default;
  virtual void chain_lost(const Packet& packet, Time now) = 0;
  virtual void chain_copied(Packet& copy) = 0;
};

class Chain {
 public:
  explicit Chain(ChainHost& host) : host_{host} {}
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  // Behind those that are there. `about`: what it declares.
  void add(std::string_view id, std::unique_ptr<PathElement> element, const ElementDescriptor* about = nullptr);

  [[nodiscard]] Time next() const;
  void enter(const Packet& packet, Time now, std::size_t place = 0);
  void advance(Time now);
  void hold_clocks();
  void start_clocks(Time now);

  struct Left {
    Packet packet{};
    Time time{};
  };
  // What has come out since it was looked at last, to be taken from here.
  [[nodiscard]] Ring<Left>& left() { return left_; }
  // Packets within.
  [[nodiscard]] std::size_t held() const;
  [[nodiscard]] std::vector<ElementSummary> summaries(Time now) const;
  // Closes an interval: tell(place, row) for each element, with the columns of all (telemetry::kElementColumns), then its own.
  template <typename Tell>
  void sample(Time now, Duration interval, Tell&& tell) {
    for (const auto& place : places_) tell(place->index, place->sample(now, interval));
  }

 private:
  struct Place final : Onward {
    Place(Chain& of, std::size_t at, std::string_view name, std::unique_ptr<PathElement> what,
          const ElementDescriptor* described);
    void pass(const Packet& packet, Time now) override;
    void lose(const Packet& packet, Time now) override;
    [[nodiscard]] Packet copy(const Packet& packet) override;
    void take(const Packet& packet, Time now);
    [[nodiscard]] uint64_t lost() const { return entered + copied - passed - element->held(); }
    [[nodiscard]] std::span<const float> sample(Time now, Duration interval);

    Chain* chain;
    std::size_t index;
    std::string_view id;
    std::unique_ptr<PathElement> element;
    uint64_t entered{};
    uint64_t passed{};
    uint64_t copied{};
    const ElementDescriptor* about;  // null: it declares nothing
    std::vector<float> row;
    std::array<Growth, 4> growth{};  // of entered, passed, lost, copied
  };

  ChainHost& host_;
  std::vector<std::unique_ptr<Place>> places_{};
  Ring<Left> left_{64};
};

}  // namespace paceline
