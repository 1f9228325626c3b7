#include "path/way.hh"

#include <map>
#include <string_view>

#include "path/bottleneck_values.hh"

namespace paceline {

using Own = ElementPlan::Own;

namespace {

// Every element has random streams of its own, the first of its kind with the link's own as number 0: none changes what another draws.
uint64_t stream_of(Direction direction, uint64_t number) { return static_cast<uint64_t>(direction) + 2 * number; }

}  // namespace

class Way::OwnLoss final : public PathElement {
 public:
  explicit OwnLoss(Way& way) : way_{way} {}
  void enter(const Packet& packet, Time now, Onward& onward) override {
    if (way_.loss_.takes_next()) {
      onward.lose(packet, now);
    } else {
      onward.pass(packet, now);
    }
  }

 private:
  Way& way_;
};

class Way::OwnBottleneck final : public PathElement {
 public:
  explicit OwnBottleneck(Way& way) : way_{way} {}
  [[nodiscard]] Time next() const override { return way_.bottleneck_.next(); }
  void enter(const Packet& packet, Time now, Onward& onward) override {
    if (way_.observer_) way_.observer_->arrived(way_.direction_, packet, now);
    way_.bottleneck_.arrive(packet, now, [&](const Packet& p, Time departure) { depart(p, departure, onward); });
  }
  void advance(Time now, Onward& onward) override {
    way_.bottleneck_.advance(now, [&](const Packet& p, Time departure) { depart(p, departure, onward); });
  }
  [[nodiscard]] std::size_t held() const override {
    return static_cast<std::size_t>(way_.bottleneck_.queued_packets() + way_.bottleneck_.in_service_packets());
  }
  // An interval of the link is closed once, for its own stream and for this.
  void sample(Time, Duration, std::span<float> values) override {
    fill_columns(way_.link_row_, way_.bottleneck_.limited(), values);
  }
  void sum_up(Time now, std::span<double> values) override {
    fill_figures(way_.bottleneck_.summary(now), way_.bottleneck_.limited(), values);
  }

 private:
  void depart(const Packet& packet, Time departure, Onward& onward) {
    if (way_.observer_) way_.observer_->departed(way_.direction_, packet, departure);
    onward.pass(packet, departure);
  }
  Way& way_;
};

class Way::OwnDelay final : public PathElement {
 public:
  explicit OwnDelay(Way& way) : way_{way} {}
  [[nodiscard]] Time next() const override { return way_.next_of_lines(); }
  void enter(const Packet& packet, Time now, Onward&) override { way_.line_of(packet).enter(packet, now); }
  // Of all flows in the order of time: what comes behind knows only one time.
  void advance(Time now, Onward& onward) override {
    for (Time due = next(); due <= now; due = next()) {
      DelayLine& line = way_.lines_.empty() ? way_.line_ : *std::ranges::find(way_.lines_, due, &DelayLine::next);
      const Packet packet = line.front();
      line.pop();
      onward.pass(packet, due);
    }
  }
  [[nodiscard]] std::size_t held() const override { return way_.in_lines(); }

 private:
  Way& way_;
};

Way::Way(const LinkPlan& plan, const WaySetup& setup, PathHost& host)
    : direction_{setup.direction},
      host_{host},
      loss_{plan.loss, Random{setup.seed, stream_of(setup.direction, 0), "loss"}},
      bottleneck_{plan.capacity,
                  plan.queue.make(Random{setup.seed, stream_of(setup.direction, 0), "queue"}, setup.flows_by_tag),
                  setup.from, this},
      line_{plan.delay},
      driver_holds_{setup.driver_delays},
      planned_{plan.capacity},
      sampled_{setup.direction == Direction::forward || bottleneck_.limited()},
      joins_{setup.joins} {
  if (!setup.driver_delays) extra_ = setup.extra;
  for (const Duration extra : extra_) lines_.emplace_back(plan.delay + extra);
  if (!plan.plain()) chain_ = make_chain(plan, setup);
  choose_route();
}

void Way::choose_route() {
  if (chain_) {
    route_ = Route::chain;
  } else if (driver_holds_ && !observer_) {
    route_ = Route::driver;
  } else {
    route_ = lines_.empty() && !observer_ ? Route::line : Route::other;
  }
}

std::unique_ptr<Chain> Way::make_chain(const LinkPlan& plan, const WaySetup& setup) {
  auto chain = std::make_unique<Chain>(static_cast<ChainHost&>(*this));
  std::map<std::string_view, uint64_t> numbers;
  for (const ElementPlan& e : plan.places()) {
    const ElementDescriptor& about = e.about();
    switch (e.own) {
      case Own::loss:
        chain->add(about.id, std::make_unique<OwnLoss>(*this), &about);
        break;
      case Own::bottleneck:
        chain->add(about.id, std::make_unique<OwnBottleneck>(*this), &about);
        break;
      case Own::delay:
        chain->add(about.id, std::make_unique<OwnDelay>(*this), &about);
        break;
      case Own::none: {
        const uint64_t stream = stream_of(setup.direction, ++numbers[e.element->id]);
        ElementSetup element{.random = Random{setup.seed, stream, e.element->id},
                             .from = setup.from,
                             .capacity = e.capacity,
                             .recorded = e.recorded};
        if (e.element->queues)
          element.queue = e.queue.make(Random{setup.seed, stream_of(setup.direction, ++numbers["queue"]), "queue"},
                                       setup.flows_by_tag);
        chain->add(about.id, e.element->make(std::move(element), e.params), &about);
        break;
      }
    }
  }
  return chain;
}

void Way::hold_traces() {
  bottleneck_.hold_trace();
  if (chain_) chain_->hold_clocks();
}

void Way::start_traces(Time now) {
  bottleneck_.start_trace(now);
  if (chain_) chain_->start_clocks(now);
}

void Way::set_delay(Duration delay) {
  line_.set_delay(delay);
  for (std::size_t i = 0; i < lines_.size(); ++i) lines_[i].set_delay(delay + extra_[i]);
}

Time Way::next_of_lines() const {
  Time next = line_.next();
  for (const DelayLine& line : lines_) next = std::min(next, line.next());
  return next;
}

Time Way::next_otherwise() const { return chain_ ? chain_->next() : std::min(bottleneck_.next(), next_of_lines()); }

std::size_t Way::in_lines() const {
  std::size_t packets = line_.size();
  for (const DelayLine& line : lines_) packets += line.size();
  return packets;
}

std::size_t Way::propagating() const {
  if (!chain_) return in_lines();
  return chain_->held() - static_cast<std::size_t>(bottleneck_.queued_packets() + bottleneck_.in_service_packets());
}

std::optional<LinkSummary> Way::summary(Time now) const {
  if (!sampled_ && !chain_) return std::nullopt;
  LinkSummary summary = bottleneck_.summary(now);
  summary.direction = direction_;
  if (chain_) summary.path = chain_->summaries(now);
  return summary;
}

}  // namespace paceline
