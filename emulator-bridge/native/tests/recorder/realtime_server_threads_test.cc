// The server as strangers on the network meet it.

#include <doctest/doctest.h>

#include <poll.h>

#include <atomic>
#include <thread>
#include <vector>

#include "drivers/realtime/clock.hh"
#include "recorder/server.hh"

using namespace paceline;
using namespace paceline::recorder;

namespace {

constexpr int64_t kMillisecond = 1'000'000;

class RunningServer {
 public:
  explicit RunningServer(const ServerLimits& limits)
      : server_{endpoint_, limits, SipKey{1, 2}, [](const std::string&) {}}, thread_{[this] {
          server_.run([this] { return stop_.load(); });
        }} {}
  ~RunningServer() {
    stop_ = true;
    thread_.join();
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  [[nodiscard]] uint16_t port() const { return port_; }

 private:
  Endpoint endpoint_{Endpoint::listen("127.0.0.1", 0)};
  uint16_t port_{endpoint_.port()};
  Server server_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

const ServerLimits kLimits{
    .rate_bps = 20'000'000, .duration = Duration::millis(10'000), .patience = Duration::millis(400), .sessions = 2};

// Somebody at the other end of a socket, who may not keep to the rules.
class Stranger {
 public:
  explicit Stranger(uint16_t port) : endpoint_{Endpoint::connect("127.0.0.1", port)} {}

  template <typename Message>
  void say(const Message& message, std::size_t at_least = 0) {
    endpoint_.send(endpoint_.peer(), message, at_least);
  }
  // What comes within the time.
  std::vector<std::vector<std::byte>> hear(int64_t ms) {
    std::vector<std::vector<std::byte>> all;
    const int64_t until = clock_ns(CLOCK_MONOTONIC) + ms * kMillisecond;
    for (int64_t now = 0; (now = clock_ns(CLOCK_MONOTONIC)) < until;) {
      pollfd input{.fd = endpoint_.fd(), .events = POLLIN, .revents = 0};
      ::poll(&input, 1, static_cast<int>((until - now) / kMillisecond) + 1);
      for (const auto& datagram : endpoint_.receive()) all.emplace_back(datagram.bytes.begin(), datagram.bytes.end());
    }
    return all;
  }
  // The first message of this kind, within five seconds.
  template <typename Message>
  std::optional<Message> await() {
    for (int i = 0; i < 100; ++i)
      for (const auto& bytes : hear(50))
        if (const auto message = read<Message>(bytes)) return message;
    return std::nullopt;
  }
  Start prove(uint64_t session) {
    say(Hello{.session = session}, kHelloBytes);
    const auto cookie = await<Cookie>();
    REQUIRE(cookie);
    return {.session = session,
            .cookie = cookie->cookie,
            .direction = Direction::down,
            .rate_bps = 10'000'000,
            .duration_ms = 9000,
            .packet_bytes = 1500};
  }

 private:
  Endpoint endpoint_;
};

template <typename Message>
std::size_t count(const std::vector<std::vector<std::byte>>& datagrams) {
  std::size_t number = 0;
  for (const auto& bytes : datagrams) number += read<Message>(bytes) ? 1U : 0U;
  return number;
}

}  // namespace

TEST_CASE("Before the address is proved nobody gets more bytes than were sent") {
  const RunningServer server{kLimits};
  Stranger stranger{server.port()};
  stranger.say(Hello{.session = 7});  // not padded: the answer would be longer
  stranger.say(Start{.session = 7, .cookie = 12345, .rate_bps = 10'000'000, .duration_ms = 1000, .packet_bytes = 1500});
  stranger.say(Fetch{.session = 7, .chunks = 30});
  stranger.say(Alive{.session = 7});
  CHECK(stranger.hear(300).empty());
  stranger.say(Hello{.session = 7}, kHelloBytes);
  const auto answers = stranger.hear(300);
  REQUIRE(answers.size() == 1);
  CHECK(answers.front().size() < kHelloBytes);
}

TEST_CASE("A cookie is of no use to another port or for another session") {
  const RunningServer server{kLimits};
  Stranger honest{server.port()};
  Stranger thief{server.port()};
  Start start = honest.prove(1);
  thief.say(start);
  CHECK(thief.hear(200).empty());
  start.session = 2;
  honest.say(start);
  CHECK(honest.hear(200).empty());
}

TEST_CASE("Packets flow only while the client shows that it is there") {
  const RunningServer server{kLimits};
  Stranger client{server.port()};
  client.say(client.prove(1));
  CHECK(client.await<Accept>());
  CHECK(count<Data>(client.hear(150)) == 0);  // nothing before the first sign of life
  std::size_t flowing = 0;
  for (int i = 0; i < 6; ++i) {
    client.say(Alive{.session = 1});
    flowing += count<Data>(client.hear(100));
  }
  CHECK(flowing > 100);
  (void)client.hear(1500);  // silent for longer than the server's patience
  CHECK(count<Data>(client.hear(300)) == 0);
}

TEST_CASE("One recording for each address, none beyond the limits, and the reason is told") {
  const RunningServer server{kLimits};
  Stranger first{server.port()};
  Stranger second{server.port()};
  const auto refusal = [&](uint64_t session, auto&& change) {
    Start start = second.prove(session);
    change(start);
    second.say(start);
    const auto refuse = second.await<Refuse>();
    return refuse ? std::string{refuse->text()} : std::string{"none"};
  };
  CHECK(refusal(2, [](Start& s) { s.rate_bps = 21'000'000; }).find("--max-mbps") != std::string::npos);
  CHECK(refusal(3, [](Start& s) { s.duration_ms = 10'001; }).find("--max-seconds") != std::string::npos);
  CHECK(refusal(4, [](Start& s) { s.packet_bytes = 9000; }).find("576 to 1500") != std::string::npos);
  CHECK(refusal(5, [](Start& s) { s.direction = static_cast<Direction>(9); }).find("down or up") != std::string::npos);
  CHECK(refusal(6, [](Start& s) { s.rate_bps = 0; }).find("at least") != std::string::npos);
  first.say(first.prove(1));
  REQUIRE(first.await<Accept>());
  CHECK(refusal(7, [](Start&) {}).find("this address") != std::string::npos);
  first.say(Done{.session = 1});
  (void)first.hear(100);
  second.say(second.prove(8));
  CHECK(second.await<Accept>());
}
