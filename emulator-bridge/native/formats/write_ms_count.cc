// `ms count`: the canonical form.

#include "formats/writer.hh"
#include "trace/text.hh"
#include "trace/write.hh"

namespace paceline::formats {

namespace {

const RegisterWriter register_write_ms_count{{
    .id = "ms-count",
    .summary = "milliseconds and packets: everything",
    .write =
        [](std::span<const uint32_t> counts, const Writing&, const std::function<void(std::string_view)>& sink) {
          // So short a file must say what it is.
          if (counts.size() - 1 < kAmbiguousTraceBelowMs) sink("# ms count\n");
          write_ms_count(counts, sink);
        },
}};

}  // namespace

}  // namespace paceline::formats
