#include "channel/radio_link.hh"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "channel/rate_integrator.hh"

namespace paceline {

namespace {

constexpr double kTickS = 0.025;
constexpr uint32_t kTickUs = 25'000;
constexpr uint32_t kMostSnrValues = 1000;

std::vector<Building> buildings_of(const RadioLink& link) {
  std::vector<Building> all = link.buildings;
  const RandomBuildings& random = link.random_buildings;
  Draws draws{link.seed, 0, "buildings"};
  for (uint32_t i = 0; i < random.count; ++i) {
    const double x = draws.uniform(random.area.x0, random.area.x1);
    const double y = draws.uniform(random.area.y0, random.area.y1);
    const double w = draws.uniform(random.least_side_m, random.most_side_m);
    const double h = draws.uniform(random.least_side_m, random.most_side_m);
    all.push_back({x - w / 2, y - h / 2, x + w / 2, y + h / 2});
  }
  return all;
}

double scripted_db(const std::vector<SnrPoint>& script, double at_s) {
  if (script.empty()) return 0;
  if (at_s <= script.front().at_s) return script.front().db;
  for (std::size_t i = 1; i < script.size(); ++i) {
    const SnrPoint& from = script[i - 1];
    const SnrPoint& to = script[i];
    if (at_s < to.at_s) return from.db + (to.db - from.db) * (at_s - from.at_s) / (to.at_s - from.at_s);
  }
  return script.back().db;
}

// One station as the user receives it.
class Cell {
 public:
  Cell(const RadioLink& link, std::size_t index, const std::vector<Building>& buildings)
      : large_scale_{link.large_scale, link.stations[index], buildings, link.seed, index},
        fading_{link.fading, link.large_scale.carrier_ghz, link.seed, index},
        blockage_{link.blockage, link.seed, index, "blockage"},
        beam_{link.beam_loss, link.seed, index, "beam"},
        budget_db_{link.power_dbm + link.user_gain_db + link.margin_db -
                   (-174 + to_db(link.link.bandwidth_mhz * 1e6) + link.noise_figure_db)} {}

  void begin_tick(const Place& place, double step_m, double step_s) {
    before_ = after_;
    after_ = large_scale_.advance(place.at, step_m);
    if (!begun_) before_ = after_;
    begun_ = true;
    fading_.prepare(place.speed_mps, step_s);
    sum_db_ = 0;
  }
  double step(double part_of_tick, double step_s) {
    const auto between = [part_of_tick](double from, double to) { return from + (to - from) * part_of_tick; };
    const double large_db = between(before_.loss_db, after_.loss_db);
    const double snr = budget_db_ - large_db - blockage_.advance(step_s) - beam_.advance(step_s) +
                       fading_.step(between(before_.los, after_.los));
    sum_db_ += snr;
    return snr;
  }
  [[nodiscard]] double sum_db() const { return sum_db_; }

 private:
  LargeScaleProcess large_scale_;
  FadingProcess fading_;
  BlockageProcess blockage_;
  BlockageProcess beam_;
  double budget_db_;
  LargeScaleProcess::State before_{};
  LargeScaleProcess::State after_{};
  double sum_db_{};
  bool begun_{};
};

// What the network makes of the serving cell's signal.
class Service {
 public:
  Service(const RadioLink& link, RadioStory* story)
      : link_{link},
        load_{link.load, link.seed},
        selection_{link.selection, link.stations.size(), link.seed},
        handovers_{link.handovers, link.seed, "handover"},
        gaps_{link.gaps, link.seed, "gap"},
        jitter_{link.seed, 0, "jitter"},
        hold_{link.hold, link.seed},
        story_{story} {
    if (link.dead_zone) dead_zone_.emplace(*link.dead_zone, link.seed);
  }

  [[nodiscard]] std::size_t serving() const { return selection_.serving(); }

  // `at_s`: when the step begins.
  double step(double snr_db, double at_s, double seconds, bool last) {
    double mbps = link_.link.mbps(snr_db);
    if (dead_zone_) {
      const double lte = dead_zone_->lte_mbps(seconds);
      if (dead_zone_->on_lte()) mbps = lte;
    }
    mbps *= load_.advance(seconds) * handovers_.advance(seconds) * gaps_.advance(seconds) * uncut(seconds);
    if (const double cut_s = handovers_.begun_s(); cut_s > 0) tell(at_s, cut_s);
    if (link_.jitter_sigma > 0) mbps = std::min(mbps * jitter(seconds), link_.link.cap_mbps);
    return hold_.advance(mbps, seconds, last);
  }

  // `at_s`: when the tick ends.
  void end_tick(std::span<const double> mean_snr_db, double step_m, double at_s) {
    double cut_ms = selection_.tick(mean_snr_db);
    if (dead_zone_) cut_ms = std::max(cut_ms, dead_zone_->tick(mean_snr_db[serving()], step_m));
    cut_left_s_ = std::max(cut_left_s_, cut_ms / 1000);
    if (cut_ms > 0) tell(at_s, cut_ms / 1000);
  }

 private:
  void tell(double at_s, double lasts_s) {
    if (story_ != nullptr) story_->handovers.push_back({.at_s = at_s, .lasts_s = lasts_s});
  }
  double uncut(double seconds) {
    const double cut = std::min(cut_left_s_, seconds);
    cut_left_s_ -= cut;
    return 1 - cut / seconds;
  }
  double jitter(double seconds) {
    constexpr double kEveryS = 0.010;
    jitter_left_s_ -= seconds;
    if (jitter_left_s_ < -seconds / 2) {
      const double sigma = link_.jitter_sigma;
      factor_ = exp_of(sigma * jitter_.normal() - sigma * sigma / 2);
      jitter_left_s_ = kEveryS - seconds;
    }
    return factor_;
  }

