#pragma once
// One direction of the path: an ordered list of elements. Three of them are the link's own (loss, bottleneck, delay). Where there are
// only these, in this order, packets go through them by static calls; any other list is a Chain, in which they take their places.

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/ring.hh"
#include "link/bottleneck.hh"
#include "link/delay_line.hh"
#include "link/random_loss.hh"
#include "metrics/columns.gen.hh"
#include "metrics/rows.hh"
#include "path/chain.hh"
#include "path/plan.hh"
#include "path/way_setup.hh"

namespace paceline {

// The driver: packets are known to the path by their head alone, what belongs to it is the driver's.
class PathHost {
 public:
  virtual ~PathHost() = default;
  // Dropped or lost.
  virtual void packet_gone(Direction direction, const Packet& packet) = 0;
  // The path made a second packet of one: it may need something of its own.
  virtual void packet_copied(Direction, Packet&) {}
};

// Hears of every packet at the two bottlenecks of the link, in the order of the link's own time; and of those lost elsewhere.
class PathObserver {
 public:
  virtual ~PathObserver() = default;
  virtual void arrived(Direction direction, const Packet& packet, Time now) = 0;
  virtual void departed(Direction direction, const Packet& packet, Time scheduled) = 0;
  virtual void dropped(Direction direction, const Packet& packet, Time now) = 0;
  virtual void lost(Direction, const Packet&, Time) {}
};

[[nodiscard]] constexpr uint16_t element_stream(Direction direction, std::size_t place) {
  return static_cast<uint16_t>((direction == Direction::forward ? telemetry::kFirstForwardElementStream
                                                                : telemetry::kFirstReverseElementStream) +
                               place);
}

class Way final : private DropListener, private ChainHost {
 public:
  Way(const LinkPlan& plan, const WaySetup& setup, PathHost& host);
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;

  void observe(PathObserver* observer) {
    observer_ = observer;
    choose_route();
  }

  // When something is due next, if nothing enters.
  [[nodiscard]] Time next() const {
    if (route_ == Route::line) return std::min(bottleneck_.next(), line_.next());
    return route_ == Route::driver ? bottleneck_.next() : next_otherwise();
  }

  // Serves everything due up to and including `now`: out(packet, time at which it leaves).
  template <typename Out>
  void advance(Time now, Out&& out) {
    if (route_ == Route::chain) [[unlikely]] {
      chain_->advance(now);
      hand_over(out);
      return;
    }
    bottleneck_.advance(now, [&](const Packet& packet, Time departure) { depart(packet, departure, out); });
    empty(line_, now, out);
    for (DelayLine& line : lines_) empty(line, now, out);
  }

  // For a driver whose clock goes from one event to the next: at `now` = next(), where it steps. At most one packet leaves:
  // out(packet), which lets nothing enter.
  [[nodiscard]] bool steps() const { return route_ == Route::line; }
  template <typename Out>
  [[gnu::always_inline]] void step(Time now, Out&& out) {
    if (bottleneck_.next() <= now) {
      bottleneck_.advance(now, [this](const Packet& p, Time departure) { line_.enter(p, departure); });
    } else {
      out(line_.front());
      line_.pop();
    }
  }

  // Everything due up to and including `now` must have been served.
  template <typename Out>
  void enter(const Packet& packet, Time now, Out&& out) {
    if (route_ > Route::driver) [[unlikely]] {
      enter_otherwise(packet, now, out);
    } else if (loss_.takes_next()) {
      gone(packet, now);
    } else if (route_ == Route::line) {
      bottleneck_.arrive(packet, now, [this](const Packet& p, Time departure) { line_.enter(p, departure); });
    } else {
      bottleneck_.arrive(packet, now, out);
    }
  }

  // The clocks of all traces stand still until they are started.
  void hold_traces();
  void start_traces(Time now);

  // Live changes, of the link's own elements. Everything due before must have been served.
  void set_capacity(const Bottleneck::Capacity& capacity, Time now) { bottleneck_.set_capacity(capacity, now); }
  void back_to_planned_capacity(Time now) { bottleneck_.set_capacity(planned_, now); }
  void set_delay(Duration delay);
  void set_loss(double probability) { loss_.set_probability(probability); }

