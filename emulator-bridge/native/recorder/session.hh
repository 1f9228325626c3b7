#pragma once
// One recording, as the server sees it.

#include <cstdint>
#include <memory>
#include <string>

#include "recorder/endpoint.hh"
#include "recorder/wire.hh"

namespace paceline::recorder {

class Session {
 public:
  Session(const Peer& client, const Start& start) : client_{client}, start_{start} {}
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // A message of this session from its client.
  void hear(const Endpoint::Datagram& datagram, Kind kind, int64_t now_ns) {
    heard_ns_ = now_ns;
    if (kind == Kind::done)
      done_ = true;
    else
      take(datagram, kind, now_ns);
  }
  // Does what is due; to be called again at next_ns() of CLOCK_MONOTONIC at the latest.
  virtual void step(int64_t now_ns) = 0;
  [[nodiscard]] virtual int64_t next_ns() const = 0;
  // The server ends: the client is told what there is.
  virtual void stop(int64_t now_ns) = 0;
  // What became of it, for the server's own log.
  [[nodiscard]] virtual std::string account() const = 0;

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] int64_t heard_ns() const { return heard_ns_; }
  void begin(int64_t now_ns) { begun_ns_ = heard_ns_ = now_ns; }
  [[nodiscard]] int64_t begun_ns() const { return begun_ns_; }
  [[nodiscard]] const Peer& client() const { return client_; }
  [[nodiscard]] const Start& start() const { return start_; }
  [[nodiscard]] bool is_of(const Peer& from, uint64_t session) const {
    return start_.session == session && client_.name() == from.name();
  }

 protected:
  virtual void take(const Endpoint::Datagram& datagram, Kind kind, int64_t now_ns) = 0;

 private:
  Peer client_;
  Start start_;
  int64_t begun_ns_{};
  int64_t heard_ns_{};
  bool done_{};
};

// The server sends, the client records.
[[nodiscard]] std::unique_ptr<Session> down_session(Endpoint& endpoint, const Peer& client, const Start& start);
// The client sends; the server records and gives the log to the client.
[[nodiscard]] std::unique_ptr<Session> up_session(Endpoint& endpoint, const Peer& client, const Start& start);

}  // namespace paceline::recorder
