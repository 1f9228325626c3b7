// Every form that is written is read back: as the same trace, or where a form knows only rates, as one with the same
// packets at the end of each of its rows.

#include <doctest/doctest.h>

#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

#include <unistd.h>

#include "core/random.hh"
#include "formats/netem_script.hh"
#include "formats/trace_file.hh"
#include "io/gzip.hh"
#include "trace/write.hh"

using namespace paceline;
namespace fs = std::filesystem;

namespace {

using Counts = std::vector<uint32_t>;

// Dense and sparse ones, some with opportunities at 0, with long pauses, with a pause at the end.
Counts random_trace(Random& random) {
  Counts counts(2 + random.below(5000));
  const uint64_t most = 1 + random.below(random.below(4) == 0 ? 3000 : 8);
  const uint64_t share = 1 + random.below(20);
  bool pause = false;
  for (uint32_t& n : counts) {
    if (random.below(200) == 0) pause = !pause;
    n = pause || random.below(20) >= share ? 0 : static_cast<uint32_t>(random.below(most + 1));
  }
  if (random.below(3) == 0)
    std::fill(counts.end() - 1 - static_cast<std::ptrdiff_t>(counts.size() / 4), counts.end(), 0);
  counts[1] += 1;  // never nothing at all
  return counts;
}

uint64_t total(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), uint64_t{}); }

// As the lap repeats: what is at 0 happens at the end of each lap.
Counts folded(Counts counts) {
  counts.back() += counts.front();
  counts.front() = 0;
  return counts;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

class Files {
 public:
  Files() : path_{fs::temp_directory_path() / ("paceline-round-trip-" + std::to_string(::getpid()))} {}
  ~Files() { fs::remove(path_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  // Read as it is, with gzip and with zstd: one and the same.
  Counts read(const std::string& text, const std::string& format = {}, const formats::Choices& choices = {}) const {
    const Counts plain = read_one(text, format, choices);
    REQUIRE(read_one(gzip(text), format, choices) == plain);
    REQUIRE(read_one(zstd(text), format, choices) == plain);
    return plain;
  }

 private:
  Counts read_one(const std::string& bytes, const std::string& format, const formats::Choices& choices) const {
    std::ofstream{path_, std::ios::binary} << bytes;
    return read_trace_file(path_.string(), format, choices).counts();
  }
  fs::path path_;
};

template <typename Write>
std::string written(Write write) {
  std::string text;
  write([&text](std::string_view piece) { text += piece; });
  return text;
}

std::string table_of(const Counts& counts, uint64_t step_ms) {
  return written([&](auto sink) { write_rate_table(counts, step_ms, sink); });
}

constexpr int kTraces = 150;

}  // namespace

TEST_CASE("ms count and Mahimahi come back as the same trace, plain, with gzip and with zstd") {
  Random random{11, 0, "traces"};
  const Files files;
  for (int i = 0; i < kTraces; ++i) {
    CAPTURE(i);
    const Counts counts = random_trace(random);
    const std::string ms_count = written([&](auto sink) { write_ms_count(counts, sink); });
    CHECK(files.read(ms_count, "trace", {{"columns", "ms count"}}) == counts);
    if (counts.back() == 0) continue;
    const Counts back = files.read(written([&](auto sink) { write_mahimahi(counts, sink); }));
    CHECK(back == counts);
    CHECK(trace_sha256(back) == trace_sha256(counts));
  }
}

TEST_CASE("A table of 1 ms steps comes back with the very same opportunities") {
  Random random{12, 0, "traces"};
  const Files files;
  for (int i = 0; i < kTraces; ++i) {
    CAPTURE(i);
    const Counts counts = random_trace(random);
    CHECK(files.read(table_of(counts, 1)) == folded(counts));
  }
}

TEST_CASE("A table of any step comes back with the same length and, at the end of every row, the same packets") {
  Random random{13, 0, "traces"};
  const Files files;
  for (int i = 0; i < kTraces; ++i) {
    const Counts counts = folded(random_trace(random));
    const uint64_t step_ms = 1 + random.below(random.below(2) == 0 ? 30 : 3000);
    CAPTURE(i);
    CAPTURE(step_ms);
    const Counts back = files.read(table_of(counts, step_ms));
    REQUIRE(back.size() == counts.size());
    CHECK(total(back) == total(counts));
    const RateTableRows rows{counts.size() - 1, step_ms};
    uint64_t packets = 0;
    uint64_t packets_back = 0;
    for (uint64_t row = 0, ms = 0; row < rows.count(); ++row) {
      for (const uint64_t end = ms + rows.length_ms(row); ms < end;) {
        ++ms;
        packets += counts[ms];
        packets_back += back[ms];
      }
      REQUIRE(packets_back == packets);
    }
  }
}

TEST_CASE("A table says what it cannot hold") {
  CHECK_THROWS_WITH(table_of({0, 3}, 1), doctest::Contains("at least 2 ms"));
  CHECK_THROWS_WITH(table_of({0, 90'000, 90'000}, 1), doctest::Contains("1 Tbit/s"));
  CHECK_THROWS_WITH(table_of({0, 1, 1}, 0), doctest::Contains("step"));
  CHECK(table_of({3, 0, 0, 0, 1}, 2) == "time_s,rate_mbps\n0,0\n0.002,24\n");
  CHECK(table_of({0, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 2) ==
        "time_s,rate_mbps\n0,12\n0.002,12\n0.004,12\n0.006,12\n0.007,12\n");
}

TEST_CASE("The steps of a netem script carry the trace's packets, and outages are held until they are over") {
  Random random{14, 0, "traces"};
  const std::regex word{R"((?:\+(\d+),)?(\d+))"};
  for (int i = 0; i < kTraces; ++i) {
    const Counts counts = random_trace(random);
    const uint64_t step_ms = 10 + random.below(200);
    CAPTURE(i);
    CAPTURE(step_ms);
    const std::string script = written(
        [&](auto sink) { write_netem_script(counts, {.name = "x\ny", .sha256 = "h", .step_ms = step_ms}, sink); });
    CHECK(script.find("# trace    x y\n") != std::string::npos);
    const std::size_t from = script.find("steps=(") + 7;
    const std::string list = script.substr(from, script.find(')', from) - from);
    const uint64_t period_ms = counts.size() - 1;
    uint64_t at_ms = 0;
    uint64_t sent = 0;
    uint64_t owed = 0;
    for (std::sregex_iterator it{list.begin(), list.end(), word}, end; it != end; ++it) {
      const uint64_t length_ms = std::min(step_ms, period_ms - at_ms);
      uint64_t here = 0;
      for (uint64_t ms = at_ms + 1; ms <= at_ms + length_ms; ++ms) here += counts[ms];
      if (at_ms + length_ms == period_ms) here += counts[0];
      owed += here * 12'000'000;
      REQUIRE((*it)[1].matched == (here == 0));
      if (here > 0) sent += std::stoull((*it)[2]) * length_ms;
      at_ms += length_ms;
      REQUIRE(sent >= owed);
      REQUIRE(sent - owed < 12'000'000);
    }
    CHECK(at_ms == period_ms);
  }
}
