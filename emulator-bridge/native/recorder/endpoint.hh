#pragma once
// A UDP socket of either end, IPv6 and IPv4, that works in batches and gives each datagram the time at which the kernel
// got it.

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "recorder/cookie.hh"
#include "recorder/wire.hh"

namespace paceline::recorder {

// Whom to answer.
struct Peer {
  sockaddr_storage address{};
  socklen_t length{};

  [[nodiscard]] PeerName name() const;
  [[nodiscard]] std::string text() const;  // "192.0.2.7 port 4000"
  // What IP and UDP add to a payload on the way to it: 28 bytes, 48 with IPv6.
  [[nodiscard]] uint32_t header_bytes() const;
};

class Endpoint {
 public:
  static constexpr std::size_t kBatch = 64;

  // Where a server listens; an empty host is every address of the machine, port 0 any free port. Throws Refusal for a
  // host that cannot be found and std::system_error.
  static Endpoint listen(const std::string& host, uint16_t port);
  // A client's: takes and sends only datagrams of this peer.
  static Endpoint connect(const std::string& host, uint16_t port);

  Endpoint(Endpoint&&) noexcept;
  Endpoint& operator=(Endpoint&&) = delete;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;
  ~Endpoint();

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] uint16_t port() const;
  [[nodiscard]] const Peer& peer() const { return peer_; }  // of a client

  struct Datagram {
    int64_t arrived_ns{};                // CLOCK_MONOTONIC
    std::span<const std::byte> bytes{};  // valid until the next call of receive()
    const Peer* from{};
  };
  // What has arrived, at most kBatch datagrams; empty: nothing more at the moment.
  [[nodiscard]] std::span<const Datagram> receive();
  // Nobody listens at the peer's port; its system said so.
  [[nodiscard]] bool refused() const { return refused_; }

  template <typename Message>
  void send(const Peer& to, const Message& message, std::size_t at_least = 0) {
    std::array<std::byte, kLargestControl> bytes{};
    send_bytes(to, std::span{bytes}.first(std::max(write(std::span<std::byte>{bytes}, message), at_least)));
  }
  void send_bytes(const Peer& to, std::span<const std::byte> bytes);

  enum class Sent : uint8_t { all, no_room, too_large };
  struct SentData {
    std::size_t packets{};
    Sent outcome{Sent::all};
  };
  // So many data packets with numbers from `first` on, at most kBatch; some may find no room in the system's buffers.
  SentData send_data(const Peer& to, Data first, std::size_t packets, uint32_t payload_bytes);

  // Packets that the kernel dropped because this socket's buffer was full, so far.
  [[nodiscard]] uint64_t dropped() const { return dropped_; }

 private:
  static constexpr std::size_t kLargestControl = 256;
  struct Batches;

  explicit Endpoint(int fd);

  int fd_;
  Peer peer_{};
  bool refused_{};
  uint32_t dropped_{};
  int64_t realtime_ahead_ns_{};  // CLOCK_REALTIME - CLOCK_MONOTONIC, measured once a second
  int64_t measured_ns_{};
  std::unique_ptr<Batches> batches_;
};

}  // namespace paceline::recorder
