#include "recorder/server.hh"

#include <algorithm>

#include "drivers/realtime/alarm.hh"
#include "drivers/realtime/clock.hh"
#include "recorder/limits.hh"

namespace paceline::recorder {

namespace {

std::string mbps(uint64_t bps) { return std::to_string(bps / 1'000'000) + " Mbps"; }

// The session number that every message begins with.
uint64_t session_of(std::span<const std::byte> bytes) {
  uint64_t session = 0;
  for (std::size_t i = 0; i < sizeof session && kPrefixBytes + i < bytes.size(); ++i)
    session |= std::to_integer<uint64_t>(bytes[kPrefixBytes + i]) << (8 * i);
  return session;
}

}  // namespace

void Server::run(const std::function<bool()>& stop) {
  constexpr int64_t kAwake = 50'000'000;
  constexpr int kBatches = 16;
  Alarm alarm{Duration::zero()};
  alarm.watch(endpoint_.fd());
  while (!stop()) {
    const int64_t before = clock_ns(CLOCK_MONOTONIC);
    int64_t next = before + kAwake;
    for (const auto& session : sessions_) next = std::min(next, session->next_ns());
    alarm.wait_until(next);
    // Not until nothing comes any more: at high rates something always does.
    for (int round = 0; round < kBatches; ++round) {
      const auto datagrams = endpoint_.receive();
      if (datagrams.empty()) break;
      const int64_t now = clock_ns(CLOCK_MONOTONIC);
      for (const Endpoint::Datagram& datagram : datagrams) take(datagram, now);
      for (const auto& session : sessions_)
        if (session->next_ns() <= now) session->step(now);
    }
    const int64_t now = clock_ns(CLOCK_MONOTONIC);
    for (const auto& session : sessions_)
      if (session->next_ns() <= now) session->step(now);
    drop_ended(now);
  }
  const int64_t now = clock_ns(CLOCK_MONOTONIC);
  for (const auto& session : sessions_) session->stop(now);
}

void Server::take(const Endpoint::Datagram& datagram, int64_t now_ns) {
  const auto kind = kind_of(datagram.bytes);
  if (!kind) return;
  const Peer& from = *datagram.from;
  if (*kind == Kind::hello) {
    const auto hello = read<Hello>(datagram.bytes);
    // Never more bytes out than in, as long as the address is not proved.
    if (!hello || datagram.bytes.size() < kHelloBytes) return;
    endpoint_.send(from,
                   Cookie{.session = hello->session, .cookie = cookies_.make(from.name(), hello->session, now_ns)});
  } else if (*kind == Kind::start) {
    const auto asked = read<Start>(datagram.bytes);
    if (asked && cookies_.good(asked->cookie, from.name(), asked->session, now_ns)) start(*asked, from, now_ns);
  } else {
    const uint64_t number = session_of(datagram.bytes);
    for (const auto& session : sessions_)
      if (session->is_of(from, number)) return session->hear(datagram, *kind, now_ns);
  }
}

void Server::start(const Start& start, const Peer& from, int64_t now_ns) {
  const auto running = std::any_of(sessions_.begin(), sessions_.end(),
                                   [&](const auto& session) { return session->is_of(from, start.session); });
  if (!running) {
    const std::string why_not = objection(start, from);
    if (!why_not.empty()) {
      Refuse refuse{.session = start.session};
      std::copy_n(why_not.begin(), std::min(why_not.size(), refuse.reason.size()), refuse.reason.begin());
      endpoint_.send(from, refuse);
      say_(from.text() + ": refused, " + why_not);
      return;
    }
    const bool down = start.direction == Direction::down;
    sessions_.push_back(down ? down_session(endpoint_, from, start) : up_session(endpoint_, from, start));
    sessions_.back()->begin(now_ns);
    say_(from.text() + ": " + (down ? "down" : "up") + ", " + mbps(start.rate_bps) + " for " +
         std::to_string(start.duration_ms / 1000) + " s");
  }
  endpoint_.send(from, Accept{.session = start.session});
}

std::string Server::objection(const Start& start, const Peer& from) const {
  if (start.direction != Direction::down && start.direction != Direction::up) return "the direction must be down or up";
  if (start.packet_bytes < kSmallestPacket || start.packet_bytes > kLargestPacket)
    return "packets must have " + std::to_string(kSmallestPacket) + " to " + std::to_string(kLargestPacket) + " bytes";
  if (start.rate_bps < kLowestRate) return "the rate must be at least " + mbps(kLowestRate);
  if (start.duration_ms == 0) return "the recording must last some time";
  if (Duration::millis(start.duration_ms) > limits_.duration)
    return "this server records for at most " + std::to_string(limits_.duration.ns / 1'000'000'000) +
           " s (its --max-seconds)";
  if (start.rate_bps > limits_.rate_bps)
    return "this server sends and takes at most " + mbps(limits_.rate_bps) + " (its --max-mbps)";
  uint64_t taken = 0;
  for (const auto& session : sessions_) {
    if (session->client().name().address == from.name().address)
      return "a recording with this address is going on; one that was cut off ends after " +
             std::to_string(limits_.patience.ns / 1'000'000'000) + " s";
    taken += session->start().rate_bps;
  }
  if (sessions_.size() >= limits_.sessions || start.rate_bps > limits_.rate_bps - taken)
    return "the server is busy with other recordings, try again later";
  return {};
}

void Server::drop_ended(int64_t now_ns) {
  std::erase_if(sessions_, [&](const auto& session) {
    constexpr int64_t kToFinish = 120'000'000'000;  // a long log over a slow link
    const bool gone = now_ns - session->heard_ns() > limits_.patience.ns ||
                      now_ns - session->begun_ns() > Duration::millis(session->start().duration_ms).ns + kToFinish;
    if (!session->done() && !gone) return false;
    say_(session->client().text() + ": " + (session->done() ? "done, " : "the client is gone, ") + session->account());
    return true;
  });
}

}  // namespace paceline::recorder
