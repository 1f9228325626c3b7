// Real recordings, where they are at hand: our statistics against an independent computation of them.

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "apps/formats/formats.hh"
#include "apps/trace_file.hh"
#include "link/trace_stats.hh"
#include "tests/apps/memory_source.hh"
#include "tests/repository.hh"

using namespace paceline;

namespace {

// A row of the table in shared/traces/README.md.
struct Row {
  std::string file;
  double duration_s, mean, peak10, std10, peak1s, std1s, out10, out1s, gap_ms, acf_s;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> cells;
  std::size_t start = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos;
       start = end + 1, end = text.find(separator, start))
    cells.push_back(text.substr(start, end - start));
  cells.push_back(text.substr(start));
  return cells;
}

std::vector<Row> published_rows() {
  std::ifstream in{testing::shared_traces() / "README.md"};
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    const auto cells = split(line, '|');
    if (cells.size() < 15 || (cells[1].find(".down") == std::string::npos &&
                              cells[1].find(".rl") == std::string::npos && cells[1].find(".up") == std::string::npos))
      continue;
    const auto number = [&](std::size_t i) { return std::stod(cells[i]); };
    const auto outages = split(cells[11], '/');
    rows.push_back({.file = cells[1].substr(1, cells[1].find_last_not_of(' ')),
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

std::string read_rows(const std::filesystem::path& path, int rows) {
  std::ifstream in{path};
  std::string text;
  std::string line;
  for (int i = 0; i < rows && std::getline(in, line); ++i) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("Statistics of real traces agree with those computed elsewhere") {
  const std::vector<Row> rows = published_rows();
  if (rows.empty()) {
    MESSAGE("skipped: there are no real traces at " << testing::shared_traces().string());
    return;
  }
  CHECK(rows.size() >= 14);
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const TraceStats stats = trace_stats(read_trace_file((testing::shared_traces() / row.file).string()).counts());
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

TEST_CASE("The conversion rule gives the same trace, bit for bit, as an independent converter") {
  const auto folder = testing::shared_traces();
  if (!std::filesystem::exists(folder)) {
    MESSAGE("skipped: there are no real traces at " << folder.string());
    return;
  }
  for (const std::string name : {"5g-mmwave-walk-lumos101", "5g-mmwave-drive-lumos103"}) {
    CAPTURE(name);
    testing::MemorySource source{read_rows(folder / (name + ".txt"), 120)};
    formats::Reading reading{};
    formats::kTable.read(source, {{"rows", "end"}}, reading);
    CHECK(reading.counts == read_trace_file((folder / (name + ".rl.gz")).string()).counts());
  }
}
