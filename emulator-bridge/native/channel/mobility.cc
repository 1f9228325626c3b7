#include "channel/mobility.hh"

namespace paceline {

namespace {

constexpr double kShortestLegS = 2;
constexpr double kLongestLegS = 8;

// Into [lo, hi] as a ball between two walls; true when it has bounced.
bool reflect(double& value, double lo, double hi) {
  if (value >= lo && value <= hi) return false;
  value = value < lo ? 2 * lo - value : 2 * hi - value;
  if (value < lo || value > hi) value = (lo + hi) / 2;  // a step longer than the room
  return true;
}

}  // namespace

Mobility::Mobility(const Walk& walk, double slowest_mps, double fastest_mps, uint64_t seed)
    : walk_{walk}, slowest_mps_{slowest_mps}, fastest_mps_{fastest_mps}, draws_{seed, 0, "mobility"} {
  if (const auto* line = std::get_if<LineWalk>(&walk_)) place_.at = {line->start_m, 0};
  if (const auto* path = std::get_if<PathWalk>(&walk_)) place_.at = path->corners.front();
  if (const auto* box = std::get_if<BoxWalk>(&walk_)) {
    place_.at.x = box->nearest_m + box->side_m * draws_.uniform();
    place_.at.y = box->side_m * (draws_.uniform() - 0.5);
  }
  new_leg();
}

void Mobility::new_leg() {
  leg_left_s_ = draws_.uniform(kShortestLegS, kLongestLegS);
  place_.speed_mps = draws_.uniform(slowest_mps_, fastest_mps_);
  heading_ = cis_of(draws_.uniform());
}

void Mobility::advance(double seconds) {
  if (leg_left_s_ <= 0) new_leg();
  leg_left_s_ -= seconds;
  const double step_m = place_.speed_mps * seconds;
  std::visit([this, step_m](auto& walk) { move(walk, step_m); }, walk_);
  place_.travelled_m += step_m;
}

void Mobility::move(LineWalk& walk, double step_m) {
  place_.at.x += walk.direction * step_m;
  if (reflect(place_.at.x, walk.nearest_m, walk.farthest_m)) walk.direction = -walk.direction;
}

void Mobility::move(const BoxWalk& walk, double step_m) {
  place_.at.x += heading_.cos * step_m;
  place_.at.y += heading_.sin * step_m;
  if (reflect(place_.at.x, walk.nearest_m, walk.nearest_m + walk.side_m)) heading_.cos = -heading_.cos;
  if (reflect(place_.at.y, -walk.side_m / 2, walk.side_m / 2)) heading_.sin = -heading_.sin;
}

void Mobility::move(const PathWalk& walk, double step_m) {
  const std::size_t last = walk.corners.size() - 1;
  const auto corner = [&](std::size_t i) { return walk.corners[back_ ? last - i : i]; };
  past_corner_m_ += step_m;
  for (double leg = distance(corner(corner_), corner(corner_ + 1)); past_corner_m_ > leg;
       leg = distance(corner(corner_), corner(corner_ + 1))) {
    past_corner_m_ -= leg;
    if (++corner_ < last) continue;
    corner_ = 0;
    back_ = !back_;
  }
  const Point from = corner(corner_);
  const Point to = corner(corner_ + 1);
  const double part = past_corner_m_ / distance(from, to);
  place_.at = {from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
}

}  // namespace paceline
