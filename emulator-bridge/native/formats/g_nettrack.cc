// G-NetTrack Pro, as in 5Gdataset (Raca et al., MMSys 2020): kbit/s once a second; rows of a ping have no bit rate; only rows of a
// download (State D) say what the link could carry.

#include "formats/registry.hh"
#include "formats/table.hh"

namespace paceline::formats {

namespace {

bool by_upload(const Choices& choices) {
  const auto rate = choices.find("rate");
  return rate != choices.end() && rate->second == "UL_bitrate";
}

const RegisterFormat register_g_nettrack{{
    .id = "g-nettrack",
    .label = "G-NetTrack (5Gdataset)",
    .extensions = {".txt", ".csv"},
    .priority = 60,
    .recognises =
        [](std::string_view head) {
          return header_has(head, {"Timestamp", "DL_bitrate", "UL_bitrate"});
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
    .fuzz = table_fuzz_options(),
}};

}  // namespace

}  // namespace paceline::formats
