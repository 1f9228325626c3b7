#pragma once
// A UDP socket on 127.0.0.1 that works in batches: many datagrams per system call, each with the time at which the
// kernel got it, so that being read late does not make a packet late.

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace paceline {

class UdpSocket {
 public:
  static constexpr std::size_t kBatch = 64;        // datagrams that are sent at once
  static constexpr std::size_t kMaxHeader = 1024;  // what is read and sent of a datagram; the rest is padding

  // Binds a port that the kernel chooses. Throws std::system_error.
  UdpSocket();
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] uint16_t port() const { return port_; }

  struct Datagram {
    int64_t arrived_ns{};                 // CLOCK_MONOTONIC
    std::span<const std::byte> header{};  // valid until the next call of receive()
  };
  // Some of what has arrived; empty: nothing.
  [[nodiscard]] std::span<const Datagram> receive();
  // Whether that was all, at that moment.
  [[nodiscard]] bool drained() const { return drained_; }

  // Room for the header of the next datagram, to be filled in.
  [[nodiscard]] std::span<std::byte, kMaxHeader> next_header();
  // Takes it: `header_bytes` of what was filled in, padded with zeros to `payload_bytes`. Sends when the batch is full.
  void add(uint16_t to_port, std::size_t header_bytes, std::size_t payload_bytes);
  // Sends all that was added.
  void flush();
  [[nodiscard]] bool unsent() const;

  // What the kernel dropped because this socket's buffer was full, at least: it counts a piece of several datagrams once. And the
  // datagrams that it refused to send.
  [[nodiscard]] uint64_t dropped() const;
  [[nodiscard]] uint64_t refused() const { return refused_; }

 private:
  struct Batches;

  int fd_;
  uint16_t port_{};
  uint64_t refused_{};
  bool drained_{};
  bool in_pieces_{true};         // alike datagrams go to the kernel in one piece, as far as it takes them so
  int64_t realtime_ahead_ns_{};  // CLOCK_REALTIME - CLOCK_MONOTONIC, measured once a second
  int64_t measured_ns_{};
  std::unique_ptr<Batches> batches_;
};

}  // namespace paceline
