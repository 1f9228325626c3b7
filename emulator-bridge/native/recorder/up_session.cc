#include <algorithm>

#include "recorder/pacing.hh"
#include "recorder/receiving.hh"
#include "recorder/session.hh"

namespace paceline::recorder {

namespace {

class UpSession final : public Session {
 public:
  UpSession(Endpoint& endpoint, const Peer& client, const Start& start)
      : Session{client, start},
        endpoint_{endpoint},
        receiving_{endpoint, client, start.session,
                   PacketPlan{start.rate_bps, Duration::millis(start.duration_ms), start.packet_bytes}.planned()} {}

  void step(int64_t now_ns) override {
    if (packed_) {
      if (now_ns >= next_ns_) tell_result(now_ns);
      return;
    }
    receiving_.step(now_ns);
    next_ns_ = receiving_.next_ns();
    if (receiving_.over(now_ns)) pack(now_ns);
  }
  [[nodiscard]] int64_t next_ns() const override { return next_ns_; }
  void stop(int64_t now_ns) override { pack(now_ns); }
  [[nodiscard]] std::string account() const override {
    return std::to_string(packed_ ? packets_ : receiving_.log().size()) + " packets came";
  }

 private:
  void take(const Endpoint::Datagram& datagram, Kind kind, int64_t now_ns) override {
    if (kind == Kind::data && !packed_) receiving_.data(datagram);
    if (kind == Kind::end) packed_ ? tell_result(now_ns) : receiving_.end(datagram);
    if (kind == Kind::fetch && packed_)
      if (const auto fetch = read<Fetch>(datagram.bytes)) answer(*fetch);
  }

  void pack(int64_t now_ns) {
    packets_ = receiving_.log().size();
    log_ = pack_log(receiving_.take_log());
    packed_ = true;
    tell_result(now_ns);
  }

  void tell_result(int64_t now_ns) {
    constexpr int64_t kEvery = 200'000'000;
    endpoint_.send(client(),
                   Result{.session = start().session, .bytes = log_.size(), .socket_drops = receiving_.socket_drops()});
    next_ns_ = now_ns + kEvery;
  }

  void answer(const Fetch& fetch) {
    constexpr std::size_t kMostChunks = 32;
    std::array<std::byte, kPrefixBytes + 16 + kChunkBytes> datagram{};
    std::size_t at = static_cast<std::size_t>(std::min<uint64_t>(fetch.offset, log_.size()));
    for (std::size_t i = 0; i < std::min<std::size_t>(fetch.chunks, kMostChunks) && at < log_.size(); ++i) {
      const std::size_t bytes = std::min(kChunkBytes, log_.size() - at);
      const std::size_t header = write(std::span<std::byte>{datagram}, Chunk{.session = start().session, .offset = at});
      std::copy_n(log_.begin() + static_cast<std::ptrdiff_t>(at), bytes,
                  datagram.begin() + static_cast<std::ptrdiff_t>(header));
      endpoint_.send_bytes(client(), std::span<const std::byte>{datagram}.first(header + bytes));
      at += bytes;
    }
  }

  Endpoint& endpoint_;
  Receiving receiving_;
  bool packed_{};
  std::size_t packets_{};
  std::vector<std::byte> log_{};
  int64_t next_ns_{};
};

}  // namespace

std::unique_ptr<Session> up_session(Endpoint& endpoint, const Peer& client, const Start& start) {
  return std::make_unique<UpSession>(endpoint, client, start);
}

}  // namespace paceline::recorder
