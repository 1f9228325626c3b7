#pragma once
// Packets that the kernel lost in one network namespace, anywhere between the emulator and the programs: its device's rings,
// IP, TCP, sockets. A namespace begins with zeros, so every one of them belongs to the run.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/realtime_tun/file_descriptor.hh"

namespace paceline {

struct DropCount {
  std::string where{};
  uint64_t packets{};
};

class DropCounters {
 public:
  // Of the calling thread's namespace; with the name of a device, only of that. Throws std::system_error.
  explicit DropCounters(std::string device = {});
  // What is not zero.
  [[nodiscard]] std::vector<DropCount> read() const;

 private:
  std::string device_;
  FileDescriptor devices_;  // the files belong to the namespace in which they were opened
  FileDescriptor snmp_;
  FileDescriptor netstat_;
};

// The two formats, for read() and for tests: /proc/net/dev, and pairs of lines "Name: key…" and "Name: value…".
[[nodiscard]] std::vector<DropCount> device_drops(std::string_view text);
[[nodiscard]] std::vector<DropCount> protocol_drops(std::string_view text);

}  // namespace paceline
