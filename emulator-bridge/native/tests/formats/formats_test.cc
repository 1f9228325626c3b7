// The forms in which capacity over time may come.

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

#include "core/random.hh"
#include "formats/delay_lines.hh"
#include "formats/file_source.hh"
#include "io/gzip.hh"
#include "tests/formats/captures.hh"
#include "tests/formats/read_format.hh"
#include "trace/text.hh"
#include "trace/write.hh"

using namespace paceline;
using namespace paceline::formats;
using namespace paceline::testing;

namespace {

Reading read(const std::string& content, const Choices& choices = {}) {
  return read_as(format_of(content), content, choices);
}

uint64_t total(const Reading& reading) {
  return std::accumulate(reading.counts.begin(), reading.counts.end(), uint64_t{});
}

std::string code_of(const std::string& content, const Choices& choices = {}) {
  try {
    (void)read(content, choices);
    return "read";
  } catch (const TraceError& error) {
    return error.code();
  }
}

std::string value_of(const Reading& reading, std::string_view option) {
  for (const Option& o : reading.options)
    if (o.name == option) return o.value;
  return "none";
}

}  // namespace

TEST_CASE("every form is recognised by its beginning") {
  const auto id = [](std::string_view head) { return std::string{format_of(head).id}; };
  CHECK(id("0\n3\n3\n7\n") == "trace");
  CHECK(id("\xEF\xBB\xBF# recorded in May\n1 6\n2 16\n") == "trace");
  CHECK(id("1.0\t91.0\n2.0\t12.5\n") == "table");
  CHECK(id("time,mbps\n0,12\n") == "table");
  CHECK(id("{\"start\":{}}") == "iperf3");
  CHECK(id("arrival_ns,sequence,sent_ns\n0,0,0\n") == "recorder-log");
  CHECK(id("Timestamp,Longitude,DL_bitrate,UL_bitrate,State\n") == "g-nettrack");
  CHECK(id("run_num,seq_num,latitude,Throughput\n") == "lumos5g");
  CHECK(id(pcap({})) == "pcap");
  CHECK(id(pcapng({})) == "pcap");
}

TEST_CASE("a table becomes a trace by the integral, whatever separates its columns") {
  const Reading begin = read("time,rate\n10.0,12\n11.0,24\n12.0,0\n");
  CHECK(begin.counts.size() == 3001);
  CHECK(begin.counts[500] == 1);
  CHECK(begin.counts[1500] == 2);
  CHECK(begin.counts[2500] == 0);
  CHECK(begin.source_bytes == 4'500'000);
  for (const char* same :
       {"0\t12.0\n1\t24\n2\t0\n", "0,0;12,0\r\n1,0;24,0\r\n2,0;0,0\r\n", "0.0 6\n0.0 18\n1 24\n2 0\n",
        "# a comment\nt_ms;x_kbps\n0;12000\n1000;24000\n2000;0\n",
        "\"time\",\"rate\"\r\"2024-05-01T10:00:00Z\",\"12\"\r\"2024-05-01T10:00:01Z\",24\r\"2024-05-01T10:00:02Z\",0",
        "when,MB/s of it\n2023.04.05_23.59.59,1.5\n2023.04.06_00.00.00,3\n2023.04.06_00.00.01,0\n"}) {
    CAPTURE(same);
    CHECK(read(same).counts == begin.counts);
  }
  CHECK(total(read("1.0 12\n2.0 24\n", {{"rows", "end"}})) == 3000);
  CHECK(read_as(format_named("table"), "0 12\n1 24\n2 0\n").counts ==
        begin.counts);                                      // said to be a table, not `ms count`
  CHECK(read("mbps\n12\n24\n0\n").counts == begin.counts);  // one row after the other
  CHECK(read("mbps\n12\n24\n0\n", {{"step_ms", "500"}}).counts.size() == 1501);
}

TEST_CASE("missing rows are never filled silently") {
  const std::string holes = "s,mbps\n0,12\n1,12\n2,12\n5,24\n6,24\n";
  CHECK(code_of(holes) == "gap");
  CHECK(total(read(holes, {{"gaps", "hold"}})) == 9000);
  CHECK(total(read(holes, {{"gaps", "zero"}})) == 7000);
  CHECK(total(read(holes, {{"gaps", "zero"}, {"rows", "end"}})) == 7000);
  // Between 12 and 24: 12, 16, 20 for the three seconds from 2 on.
  CHECK(total(read(holes, {{"gaps", "interpolate"}})) == 2000 + 1000 + 1333 + 1667 + 4000);
}

