// What an application wrote when, from a recording.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "formats/packet_times.hh"
#include "tests/formats/captures.hh"
#include "tests/formats/memory_source.hh"
#include "trace/text.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

formats::PacketTimes read(const std::string& file) {
  MemorySource source{file};
  return formats::read_packet_times(source, 100'000);
}

std::string refusal_of(const std::string& file) {
  try {
    (void)read(file);
  } catch (const TraceError& error) {
    return error.what();
  }
  return "read";
}

void check(const std::string& file, const std::vector<double>& times_ms, const std::vector<uint64_t>& bytes) {
  const formats::PacketTimes packets = read(file);
  CHECK(packets.times_ms == times_ms);
  CHECK(packets.bytes == bytes);
}

bool mentions(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("a table is two columns, with a heading or without, from the first packet on") {
  check("time_s,bytes\n10,1500\n10.00025,60\n11.5,400\n", {0, 0.25, 1500}, {1500, 60, 400});
  check("# a comment\r\n0 1500\r\n0.00025 60\r\n1.5 400\r\n", {0, 0.25, 1500}, {1500, 60, 400});
}

TEST_CASE("a table may be out of order, as captures of several queues are") {
  check("2,20\n1,10\n3,30", {0, 1000, 2000}, {10, 20, 30});
}

TEST_CASE("a table is refused with the line") {
  CHECK(refusal_of("time,size\n0,1") == "line 1: the columns must be time_s and bytes, not time and size");
  CHECK(refusal_of("0,1500\n1,many") == "line 2: many is not a whole number of bytes");
  CHECK(refusal_of("0,1500\n1,0") == "line 2: 0 is not a whole number of bytes");
  CHECK(refusal_of("0,1500,3") == "line 1: must be a time in seconds and a number of bytes");
  CHECK(refusal_of("\n") == "there is no packet in it");
  std::string many;
  for (int i = 0; i < 100'001; ++i) many += "0 1\n";
  CHECK(refusal_of(many) == "it has 100001 packets, more than 100000: cut it");
}

TEST_CASE("a capture counts bytes at IP level, whatever it kept of them, in both byte orders and resolutions") {
  const std::string head = udp_frame(1, 2, 1500).substr(0, 20);  // not even the IP header
  const std::vector<CapturedFrame> packets{{1'700'000'000.5, head, 1514}, {1'700'000'001, head, 1514}};
  check(pcap(packets), {0, 500}, {1500, 1500});
  check(pcap(packets, {.big_endian = true}), {0, 500}, {1500, 1500});
  check(pcap(packets, {.nano = true}), {0, 500}, {1500, 1500});
  const std::string ip = udp_frame(1, 2, 1400).substr(14);
  check(pcap({{5, ip, 1400}, {6, ip.substr(0, 2), 74}}, {.link = 101}), {0, 1000}, {1400, 74});
}

TEST_CASE("a capture is refused when it is cut, or of an unknown link") {
  const std::string whole = pcap({{1, udp_frame(1, 2, 1500), 1514}});
  CHECK(mentions(refusal_of(whole.substr(0, whole.size() - 3)), "ends in the middle of a packet"));
  CHECK(mentions(refusal_of(pcap({}, {.link = 105})), "IEEE802_11 is not known here"));
}

TEST_CASE("a pcapng capture has its own clock per interface") {
  const std::string frame = udp_frame(1, 2, 1500);
  const std::string small = udp_frame(1, 2, 60);
  for (const bool big : {false, true}) {
    CAPTURE(big);
    check(pcapng_section(big) + pcapng_interface(0, big) + pcapng_packet(1'000'000, frame, 1514, big) +
              pcapng_packet(1'000'250, small, 74, big),
          {0, 0.25}, {1500, 60});
  }
  constexpr uint64_t kLate = uint64_t{1} << 32U;
  check(pcapng_section() + pcapng_interface(9) + pcapng_packet(kLate, frame, 1514) +
            pcapng_packet(kLate + 2'000'000, small, 74),
        {0, 2}, {1500, 60});
}

TEST_CASE("a pcapng capture is refused when a block cannot be") {
  const std::string frame = udp_frame(1, 2, 60);
  CHECK(mentions(refusal_of(pcapng_section() + pcapng_packet(0, frame, 74)), "before any Interface Description"));
  CHECK(refusal_of(pcapng_section() + pcapng_interface() + CaptureWriter{false}.block(3, "1234").bytes) != "read");
  const std::string whole = pcapng_section() + pcapng_interface() + pcapng_packet(0, frame, 74);
  CHECK(mentions(refusal_of(whole.substr(0, whole.size() - 20)), "middle"));
}
