#include "recorder/log.hh"

#include "core/units.hh"

namespace paceline::recorder {

namespace {

void put(std::vector<std::byte>& out, uint64_t difference) {
  // Differences wrap around; small ones of either sign become small numbers.
  uint64_t rest = (difference << 1U) ^ (0 - (difference >> 63U));
  for (; rest >= 0x80; rest >>= 7U) out.push_back(static_cast<std::byte>((rest & 0x7fU) | 0x80U));
  out.push_back(static_cast<std::byte>(rest));
}

class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : bytes_{bytes} {}

  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::optional<uint64_t> next() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
      const auto byte = std::to_integer<uint64_t>(bytes_[at_++]);
      value |= (byte & 0x7fU) << shift;
      if (byte < 0x80) return (value >> 1U) ^ (0 - (value & 1U));
    }
    return std::nullopt;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_{};
};

}  // namespace

std::vector<std::byte> pack_log(std::span<const Arrival> log) {
  constexpr std::size_t kUsualBytes = 8;
  std::vector<std::byte> out;
  out.reserve(log.size() * kUsualBytes);
  Arrival last{};
  uint64_t expected = 0;
  for (const Arrival& a : log) {
    put(out, static_cast<uint64_t>(a.arrival_ns) - static_cast<uint64_t>(last.arrival_ns));
    put(out, a.sequence - expected);
    put(out, static_cast<uint64_t>(a.sent_ns) - static_cast<uint64_t>(last.sent_ns));
    last = a;
    expected = a.sequence + 1;
  }
  return out;
}

std::optional<std::vector<Arrival>> unpack_log(std::span<const std::byte> bytes) {
  std::vector<Arrival> log;
  Unpacker in{bytes};
  Arrival last{};
  uint64_t expected = 0;
  while (!in.at_end()) {
    const auto arrival = in.next();
    const auto sequence = in.next();
    const auto sent = in.next();
    if (!arrival || !sequence || !sent) return std::nullopt;
    last = {.arrival_ns = static_cast<int64_t>(static_cast<uint64_t>(last.arrival_ns) + *arrival),
            .sequence = expected + *sequence,
            .sent_ns = static_cast<int64_t>(static_cast<uint64_t>(last.sent_ns) + *sent)};
    expected = last.sequence + 1;
    log.push_back(last);
  }
  return log;
}

std::vector<uint32_t> trace_of_log(std::span<const Arrival> sorted, uint32_t packet_bytes) {
  constexpr int64_t kMillisecond = 1'000'000;
  const auto full = static_cast<uint64_t>(kMtu.v);
  const int64_t start = sorted.front().arrival_ns;
  std::vector<uint32_t> counts(static_cast<std::size_t>((sorted.back().arrival_ns - start) / kMillisecond) + 2);
  uint64_t credit = 0;
  for (const Arrival& a : sorted) {
    credit += packet_bytes;
    counts[static_cast<std::size_t>((a.arrival_ns - start) / kMillisecond) + 1] += static_cast<uint32_t>(credit / full);
    credit %= full;
  }
  return counts;
}

}  // namespace paceline::recorder
