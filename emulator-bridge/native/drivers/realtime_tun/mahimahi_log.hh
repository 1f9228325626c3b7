#pragma once
// Writes what happens at a bottleneck as Mahimahi's mm-link does (--uplink-log): opportunities, arrivals, departures and drops in whole
// milliseconds. The data path puts records into a ring and never waits; a thread writes them.

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "drivers/realtime/path.hh"

namespace paceline {

class MahimahiLog {
 public:
  // `direction`: uplink or downlink; `command`: the command line, for the header. Throws std::system_error when the file cannot be
  // written.
  MahimahiLog(const std::string& file, const std::string& direction, const std::string& command, const LinkPlan& link);
  ~MahimahiLog();
  MahimahiLog(const MahimahiLog&) = delete;
  MahimahiLog& operator=(const MahimahiLog&) = delete;

  void start();
  // Writes the rest, opportunities up to `now`. How many records found no room in the ring.
  uint64_t finish(Time now);

  void arrived(const Packet& packet, Time now) { add({.time = now, .bytes = packet.size, .kind = '+'}); }
  void departed(const Packet& packet, Time scheduled) {
    add({.time = scheduled, .waited = scheduled - packet.sent, .bytes = packet.size, .kind = '-'});
  }
  void dropped(const Packet& packet, Time now) { add({.time = now, .bytes = packet.size, .kind = 'd'}); }

 private:
  struct Record {
    Time time{};
    Duration waited{};
    uint32_t bytes{};
    char kind{};
  };
  static constexpr std::size_t kRecords = 1 << 18;  // at 5 Gbps, a third of a second

  void add(const Record& record);
  void work();
  void write_waiting();
  void write_opportunities(Time to);

  Bottleneck::Capacity capacity_;
  DeliverySchedule schedule_;
  int64_t constant_written_{};  // opportunities of a constant rate
  int64_t constant_ms_{};
  std::FILE* file_;
  std::vector<Record> records_;
  std::atomic<std::size_t> written_{};
  std::atomic<std::size_t> read_{};
  uint64_t no_room_{};
  std::atomic<bool> finishing_{};
  std::thread thread_{};
};

// Both directions, where there is a log.
class MahimahiLogs final : public PathObserver {
 public:
  MahimahiLogs(MahimahiLog* uplink, MahimahiLog* downlink) : uplink_{uplink}, downlink_{downlink} {}
  void arrived(Direction direction, const Packet& packet, Time now) override {
    if (MahimahiLog* log = of(direction)) log->arrived(packet, now);
  }
  void departed(Direction direction, const Packet& packet, Time scheduled) override {
    if (MahimahiLog* log = of(direction)) log->departed(packet, scheduled);
  }
  void dropped(Direction direction, const Packet& packet, Time now) override {
    if (MahimahiLog* log = of(direction)) log->dropped(packet, now);
  }

 private:
  [[nodiscard]] MahimahiLog* of(Direction direction) const {
    return direction == Direction::forward ? uplink_ : downlink_;
  }
  MahimahiLog* uplink_;
  MahimahiLog* downlink_;
};

}  // namespace paceline
