#pragma once
// Brings the server's log to the client, piece by piece, over a path that loses some of them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recorder/log.hh"
#include "recorder/wire.hh"

namespace paceline::recorder {

class Fetching {
 public:
  // Throws std::runtime_error when no log of so many packets can be so long.
  Fetching(uint64_t session, uint64_t bytes, uint64_t packets);

  // What to ask for now: the first pieces that are missing, if nothing asked for is still likely to come.
  [[nodiscard]] std::vector<Fetch> due(int64_t now_ns);
  [[nodiscard]] int64_t next_ns() const { return next_ns_; }
  void take(std::span<const std::byte> datagram, int64_t now_ns);
  [[nodiscard]] bool complete() const { return missing_ == 0; }
  // Throws std::runtime_error when what came is not a log.
  [[nodiscard]] std::vector<Arrival> log() const;

 private:
  static constexpr std::size_t kWindow = 32;

  uint64_t session_;
  std::vector<std::byte> bytes_;
  std::vector<bool> have_;
  std::size_t missing_;
  std::size_t asked_for_{};  // pieces of the last question that have not come
  std::size_t first_missing_{};
  int64_t next_ns_{};
};

}  // namespace paceline::recorder
