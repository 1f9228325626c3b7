#pragma once
// The server: proves addresses, keeps its limits, runs the sessions of all clients in one thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/units.hh"
#include "recorder/cookie.hh"
#include "recorder/endpoint.hh"
#include "recorder/session.hh"

namespace paceline::recorder {

struct ServerLimits {
  uint64_t rate_bps{};  // of all sessions together
  Duration duration{};  // of one
  Duration patience{};  // a client that is silent for so long is gone
  std::size_t sessions{};
};

class Server {
 public:
  using Say = std::function<void(const std::string& line)>;

  Server(Endpoint& endpoint, const ServerLimits& limits, const SipKey& key, Say say)
      : endpoint_{endpoint}, limits_{limits}, cookies_{key}, say_{std::move(say)} {}

  // Until `stop` says so, which is asked several times a second. Throws std::system_error.
  void run(const std::function<bool()>& stop);

 private:
  void take(const Endpoint::Datagram& datagram, int64_t now_ns);
  void start(const Start& start, const Peer& from, int64_t now_ns);
  // Why not; empty: it may.
  [[nodiscard]] std::string objection(const Start& start, const Peer& from) const;
  void drop_ended(int64_t now_ns);

  Endpoint& endpoint_;
  ServerLimits limits_;
  CookieJar cookies_;
  Say say_;
  std::vector<std::unique_ptr<Session>> sessions_{};
};

}  // namespace paceline::recorder
