#pragma once
// How the user moves. A new speed is drawn for every leg of 2 to 8 seconds.

#include <cstdint>
#include <variant>
#include <vector>

#include "channel/geometry.hh"
#include "channel/portable_math.hh"

namespace paceline {

// Straight towards (-1) or away from (+1) a station at the origin, turning round at either end.
struct LineWalk {
  double start_m{100};
  double direction{-1};
  double nearest_m{10};
  double farthest_m{1000};
};

// At random in a square whose near edge is `nearest_m` from a station at the origin.
struct BoxWalk {
  double nearest_m{25};
  double side_m{30};
};

// Along a line of corners, and back.
struct PathWalk {
  std::vector<Point> corners{};
};

using Walk = std::variant<LineWalk, BoxWalk, PathWalk>;

struct Place {
  Point at{};
  double travelled_m{};
  double speed_mps{};
};

class Mobility {
 public:
  Mobility(const Walk& walk, double slowest_mps, double fastest_mps, uint64_t seed);
  [[nodiscard]] const Place& place() const { return place_; }
  // Within one call the speed is constant.
  void advance(double seconds);

 private:
  void new_leg();
  void move(LineWalk& walk, double step_m);
  void move(const BoxWalk& walk, double step_m);
  void move(const PathWalk& walk, double step_m);

  Walk walk_;
  double slowest_mps_;
  double fastest_mps_;
  Draws draws_;
  Place place_{};
  double leg_left_s_{};
  Cis heading_{};
  std::size_t corner_{};  // path: the one last passed
  double past_corner_m_{};
  bool back_{};
};

}  // namespace paceline
