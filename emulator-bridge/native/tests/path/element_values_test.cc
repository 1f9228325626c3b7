// What elements tell of themselves: every declared value is filled, intervals add up to the figures of the run, and nothing depends on
// being asked.

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "metrics/rows.hh"
#include "path/way.hh"
#include "tests/param_variants.hh"
#include "tests/path/drive.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

struct Told {
  std::vector<std::vector<float>> rows;
  ElementSummary summary;
  std::vector<DriveElements::Out> out;
};

// Packets of a bursty source, for half a minute; `period` zero: nobody asks before the end.
Told drive(const ElementDescriptor& d, const Params::Given& params, Duration period) {
  DriveElements drive;
  drive.chain.add(d.id, make_element(std::string{d.id}, params), &d);
  Random random{7, 0, "test"};
  Told told;
  Time sampled{};
  const auto sample = [&](Time at) {
    drive.advance(at);
    drive.chain.sample(at, at - sampled, [&](std::size_t, std::span<const float> row) {
      told.rows.emplace_back(row.begin(), row.end());
    });
    sampled = at;
  };
  Time now{};
  for (int i = 0; i < 20'000; ++i) {
    now += Duration::seconds(random.chance(0.001) ? 0.4 : random.chance(0.3) ? 0 : random.exponential(0.0015));
    while (period.ns > 0 && sampled + period < now) sample(sampled + period);
    drive.in(now, 40 + static_cast<uint32_t>(random.below(1461)), static_cast<EcnMark>(random.below(4)));
  }
  drive.finish();
  sample(std::max(now, drive.out.empty() ? now : drive.out.back().time) + Duration::seconds(60));
  told.summary = drive.chain.summaries(sampled).front();
  told.out = drive.out;
  return told;
}

double sum(const Told& told, std::size_t column) {
  double total = 0;
  for (const auto& row : told.rows) total += row[column];
  return total;
}

}  // namespace

TEST_CASE("every value has a name of its own, a label and a sentence") {
  for (const ElementDescriptor* d : registered_elements()) {
    CAPTURE(d->id);
    std::set<std::string_view> names;
    for (const auto& c : telemetry::kElementColumns) names.insert(c.name);
    for (const ElementValue& v : d->columns) {
      CAPTURE(v.name);
      CHECK(names.insert(v.name).second);
      CHECK_FALSE(v.label.empty());
      CHECK_FALSE(v.help.view().empty());
    }
    std::set<std::string_view> figures;
    for (const ElementValue& v : d->figures) CHECK(figures.insert(v.name).second);
  }
}

TEST_CASE("intervals add up to the run, every value is known, and packets fare the same whoever asks how often") {
  for (const ElementDescriptor* d : registered_elements()) {
    CAPTURE(d->id);
    for (const Params::Given& params : variants_of(d->params)) {
      if (!params.empty()) CAPTURE(params.begin()->first);
      const Told told = drive(*d, params, Duration::millis(10));
      const ElementSummary& s = told.summary;
      CHECK(sum(told, 0) == static_cast<double>(s.entered_packets));
      CHECK(sum(told, 1) == static_cast<double>(s.passed_packets));
      CHECK(sum(told, 2) == static_cast<double>(s.lost_packets));
      CHECK(sum(told, 3) == static_cast<double>(s.copied_packets));
      CHECK(told.rows.back()[4] == 0);
      REQUIRE(s.figures.size() == d->figures.size());
      for (std::size_t i = 0; i < d->columns.size(); ++i) {
        const ElementValue& column = d->columns[i];
        CAPTURE(column.name);
        const std::size_t at = telemetry::kElementColumns.size() + i;
        // Of packets that left; where none did, there is no delay.
        const bool known = std::ranges::any_of(told.rows, [&](const auto& row) { return std::isfinite(row[at]); });
        CHECK((known || s.passed_packets == 0));
        for (const auto& row : told.rows) {
          if (column.unit == "ms" && std::isnan(row[at])) continue;
          REQUIRE(row[at] >= 0);
          if (!column.states.empty()) REQUIRE(static_cast<std::size_t>(row[at]) < column.states.size());
        }
        const bool counts =
            column.name.find("mean") == std::string_view::npos && column.name.find("max") == std::string_view::npos;
        for (const auto& [name, value] : s.figures)
          if (name == column.name && counts) CHECK(sum(told, at) == doctest::Approx(value));
      }
      const Told unasked = drive(*d, params, {});
      REQUIRE(unasked.out.size() == told.out.size());
      for (std::size_t i = 0; i < told.out.size(); ++i) {
        REQUIRE(unasked.out[i].number == told.out[i].number);
        REQUIRE(unasked.out[i].time == told.out[i].time);
      }
      for (std::size_t i = 0; i < s.figures.size(); ++i) {
        const double a = s.figures[i].second, b = unasked.summary.figures[i].second;
        CHECK((a == doctest::Approx(b) || (std::isnan(a) && std::isnan(b))));
      }
    }
  }
}

