// Mahimahi: a line for each opportunity.

#include "formats/writer.hh"
#include "trace/write.hh"

namespace paceline::formats {

namespace {

const RegisterWriter register_write_mahimahi{{
    .id = "mahimahi",
    .summary = "everything but a pause at the end",
    .write = [](std::span<const uint32_t> counts, const Writing&,
                const std::function<void(std::string_view)>& sink) { write_mahimahi(counts, sink); },
}};

}  // namespace

}  // namespace paceline::formats
