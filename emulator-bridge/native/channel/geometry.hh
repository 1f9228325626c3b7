#pragma once
// The plan of a scenario: points and rectangular buildings, in metres.

#include <algorithm>
#include <cmath>
#include <vector>

namespace paceline {

struct Point {
  double x{};
  double y{};
};

struct Building {
  double x0{};
  double y0{};
  double x1{};
  double y1{};
};

[[nodiscard]] inline double distance(Point a, Point b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

// Does the straight line from a to b pass through the building? (Liang and Barsky's clipping.)
[[nodiscard]] inline bool crosses(Point a, Point b, const Building& building) {
  double enters = 0;
  double leaves = 1;
  const auto clip = [&](double from, double by, double lo, double hi) {
    if (by == 0) return from > lo && from < hi;
    const double t0 = (lo - from) / by;
    const double t1 = (hi - from) / by;
    enters = std::max(enters, std::min(t0, t1));
    leaves = std::min(leaves, std::max(t0, t1));
    return enters < leaves;
  };
  return clip(a.x, b.x - a.x, building.x0, building.x1) && clip(a.y, b.y - a.y, building.y0, building.y1);
}

[[nodiscard]] inline bool sees(Point a, Point b, const std::vector<Building>& buildings) {
  return std::none_of(buildings.begin(), buildings.end(), [a, b](const Building& one) { return crosses(a, b, one); });
}

}  // namespace paceline
