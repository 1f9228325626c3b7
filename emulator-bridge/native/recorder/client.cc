#include "recorder/client.hh"

#include <stdexcept>

#include "drivers/realtime/alarm.hh"
#include "drivers/realtime/clock.hh"
#include "program/refusal.hh"
#include "recorder/fetching.hh"
#include "recorder/receiving.hh"
#include "recorder/secret.hh"
#include "recorder/sending.hh"

namespace paceline::recorder {

namespace {

constexpr int64_t kLookUp = 50'000'000;
constexpr int64_t kAskAgain = 300'000'000;
constexpr int kAskTimes = 15;
// Batches read at a time: at high rates something always comes.
constexpr int kRounds = 16;
// A train in a tunnel comes out again.
constexpr int64_t kSilence = 20'000'000'000;

int64_t now() { return clock_ns(CLOCK_MONOTONIC); }

std::string where(const Request& request) { return request.host + " port " + std::to_string(request.port); }

class Client {
 public:
  Client(const Request& request, const Surroundings& surroundings)
      : request_{request},
        surroundings_{surroundings},
        endpoint_{Endpoint::connect(request.host, request.port)},
        session_{random_word()} {
    alarm_.watch(endpoint_.fd());
  }

  Recording record() {
    introduce();
    Recording recording{.conditions = {.direction = request_.direction,
                                       .rate_bps = request_.rate_bps,
                                       .duration = request_.duration,
                                       .packet_bytes = request_.packet_bytes},
                        .began_unix_ns = clock_ns(CLOCK_REALTIME)};
    began_ns_ = heard_ns_ = now();
    if (request_.direction == Direction::down)
      down(recording);
    else
      up(recording);
    for (int i = 0; i < 3; ++i) endpoint_.send(endpoint_.peer(), Done{.session = session_});
    explain_nothing(recording);
    return recording;
  }

 private:
  // Asks until an answer of this kind is there.
  template <typename Answer, typename Question>
  Answer ask(const Question& question, std::size_t at_least) {
    for (int i = 0; i < kAskTimes; ++i) {
      endpoint_.send(endpoint_.peer(), question, at_least);
      for (const int64_t until = now() + kAskAgain; now() < until;) {
        if (surroundings_.interruptions() > 0) throw std::runtime_error{"stopped before the recording began"};
        alarm_.wait_until(std::min(until, now() + kLookUp));
        for (const Endpoint::Datagram& datagram : endpoint_.receive()) {
          if (const auto refusal = read<Refuse>(datagram.bytes); refusal && refusal->session == session_)
            throw Refusal{request_.host, std::string{refusal->text()}};
          if (const auto answer = read<Answer>(datagram.bytes); answer && answer->session == session_) return *answer;
        }
        if (endpoint_.refused()) throw std::runtime_error{"nothing listens at " + where(request_)};
      }
    }
    throw std::runtime_error{where(request_) +
                             " does not answer: is the server running, and does its firewall let UDP in?"};
  }

  void introduce() {
    const auto cookie = ask<Cookie>(Hello{.session = session_}, kHelloBytes).cookie;
    (void)ask<Accept>(Start{.session = session_,
                            .cookie = cookie,
                            .direction = request_.direction,
                            .rate_bps = request_.rate_bps,
                            .duration_ms = static_cast<uint32_t>(request_.duration.ns / 1'000'000),
                            .packet_bytes = static_cast<uint16_t>(request_.packet_bytes)},
                      kHelloBytes);
  }

  // One turn: waits, then hands every datagram of this session to `take`.
  template <typename Take>
  void turn(int64_t until_ns, Take&& take) {
    alarm_.wait_until(std::min(until_ns, now() + kLookUp));
    for (int round = 0; round < kRounds; ++round) {
      const auto datagrams = endpoint_.receive();
      if (datagrams.empty()) break;
      heard_ns_ = now();
      for (const Endpoint::Datagram& datagram : datagrams)
        if (const auto kind = kind_of(datagram.bytes)) take(datagram, *kind);
    }
  }
  [[nodiscard]] bool alone() const { return now() - heard_ns_ > kSilence || endpoint_.refused(); }
  [[nodiscard]] uint64_t planned() const {
    return PacketPlan{request_.rate_bps, request_.duration, request_.packet_bytes}.planned();
  }

