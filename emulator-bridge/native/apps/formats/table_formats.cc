// The tables that data sets of cellular links come as.

#include <algorithm>

#include "apps/formats/cells.hh"
#include "apps/formats/formats.hh"
#include "apps/formats/table.hh"

namespace paceline::formats {

namespace {

bool first_line_has(std::string_view head, std::initializer_list<std::string_view> words) {
  const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  return std::ranges::all_of(words,
                             [line](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

bool by_upload(const Choices& choices) {
  const auto rate = choices.find("rate");
  return rate != choices.end() && rate->second == "UL_bitrate";
}

}  // namespace

// G-NetTrack Pro, as in 5Gdataset (Raca et al., MMSys 2020): kbit/s once a second; rows of a ping have no bit rate; only rows of a
// download (State D) say what the link could carry.
const Format kGNetTrack{
    .id = "g-nettrack",
    .label = "G-NetTrack (5Gdataset)",
    .recognises =
        [](std::string_view head) {
          return first_line_has(head, {"Timestamp", "DL_bitrate", "UL_bitrate"});
        },
    .read =
        [](Source& source, const Choices& choices, Reading& reading) {
          read_table(source, choices,
                     {.time_column = "Timestamp",
                      .rate_column = "DL_bitrate",
                      .rate_unit = "kbps",
                      .gaps = "interpolate",
                      .filter_column = "State",
                      .filter_values = by_upload(choices) ? "U" : "D",
                      .missing_column = "PINGAVG"},
                     reading);
        },
    .lines = true,
};

// Lumos5G (Narayanan et al., IMC 2020): Mbps of the second that ended, many runs in one file.
const Format kLumos5G{
    .id = "lumos5g",
    .label = "Lumos5G",
    .recognises =
        [](std::string_view head) {
          return first_line_has(head, {"run_num", "seq_num", "Throughput"});
        },
    .read =
        [](Source& source, const Choices& choices, Reading& reading) {
          read_table(source, choices,
                     {.time_column = "seq_num",
                      .rate_column = "Throughput",
                      .rate_unit = "Mbps",
                      .time_unit = "s",
                      .rows = "end",
                      .group_column = "run_num"},
                     reading);
        },
    .lines = true,
};

const Format kTable{
    .id = "table",
    .label = "Table of time and rate",
    .recognises = [](std::string_view) { return true; },
    .read = [](Source& source, const Choices& choices, Reading& reading) { read_table(source, choices, {}, reading); },
    .lines = true,
};

}  // namespace paceline::formats
