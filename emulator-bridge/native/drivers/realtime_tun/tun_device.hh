#pragma once
// A TUN device in the network namespace of the thread that makes it. It lives as long as its descriptor.

#include <cstdint>
#include <string>

#include "drivers/realtime_tun/file_descriptor.hh"

namespace paceline {

struct TunSetup {
  std::string name{"paceline"};  // with %d the kernel numbers it
  std::string address{};         // of this end
  int prefix{24};
  bool default_route{};            // whatever is not for this namespace goes through it
  uint32_t queue_packets{20'000};  // a few milliseconds of small packets; whatever does not fit is lost
};

struct TunDevice {
  FileDescriptor fd{};
  std::string name{};
};

// Opens, configures and brings it up, and the loopback device too. Throws std::runtime_error that says what is missing and how
// to give it.
[[nodiscard]] TunDevice make_tun_device(TunSetup setup);

}  // namespace paceline
