#pragma once
// Packets of up to 64 KiB on their way through the emulator, in memory that is set aside at the start: a packet is read
// right into chunks of 2 KiB and written from there, and a chunk is free again when the last segment of its packet is gone.

#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "drivers/realtime_tun/ip_packet.hh"

namespace paceline {

class PacketStore {
 public:
  static constexpr std::size_t kChunk = 2048;
  static constexpr std::size_t kChunksOfLargest = kLargestPacket / kChunk + 1;

  // Nothing of it is touched before it is needed: pages are only taken from the system when they are used for the first time, so
  // that a store of any size is there at once. Throws std::bad_alloc.
  explicit PacketStore(std::size_t bytes);
  ~PacketStore();
  PacketStore(const PacketStore&) = delete;
  PacketStore& operator=(const PacketStore&) = delete;

  struct Stored {
    VirtioHeader virtio{};
    PacketShape shape{};
    uint16_t segments_left{};
    uint16_t chunk_count{};
    std::array<uint32_t, kChunksOfLargest> chunks{};
  };

  // Where to read the next packet to: the header of TUN, then the packet.
  [[nodiscard]] std::span<const iovec> next() const { return next_; }
  [[nodiscard]] const VirtioHeader& next_virtio() const { return next_virtio_; }
  // The first chunk of it.
  [[nodiscard]] std::span<const std::byte> next_head() const { return {chunk(reserve_[0]), kChunk}; }
  // Keeps the packet that was read there; without this the next one takes its place. Empty: no room.
  [[nodiscard]] std::optional<uint32_t> keep(const PacketShape& shape);

  [[nodiscard]] const Stored& operator[](uint32_t slot) const { return stored_[slot]; }
  [[nodiscard]] std::span<const std::byte> head(uint32_t slot) const {
    return {chunk(stored_[slot].chunks[0]), kChunk};
  }
  // Where bytes of the packet lie, into `out`; the number of pieces.
  std::size_t pieces(uint32_t slot, std::size_t offset, std::size_t length, std::span<iovec> out) const;
  // One more segment is to be released.
  void retain(uint32_t slot) { ++stored_[slot].segments_left; }
  // So many segments of the packet are gone.
  void release(uint32_t slot, uint16_t segments);

  [[nodiscard]] std::size_t chunks_free() const { return free_chunks_.size() + (chunks_ - fresh_chunk_); }

 private:
  [[nodiscard]] std::byte* chunk(uint32_t number) const { return memory_ + std::size_t{number} * kChunk; }
  [[nodiscard]] uint32_t take_chunk();
  [[nodiscard]] uint32_t take_slot();

  uint32_t chunks_;
  std::byte* memory_;
  uint32_t fresh_chunk_{};  // this one and all above it were never used
  std::vector<uint32_t> free_chunks_{};
  std::vector<uint32_t> free_slots_{};
  std::vector<Stored> stored_{};                      // those that were ever used
  std::array<uint32_t, kChunksOfLargest> reserve_{};  // for the next packet
  VirtioHeader next_virtio_{};
  std::array<iovec, kChunksOfLargest + 1> next_{};
};

}  // namespace paceline
