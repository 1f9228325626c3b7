#include "recorder/fetching.hh"

#include <algorithm>
#include <stdexcept>

namespace paceline::recorder {

namespace {

constexpr int64_t kPatience = 300'000'000;

uint64_t believable(uint64_t bytes, uint64_t packets) {
  constexpr uint64_t kMostPerPacket = 30;
  constexpr uint64_t kCopies = 2;
  if (bytes > packets * kCopies * kMostPerPacket)
    throw std::runtime_error{"the server offers a log that is longer than it can be"};
  return bytes;
}

}  // namespace

Fetching::Fetching(uint64_t session, uint64_t bytes, uint64_t packets)
    : session_{session},
      bytes_(believable(bytes, packets)),
      have_((bytes_.size() + kChunkBytes - 1) / kChunkBytes),
      missing_{have_.size()} {}

std::vector<Fetch> Fetching::due(int64_t now_ns) {
  if (asked_for_ > 0 && now_ns < next_ns_) return {};
  while (first_missing_ < have_.size() && have_[first_missing_]) ++first_missing_;
  std::vector<Fetch> fetches;
  asked_for_ = 0;
  for (std::size_t i = first_missing_; i < have_.size() && asked_for_ < kWindow; ++i) {
    if (have_[i]) continue;
    if (i > first_missing_ && !have_[i - 1] && !fetches.empty())
      ++fetches.back().chunks;
    else
      fetches.push_back({.session = session_, .offset = i * kChunkBytes, .chunks = 1});
    ++asked_for_;
  }
  next_ns_ = now_ns + kPatience;
  return fetches;
}

void Fetching::take(std::span<const std::byte> datagram, int64_t now_ns) {
  const auto chunk = read<Chunk>(datagram);
  if (!chunk || chunk->session != session_ || chunk->offset % kChunkBytes != 0 || chunk->offset >= bytes_.size())
    return;
  constexpr std::size_t kHeader = kPrefixBytes + 16;
  const auto content = datagram.subspan(kHeader);
  const auto at = static_cast<std::size_t>(chunk->offset);
  if (content.size() != std::min(kChunkBytes, bytes_.size() - at) || have_[at / kChunkBytes]) return;
  std::copy(content.begin(), content.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
  have_[at / kChunkBytes] = true;
  --missing_;
  if (asked_for_ > 0) --asked_for_;
  next_ns_ = asked_for_ > 0 ? now_ns + kPatience : now_ns;
}

std::vector<Arrival> Fetching::log() const {
  auto log = unpack_log(bytes_);
  if (!log) throw std::runtime_error{"what the server sent is not a log"};
  return *std::move(log);
}

}  // namespace paceline::recorder