TEST_CASE("by hand: tokens of a policer, an interruption across two intervals, the share of a bad state") {
  const auto values = [](const std::string& id, const Params::Given& params, auto&& play) {
    const auto& d = element(id);
    auto made = make_element(id, params);
    DriveElements drive;
    drive.chain.add(d.id, std::move(made), &d);
    std::vector<std::vector<float>> rows;
    Time before{};
    play(drive, [&](double ms) {
      drive.advance(at_ms(ms));
      drive.chain.sample(at_ms(ms), at_ms(ms) - before, [&](std::size_t, std::span<const float> row) {
        rows.emplace_back(row.begin() + telemetry::kElementColumns.size(), row.end());
      });
      before = at_ms(ms);
    });
    return rows;
  };
  // 12 Mbps are 1500 bytes a millisecond; the bucket holds 6000.
  const auto policed = values("policer", {{"rate_mbps", 12.0}, {"burst_bytes", 6000.0}}, [](auto& d, auto sample) {
    for (int i = 0; i < 5; ++i) d.in(at_ms(1));
    sample(2);
    sample(10);
  });
  CHECK(policed == std::vector<std::vector<float>>{{1500, 1500}, {6000, 0}});
  // From 100 to 150 ms, from 250 to 300 ms.
  const auto interrupted =
      values("handover", {{"every_s", 0.1}, {"interruption_ms", 50.0}, {"at_random", false}}, [](auto& d, auto sample) {
        d.in(at_ms(90));
        sample(90);
        sample(120);
        sample(160);
        sample(350);
      });
  CHECK(interrupted == std::vector<std::vector<float>>{{0}, {20}, {30}, {50}});
}

TEST_CASE("a run whose path lists its elements has a stream of each, in both directions; the usual path has none") {
  LinkPlan forward = constant_link(12, Duration::millis(10), Bytes{30'000});
  forward.loss = 0.01;
  const auto further = [](const std::string& id, const Params::Given& params) {
    const ElementDescriptor& d = element(id);
    return ElementPlan{.element = &d, .params = Params{d.params, params}};
  };
  RunPlan plan = one_flow(forward, flow(cca("cubic")), 2);
  plan.forward.path = {further("policer", {{"rate_mbps", 8.0}}),
                       {.own = ElementPlan::Own::bottleneck},
                       {.own = ElementPlan::Own::delay}};
  // Nothing limits acknowledgements, and yet an element delays them.
  plan.reverse.path = {further("jitter", {}), {.own = ElementPlan::Own::bottleneck}, {.own = ElementPlan::Own::delay}};
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  REQUIRE(s.links.size() == 2);
  const auto check = [&](Direction direction, const std::vector<ElementSummary>& path) {
    for (std::size_t place = 0; place < path.size(); ++place) {
      CAPTURE(path[place].element);
      double entered = 0, lost = 0;
      const auto& rows = sink.rows.at(element_stream(direction, place));
      CHECK(rows.size() == 200);
      for (const auto& row : rows) {
        entered += row.values[0];
        lost += row.values[2];
      }
      CHECK(entered == static_cast<double>(path[place].entered_packets));
      CHECK(lost == static_cast<double>(path[place].lost_packets));
    }
    CHECK_FALSE(sink.rows.contains(element_stream(direction, path.size())));
  };
  REQUIRE(s.links[0].path.size() == 4);
  check(Direction::forward, s.links[0].path);
  REQUIRE(s.links[1].path.size() == 4);
  check(Direction::reverse, s.links[1].path);
  CHECK(s.links[1].path.at(1).figures.at(0).second > 1);  // jitter's mean delay, ms
  // The link's own bottleneck tells the same in both of its streams.
  const auto& own = sink.rows.at(element_stream(Direction::forward, 2));
  const auto& link = sink.rows.at(telemetry::kForwardLinkStream);
  for (std::size_t i = 0; i < link.size(); ++i) REQUIRE(own[i].values[5] == link[i].values[2]);

  plan.forward.path.clear();
  plan.reverse.path.clear();
  Recorder usual;
  CHECK(simulate(plan, usual).links.size() == 1);
  CHECK_FALSE(usual.rows.contains(element_stream(Direction::forward, 0)));
}
