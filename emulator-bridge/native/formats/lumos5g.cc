// Lumos5G (Narayanan et al., IMC 2020): Mbps of the second that ended, many runs in one file.

#include "formats/registry.hh"
#include "formats/table.hh"

namespace paceline::formats {

namespace {

const RegisterFormat register_lumos5g{{
    .id = "lumos5g",
    .label = "Lumos5G",
    .extensions = {".csv"},
    .priority = 50,
    .recognises =
        [](std::string_view head) {
          return header_has(head, {"run_num", "seq_num", "Throughput"});
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
    .fuzz = table_fuzz_options(),
}};

}  // namespace

}  // namespace paceline::formats
