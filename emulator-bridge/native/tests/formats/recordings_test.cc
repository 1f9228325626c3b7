// Recordings by others: what comes of the shipped ones, and our statistics of them and of those at hand against an independent computation.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "formats/trace_file.hh"
#include "tests/recordings.hh"
#include "trace/stats.hh"

using namespace paceline;

namespace {

// A row of the README that lies beside one's own recordings.
struct Row {
  std::string file;
  double duration_s, mean, peak10, std10, peak1s, std1s, out10, out1s, gap_ms, acf_s;
};

// Of the shipped ones, computed elsewhere from their publishers' files.
const std::array<Row, 4> kShipped{{
    {"3g-hspa-citydrive.down.gz", 300, 8.76, 83, 6.2, 15, 2.9, 0.33, 0.12, 367, 10.2},
    {"5g-mmwave-drive-lumos103.rl.gz", 120, 234.25, 1380, 280.4, 1380, 280.4, 0.01, 0.01, 1000, 3.2},
    {"5g-mmwave-walk-lumos101.rl.gz", 120, 604.30, 1640, 485.2, 1640, 485.2, 0, 0, 1, 7.4},
    {"ns3-mmwave-uma-burst.down.gz", 60, 101.90, 1238, 156.1, 116, 4.7, 0.38, 0, 67, 0.1},
}};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> cells;
  std::size_t start = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos;
       start = end + 1, end = text.find(separator, start))
    cells.push_back(text.substr(start, end - start));
  cells.push_back(text.substr(start));
  return cells;
}

std::vector<Row> known_rows() {
  std::ifstream in{testing::more_recordings() / "README.md"};
  std::vector<Row> rows{kShipped.begin(), kShipped.end()};
  for (std::string line; std::getline(in, line);) {
    const auto cells = split(line, '|');
    if (cells.size() < 15 || (cells[1].find(".down") == std::string::npos &&
                              cells[1].find(".rl") == std::string::npos && cells[1].find(".up") == std::string::npos))
      continue;
    const std::string file = cells[1].substr(1, cells[1].find_last_not_of(' '));
    if (std::ranges::any_of(kShipped, [&](const Row& row) { return row.file == file; })) continue;
    const auto number = [&](std::size_t i) { return std::stod(cells[i]); };
    const auto outages = split(cells[11], '/');
    rows.push_back({.file = file,
                    .duration_s = number(5),
                    .mean = number(6),
                    .peak10 = number(7),
                    .std10 = number(8),
                    .peak1s = number(9),
                    .std1s = number(10),
                    .out10 = std::stod(outages[0]),
                    .out1s = std::stod(outages[1]),
                    .gap_ms = number(12),
                    .acf_s = number(13)});
  }
  return rows;
}

bool near(double ours, double published, double tolerance) { return std::abs(ours - published) <= tolerance; }

}  // namespace

TEST_CASE("Statistics of recordings agree with those computed elsewhere") {
  for (const Row& row : known_rows()) {
    CAPTURE(row.file);
    const auto counts = testing::recording(row.file);
    if (!counts) continue;
    const TraceStats stats = trace_stats(*counts);
    CHECK(near(static_cast<double>(stats.period_ms) / 1000, row.duration_s, 0.5));
    CHECK(near(stats.mean_mbps, row.mean, 0.011));
    CHECK(near(stats.peak_10ms_mbps, row.peak10, 0.51));
    CHECK(near(stats.std_10ms_mbps, row.std10, 0.06));
    CHECK(near(stats.peak_1s_mbps, row.peak1s, 0.51));
    CHECK(near(stats.std_1s_mbps, row.std1s, 0.06));
    CHECK(near(stats.share_below_5mbps_10ms, row.out10, 0.0055));
    CHECK(near(stats.share_below_5mbps_1s, row.out1s, 0.0051));
    CHECK(near(static_cast<double>(stats.longest_gap_ms), row.gap_ms, 1));  // the table counts the empty ms between
    REQUIRE(stats.acf_1e_s);
    CHECK(near(*stats.acf_1e_s, row.acf_s, 0.01));
  }
}

// The two that are tables were converted by an independent program, too: the hashes are of what came of that, the others of their publishers' files.
TEST_CASE("The shipped recordings are the very packets of the files that they come from") {
  const std::map<std::string, std::string> known{
      {"3g-hspa-citydrive.down.gz", "b643f2f34cb9a4ebe2dcc571300f69e3e514fd02b7f6de95f0b03b4d21e0e8f5"},
      {"5g-mmwave-drive-lumos103.rl.gz", "bf623cdde2dfc014684060f8164ad8248ce2aa5b47a40f26a75a4fe1940cf250"},
      {"5g-mmwave-walk-lumos101.rl.gz", "08d8dc05d42a88f923ec1d4a60ef6ceee35d52e2a0244c2c1edf177f1fb2f8a4"},
      {"ns3-mmwave-uma-burst.down.gz", "4025e441b17d6bc0127708e5243077a240b745b3fe691074db05c151773aaf5d"}};
  for (const auto& [each_file, sha256] : known) {
    const auto& file = each_file;
    CAPTURE(file);
    const auto counts = testing::recording(file);
    REQUIRE(counts);
    CHECK(trace_sha256(*counts) == sha256);
    if (const auto original = testing::more_recordings() / file; std::filesystem::exists(original))
      CHECK(read_trace_file(original.string()).counts() == *counts);
  }
}
