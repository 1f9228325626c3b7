#include "live/control.hh"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

#include "drivers/realtime/link_change.hh"

namespace paceline {

Control::Control(const RunPlan& plan, StopSignal& stop) : plan_{plan}, stop_{stop} {
  if (::pipe2(changes_.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    throw std::system_error{errno, std::generic_category(), "pipe"};
  thread_ = std::thread{[this] { listen(); }};
}

Control::~Control() {
  done_.stop();
  thread_.join();
  ::close(changes_[0]);
  ::close(changes_[1]);
}

void Control::listen() {
  constexpr std::size_t kLongestLine = 1 << 16;
  std::array<pollfd, 2> inputs{
      {{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0}, {.fd = done_.fd(), .events = POLLIN, .revents = 0}}};
  std::string line;
  for (;;) {
    if (::poll(inputs.data(), inputs.size(), -1) < 0 && errno != EINTR) return stop_.stop();
    if (inputs[1].revents != 0) return;
    if (inputs[0].revents == 0) continue;
    std::array<char, 4096> some{};
    const ssize_t got = ::read(STDIN_FILENO, some.data(), some.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return stop_.stop();
    for (const char c : std::string_view{some.data(), static_cast<std::size_t>(got)}) {
      if (c != '\n') {
        if (line.size() < kLongestLine) line += c;
        continue;
      }
      if (!line.empty()) take(line);
      line.clear();
    }
  }
}

void Control::take(const std::string& line) {
  try {
    const LinkChange change = parse_link_change(line, plan_);
    if (::write(changes_[1], &change, sizeof change) != sizeof change)
      throw std::runtime_error{"the link is not changed: earlier changes still wait"};
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
}

}  // namespace paceline
