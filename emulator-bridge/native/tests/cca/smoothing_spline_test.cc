// The curve through Verus' profile, against what ALGLIB's penalised spline makes of the same points and by hand.
#include <doctest/doctest.h>

#include <array>
#include <utility>

#include "cca/smoothing_spline.hh"

using paceline::SmoothingSpline;

namespace {

struct Known {
  std::size_t nodes;
  std::array<std::pair<double, double>, 7> at;
};

// ALGLIB 3.9, spline1dfitpenalized with rho = 2 (the version in the authors' release), over the points below; outside of them, too.
constexpr std::array<Known, 2> kAlglib{{
    {5,
     {{{1, 34.979081134},
       {3, 36.887248377},
       {17.5, 50.754075441},
       {40, 72.540878763},
       {55, 86.999812494},
       {62, 93.685568153},
       {90, 120.407698612}}}},
    {8,
     {{{1, 35.744084774},
       {3, 37.495180828},
       {17.5, 50.427929689},
       {40, 72.811288288},
       {55, 87.043005149},
       {62, 93.119303856},
       {90, 117.217081592}}}},
}};

}  // namespace

TEST_CASE("the smoothing spline is ALGLIB's penalised one") {
  for (const Known& known : kAlglib) {
    SmoothingSpline spline{100};
    spline.begin(known.nodes, 3, 62);
    for (int x = 3; x <= 62; ++x) {
      if (x % 4 == 1) continue;  // gaps
      spline.add(x, 40 + 0.02 * x * x + (x * 7) % 5 - (x > 50 ? 3.0 * (x - 50) : 0));
    }
    spline.finish(100);
    CAPTURE(known.nodes);
    for (const auto& [x, y] : known.at) CHECK(spline(x) == doctest::Approx(y).epsilon(1e-9));
    CHECK(spline.end_slope() == doctest::Approx((spline(90) - spline(62)) / 28).epsilon(1e-9));
  }
}

TEST_CASE(
    "the smoothing spline goes through its points where nothing is penalised, and is a straight line where all is") {
  SmoothingSpline spline{10};
  const std::array<double, 5> y{0, 1, 0, -1, 0};
  for (const double penalty : {1e-12, 1e9}) {
    spline.begin(5, 0, 4);
    for (std::size_t i = 0; i < y.size(); ++i) spline.add(static_cast<double>(i), y[i]);
    spline.finish(penalty);
    CAPTURE(penalty);
    // The least squares' line through them has the slope -0.2 and passes (2, 0). Between 0 and 1 the natural spline is 1.5 x - 0.5 x^3.
    const bool through = penalty < 1;
    CHECK(spline(1) == doctest::Approx(through ? 1 : 0.2).epsilon(1e-6));
    CHECK(spline(0.5) == doctest::Approx(through ? 0.6875 : 0.3).epsilon(1e-6));
    CHECK(spline(-1) == doctest::Approx(through ? -1.5 : 0.6).epsilon(1e-6));
    CHECK(spline(3) == doctest::Approx(through ? -1 : -0.2).epsilon(1e-6));
  }
}

TEST_CASE("the smoothing spline has thousands of nodes as well, with most of its points at one end") {
  SmoothingSpline spline{2666};
  spline.begin(2666, 1, 40'000);
  for (int x = 1; x <= 40'000; x += x < 400 ? 1 : 997) spline.add(x, 40 + 0.1 * x);
  spline.finish(100);
  for (const double x : {1.0, 200.0, 5000.0, 39'000.0}) CHECK(spline(x) == doctest::Approx(40 + 0.1 * x).epsilon(0.01));
}
