#include "channel/piecewise.hh"

#include "channel/rate_integrator.hh"

namespace paceline {

namespace {

// Mean rate of the piece's i-th millisecond: the line's value in its middle, in integers so that every machine agrees.
uint64_t rate_bps(const RatePiece& piece, uint32_t i) {
  const auto from = static_cast<int64_t>(piece.from_kbps);
  const auto to = static_cast<int64_t>(piece.to_kbps);
  const int64_t twice = 2 * static_cast<int64_t>(piece.ms);
  return static_cast<uint64_t>(from * 1000 + (to - from) * 1000 * (2 * static_cast<int64_t>(i) + 1) / twice);
}

}  // namespace

std::vector<uint32_t> piecewise_trace(std::span<const RatePiece> pieces, uint32_t repeat) {
  RateIntegrator integrator;
  for (uint32_t lap = 0; lap < repeat; ++lap)
    for (const RatePiece& piece : pieces)
      for (uint32_t i = 0; i < piece.ms; ++i) integrator.add(rate_bps(piece, i), Duration::millis(1));
  return integrator.finish();
}

}  // namespace paceline
