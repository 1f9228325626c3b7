#pragma once
// What a log says about the recording: whether it shows the link, or the sender, or the receiver.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/units.hh"
#include "recorder/log.hh"
#include "recorder/wire.hh"

namespace paceline::recorder {

// Everything that is known besides the log.
struct Conditions {
  Direction direction{Direction::down};
  uint64_t rate_bps{};
  Duration duration{};
  uint32_t packet_bytes{};
  std::optional<SenderReport> sender{};  // none: its last word never came
  uint64_t socket_drops{};               // packets that the receiver's own socket had no room for
  bool interrupted{};                    // stopped before its time
};

struct Analysis {
  uint64_t received{};  // without copies
  uint64_t copies{};
  uint64_t sent{};  // by the sender's word, else up to the highest number seen
  uint64_t lost{};
  uint64_t longest_loss{};  // packets in a row
  uint64_t reordered{};     // arrived after one that was sent later (RFC 4737)

  double duration_s{};  // first arrival to last
  double mean_mbps{};
  double p5_mbps{};  // of 100 ms windows
  double p95_mbps{};

  // One-way delay above the smallest of the recording, milliseconds.
  double queue_median_ms{};
  double queue_p95_ms{};

  uint64_t windows{};
  uint64_t source_limited_windows{};
  double shortfall{};  // share of the planned packets that the sender did not send

  uint64_t bursts{};  // packets that came as good as at once
  uint64_t longest_burst{};
  double longest_burst_ms{};  // what it would take at the mean rate
};

struct Flag {
  std::string code{};
  std::string sentence{};
};

// Sorts the log by arrival, drops copies. Throws std::runtime_error when nothing is left.
[[nodiscard]] Analysis analyse(std::vector<Arrival>& log, const Conditions& conditions);

// What whoever uses the trace must know; empty: nothing.
[[nodiscard]] std::vector<Flag> flags_of(const Analysis& analysis, const Conditions& conditions);

}  // namespace paceline::recorder
