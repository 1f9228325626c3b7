#include "channel/large_scale.hh"

#include <algorithm>

namespace paceline {

namespace {

Shadowing shadowing_of(const LargeScale& model, double d2) {
  return shadowing(model.environment, model.carrier_ghz, model.station_m, d2);
}

double sight_correlation(const LargeScale& model) {
  return model.sight_correlation_m > 0 ? model.sight_correlation_m : shadowing_of(model, 0).correlation_state_m;
}

}  // namespace

LargeScaleProcess::LargeScaleProcess(const LargeScale& model, Point station, const std::vector<Building>& buildings,
                                     uint64_t seed, uint64_t cell)
    : model_{model},
      station_{station},
      buildings_{buildings},
      sight_{seed, cell, "line of sight", sight_correlation(model)},
      shadow_los_{seed, cell, "shadow in sight", shadowing_of(model, 0).correlation_los_m},
      shadow_nlos_{seed, cell, "shadow out of sight", shadowing_of(model, 0).correlation_nlos_m} {}

bool LargeScaleProcess::in_sight(Point user, double d2) const {
  const auto likely = [this](double probability) { return normal_cdf(sight_.value()) < probability; };
  switch (model_.sight) {
    case LargeScale::Sight::always:
      return true;
    case LargeScale::Sight::buildings:
      return sees(station_, user, buildings_);
    case LargeScale::Sight::decay:
      return likely(exp_of(-std::max(d2 - model_.sight_near_m, 0.0) / model_.sight_decay_m));
    default:
      return likely(los_probability(model_.environment, d2));
  }
}

LargeScaleProcess::State LargeScaleProcess::advance(Point user, double step_m) {
  sight_.advance(step_m);
  const double d2 = distance(user, station_);
  const bool seen = in_sight(user, d2);
  if (!begun_) recent_.fill(seen);
  begun_ = true;
  recent_[next_] = seen;
  next_ = (next_ + 1) % recent_.size();
  const double los =
      static_cast<double>(std::count(recent_.begin(), recent_.end(), true)) / static_cast<double>(recent_.size());

  const Shadowing sigma = shadowing_of(model_, d2);
  const double near = path_loss_los_db(model_.environment, model_.carrier_ghz, model_.station_m, d2) +
                      model_.shadow_scale * sigma.sigma_los_db * shadow_los_.advance(step_m);
  const double hidden = path_loss_nlos_db(model_.environment, model_.carrier_ghz, model_.station_m, d2) +
                        model_.nlos_extra_db + model_.shadow_scale * sigma.sigma_nlos_db * shadow_nlos_.advance(step_m);
  return {.loss_db = los * near + (1 - los) * hidden, .los = los};
}

}  // namespace paceline
