#include "drivers/realtime_tun/packet_store.hh"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace paceline {

PacketStore::PacketStore(std::size_t bytes)
    : chunks_{static_cast<uint32_t>(std::max(bytes / kChunk, kChunksOfLargest * 2))},
      memory_{static_cast<std::byte*>(::mmap(nullptr, chunks_ * kChunk, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))} {
  if (memory_ == MAP_FAILED) throw std::bad_alloc{};
  try {
    // A packet has at least one chunk, so there are never more packets than chunks. Nothing is moved while packets pass.
    free_chunks_.reserve(chunks_);
    free_slots_.reserve(chunks_);
    stored_.reserve(chunks_);
  } catch (...) {
    ::munmap(memory_, chunks_ * kChunk);
    throw;
  }
  next_[0] = {.iov_base = &next_virtio_, .iov_len = sizeof next_virtio_};
  for (std::size_t i = 0; i < kChunksOfLargest; ++i) {
    reserve_[i] = take_chunk();
    next_[i + 1] = {.iov_base = chunk(reserve_[i]), .iov_len = kChunk};
  }
}

PacketStore::~PacketStore() { ::munmap(memory_, chunks_ * kChunk); }

// What was used before goes first: fewer pages.
uint32_t PacketStore::take_chunk() {
  if (free_chunks_.empty()) return fresh_chunk_++;
  const uint32_t number = free_chunks_.back();
  free_chunks_.pop_back();
  return number;
}

uint32_t PacketStore::take_slot() {
  if (free_slots_.empty()) {
    stored_.emplace_back();
    return static_cast<uint32_t>(stored_.size() - 1);
  }
  const uint32_t number = free_slots_.back();
  free_slots_.pop_back();
  return number;
}

std::optional<uint32_t> PacketStore::keep(const PacketShape& shape) {
  const std::size_t used = (shape.length + kChunk - 1) / kChunk;
  if (chunks_free() < used) return std::nullopt;
  const uint32_t slot = take_slot();
  Stored& stored = stored_[slot];
  stored.virtio = next_virtio_;
  stored.shape = shape;
  stored.segments_left = shape.segments;
  stored.chunk_count = static_cast<uint16_t>(used);
  for (std::size_t i = 0; i < used; ++i) {
    stored.chunks[i] = reserve_[i];
    reserve_[i] = take_chunk();
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
