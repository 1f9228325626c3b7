#include "drivers/realtime_tun/open_ports.hh"

#include <sstream>
#include <string>

#include "drivers/realtime_tun/proc_file.hh"

namespace paceline {

OpenPorts::OpenPorts() {
  for (std::size_t i = 0; i < files_.size(); ++i) files_[i] = open_net_table(kTables[i]);
}

bool OpenPorts::has(uint16_t port) const {
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (files_[i] && has_open_port(text_of(files_[i]), port, kTables[i][0] == 't')) return true;
  return false;
}

// number: address:port address:port state ..., all hexadecimal.
bool has_open_port(std::string_view text, uint16_t port, bool tcp) {
  constexpr int kHex = 16;
  constexpr std::string_view kListening = "0A";
  std::istringstream lines{std::string{text}};
  std::string line;
  std::getline(lines, line);  // titles
  while (std::getline(lines, line)) {
    std::istringstream words{line};
    std::string number;
    std::string local;
    std::string remote;
    std::string state;
    words >> number >> local >> remote >> state;
    const std::size_t colon = local.rfind(':');
    if (colon == std::string::npos || (tcp && state != kListening)) continue;
    if (std::strtoul(local.c_str() + colon + 1, nullptr, kHex) == port) return true;
  }
  return false;
}

}  // namespace paceline
