#include "drivers/realtime_tun/drop_counters.hh"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>
#include <system_error>

#include "drivers/realtime_tun/proc_file.hh"

namespace paceline {

namespace {

// Each counts packets that should have gone on. Not here: what the protocols themselves discard on purpose (duplicates,
// window probes), InDiscards' like that repeat one of these, and sends that fail with the program's knowledge (no route, a full
// socket; a full device counts for itself). Tcp.InErrs is not here either: besides bad checksums it counts every SYN and SYN-ACK
// that reaches an established connection, which is how a handshake looks that was slow enough to be repeated.
constexpr std::string_view kLosses[] = {
    "Ip.InHdrErrors",     "Ip.InAddrErrors",   "Ip.InDiscards",         "Ip.OutDiscards",
    "Tcp.InCsumErrors",   "Udp.InErrors",      "TcpExt.ListenDrops",    "TcpExt.TCPBacklogDrop",
    "TcpExt.TCPRcvQDrop", "TcpExt.TCPOFODrop", "TcpExt.PFMemallocDrop", "TcpExt.TCPReqQFullDrop",
    "TcpExt.RcvPruned",   "TcpExt.OfoPruned",  "IpExt.InTruncatedPkts", "IpExt.InCsumErrors",
};

FileDescriptor open_here(const char* table) {
  FileDescriptor file = open_net_table(table);
  if (!file) throw std::system_error{errno, std::generic_category(), std::string{"/proc/net/"} + table};
  return file;
}

void add(std::vector<DropCount>& all, std::vector<DropCount> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

DropCounters::DropCounters(std::string device)
    : device_{std::move(device)},
      devices_{open_here("dev")},
      snmp_{open_here("snmp")},
      netstat_{open_here("netstat")} {}

std::vector<DropCount> DropCounters::read() const {
  std::vector<DropCount> all = device_drops(text_of(devices_));
  if (!device_.empty()) {
    std::erase_if(all, [this](const DropCount& count) { return !count.where.starts_with(device_ + " "); });
    return all;
  }
  add(all, protocol_drops(text_of(snmp_)));
  add(all, protocol_drops(text_of(netstat_)));
  return all;
}

std::vector<DropCount> device_drops(std::string_view text) {
  // name: bytes packets errs drop fifo frame compressed multicast | bytes packets errs drop fifo colls carrier compressed
  struct Column {
    std::size_t index;
    const char* what;
  };
  constexpr Column columns[] = {{2, "receive errors"}, {3, "receive drops"}, {10, "send errors"}, {11, "send drops"}};
  std::vector<DropCount> all;
  std::istringstream lines{std::string{text}};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string name = line.substr(line.find_first_not_of(' '), colon - line.find_first_not_of(' '));
    std::istringstream values{line.substr(colon + 1)};
    std::array<uint64_t, 16> counts{};
    for (uint64_t& count : counts) values >> count;
    for (const Column& column : columns)
      if (counts[column.index] > 0) all.push_back({.where = name + " " + column.what, .packets = counts[column.index]});
  }
  return all;
}

std::vector<DropCount> protocol_drops(std::string_view text) {
  std::vector<DropCount> all;
  std::istringstream lines{std::string{text}};
  for (std::string names, numbers; std::getline(lines, names) && std::getline(lines, numbers);) {
    std::istringstream keys{names};
    std::istringstream values{numbers};
    std::string group;
    std::string ignored;
    keys >> group;
    values >> ignored;
    if (group.empty()) continue;
    group.back() = '.';  // was a colon
    int64_t value{};
    for (std::string key; keys >> key && values >> value;)
      if (value > 0 && std::ranges::find(kLosses, group + key) != std::end(kLosses))
        all.push_back({.where = group + key, .packets = static_cast<uint64_t>(value)});
  }
  return all;
}

}  // namespace paceline