  const RadioLink& link_;
  CellLoadProcess load_;
  CellSelectionProcess selection_;
  InterruptionProcess handovers_;
  InterruptionProcess gaps_;
  Draws jitter_;
  RlcHoldProcess hold_;
  RadioStory* story_;
  std::optional<DeadZoneProcess> dead_zone_{};
  double cut_left_s_{};
  double jitter_left_s_{};
  double factor_{1};
};

// The mean SNR of times of equal length. A last one that the end cuts short is the mean of what there is.
class SnrSeries {
 public:
  SnrSeries(const RadioLink& link, RadioStory* story) : story_{story} {
    if (story == nullptr) return;
    constexpr uint32_t kSecondMs = 1000;
    story->every_ms = (link.duration_ms / kSecondMs / kMostSnrValues + 1) * kSecondMs;
    steps_ = uint64_t{story->every_ms} * 1000 / link.step_us;
  }
  void add(double snr_db, bool last) {
    if (story_ == nullptr) return;
    sum_db_ += snr_db;
    if (++added_ < steps_ && !last) return;
    story_->snr_db.push_back(sum_db_ / static_cast<double>(added_));
    sum_db_ = 0;
    added_ = 0;
  }

 private:
  RadioStory* story_;
  uint64_t steps_{1};
  uint64_t added_{};
  double sum_db_{};
};

void check(const RadioLink& link) {
  if (link.duration_ms < 1) throw std::invalid_argument{"duration_ms must be at least 1"};
  if (link.step_us < 1 || kTickUs % link.step_us != 0) throw std::invalid_argument{"step_us must divide 25000"};
  if (link.stations.empty()) throw std::invalid_argument{"there is no station"};
}

// When the radio model's own process says so, to a tick.
void add_blockers(const RadioLink& link, RadioPlan& plan) {
  const uint64_t ticks = uint64_t{link.duration_ms} * 1000 / kTickUs;
  for (std::size_t station = 0; station < link.stations.size(); ++station) {
    BlockageProcess process{link.blockage, link.seed, station, "blockage"};
    bool before = false;
    for (uint64_t tick = 0; tick < ticks; ++tick) {
      (void)process.advance(kTickS);
      const double at_s = static_cast<double>(tick) * kTickS;
      if (process.blocked() && !before) plan.blockers.push_back({.station = station, .from_s = at_s, .to_s = at_s});
      before = process.blocked();
      if (before) plan.blockers.back().to_s = at_s + kTickS;
    }
  }
}

}  // namespace

std::vector<uint32_t> radio_link_trace(const RadioLink& link, RadioStory* story) {
  check(link);
  const std::vector<Building> buildings = buildings_of(link);
  Mobility mobility{link.walk, link.slowest_mps, link.fastest_mps, link.seed};
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < link.stations.size(); ++i) cells.emplace_back(link, i, buildings);
  Service service{link, story};
  SnrSeries told{link, story};
  RateIntegrator integrator;

  const double step_s = link.step_us / 1e6;
  const uint32_t steps_per_tick = kTickUs / link.step_us;
  const uint64_t steps = (uint64_t{link.duration_ms} * 1000 + link.step_us - 1) / link.step_us;
  std::vector<double> mean_db(cells.size());
  for (uint64_t done = 0; done < steps;) {
    const double before_m = mobility.place().travelled_m;
    mobility.advance(kTickS);
    const double step_m = mobility.place().travelled_m - before_m;
    for (Cell& cell : cells) cell.begin_tick(mobility.place(), step_m, step_s);
    for (uint32_t i = 0; i < steps_per_tick && done < steps; ++i, ++done) {
      const double part = (i + 0.5) / steps_per_tick;
      const double at_s = static_cast<double>(done) * step_s;
      double snr_db = scripted_db(link.script, at_s);
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const double cell_db = cells[c].step(part, step_s);
        if (c == service.serving()) snr_db += cell_db;
      }
      const bool last = done + 1 == steps;
      told.add(snr_db, last);
      const double mbps = service.step(snr_db, at_s, step_s, last);
      integrator.add(static_cast<uint64_t>(std::llround(mbps * 1000)) * 1000, Duration{int64_t{link.step_us} * 1000});
    }
    const double tick_end_s = static_cast<double>(done) * step_s;
    const double scripted = scripted_db(link.script, tick_end_s);
    for (std::size_t c = 0; c < cells.size(); ++c) mean_db[c] = cells[c].sum_db() / steps_per_tick + scripted;
    service.end_tick(mean_db, step_m, tick_end_s);
  }
  // What would begin when all is over.
  if (story != nullptr)
    std::erase_if(story->handovers, [&](const Handover& h) { return h.at_s * 1000 >= link.duration_ms; });
  std::vector<uint32_t> counts = integrator.finish();
  counts.resize(std::size_t{link.duration_ms} + 1);  // a step may reach beyond the end
  return counts;
}

RadioPlan radio_plan(const RadioLink& link, double every_s) {
  check(link);
  RadioPlan plan{.stations = link.stations, .buildings = buildings_of(link), .way = {}, .blockers = {}};
  Mobility mobility{link.walk, link.slowest_mps, link.fastest_mps, link.seed};
  const auto every = static_cast<uint64_t>(std::max(1.0, std::floor(every_s / kTickS + 0.5)));
  for (uint64_t tick = 0; tick * kTickUs <= uint64_t{link.duration_ms} * 1000; ++tick) {
    if (tick % every == 0) plan.way.push_back({.at_s = static_cast<double>(tick) * kTickS, .at = mobility.place().at});
    mobility.advance(kTickS);
  }
  if (link.blockage.per_s > 0) add_blockers(link, plan);
  return plan;
}

}  // namespace paceline