TEST_CASE("a broken table is refused with its line") {
  const auto line_of = [](const std::string& content) -> uint64_t {
    try {
      (void)read(content);
    } catch (const TraceError& error) {
      return error.place() ? error.place()->line : 0;
    }
    return 999;
  };
  CHECK(line_of("time,mbps\n0,12\n1,x\n") == 3);
  CHECK(line_of("time,mbps\n0,12\nyesterday,12\n") == 3);
  CHECK(line_of("time,mbps\n5,12\n1,12\n2,12\n") == 3);
  CHECK(line_of("time,mbps\n0,-1\n1,1\n") == 2);
  CHECK(line_of("a,b,c\n0,1,2\n1,1,2\n") == 2);  // which column?
  for (const char* empty : {"time,mbps\n", "time,mbps\n0,12\n", "time,mbps\n0,0\n1,0\n", "time,mbps\n0,-\n1,-\n"}) {
    CAPTURE(empty);
    CHECK(code_of(empty) != "read");
  }
}

TEST_CASE("totals are kept within a packet, however odd the rates and steps") {
  Random random{5, 0, "formats"};
  for (int round = 0; round < 50; ++round) {
    std::ostringstream table;
    table.precision(12);
    table << "time,mbps\n";
    double at = random.uniform(0, 1000);
    const double step = random.uniform(0.0007, 0.9);
    const auto rows = 2 + random.below(3000);
    for (uint64_t i = 0; i < rows; ++i, at += step * random.uniform(0.8, 1.2))
      table << at << "," << random.uniform(0.01, 900) << "\n";
    const Reading reading = read(table.str(), {{"gaps", "hold"}});
    CHECK(std::abs(static_cast<double>(total(reading) * 1500) - static_cast<double>(reading.source_bytes)) <= 1500);
  }
}

TEST_CASE("G-NetTrack: kbit/s, rows of pings and of other states left out, gaps on a straight line") {
  const std::string table =
      "Timestamp,Longitude,State,DL_bitrate,UL_bitrate,PINGAVG\n"
      "2020.02.14_09.38.22,-8,D,12000,100,-\n2020.02.14_09.38.22,-8,D,36000,100,-\n2020.02.14_09.38.23,-8,D,0,0,45\n"
      "2020.02.14_09.38.23,-8,D,24000,100,-\n2020.02.14_09.38.24,-8,I,0,0,-\n2020.02.14_09.38.25,-8,D,12000,0,-\n";
  const Reading reading = read(table);
  CHECK(reading.counts.size() == 4001);
  // 24 and 24 Mbps; where the second of 24 is missing a straight line to 12 has 18; then 12.
  CHECK(total(reading) == 2000 + 2000 + 1500 + 1000);
  CHECK(reading.notes.size() == 5);  // rows, equal times, other states, no measurement, the gap
  CHECK(value_of(reading, "rate_unit") == "kbps");
}

TEST_CASE("Lumos5G: one run of many, its seconds end at their rows") {
  const std::string table =
      "run_num,seq_num,nrStatus,Throughput\n1,1,CONNECTED,12\n1,2,CONNECTED,24\n2,1,CONNECTED,120\n2,2,CONNECTED,240\n";
  CHECK(total(read(table)) == 3000);
  CHECK(total(read(table, {{"run", "2"}})) == 30000);
  CHECK(code_of(table, {{"run", "3"}}) == "empty");
}

