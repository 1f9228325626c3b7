#pragma once
// The datagrams between recorder server and client: a magic number, a kind, fields in little-endian order.
//
//   client                       server
//     hello (padded)     ──▶                   asks for a cookie
//                        ◀──     cookie        smaller than the hello: nothing is gained by forging an address
//     start + cookie     ──▶                   what to record; the address is proved now
//                        ◀──     accept, or refuse with the reason
//     alive, 5 a second  ◀─▶     data, data…   from whichever end sends, once the other end says that it is alive
//                        ◀─▶     end           repeated by the sender until done
//     fetch              ──▶     up only: the server has the log, the client asks for it piece by piece
//                        ◀──     chunk
//     done               ──▶

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace paceline::recorder {

enum class Kind : uint8_t { hello = 1, cookie, start, accept, refuse, data, alive, end, result, fetch, chunk, done };

// Which way the packets go, seen from the client.
enum class Direction : uint8_t { down = 1, up };

// What the end that sends says of itself.
struct SenderReport {
  uint64_t planned_packets{};  // what the rate comes to in the time that was sent for
  uint64_t sent_packets{};
  uint64_t refused_packets{};  // tries for which the sender's own system had no room
  int64_t worst_behind_ns{};   // furthest behind its plan
  int64_t sent_for_ns{};       // from the first packet to the last
};

constexpr std::size_t kHelloBytes = 64;
constexpr std::size_t kChunkBytes = 1200;
constexpr std::size_t kReasonBytes = 200;

// Every message names its fields once, for writing and for reading.
struct Hello {
  static constexpr Kind kKind = Kind::hello;
  uint64_t session{};
  static void each(auto& m, auto&& field) { field(m.session); }
};
struct Cookie {
  static constexpr Kind kKind = Kind::cookie;
  uint64_t session{};
  uint64_t cookie{};
  static void each(auto& m, auto&& field) {
    field(m.session);
    field(m.cookie);
  }
};
struct Start {
  static constexpr Kind kKind = Kind::start;
  uint64_t session{};
  uint64_t cookie{};
  Direction direction{Direction::down};
  uint64_t rate_bps{};
  uint32_t duration_ms{};
  uint16_t packet_bytes{};  // IP header included
  static void each(auto& m, auto&& field) {
    field(m.session);
    field(m.cookie);
    field(m.direction);
    field(m.rate_bps);
    field(m.duration_ms);
    field(m.packet_bytes);
  }
};
struct Accept {
  static constexpr Kind kKind = Kind::accept;
  uint64_t session{};
  static void each(auto& m, auto&& field) { field(m.session); }
};
struct Refuse {
  static constexpr Kind kKind = Kind::refuse;
  uint64_t session{};
  std::array<char, kReasonBytes> reason{};  // zero-terminated unless full
  static void each(auto& m, auto&& field) {
    field(m.session);
    for (auto& c : m.reason) field(c);
  }
  [[nodiscard]] std::string_view text() const { return {reason.data(), ::strnlen(reason.data(), reason.size())}; }
};
struct Data {
  static constexpr Kind kKind = Kind::data;
  uint64_t session{};
  uint64_t sequence{};
  int64_t sent_ns{};  // since the sender's first packet
  static void each(auto& m, auto&& field) {
    field(m.session);
    field(m.sequence);
    field(m.sent_ns);
  }
};
struct Alive {
  static constexpr Kind kKind = Kind::alive;
  uint64_t session{};
  static void each(auto& m, auto&& field) { field(m.session); }
};
struct End {
  static constexpr Kind kKind = Kind::end;
  uint64_t session{};
  SenderReport report{};
  uint8_t too_large{};  // the sender's system says that the path does not take packets of this size
  static void each(auto& m, auto&& field) {
    field(m.session);
    field(m.report.planned_packets);
    field(m.report.sent_packets);
    field(m.report.refused_packets);
    field(m.report.worst_behind_ns);
    field(m.report.sent_for_ns);
    field(m.too_large);
  }
};
struct Result {
  static constexpr Kind kKind = Kind::result;
  uint64_t session{};
  uint64_t bytes{};  // of the packed log
  uint64_t socket_drops{};
  static void each(auto& m, auto&& field) {
    field(m.session);
    field(m.bytes);
    field(m.socket_drops);
  }
};
struct Fetch {
  static constexpr Kind kKind = Kind::fetch;
  uint64_t session{};
  uint64_t offset{};
  uint16_t chunks{};
  static void each(auto& m, auto&& field) {
    field(m.session);
    field(m.offset);
    field(m.chunks);
  }
};
// Followed by the bytes of the log.
struct Chunk {
  static constexpr Kind kKind = Kind::chunk;
  uint64_t session{};
  uint64_t offset{};
  static void each(auto& m, auto&& field) {
    field(m.session);
    field(m.offset);
  }
};
struct Done {
  static constexpr Kind kKind = Kind::done;
  uint64_t session{};
  static void each(auto& m, auto&& field) { field(m.session); }
};

constexpr uint32_t kMagic = 0x31'52'4c'50;  // "PLR1", also the version
constexpr std::size_t kPrefixBytes = sizeof kMagic + 1;
constexpr std::size_t kDataHeaderBytes = kPrefixBytes + 24;

namespace detail {

template <typename T>
constexpr auto as_unsigned(T value) {
  if constexpr (std::is_enum_v<T>)
    return static_cast<std::make_unsigned_t<std::underlying_type_t<T>>>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

}  // namespace detail

// Writes the message at the start of `into`, which must have room. Returns its size.
template <typename Message>
std::size_t write(std::span<std::byte> into, const Message& message) {
  std::size_t at = 0;
  const auto put = [&](auto value) {
    const uint64_t bits = detail::as_unsigned(value);
    for (std::size_t i = 0; i < sizeof value; ++i) into[at++] = static_cast<std::byte>(bits >> (8 * i));
  };
  put(kMagic);
  put(Message::kKind);
  Message::each(message, put);
  return at;
}

// What kind of message this is; empty: not one of ours.
[[nodiscard]] inline std::optional<Kind> kind_of(std::span<const std::byte> bytes) {
  if (bytes.size() < kPrefixBytes) return std::nullopt;
  for (std::size_t i = 0; i < sizeof kMagic; ++i)
    if (std::to_integer<uint32_t>(bytes[i]) != ((kMagic >> (8 * i)) & 0xffU)) return std::nullopt;
  const auto kind = std::to_integer<uint8_t>(bytes[sizeof kMagic]);
  if (kind < static_cast<uint8_t>(Kind::hello) || kind > static_cast<uint8_t>(Kind::done)) return std::nullopt;
  return static_cast<Kind>(kind);
}

// The message, if it is a whole one of this kind; what follows it is left alone.
template <typename Message>
[[nodiscard]] std::optional<Message> read(std::span<const std::byte> bytes) {
  if (kind_of(bytes) != Message::kKind) return std::nullopt;
  Message message{};
  std::size_t at = kPrefixBytes;
  bool whole = true;
  Message::each(message, [&](auto& field) {
    using Field = std::remove_reference_t<decltype(field)>;
    if (!whole || bytes.size() - at < sizeof(Field)) {
      whole = false;
      return;
    }
    uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(Field); ++i) bits |= std::to_integer<uint64_t>(bytes[at++]) << (8 * i);
    field = static_cast<Field>(bits);
  });
  return whole ? std::optional{message} : std::nullopt;
}

}  // namespace paceline::recorder
