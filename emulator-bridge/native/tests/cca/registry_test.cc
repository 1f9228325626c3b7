#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "cca/registry.hh"

using namespace paceline;

TEST_CASE("every registered CCA describes itself completely") {
  REQUIRE(registered_ccas().size() >= 5);
  std::set<std::string> identities;
  int baselines = 0;
  for (const Descriptor* cca : registered_ccas()) {
    CAPTURE(cca->id);
    CHECK(std::ranges::all_of(
        cca->id, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }));
    CHECK_FALSE(cca->label.empty());
    CHECK(cca->summary.view().size() > 40);
    CHECK_FALSE(cca->source.view().empty());
    CHECK((cca->make == nullptr) == (cca->kind == Kind::ideal));
    baselines += cca->baseline;
    const auto& look = cca->identity;
    CHECK(std::ranges::find(kLookMarkers, look.marker) != kLookMarkers.end());
    CHECK(look.slot < kLookSlots);
    CHECK(identities.insert(std::to_string(look.slot) + std::string{look.marker} + (look.hollow ? "h" : "")).second);
    std::set<std::string_view> names;
    for (const auto& param : cca->params) {
      CAPTURE(param.name);
      CHECK(names.insert(param.name).second);
      CHECK_FALSE(param.label.empty());
      CHECK(param.help.view().size() > 20);
      if (param.type == ParamType::choice) {
        CHECK(param.initial < static_cast<double>(param.choices.size()));
      } else if (param.type == ParamType::weights) {
        CHECK_FALSE(param.choices.empty());
        CHECK(param.algorithm == cca->id);
      } else {
        CHECK(param.min < param.max);
        CHECK(param.initial >= param.min);
        CHECK(param.initial <= param.max);
      }
    }
    names.clear();
    for (const auto& internal : cca->internals) CHECK(names.insert(internal.name).second);
  }
  CHECK(baselines == 1);
}

TEST_CASE("the list of CCAs is sorted by id and searchable") {
  CHECK(std::ranges::is_sorted(registered_ccas(), {}, &Descriptor::id));
  CHECK(find_cca("cubic") != nullptr);
  CHECK(find_cca("cubic2") == nullptr);
}

TEST_CASE("parameters take their defaults and refuse what is impossible by name") {
  const std::vector<ParamSpec> specs{
      {.name = "gain",
       .label = "",
       .type = ParamType::number,
       .unit = "",
       .initial = 0.5,
       .min = 0.1,
       .max = 2,
       .help = ""},
      {.name = "rounds",
       .label = "",
       .type = ParamType::integer,
       .unit = "",
       .initial = 3,
       .min = 1,
       .max = 9,
       .help = ""},
      {.name = "fast", .label = "", .type = ParamType::boolean, .unit = "", .initial = 1, .max = 1, .help = ""},
      {.name = "profile",
       .label = "",
       .type = ParamType::choice,
       .unit = "",
       .initial = 1,
       .choices = {"linux", "rfc"},
       .help = ""},
  };
  const Params defaults{specs, {}};
  CHECK(defaults.number("gain") == 0.5);
  CHECK(defaults.integer("rounds") == 3);
  CHECK(defaults.flag("fast"));
  CHECK(defaults.choice("profile") == "rfc");

  const Params given{specs, {{"gain", 2.0}, {"rounds", 9.0}, {"fast", false}, {"profile", std::string{"linux"}}}};
  CHECK(given.number("gain") == 2);
  CHECK(given.integer("rounds") == 9);
  CHECK_FALSE(given.flag("fast"));
  CHECK(given.choice("profile") == "linux");

  const auto refusal = [&](const Params::Given& values) -> std::string {
    try {
      Params{specs, values};
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "accepted";
  };
  CHECK(refusal({{"gian", 1.0}}) == "parameter gian is not known");
  CHECK(refusal({{"gain", 3.0}}) == "parameter gain: 3 is outside 0.1 to 2");
  CHECK(refusal({{"gain", NAN}}) == "parameter gain: must be a number");
  CHECK(refusal({{"gain", true}}) == "parameter gain: must be a number");
  CHECK(refusal({{"rounds", 2.5}}) == "parameter rounds: must be a whole number");
  CHECK(refusal({{"fast", 1.0}}) == "parameter fast: must be true or false");
  CHECK(refusal({{"profile", std::string{"mac"}}}) == "parameter profile: must be one of linux, rfc");
}

TEST_CASE("a network is refused by the place in its file that does not fit, and missed where it is needed") {
  const std::vector<ParamSpec> specs{
      {.name = "agent", .label = "", .type = ParamType::choice, .unit = "", .choices = {"rule", "network"}, .help = ""},
      {.name = "weights",
       .label = "",
       .type = ParamType::weights,
       .unit = "",
       .choices = {"rate", "delay"},
       .algorithm = "foo",
       .needed_with = {"agent", "network"},
       .help = ""}};
  const auto network = std::make_shared<FeedForward>(FeedForward{.algorithm = "foo", .inputs = {"delay", "rate"}});
  const auto refusal = [&](const Params::Given& values) -> std::string {
    try {
      Params{specs, values};
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "accepted";
  };
  const Params::Weights given = network;
  const std::string chosen = "network";
  CHECK(Params{specs, {}}.weights("weights") == nullptr);
  CHECK(Params{specs, {{"agent", chosen}, {"weights", given}}}.weights("weights") == given);
  CHECK(refusal({{"weights", given}}) == "accepted");
  CHECK(refusal({{"agent", chosen}}) == "parameter weights: must name a weights file when agent is network");
  CHECK(refusal({{"weights", 1.0}}) == "parameter weights: must be a weights file");
  network->inputs.emplace_back("loss");
  CHECK(refusal({{"weights", given}}) == "parameter weights: inputs[2]: foo has no \"loss\", only rate, delay");
  network->algorithm = "bar";
  CHECK(refusal({{"weights", given}}) == "parameter weights: algorithm: the file is for \"bar\", not for foo");
}
