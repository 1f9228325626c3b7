// The least that a simulator of a congested link does for each packet, as a yardstick for the engine (npm run bench -- engine): a window
// flow that remembers each packet until it is acknowledged, a droptail queue before a constant rate, a delay, an ACK for every second
// packet. It learns of losses by magic (a packet behind a dropped one says so) and repairs none, has one flow, one algorithm, one path
// and no pacing, and measures nothing: no distribution, no sample, no rate, no loss detection, no timer.
//
//   paceline-bench-loop SECONDS MBPS RTT_MS BDP   prints {"packets":…,"cpu_s":…}

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "core/packet.hh"
#include "core/ring.hh"
#include "transport/scoreboard.hh"

namespace {

using paceline::Duration;
using paceline::earliest;
using paceline::Packet;
using paceline::Segment;
using paceline::Time;

struct Acknowledgement {
  Time arrival{};
  uint64_t cumulative{};
  bool gap{};
};

class Loop {
 public:
  Loop(Duration service, Duration one_way, uint64_t limit) : service_{service}, one_way_{one_way}, limit_{limit} {}

  void run(Time end) {
    send(Time::zero());
    for (;;) {
      const Time arrival = line_.empty() ? Time::never() : line_.front().stamp;
      const Time ack = acks_.empty() ? Time::never() : acks_.front().arrival;
      const Time now = earliest(service_end_, arrival, ack);
      if (now > end) return;
      if (now == service_end_) {
        depart(now);
      } else if (now == arrival) {
        arrive(now);
      } else {
        acknowledge(now);
      }
    }
  }
  [[nodiscard]] uint64_t received() const { return received_; }

 private:
  void send(Time now) {
    while (static_cast<double>(next_ - una_) < window_) {
      segments_.reserve(una_, next_ + 1);
      Segment& segment = segments_[next_];
      segment.number = next_;
      segment.sent = now;
      segment.size = static_cast<uint16_t>(paceline::kMtu.v);
      Packet packet{};
      packet.sequence = packet.number = next_++;
      packet.sent = packet.stamp = now;
      packet.size = segment.size;
      if (queue_.size() >= limit_) {
        gap_ = true;
        continue;
      }
      packet.tag = gap_ ? 1 : 0;
      gap_ = false;
      if (queue_.empty()) service_end_ = now + service_;
      queue_.push(packet);
    }
  }

  void depart(Time now) {
    Packet& packet = line_.push();
    packet = queue_.front();
    packet.stamp = now + one_way_;
    queue_.pop();
    service_end_ = queue_.empty() ? Time::never() : now + service_;
  }

  void arrive(Time now) {
    const Packet& packet = line_.front();
    ++received_;
    ++unacknowledged_;
    const bool gap = packet.tag != 0;
    if (unacknowledged_ == 2 || gap) {
      Acknowledgement& ack = acks_.push();
      ack.arrival = now + one_way_;
      ack.cumulative = packet.sequence + 1;
      ack.gap = gap;
      unacknowledged_ = 0;
    }
    line_.pop();
  }

  void acknowledge(Time now) {
    const Acknowledgement ack = acks_.front();
    acks_.pop();
    for (; una_ < ack.cumulative; ++una_) {
      const Duration rtt = now - segments_[una_].sent;
      srtt_ += (rtt - srtt_) / 8;
      window_ += window_ < threshold_ ? 1 : 1 / window_;
    }
    if (ack.gap && una_ >= episode_end_) {
      threshold_ = window_ = std::max(window_ * 0.7, 2.0);
      episode_end_ = next_;
    }
    send(now);
  }

  Duration service_;
  Duration one_way_;
  uint64_t limit_;
  paceline::Ring<Packet> queue_{1024};
  paceline::Ring<Packet> line_{1024};
  paceline::Ring<Acknowledgement> acks_{1024};
  paceline::WindowRing<Segment> segments_{1024};
  Time service_end_{Time::never()};
  uint64_t next_{};
  uint64_t una_{};
  uint64_t episode_end_{};
  uint64_t received_{};
  int unacknowledged_{};
  bool gap_{};
  double window_{10};
  double threshold_{std::numeric_limits<double>::infinity()};
  Duration srtt_{};
};

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    std::fputs("usage: paceline-bench-loop SECONDS MBPS RTT_MS BDP\n", stderr);
    return 2;
  }
  const double seconds = std::atof(words[1]);
  const double mbps = std::atof(words[2]);
  const double rtt_ms = std::atof(words[3]);
  const double bdp = std::atof(words[4]);
  const paceline::Rate rate = paceline::Rate::mbps(mbps);
  Loop loop{rate.time_for(paceline::kMtu), Duration::seconds(rtt_ms / 2e3),
            static_cast<uint64_t>(rate.bytes_in(Duration::seconds(bdp * rtt_ms / 1e3)).v / paceline::kMtu.v)};
  const std::clock_t begin = std::clock();
  loop.run(Time::zero() + Duration::seconds(seconds));
  const double cpu_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("{\"packets\":%llu,\"cpu_s\":%.6f}\n", static_cast<unsigned long long>(loop.received()), cpu_s);
}
