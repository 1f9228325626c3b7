#pragma once
// The end that records: logs data packets, says now and then that it is there, and knows when it is over.

#include <cstdint>
#include <optional>
#include <vector>

#include "recorder/endpoint.hh"
#include "recorder/log.hh"
#include "recorder/wire.hh"

namespace paceline::recorder {

class Receiving {
 public:
  // No more than `planned` packets, and as many copies, are logged.
  Receiving(Endpoint& endpoint, const Peer& from, uint64_t session, uint64_t planned)
      : endpoint_{endpoint}, from_{from}, session_{session}, planned_{planned}, dropped_before_{endpoint.dropped()} {}

  void data(const Endpoint::Datagram& datagram);
  void end(const Endpoint::Datagram& datagram);
  // Says that it is there, when it is time to.
  void step(int64_t now_ns);
  [[nodiscard]] int64_t next_ns() const { return next_ns_; }

  // The sender has ended and nothing comes any more. What it sent before may still be in a queue, and `end` overtaken it.
  [[nodiscard]] bool over(int64_t now_ns) const;

  [[nodiscard]] const std::vector<Arrival>& log() const { return log_; }
  [[nodiscard]] std::vector<Arrival> take_log() { return std::move(log_); }
  [[nodiscard]] const std::optional<End>& last_word() const { return last_word_; }
  [[nodiscard]] uint64_t socket_drops() const { return endpoint_.dropped() - dropped_before_; }

 private:
  Endpoint& endpoint_;
  Peer from_;
  uint64_t session_;
  uint64_t planned_;
  uint64_t dropped_before_;
  std::vector<Arrival> log_{};
  std::optional<End> last_word_{};
  int64_t last_data_ns_{};
  int64_t end_heard_ns_{};
  int64_t next_ns_{};
};

}  // namespace paceline::recorder
