#include "cca/internals.hh"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/cca/event_feeder.hh"
#include "tests/param_variants.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

enum class Gear : uint8_t { slow, fast };
struct Machine {
  double rate{2.5};
  bool warm{true};
  Gear gear{Gear::fast};
  int64_t count{7};
};

const Internals<Machine> kOfMachine{{
    {"rate_mbps", "rate", "Mbps", [](const Machine& m) { return if_known(m.warm, m.rate); }},
    {"warm", "warmth", "", [](const Machine& m) { return m.warm; }, {"cold", "warm"}},
    {"gear", "gear", "", [](const Machine& m) { return m.gear; }, {"slow", "fast"}},
    {"count", "count", "packets", [](const Machine& m) { return m.count; }},
}};

}  // namespace

TEST_CASE("internals are told in the order of their names: numbers, flags, states, and what is unknown") {
  const std::vector<InternalSpec> specs = kOfMachine.specs();
  REQUIRE(specs.size() == 4);
  CHECK(specs[0].name == "rate_mbps");
  CHECK(specs[1].states == std::vector<std::string_view>{"cold", "warm"});
  CHECK(specs[3].unit == "packets");
  std::vector<float> row(4);
  kOfMachine.tell({}, row);
  CHECK(row == std::vector<float>{2.5F, 1, 1, 7});
  kOfMachine.tell({.warm = false}, row);
  CHECK(std::isnan(row[0]));
  CHECK(row[1] == 0);
}

// A controller of another class than the list was made from (a profile, say) would tell another number of values.
TEST_CASE("every algorithm, in each of its variants, tells one value for each internal that it lists and no more") {
  constexpr float kUntold = -12345;
  for (const Descriptor* cca : registered_ccas()) {
    if (!cca->make) continue;
    for (const Params::Given& given : variants_of(cca->params)) {
      if (given == Params::Given{{"policy", "network"}}) continue;  // asks for weights
      CAPTURE(cca->id);
      const auto controller = make_cca(cca->id, given);
      EventFeeder feed{*controller};
      feed.ack(2);
      std::vector<float> row(cca->internals.size() + 8, kUntold);
      controller->internals(row);
      for (std::size_t i = 0; i < row.size(); ++i) {
        CAPTURE(i);
        if (i >= cca->internals.size()) {
          CHECK(row[i] == kUntold);
          continue;
        }
        CHECK(row[i] != kUntold);
        const auto& states = cca->internals[i].states;
        if (states.empty() || std::isnan(row[i])) continue;
        CHECK(row[i] == std::floor(row[i]));
        CHECK(row[i] >= 0);
        CHECK(row[i] < static_cast<float>(states.size()));
      }
    }
  }
}
