// A table of rates.

#include "formats/writer.hh"
#include "trace/write.hh"

namespace paceline::formats {

namespace {

const RegisterWriter register_write_csv{{
    .id = "csv",
    .summary = "time_s,rate_mbps, every step",
    .step_ms = 10,
    .write = [](std::span<const uint32_t> counts, const Writing& writing,
                const std::function<void(std::string_view)>& sink) { write_rate_table(counts, writing.step_ms, sink); },
}};

}  // namespace

}  // namespace paceline::formats