  void down(Recording& recording) {
    Receiving receiving{endpoint_, endpoint_.peer(), session_, planned()};
    while (!receiving.over(now()) && !alone()) {
      turn(receiving.next_ns(), [&](const Endpoint::Datagram& datagram, Kind kind) {
        if (kind == Kind::data) receiving.data(datagram);
        if (kind == Kind::end) receiving.end(datagram);
      });
      receiving.step(now());
      tell(receiving.log().size());
      if (surroundings_.interruptions() > 0) {
        recording.conditions.interrupted = true;
        break;
      }
    }
    if (receiving.last_word()) note(*receiving.last_word(), recording);
    recording.conditions.socket_drops = receiving.socket_drops();
    recording.log = receiving.take_log();
  }

  void up(Recording& recording) {
    Sending sending{endpoint_, endpoint_.peer(), session_, request_.rate_bps, request_.duration, request_.packet_bytes};
    std::optional<Result> result;
    while (!result) {
      turn(sending.next_ns(), [&](const Endpoint::Datagram& datagram, Kind kind) {
        if (kind == Kind::result) result = read<Result>(datagram.bytes);
      });
      if (now() >= sending.next_ns()) sending.step(now());
      if (!sending.over()) tell(sending.last_word().report.sent_packets);
      if (surroundings_.interruptions() > 0) {
        recording.conditions.interrupted = true;
        sending.stop();
      }
      if (surroundings_.interruptions() > 1 || alone())
        throw std::runtime_error{"the server did not give its log: nothing is left of the recording"};
    }
    note(sending.last_word(), recording);
    recording.conditions.socket_drops = result->socket_drops;
    Fetching fetching{session_, result->bytes, planned()};
    while (!fetching.complete()) {
      for (const Fetch& fetch : fetching.due(now())) endpoint_.send(endpoint_.peer(), fetch);
      turn(fetching.next_ns(), [&](const Endpoint::Datagram& datagram, Kind kind) {
        if (kind == Kind::chunk) fetching.take(datagram.bytes, now());
      });
      if (surroundings_.interruptions() > 1 || alone())
        throw std::runtime_error{"the server's log did not come whole: nothing is left of the recording"};
    }
    recording.log = fetching.log();
  }

  void note(const End& last_word, Recording& recording) {
    if (last_word.too_large != 0) throw std::runtime_error{too_large()};
    recording.conditions.sender = last_word.report;
    if (last_word.report.planned_packets < planned()) recording.conditions.interrupted = true;
  }
  [[nodiscard]] std::string too_large() const {
    return "packets of " + std::to_string(request_.packet_bytes) +
           " bytes do not fit through this path: try --packet-bytes 1400, or 1280";
  }
  // No packet came, though messages did.
  void explain_nothing(const Recording& recording) const {
    if (!recording.log.empty()) return;
    if (recording.conditions.interrupted) throw std::runtime_error{"stopped before any packet came"};
    throw std::runtime_error{"none of the packets came; if smaller ones do, " + too_large()};
  }

  void tell(std::size_t packets) {
    constexpr int64_t kEvery = 1'000'000'000;
    const int64_t time = now();
    if (time - told_ns_ < kEvery && told_ns_ != 0) return;
    if (told_ns_ != 0)
      surroundings_.progress(static_cast<double>(time - began_ns_) / 1e9,
                             static_cast<double>((packets - told_packets_) * request_.packet_bytes * 8) * 1e3 /
                                 static_cast<double>(time - told_ns_));
    told_ns_ = time;
    told_packets_ = packets;
  }

  const Request& request_;
  const Surroundings& surroundings_;
  Endpoint endpoint_;
  Alarm alarm_{Duration::zero()};
  uint64_t session_;
  int64_t began_ns_{};
  int64_t heard_ns_{};
  int64_t told_ns_{};
  std::size_t told_packets_{};
};

}  // namespace

Recording record(const Request& request, const Surroundings& surroundings) {
  return Client{request, surroundings}.record();
}

}  // namespace paceline::recorder
