#pragma once
// What became of every packet and acknowledgement that was under way in a window of a run.

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "drivers/packet_observer.hh"

namespace paceline {

enum class PacketFate : uint8_t {
  under_way,  // when the run ended
  received,
  dropped,  // by the queue of the link's bottleneck
  lost,     // anywhere else
};

struct PacketLife {
  uint64_t number{};    // of the transmission, counted per flow
  uint64_t sequence{};  // of the segment: a retransmission repeats it
  Time sent{};
  Time queued{Time::never()};    // reached the bottleneck
  Time departed{Time::never()};  // had passed it, to its last byte
  Time ended{Time::never()};     // was received, dropped or lost
  uint32_t bytes{};
  uint16_t flow{};
  PacketKind kind{};
  PacketFate fate{};
  bool ce{};    // marked when it arrived
  bool copy{};  // came once more: the path had made two of it, which nothing tells apart
};

struct AckLife {
  uint64_t cumulative{};  // every segment below it had arrived
  uint64_t sequence{};    // of the packet that called for it
  Time sent{};
  Time ended{Time::never()};  // was taken by the sender, dropped or lost
  uint32_t bytes{};
  uint16_t flow{};
  PacketFate fate{};
};

// Lives that begin one after the other and end in any order. Those that ended before the window are forgotten, so that what is kept is
// bounded by what is asked for.
template <typename Life>
class Lives {
 public:
  Lives(Time from, Time to, std::size_t most) : from_{from}, to_{to}, most_{most} {}

  // Null: outside the window, or there are as many as there may be.
  Life* begin(uint64_t key, Time now) {
    if (now >= to_ || now >= complete_until_) return nullptr;
    if (free_.empty() && all_.size() >= most_) {
      complete_until_ = now;
      return nullptr;
    }
    uint32_t at = static_cast<uint32_t>(all_.size());
    if (free_.empty()) {
      all_.emplace_back();
    } else {
      at = free_.back();
      free_.pop_back();
      all_[at] = Life{};
    }
    under_way_.insert_or_assign(key, at);
    return &all_[at];
  }

  [[nodiscard]] Life* find(uint64_t key) {
    const auto found = under_way_.find(key);
    return found == under_way_.end() ? nullptr : &all_[found->second];
  }

  // Its last moment; false if nothing is known of it.
  bool end(uint64_t key, PacketFate fate, Time now) {
    const auto found = under_way_.find(key);
    if (found == under_way_.end()) return false;
    Life& life = all_[found->second];
    life.fate = fate;
    life.ended = now;
    if (now < from_) free_.push_back(found->second);
    under_way_.erase(found);
    return true;
  }

  // Those of the window, in the order in which they were sent.
  [[nodiscard]] std::vector<Life> window() const;
  // Of what was sent from here on, nothing was kept.
  [[nodiscard]] Time complete_until() const { return complete_until_; }

 private:
  Time from_;
  Time to_;
  std::size_t most_;
  Time complete_until_{Time::never()};
  std::vector<Life> all_{};
  std::vector<uint32_t> free_{};
  std::unordered_map<uint64_t, uint32_t> under_way_{};
};

// Packets and acknowledgements that were under way at some time in [from, to): at most `most` of each.
class PacketLog final : public PacketObserver {
 public:
  PacketLog(Time from, Time to, std::size_t most)
      : from_{from}, to_{to}, packets_{from, to, most}, acks_{from, to, most} {}

  void sent(const Packet& packet, Time now) override;
  void received(const Packet& packet, Time now) override;
  void acknowledged(const Packet& packet, const Ack& ack, Time now) override;
  void taken(uint64_t number, Time now) override { acks_.end(number, PacketFate::received, now); }
  void arrived(Direction direction, const Packet& packet, Time now) override;
  void departed(Direction direction, const Packet& packet, Time scheduled) override;
  void dropped(Direction direction, const Packet& packet, Time now) override {
    end(direction, packet, PacketFate::dropped, now);
  }
  void lost(Direction direction, const Packet& packet, Time now) override {
    end(direction, packet, PacketFate::lost, now);
  }

  [[nodiscard]] Time from() const { return from_; }
  [[nodiscard]] Time to() const { return to_; }
  // Everything that was sent before is there.
  [[nodiscard]] Time complete_until() const;
  [[nodiscard]] std::vector<PacketLife> packets() const { return packets_.window(); }
  [[nodiscard]] std::vector<AckLife> acks() const { return acks_.window(); }

 private:
  void end(Direction direction, const Packet& packet, PacketFate fate, Time now);

  Time from_;
  Time to_;
  Lives<PacketLife> packets_;
  Lives<AckLife> acks_;
};

}  // namespace paceline