  [[nodiscard]] Bottleneck& link() { return bottleneck_; }
  [[nodiscard]] const Bottleneck& link() const { return bottleneck_; }
  // Packets anywhere but at the link's bottleneck.
  [[nodiscard]] std::size_t propagating() const;
  // Closes an interval of telemetry: tell(stream, row) for the link and each element of a Chain. Everything due must have been served.
  template <typename Tell>
  void sample(Time now, Duration interval, Tell&& tell) {
    if (!sampled_ && !chain_) return;
    const bool forward = direction_ == Direction::forward;
    link_row_ = bottleneck_.sample(now, interval);
    if (sampled_) tell(forward ? telemetry::kForwardLinkStream : telemetry::kReverseLinkStream, columns_of(link_row_));
    if (!chain_) return;
    chain_->sample(now, interval, [&](std::size_t place, std::span<const float> row) {
      tell(element_stream(direction_, place), row);
    });
  }
  // Of the link, and of every element of a Chain; nothing for acknowledgements that nothing holds up.
  [[nodiscard]] std::optional<LinkSummary> summary(Time now) const;

 private:
  // The link's own elements at their places in a Chain.
  class OwnLoss;
  class OwnBottleneck;
  class OwnDelay;

  // Where packets go from the bottleneck; the frequent ways first.
  enum class Route : uint8_t {
    line,    // into the one delay line, and nobody watches
    driver,  // out, at once
    other,   // into the line of their flow, or somebody watches
    chain,
  };
  void choose_route();

  // Apart from what is frequent, so that that stays small.
  template <typename Out>
  [[gnu::noinline]] void enter_otherwise(const Packet& packet, Time now, Out&& out) {
    if (chain_) {
      chain_->enter(packet, now, packet.flow < joins_.size() ? joins_[packet.flow] : 0);
      hand_over(out);
    } else if (loss_.takes_next()) {
      gone(packet, now);
    } else {
      if (observer_) observer_->arrived(direction_, packet, now);
      bottleneck_.arrive(packet, now, [&](const Packet& p, Time departure) { depart(p, departure, out); });
    }
  }
  template <typename Out>
  void depart(const Packet& packet, Time departure, Out&& out) {
    if (observer_) observer_->departed(direction_, packet, departure);
    if (driver_holds_) {
      out(packet, departure);
    } else {
      line_of(packet).enter(packet, departure);
    }
  }
  template <typename Out>
  static void empty(DelayLine& line, Time now, Out&& out) {
    for (Time due = line.next(); due <= now; due = line.next()) {
      const Packet packet = line.front();
      line.pop();
      out(packet, due);
    }
  }
  template <typename Out>
  void hand_over(Out&& out) {
    for (auto& left = chain_->left(); !left.empty();) {
      const Chain::Left first = left.front();
      left.pop();
      out(first.packet, first.time);
    }
  }
  [[nodiscard]] DelayLine& line_of(const Packet& packet) { return lines_.empty() ? line_ : lines_[packet.flow]; }
  [[nodiscard]] Time next_of_lines() const;
  [[nodiscard]] Time next_otherwise() const;
  [[nodiscard]] std::size_t in_lines() const;
  void gone(const Packet& packet, Time now) {
    if (observer_) observer_->lost(direction_, packet, now);
    bottleneck_.meter().lost();
    host_.packet_gone(direction_, packet);
  }
  void on_drop(const Packet& packet, Time now) override {
    if (observer_) observer_->dropped(direction_, packet, now);
    host_.packet_gone(direction_, packet);
  }
  void chain_lost(const Packet& packet, Time now) override { gone(packet, now); }
  void chain_copied(Packet& copy) override { host_.packet_copied(direction_, copy); }
  [[nodiscard]] std::unique_ptr<Chain> make_chain(const LinkPlan& plan, const WaySetup& setup);

  Direction direction_;
  PathHost& host_;
  Route route_{};
  PathObserver* observer_{};
  RandomLoss loss_;
  Bottleneck bottleneck_;
  DelayLine line_;
  std::vector<DelayLine> lines_{};  // one per flow in its place, where flows have an extra delay
  std::vector<Duration> extra_{};   // of each of these
  bool driver_holds_{};
  Bottleneck::Capacity planned_;
  bool sampled_;  // a stream is declared once, for the whole run
  telemetry::LinkRow link_row_{};
  std::vector<std::size_t> joins_;  // the place of each flow in the Chain; empty: the first
  std::unique_ptr<Chain> chain_{};
};

}  // namespace paceline
