// What libFuzzer calls, over and over: a file of any form is read, with options, packed or not, and what comes of it is reported as
// paceline-trace does. Refusing is fine; crashing, hanging, leaking, losing a packet or a trace that cannot be read back are not.

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "formats/file_source.hh"
#include "formats/iperf3_report.hh"
#include "formats/packet_times.hh"
#include "formats/trace_reading.hh"
#include "formats/trace_report.hh"
#include "fuzz/choices.hh"
#include "fuzz/zstd_frame.hh"
#include "io/byte_reader.hh"
#include "io/gzip.hh"
#include "trace/write.hh"

using namespace paceline;

namespace {

// How many inputs each format was given, and how many of them it read; said at the end.
class Tally {
 public:
  Tally() = default;
  ~Tally() {
    for (const auto& [format, n] : of_)
      std::fprintf(stderr, "inputs of %s: %lu, read %lu\n", format.c_str(), n.given, n.read);
  }
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  void given(std::string_view format, bool read) {
    auto found = of_.find(format);
    if (found == of_.end()) found = of_.emplace(format, Count{}).first;
    ++found->second.given;
    found->second.read += read ? 1 : 0;
  }

 private:
  struct Count {
    unsigned long given{};
    unsigned long read{};
  };
  std::map<std::string, Count, std::less<>> of_{};
};

// A usual input takes a fraction of a millisecond, the slowest half a second. Of processor time: fuzzing has what others leave over,
// and by the clock on the wall (libFuzzer's own limit) whatever is kept waiting hangs.
constexpr time_t kHangS = 10;

void hangs(int) {
  constexpr std::string_view kWhat = "hang: an input took too much processor time\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kWhat.data(), kWhat.size());
  std::abort();  // libFuzzer keeps the input
}

// As long as it lives one input is being read; what libFuzzer does in between is not counted.
class HangLimit {
 public:
  HangLimit() {
    static const auto before = ::signal(SIGPROF, hangs);
    (void)before;
    set(kHangS);
  }
  ~HangLimit() { set(0); }
  HangLimit(const HangLimit&) = delete;
  HangLimit& operator=(const HangLimit&) = delete;

 private:
  static void set(time_t seconds) {
    const itimerval limit{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
    ::setitimer(ITIMER_PROF, &limit, nullptr);
  }
};

std::string packed(const fuzz::Chosen& chosen) {
  const std::string file{chosen.file};
  switch (chosen.packing) {
    case fuzz::Packing::gzip:
      return gzip(file);
    case fuzz::Packing::zstd:
      return fuzz::zstd_frame(file);
    case fuzz::Packing::two_members:
      return gzip(file.substr(0, file.size() / 2)) + gzip(file.substr(file.size() / 2));
    case fuzz::Packing::cut: {
      const std::string whole = gzip(file);
      return whole.substr(0, whole.size() * 3 / 4);
    }
    case fuzz::Packing::as_it_is:
      break;
  }
  return file;
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void check(const TraceFile& file, bool report) {
  const std::vector<uint32_t>& counts = file.counts();
  require(counts.size() >= 2 && counts.size() - 1 <= kMaxTracePeriodMs, "a period of 1 ms to a day");
  const uint64_t opportunities = std::accumulate(counts.begin(), counts.end(), uint64_t{});
  require(opportunities > 0, "an opportunity");
  // What was delivered is kept within a packet, and within the rounding of rates to whole bits per second.
  const double lost = static_cast<double>(file.reading.source_bytes) - static_cast<double>(opportunities) * 1500;
  const double rounding = static_cast<double>(counts.size()) / 1000 + 1;
  require(std::abs(lost) < 1500 + rounding, "every byte but those of the last packet");

  TraceTextParser parser{TraceTextParser::Ambiguous::accept};
  write_ms_count(counts, [&parser](std::string_view text) { parser.feed(text); });
  require(parser.finish().counts == counts, "the written trace read back");
  if (!report) return;
  (void)json_text(trace_info_json(file, trace_stats(counts), trace_sha256(counts)));
  (void)json_text(trace_preview_json(trace_preview(counts, 100, 0, kMaxTracePeriodMs)));
}

// What a report of iperf3 tells goes to another program, which must be able to read it.
void check_report(const std::string& bytes, std::size_t chunk) {
  formats::FileSource source{[&bytes, chunk] {
    return ByteReader{[left = std::string_view{bytes}, chunk]() mutable -> std::span<const char> {
      const std::string_view next = left.substr(0, chunk);
      left.remove_prefix(next.size());
      return next;
    }};
  }};
  try {
    require(nlohmann::json::accept(formats::iperf3_report_json(source)), "a report that is JSON");
  } catch (const TraceError&) {
  }
}

// False: it was refused.
bool read(const fuzz::Chosen& chosen, TraceFile& file) {
  const std::string bytes = packed(chosen);
  if (chosen.report) check_report(bytes, chosen.chunk);
  formats::FileSource source{[&bytes, &chosen] {
    return ByteReader{[left = std::string_view{bytes}, chunk = chosen.chunk]() mutable -> std::span<const char> {
      const std::string_view next = left.substr(0, chunk);
      left.remove_prefix(next.size());
      return next;
    }};
  }};
  try {
    if (chosen.recording) {
      const formats::PacketTimes packets = formats::read_packet_times(source, 1000);
      require(packets.bytes.size() == packets.times_ms.size(), "a time for each packet");
      require(std::ranges::is_sorted(packets.times_ms), "packets in order");
      return true;
    }
    read_trace_source(source, chosen.format == nullptr ? "" : std::string{chosen.format->id}, chosen.options, file);
    return true;
  } catch (const TraceError& error) {
    if (chosen.report) (void)json_text(trace_problem_json(error));
    if (chosen.report && file.format != nullptr) (void)json_text(trace_source_json(file));
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Tally tally;
  const auto chosen = fuzz::chosen_by({reinterpret_cast<const char*>(data), size});
  if (!chosen) return -1;  // not worth keeping
  const HangLimit limit;
  TraceFile file{};
  const bool whole = read(*chosen, file);
  tally.given(chosen->recording ? "recording" : file.format == nullptr ? "nothing known" : file.format->id, whole);
  if (whole && !chosen->recording) check(file, chosen->report);
  return 0;
}
