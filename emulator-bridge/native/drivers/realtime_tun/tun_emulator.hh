#pragma once
// The emulator of a run over TUN: reads what the kernel's stacks send, takes each segment through the modelled path as a packet
// of its own, and writes those that leave together in one go.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drivers/plan.hh"
#include "drivers/realtime/path.hh"
#include "drivers/realtime/pulse.hh"
#include "drivers/realtime/sampling.hh"
#include "drivers/realtime_tun/drop_counters.hh"
#include "drivers/realtime_tun/flow_ends.hh"
#include "drivers/realtime_tun/latest_rtts.hh"
#include "drivers/realtime_tun/packet_store.hh"
#include "drivers/realtime_tun/tun_flow.hh"
#include "drivers/sink.hh"
#include "drivers/summary_builder.hh"
#include "metrics/fairness.hh"

namespace paceline {

// The emulator's own end of one direction of the traffic.
struct TunEnd {
  int fd{};
  const DropCounters* drops{};
};

struct TunEmulatorSetup {
  TunEnd sender{};
  TunEnd receiver{};
  int change_fd{};          // LinkChange records
  uint16_t first_port{};    // of flow 0 at the receivers' end; the others follow
  uint32_t first_sender{};  // addresses of flow 0 where its ends are foreign; the others follow
  uint32_t first_receiver{};
  int coalesce{};              // at most so many segments are written at once; 0: as many as the capacity calls for
  std::size_t memory_bytes{};  // for packets under way
  LatestRtts* rtts{};          // told of every sample
  const FlowEnds* ends{};      // of flows that may end before the plan says so
  bool summary_when_stopped{};
  PathObserver* observer{};
};

class TunEmulator final : private PathOutput {
 public:
  static constexpr int kMostCoalesced = 64;

  TunEmulator(const RunPlan& plan, const TunEmulatorSetup& setup, const PulseSetup& pulse, RunSink& sink);

  // For Pulse.
  [[nodiscard]] static Duration least_period(const RunPlan& plan);

  // Until the plan's end. False, and nothing is told, when it was told to stop before, unless the setup wants a summary then too. Of
  // senders it tells what the link sees of them.
  [[nodiscard]] bool run(SummaryBuilder& summary);

 private:
  // Segments that are written together.
  struct Group {
    Direction direction{};
    uint32_t slot{};
    uint32_t first{};
    uint32_t count{};
    EcnMark ecn{};
    std::size_t flow{};
    Time arrived{};
    std::array<Time, kMostCoalesced> scheduled{};
  };

  void read(Direction direction);
  void take(Direction direction, std::size_t bytes, Time now);
  void left(const PacketStore::Stored& stored, Time now);
  void advance(Time to);
  void take_change();
  void sample(Time at, Duration interval);
  void packet_out(Direction direction, const Packet& packet, Time scheduled) override;
  void packet_gone(Direction direction, const Packet& packet) override;
  void packet_copied(Direction direction, Packet& copy) override;
  void write_group();
  [[nodiscard]] uint32_t most_together() const;
  [[nodiscard]] std::size_t flow_of(Direction direction, const PacketShape& shape) const;
  [[nodiscard]] const TunEnd& end_of(Direction direction, bool input) const {
    return (direction == Direction::forward) == input ? setup_.sender : setup_.receiver;
  }
  [[nodiscard]] Duration running(std::size_t flow) const;
  [[nodiscard]] UnmodelledLosses losses() const;
  void sum_up(SummaryBuilder& summary);

  const RunPlan& plan_;
  TunEmulatorSetup setup_;
  RunSink& sink_;
  Pulse pulse_;
  PacketStore store_;
  RealtimePath path_;
  bool awaiting_packet_;
  std::vector<TunFlow> flows_;  // the last one: what belongs to no flow of the plan
  SampleTimes samples_;
  FairnessMeter fairness_;
  Time served_{};  // up to here everything has happened
  Group group_{};
  int writes_{};          // since it last woke up
  uint64_t taken_{};      // segments that were read
  uint64_t unkept_{};     // segments for which there was no memory
  uint64_t unwritten_{};  // segments that TUN refused
  std::string write_error_{};
};

}  // namespace paceline