TEST_CASE("iperf3: what arrived in each interval, omitted ones not, up to where the file was cut") {
  const auto interval = [](double from, double to, uint64_t bytes, bool omitted = false) {
    std::ostringstream out;
    out << R"({"streams":[{"socket":5,"start":)" << from << R"(,"end":)" << to << R"(,"bytes":)" << bytes
        << R"(}],"sum":{"start":)" << from << R"(,"end":)" << to << R"(,"seconds":0.1,"bytes":)" << bytes
        << R"(,"omitted":)" << (omitted ? "true" : "false") << "}}";
    return out.str();
  };
  const std::string begin = R"({"start":{"test_start":{"protocol":"UDP","reverse":1}},"intervals":[)";
  const std::string whole = begin + interval(0, 0.1, 999'999, true) + "," + interval(0, 0.100062, 1'500'000) + "," +
                            interval(0.100062, 0.2, 0) + "," + interval(0.2, 0.3001, 150'000) + R"(],"end":{"x":1}})";
  const Reading reading = read(whole);
  CHECK(reading.source_bytes == 1'650'000);
  CHECK(std::abs(static_cast<double>(total(reading)) - 1100) <= 1);
  CHECK(reading.counts.size() == 302);
  CHECK(reading.notes.size() == 1);
  const Reading cut = read(whole.substr(0, whole.size() - 60));
  CHECK(cut.source_bytes == 1'500'000);
  CHECK(cut.notes.size() == 2);
  CHECK(code_of("{\"start\":1}") == "empty");
  CHECK(code_of("{\"start\":") == "json_broken");
  CHECK(code_of("{\"error\":\"unable to connect\"}") == "iperf3_error");
}

TEST_CASE(
    "iperf3: of a report that holds both ends' intervals the receiver's are taken, unless the sender's are asked for") {
  const auto intervals = [](uint64_t bytes, bool sender) {
    const std::string span = R"("start":0,"end":0.1,"bytes":)" + std::to_string(bytes) +
                             R"(,"omitted":false,"sender":)" + (sender ? "true" : "false");
    return R"("intervals":[{"streams":[{"socket":5,)" + span + R"(}],"sum":{)" + span + "}}]";
  };
  const std::string start = R"("start":{"test_start":{"protocol":"TCP"}},)";
  const auto report = [&](bool client_sends) {
    return "{" + start + intervals(150'000, client_sends) + R"(,"end":{},"server_output_json":{)" + start +
           intervals(90'000, !client_sends) + "}}";
  };
  CHECK(read(report(true)).source_bytes == 90'000);
  CHECK(read(report(true), {{"side", "sender"}}).source_bytes == 150'000);
  CHECK(read(report(false)).source_bytes == 150'000);
  CHECK(value_of(read(report(true)), "side") == "receiver");
  CHECK(value_of(read(report(false)), "side") == "none");
}

TEST_CASE("iperf3 line by line is read as the whole report is, and a broken packing is not its end") {
  const std::string first =
      R"({"streams":[{"start":0,"end":0.1,"bytes":1500000},{"start":0,"end":0.1,"bytes":500000}]})";
  const std::string second = R"({"streams":[{"start":0.1,"end":0.2,"bytes":900000}],)"
                             R"("sum":{"start":0.1,"end":0.2,"bytes":900000,"omitted":false}})";
  const std::string start = R"({"test_start":{"protocol":"TCP"}})";
  const auto line = [](const std::string& event, const std::string& data) {
    return R"({"event":")" + event + R"(","data":)" + data + "}\n";
  };
  for (const std::string& interval : {first, second}) {
    const Reading whole = read(R"({"start":)" + start + R"(,"intervals":[)" + interval + R"(],"end":{}})");
    const std::string lines = line("start", start) + line("interval", interval);
    const Reading by_lines = read(lines + line("end", "{}"));
    CHECK(by_lines.counts == whole.counts);
    CHECK(by_lines.source_bytes == whole.source_bytes);
    CHECK(by_lines.notes == whole.notes);
    const Reading cut = read(lines + line("interval", interval).substr(0, 40));
    CHECK(cut.counts == whole.counts);
    CHECK(cut.notes.size() == whole.notes.size() + 1);
    CHECK(code_of(lines + lines) == "several_tests");
  }
  CHECK(code_of(line("start", start)) == "empty");
  CHECK(code_of(line("start", start) + line("error", R"("unable to connect")")) == "iperf3_error");
  CHECK(code_of(R"({"event":)") == "json_broken");
  const std::string packed = gzip(line("start", start) + line("interval", second) + std::string(100'000, '\n'));
  FileSource source{[&packed] {
                      return ByteReader{[left = std::string_view{packed}.substr(0, packed.size() - 12)]() mutable {
                        return std::span<const char>{std::exchange(left, {})};
                      }};
                    },
                    false};
  Reading reading{};
  CHECK_THROWS_AS(format_named("iperf3").read(source, {}, reading), TraceError);
}

TEST_CASE("the recorder's log: an opportunity for every 1500 bytes that came") {
  const std::string log = "arrival_ns,sequence,sent_ns\n0,0,0\n400000,1,1\n1500000,2,2\n9000000,3,3\n";
  const Reading reading = read(log);
  CHECK(reading.counts == std::vector<uint32_t>{0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 1});
  CHECK(total(read(log, {{"packet_bytes", "1400"}})) == 3);
  CHECK(code_of("arrival_ns,sequence,sent_ns\n0,0,0\n400") == "not_a_number");
}

TEST_CASE("microseconds: an opportunity belongs to the millisecond that ends with it or after it") {
  const Reading reading = read("500\n1000\n1001\n2500\n", {{"time_unit", "us"}});
  CHECK(reading.counts == std::vector<uint32_t>{0, 2, 1, 1});
  CHECK(code_of("7\n5\n", {{"time_unit", "us"}}) == "decreasing");
}

TEST_CASE("tables whose times are far apart are refused instead of filling the memory") {
  CHECK(code_of("t,mbps\n-9000000000,1\n9000000000,1\n") == "too_long");
  CHECK(code_of("t,mbps\n0,1\n86400.5,1\n", {{"rows", "end"}, {"gaps", "hold"}}) == "too_long");
  CHECK(code_of("t,mbps\n0,1\n86400,1\n") == "too_long");  // the last row would hold for another day
}

TEST_CASE("a straight line over a long gap takes no finer steps than a trace has") {
  // The usual step is a nanosecond, the gap an hour.
  const std::string table = "ns,mbps\n0,12\n1,12\n2,12\n3600000000000,12\n";
  const Reading reading = read(table, {{"gaps", "interpolate"}});
  CHECK(reading.counts.size() == 3'600'002);
  CHECK(total(reading) == 3'600'000);
}

TEST_CASE("tables that are too wide are refused, names of recordings are kept short") {
  std::string wide = "time";
  for (int i = 0; i < 1000; ++i) wide += ",mbps";
  CHECK(code_of(wide + "\n0,1\n") == "too_many_columns");
  CHECK(code_of("time,mbps\n0," + std::string(70'000, '1') + "\n") == "line_too_long");
}

TEST_CASE("microseconds are whole numbers within a day") {
  CHECK(code_of("1\n2.5\n3\n", {{"time_unit", "us"}}) != "read");
  CHECK(code_of("1\n100000000000000000000\n", {{"time_unit", "us"}}) == "too_long");
}

TEST_CASE("iperf3 intervals of any length and time are read or refused") {
  const auto file = [](const std::string& sums) { return R"({"intervals":[)" + sums + "]}"; };
  const auto sum = [](const std::string& start, const std::string& end, const std::string& bytes) {
    return R"({"sum":{"start":)" + start + R"(,"end":)" + end + R"(,"bytes":)" + bytes + "}}";
  };
  CHECK(code_of(file(sum("0", "1e300", "1"))) == "too_long");
  CHECK(code_of(file(sum("-1e300", "1", "1"))) == "too_long");
  CHECK(code_of(file(sum("0", "1e-200", "1500") + "," + sum("1e-200", "1", "1500"))) == "read");
  CHECK(code_of(file(sum("0", "0.001", "1e300"))) == "rate_range");
  CHECK(code_of("{\"a\":" + std::string(100, '[')) == "json_broken");
  CHECK(code_of("{\"a\":\"" + std::string(5'000'000, 'x') + "\"}") == "json_broken");
  // Intervals that are no whole nanoseconds: nothing is lost between them.
  std::string many;
  for (int i = 0; i < 10'000; ++i)
    many += (i == 0 ? "" : ",") +
            sum(std::to_string(i) + "e-4", std::to_string(i + 1) + "e-4", i % 3 == 0 ? "1000" : "1001");
  const Reading reading = read(file(many));
  CHECK(std::abs(static_cast<double>(reading.source_bytes) - static_cast<double>(total(reading)) * 1500) < 1500);
}

TEST_CASE("captures with impossible times and lengths") {
  std::string frame = udp_frame(1, 2, 0);  // its length is left to the network card
  CHECK(code_of(pcap({{1, frame, 10}})) == "empty");
  CHECK(read(pcap({{1, frame, 1514}})).source_bytes == 1500);
  std::string file = pcapng({{1, udp_frame(1, 2, 1500), 1514}, {2, udp_frame(1, 2, 1500), 1514}});
  const std::size_t second = file.rfind(std::string_view{"\x06\0\0\0", 4});
  file.replace(second + 12, 4, "\xFF\xFF\xFF\xFF");
  CHECK(code_of(file) != "read");
}

TEST_CASE("packet captures: the largest flow, another one, or all to an address") {
  std::vector<CapturedFrame> packets;
  for (int i = 0; i < 100; ++i) {
    packets.push_back({10 + i * 0.0005, udp_frame(1, 2, 1500), 1514});
    if (i % 2 == 0) packets.push_back({10 + i * 0.0005, udp_frame(2, 1, 60), 74});
    if (i % 4 == 0) packets.push_back({10 + i * 0.0005, udp_frame(3, 2, 1500), 1514});
  }
  for (const std::string& file : {pcap(packets), pcapng(packets)}) {
    const Reading largest = read(file);
    CHECK(value_of(largest, "flow") == "udp 10.0.0.1:5000 > 10.0.0.2:5001");
    CHECK(largest.source_bytes == 150'000);
    CHECK(total(largest) == 100);
    CHECK(largest.counts.size() == 51);
    CHECK(largest.counts[1] == 2);
    CHECK(read(file, {{"flow", "udp 10.0.0.3:5000 > 10.0.0.2:5001"}}).source_bytes == 37'500);
    CHECK(read(file, {{"to", "10.0.0.2"}}).source_bytes == 187'500);
    CHECK(code_of(file, {{"to", "10.0.0.9"}}) == "empty");
    CHECK(code_of(file, {{"flow", "udp nobody"}}) == "option");
    const Reading cut = read(file.substr(0, file.size() - 20));
    CHECK(cut.notes.back().find("cut") != std::string::npos);
  }
  CHECK(code_of(pcap({})) == "empty");
  CHECK(code_of("\xD4\xC3\xB2\xA1 not really") == "capture_broken");
}

TEST_CASE("what is written is read back the same") {
  Random random{6, 0, "formats"};
  for (int round = 0; round < 20; ++round) {
    std::vector<uint32_t> counts(20'000 + random.below(1000));
    for (auto& n : counts) n = static_cast<uint32_t>(random.below(4));
    counts.back() = 1;
    std::string compact;
    std::string lines;
    write_ms_count(counts, [&compact](std::string_view text) { compact += text; });
    write_mahimahi(counts, [&lines](std::string_view text) { lines += text; });
    CHECK(read(compact).counts == counts);
    CHECK(read(lines).counts == counts);
  }
}

TEST_CASE("delays that were measured: with or without times, and what is none is refused with its line") {
  const auto delays = [](const std::string& text, double interval_ms = 1000) {
    FileSource source{[&text] {
      return ByteReader{
          [left = std::string_view{text}]() mutable { return std::span<const char>{std::exchange(left, {})}; }};
    }};
    return read_delay_lines(source, interval_ms);
  };
  const DelayLines timed = delays("time_ms,delay_ms\n# a comment\n500, 12.5\r\n\n600;40\n750\t8\n");
  CHECK(timed.times_ms == std::vector<double>{0, 100, 250});
  CHECK(timed.delays_ms == std::vector<double>{12.5, 40, 8});
  CHECK(delays("12\n+13\n", 200).times_ms == std::vector<double>{0, 200});
  const auto line_of = [&](const std::string& text) -> uint64_t {
    try {
      (void)delays(text);
    } catch (const TraceError& error) {
      return error.place() ? error.place()->line : 1000;
    }
    return 0;
  };
  CHECK(line_of("") == 1000);
  CHECK(line_of("delay_ms\n") == 1000);
  CHECK(line_of("1\nNaN\n") == 2);
  CHECK(line_of("NaN\n") == 1);
  CHECK(line_of("1e999\n") == 1);
  CHECK(line_of("0,1\n0,2\n") == 2);
  CHECK(line_of("0,1\n5\n") == 2);
  CHECK(line_of("1,2,3\n") == 1);
  CHECK(line_of("5\n-1\n") == 2);
  CHECK(line_of("60001\n") == 1);
  CHECK(line_of("0,1\n86400001,1\n") == 2);
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "1\n";
  CHECK(line_of(many) == 0);
  CHECK(line_of(many + "1\n") == 10'001);
}
