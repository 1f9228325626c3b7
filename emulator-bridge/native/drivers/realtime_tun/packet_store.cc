#include "drivers/realtime_tun/packet_store.hh"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace paceline {

PacketStore::PacketStore(std::size_t bytes)
    : bytes_{std::max(bytes / kChunk, kChunksOfLargest * 2) * kChunk},
      memory_{static_cast<std::byte*>(
          ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))},
      stored_{std::make_unique_for_overwrite<Stored[]>(bytes_ / kChunk)} {
  if (memory_ == MAP_FAILED) throw std::bad_alloc{};
  // A packet has at least one chunk, so there are never more packets than chunks. The lowest are used first.
  const auto chunks = static_cast<uint32_t>(bytes_ / kChunk);
  for (uint32_t i = chunks; i > 0; --i) {
    free_chunks_.push_back(i - 1);
    free_slots_.push_back(i - 1);
  }
  next_[0] = {.iov_base = &next_virtio_, .iov_len = sizeof next_virtio_};
  for (std::size_t i = 0; i < kChunksOfLargest; ++i) {
    reserve_[i] = free_chunks_.back();
    free_chunks_.pop_back();
    next_[i + 1] = {.iov_base = chunk(reserve_[i]), .iov_len = kChunk};
  }
}

PacketStore::~PacketStore() { ::munmap(memory_, bytes_); }

std::optional<uint32_t> PacketStore::keep(const PacketShape& shape) {
  const std::size_t used = (shape.length + kChunk - 1) / kChunk;
  if (free_chunks_.size() < used) return std::nullopt;
  const uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  Stored& stored = stored_[slot];
  stored.virtio = next_virtio_;
  stored.shape = shape;
  stored.segments_left = shape.segments;
  stored.chunk_count = static_cast<uint16_t>(used);
  for (std::size_t i = 0; i < used; ++i) {
    stored.chunks[i] = reserve_[i];
    reserve_[i] = free_chunks_.back();
    free_chunks_.pop_back();
    next_[i + 1].iov_base = chunk(reserve_[i]);
  }
  return slot;
}

std::size_t PacketStore::pieces(uint32_t slot, std::size_t offset, std::size_t length, std::span<iovec> out) const {
  const Stored& stored = stored_[slot];
  std::size_t count = 0;
  for (std::size_t i = offset / kChunk, within = offset % kChunk; length > 0; ++i, within = 0) {
    const std::size_t here = std::min(length, kChunk - within);
    out[count++] = {.iov_base = chunk(stored.chunks[i]) + within, .iov_len = here};
    length -= here;
  }
  return count;
}

void PacketStore::release(uint32_t slot, uint16_t segments) {
  Stored& stored = stored_[slot];
  stored.segments_left = static_cast<uint16_t>(stored.segments_left - segments);
  if (stored.segments_left > 0) return;
  for (std::size_t i = 0; i < stored.chunk_count; ++i) free_chunks_.push_back(stored.chunks[i]);
  free_slots_.push_back(slot);
}

}  // namespace paceline
