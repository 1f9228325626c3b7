#include <limits>

#include "recorder/sending.hh"
#include "recorder/session.hh"

namespace paceline::recorder {

namespace {

class DownSession final : public Session {
 public:
  DownSession(Endpoint& endpoint, const Peer& client, const Start& start)
      : Session{client, start}, sending_{endpoint,
                                         client,
                                         start.session,
                                         start.rate_bps,
                                         Duration::millis(start.duration_ms),
                                         start.packet_bytes} {}

  void step(int64_t now_ns) override {
    if (awaited_) sending_.step(now_ns);
  }
  [[nodiscard]] int64_t next_ns() const override {
    return awaited_ ? sending_.next_ns() : std::numeric_limits<int64_t>::max();
  }
  void stop(int64_t now_ns) override {
    sending_.stop();
    sending_.step(now_ns);
  }
  [[nodiscard]] std::string account() const override {
    const SenderReport report = sending_.last_word().report;
    return "sent " + std::to_string(report.sent_packets) + " of " + std::to_string(report.planned_packets) + " packets";
  }

 private:
  // The client knows that it was accepted, and every packet counts from now on.
  void take(const Endpoint::Datagram& /*datagram*/, Kind kind, int64_t /*now_ns*/) override {
    if (kind == Kind::alive) awaited_ = true;
  }

  Sending sending_;
  bool awaited_{};
};

}  // namespace

std::unique_ptr<Session> down_session(Endpoint& endpoint, const Peer& client, const Start& start) {
  return std::make_unique<DownSession>(endpoint, client, start);
}

}  // namespace paceline::recorder
