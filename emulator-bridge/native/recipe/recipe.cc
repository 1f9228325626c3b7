#include "recipe/recipe.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "channel/cellular_walk.hh"
#include "channel/markov.hh"
#include "channel/piecewise.hh"
#include "channel/random_walk.hh"
#include "recipe/radio.hh"
#include "recipe/section.hh"
#include "trace/text.hh"

namespace paceline {

using nlohmann::json;

namespace {

constexpr auto kLongestMs = static_cast<double>(kMaxTracePeriodMs);
constexpr double kFastestMbps = 1e6;
constexpr double kLargestSeed = 4294967295.0;

std::vector<uint32_t> piecewise(RecipeSection model) {
  const uint32_t repeat = model.whole("repeat", 1, kLongestMs);
  const json& pieces = model.any("pieces");
  if (!pieces.is_array() || pieces.empty()) model.refuse("\"pieces\" must be a list of at least one piece");
  std::vector<RatePiece> list;
  double total_ms = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    RecipeSection piece{pieces[i], "piecewise.pieces[" + std::to_string(i) + "]"};
    const auto kbps = [&](const char* key) {
      return static_cast<uint64_t>(std::llround(piece.number(key, 0, kFastestMbps) * 1000.0));
    };
    list.push_back(
        {.from_kbps = kbps("from_mbps"), .to_kbps = kbps("to_mbps"), .ms = piece.whole("ms", 1, kLongestMs)});
    piece.no_more();
    total_ms += list.back().ms;
  }
  const double duration_ms = model.has("duration_ms") ? model.whole("duration_ms", 1, kLongestMs) : total_ms * repeat;
  model.no_more();
  if (duration_ms > kLongestMs || total_ms > kLongestMs) model.refuse("the trace is longer than a day");
  std::vector<uint32_t> counts = piecewise_trace(list, static_cast<uint32_t>(std::ceil(duration_ms / total_ms)));
  counts.resize(static_cast<std::size_t>(duration_ms) + 1);
  return counts;
}

std::vector<uint32_t> cellular_walk(RecipeSection model) {
  constexpr double kAny = 1e9;  // the model checks the ranges
  const auto get = [&](const char* key) { return model.number(key, 0, kAny); };
  const CellularWalk walk{.seed = model.whole("seed", 0, kLargestSeed),
                          .duration_ms = model.whole("duration_ms", 1, kLongestMs),
                          .median_mbps = get("median_mbps"),
                          .min_mbps = get("min_mbps"),
                          .max_mbps = get("max_mbps"),
                          .slow_sigma = get("slow_sigma"),
                          .slow_tau_ms = get("slow_tau_ms"),
                          .fast_sigma = get("fast_sigma"),
                          .fast_tau_ms = get("fast_tau_ms"),
                          .share = get("share"),
                          .outages_per_s = get("outages_per_s"),
                          .outage_mean_ms = get("outage_mean_ms")};
  model.no_more();
  return cellular_walk_trace(walk);
}

std::vector<uint32_t> random_walk(RecipeSection model) {
  RandomWalk walk{.seed = model.whole("seed", 0, kLargestSeed),
                  .duration_ms = model.whole("duration_ms", 1, kLongestMs),
                  .every_ms = model.whole("every_ms", 1, kLongestMs)};
  walk.min_mbps = model.number("min_mbps", 0, kFastestMbps);
  walk.max_mbps = model.number("max_mbps", walk.min_mbps, kFastestMbps);
  walk.start_mbps = model.number("start_mbps", walk.min_mbps, walk.max_mbps);
  walk.step_mbps = model.number("step_mbps", 0, kFastestMbps);
  model.no_more();
  return random_walk_trace(walk);
}

std::vector<uint32_t> markov(RecipeSection model) {
  Markov chain{.seed = model.whole("seed", 0, kLargestSeed), .duration_ms = model.whole("duration_ms", 1, kLongestMs)};
  const json& states = model.any("states");
  if (!states.is_array() || states.size() < 2 || states.size() > 64)
    model.refuse("\"states\" must be a list of 2 to 64 states");
  for (std::size_t i = 0; i < states.size(); ++i) {
    RecipeSection state{states[i], "markov.states[" + std::to_string(i) + "]"};
    chain.states.push_back({.mbps = state.number("mbps", 0, kFastestMbps),
                            .mean_ms = state.number("mean_ms", 1, kLongestMs),
                            .next = state.numbers("next", states.size(), 0, 1e6)});
    state.no_more();
  }
  model.no_more();
  return markov_trace(chain);
}

struct Model {
  const char* name;
  std::vector<uint32_t> (*make)(RecipeSection);
};

constexpr std::array kModels{
    Model{"piecewise", piecewise},
    Model{"cellular_walk", cellular_walk},
    Model{"random_walk", random_walk},
    Model{"markov", markov},
    Model{"radio", [](RecipeSection model) { return radio_link_trace(radio_link_from(std::move(model))); }},
};

json parsed_recipe(std::string_view text) {
  json recipe = json::parse(text, nullptr, false);
  if (recipe.is_discarded()) throw std::invalid_argument{"the recipe is not JSON"};
  return recipe;
}

const Model& model_of(RecipeSection& top) {
  const Model* found = nullptr;
  std::string names;
  int many = 0;
  for (const Model& model : kModels) {
    names += (names.empty() ? "\"" : ", \"") + std::string{model.name} + '"';
    if (top.any(model.name).is_null()) continue;
    found = &model;
    ++many;
  }
  if (many != 1) top.refuse("exactly one model is needed of " + names);
  return *found;
}

void change(json& model, const char* key, const std::optional<uint32_t>& value) {
  if (!value) return;
  if (!model.is_object() || (!model.contains(key) && std::string_view{key} == "seed"))
    throw std::invalid_argument{std::string{"this recipe has no "} + key + " to change"};
  model[key] = *value;
}

}  // namespace

std::vector<uint32_t> trace_from_recipe(std::string_view text, const RecipeChanges& changes) {
  json recipe = parsed_recipe(text);
  RecipeSection top{recipe, "top level"};
  if (top.any("schema") != 1) RecipeSection{recipe, "schema"}.refuse("must be 1");
  for (const char* key : {"name", "description"}) (void)top.text(key);
  for (const char* key : {"about", "targets"}) (void)top.any(key);
  const Model& model = model_of(top);
  top.no_more();
  change(recipe[model.name], "seed", changes.seed);
  change(recipe[model.name], "duration_ms", changes.duration_ms);
  if (changes.step_us && std::string_view{model.name} != "radio")
    throw std::invalid_argument{"this recipe has no step to change: only a radio model is made in steps"};
  change(recipe[model.name], "step_us", changes.step_us);
  return model.make(top.section(model.name));
}

uint32_t recipe_seed(std::string_view text) {
  const json recipe = parsed_recipe(text);
  RecipeSection top{recipe, "top level"};
  return top.section(model_of(top).name).whole("seed", 0, kLargestSeed);
}

ToldTrace told_trace_from_recipe(std::string_view text) {
  ToldTrace told{.counts = trace_from_recipe(text), .story = {}};
  const json recipe = parsed_recipe(text);
  if (!recipe.contains("radio")) return told;
  RecipeSection top{recipe, "top level"};
  told.counts = radio_link_trace(radio_link_from(top.section("radio")), &told.story.emplace());
  return told;
}

RadioPlan plan_from_recipe(std::string_view text, double every_s) {
  const json recipe = parsed_recipe(text);
  RecipeSection top{recipe, "top level"};
  return radio_plan(radio_link_from(top.section("radio")), every_s);
}

}  // namespace paceline
