// What holds for every format, whoever wrote it.

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/random.hh"
#include "formats/writer.hh"
#include "tests/formats/read_format.hh"

using namespace paceline;
using namespace paceline::formats;
using namespace paceline::testing;

TEST_CASE("formats are asked by their priority, not in the order in which they were linked; the last takes anything") {
  const auto all = registered_formats();
  REQUIRE(all.size() >= 7);
  CHECK(std::ranges::is_sorted(all, std::ranges::greater{}, &Format::priority));
  std::set<std::string_view> ids;
  for (const Format* format : all) {
    CAPTURE(format->id);
    CHECK(ids.insert(format->id).second);
    CHECK(&format_named(format->id) == format);
    CHECK_FALSE(format->label.empty());
    CHECK_FALSE(format->extensions.empty());
    for (const std::string_view extension : format->extensions) CHECK(extension.starts_with('.'));
  }
  for (const char* head : {"", "\x89PNG\r\n", "anything at all"}) CHECK(&format_of(head) == all.back());
  CHECK_THROWS_AS((void)format_named("none"), TraceError);
}

TEST_CASE("a format of a taken id is refused") { CHECK_THROWS_AS(RegisterFormat{{.id = "table"}}, std::logic_error); }

TEST_CASE("every format refuses what it cannot read by a TraceError, or reads it whole") {
  Random random{7, 0, "test"};
  for (const Format* format : registered_formats()) {
    for (int i = 0; i < 300; ++i) {
      std::string content;
      for (std::size_t n = random.below(200); n > 0; --n) content += "0123456789,; .\n\t{}\"ax\0\xff"[random.below(23)];
      CAPTURE(format->id);
      CAPTURE(content);
      try {
        const Reading reading = read_as(*format, content);
        CHECK(reading.counts.size() >= 2);
      } catch (const TraceError& error) {
        CHECK_FALSE(std::string{error.what()}.empty());
      }
    }
  }
}

TEST_CASE("written forms are sorted, each writes every trace that it can say, with or without steps of its own") {
  const auto all = registered_writers();
  REQUIRE(all.size() >= 4);
  CHECK(std::ranges::is_sorted(all, {}, &Writer::id));
  const std::vector<uint32_t> counts{0, 3, 0, 2, 1};
  for (const Writer* writer : all) {
    CAPTURE(writer->id);
    CHECK(find_writer(writer->id) == writer);
    CHECK_FALSE(writer->summary.empty());
    std::string text;
    writer->write(counts, {.name = "a name", .step_ms = writer->step_ms},
                  [&text](std::string_view piece) { text += piece; });
    CHECK(text.size() > 10);
    CHECK(text.ends_with('\n'));
  }
  CHECK(find_writer("none") == nullptr);
  CHECK_THROWS_AS(RegisterWriter{{.id = "netem"}}, std::logic_error);
}
