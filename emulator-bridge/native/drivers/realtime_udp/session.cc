#include "drivers/realtime_udp/session.hh"

#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

#include <nlohmann/json.hpp>

namespace paceline {

namespace {

using nlohmann::json;

[[noreturn]] void refuse_go(const std::string& why) { throw std::invalid_argument{"the go line is wrong: " + why}; }

uint16_t port(const json& value, const char* whose) {
  constexpr int64_t kHighest = 65535;
  if (!value.is_number_integer() || value.get<int64_t>() < 1 || value.get<int64_t>() > kHighest)
    refuse_go(std::string{whose} + " is not a port");
  return value.get<uint16_t>();
}

std::vector<uint16_t> ports(const json& list, const char* whose, std::size_t flows) {
  if (!list.is_array() || list.size() != flows) refuse_go(std::string{whose} + " must be a list of one port per flow");
  std::vector<uint16_t> out;
  for (const json& value : list) out.push_back(port(value, whose));
  return out;
}

// The line as JSON; everything but its start is for the caller to look at.
json go_of(std::string_view line) {
  const json go = json::parse(line, nullptr, false);
  if (!go.is_object() || go.value("type", json{}) != "go") refuse_go("it is not {\"type\":\"go\",...}");
  const json start = go.value("start_ns", json{});
  if (!start.is_number_integer() || start.get<int64_t>() < 0) refuse_go("start_ns is not a time of CLOCK_MONOTONIC");
  return go;
}

}  // namespace

Go parse_go(std::string_view line, std::size_t flows) {
  const json go = go_of(line);
  const json all = go.value("ports", json{});
  if (!all.is_object()) refuse_go("ports are missing");
  return {.start_ns = go["start_ns"].get<int64_t>(),
          .emulator = port(all.value("emulator", json{}), "emulator"),
          .senders = ports(all.value("senders", json{}), "senders", flows),
          .receivers = ports(all.value("receivers", json{}), "receivers", flows)};
}

int64_t parse_start(std::string_view line) { return go_of(line)["start_ns"].get<int64_t>(); }

// Byte by byte: what follows the line belongs to nobody, but its end must be noticed later.
std::optional<std::string> read_line(int fd) {
  constexpr std::size_t kLongest = 1 << 16;
  std::string line;
  for (char c{};;) {
    const ssize_t got = ::read(fd, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::system_error{errno, std::generic_category(), "read"};
    if (got == 0) return std::nullopt;
    if (c == '\n') return line;
    if (line.size() == kLongest) refuse_go("it is too long");
    line += c;
  }
}

std::optional<Go> read_go(int fd, std::size_t flows) {
  const auto line = read_line(fd);
  return line ? std::optional{parse_go(*line, flows)} : std::nullopt;
}

}  // namespace paceline
