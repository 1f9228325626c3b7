#include "trace/text.hh"

#include <doctest/doctest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/random.hh"
#include "trace/write.hh"

using namespace paceline;

namespace {

using Counts = std::vector<uint32_t>;

ParsedTrace parse(std::string_view text, std::size_t chunk = 1 << 16) {
  TraceTextParser parser;
  for (std::size_t at = 0; at < text.size(); at += chunk) {
    const std::string_view piece = text.substr(at, chunk);
    parser.feed({piece.data(), piece.size()});
  }
  return parser.finish();
}

TraceError refusal(std::string_view text) {
  try {
    (void)parse(text);
  } catch (const TraceError& error) {
    return error;
  }
  FAIL("was accepted: " << std::string{text});
  return {"", ""};
}

std::string ms_count(const Counts& counts) {
  std::string text;
  write_ms_count(counts, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string mahimahi(const Counts& counts) {
  std::string text;
  write_mahimahi(counts, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace

TEST_CASE("Mahimahi text: n equal lines are n opportunities, the last stamp is the period") {
  const ParsedTrace trace = parse("0\n3\n3\n7\n");
  CHECK(trace.format == TraceFormat::mahimahi);
  CHECK(trace.counts == Counts{1, 0, 0, 2, 0, 0, 0, 1});
  CHECK(trace.opportunities == 4);
}

TEST_CASE("ms count text: missing milliseconds are empty, equal ones add up, a zero pins the period") {
  const ParsedTrace trace = parse("0 6\n2 16\n2 4\n5 0\n");
  CHECK(trace.format == TraceFormat::ms_count);
  CHECK(trace.counts == Counts{6, 0, 20, 0, 0, 0});
  CHECK(trace.opportunities == 26);
}

TEST_CASE("What editors and tools add is tolerated") {
  const Counts expected{0, 1, 0, 2};
  CHECK(parse("1\n3\n3\n").counts == expected);
  CHECK(parse("1\r\n3\r\n3\r\n").counts == expected);
  CHECK(parse("1\r3\r3\r").counts == expected);
  CHECK(parse("\xEF\xBB\xBF"
              "1\n3\n3")
            .counts == expected);
  CHECK(parse("# made by hand\n\n1\n  3  \n\t3 # twice\n\n").counts == expected);
  CHECK(parse("001\n0000000000003\n3\n").counts == expected);
  CHECK(parse("1\t1\n3  2\n").counts == expected);
}

TEST_CASE("Chunks may end anywhere") {
  const std::string text = "\xEF\xBB\xBF# a comment\r\n1 12\r\n2 3\r\n\r\n17 5\r\n40 0";
  const Counts whole = parse(text).counts;
  for (std::size_t chunk = 1; chunk < text.size(); ++chunk) CHECK(parse(text, chunk).counts == whole);
}

TEST_CASE("Any trace survives being written and read in both forms") {
  Random random{7, 0, "test traces"};
  for (int i = 0; i < 200; ++i) {
    Counts counts(2 + random.below(300));
    for (uint32_t& n : counts) n = random.chance(0.4) ? static_cast<uint32_t>(random.below(2000)) : 0;
    counts[random.below(counts.size())] += 1;
    TraceTextParser parser{TraceTextParser::Ambiguous::accept};
    const std::string text = ms_count(counts);
    parser.feed(text);
    CHECK(parser.finish().counts == counts);
    if (counts.back() == 0) {
      CHECK_THROWS_AS(mahimahi(counts), std::invalid_argument);
    } else {
      CHECK(parse(mahimahi(counts), 1 + random.below(1000)).counts == counts);
    }
  }
}

TEST_CASE("A refusal names the line, shows it and says why") {
  const TraceError back = refusal("90211\n90212\n\n90211\n");
  CHECK(back.code() == "decreasing");
  CHECK(back.message() == "time goes back from 90212 to 90211 ms. Mahimahi traces must not decrease");
  REQUIRE(back.place());
  CHECK(back.place()->line == 4);
  CHECK(back.place()->text == "90211");
  CHECK(std::string{back.what()}.starts_with("line 4: "));
  CHECK(refusal("2\r1\r").place()->line == 2);
  CHECK(refusal("2\r\n1\r\n").place()->line == 2);
}

TEST_CASE("Every kind of mistake has its own code") {
  const auto code = [](std::string_view text) { return refusal(text).code(); };
  CHECK(code("") == "empty");
  CHECK(code("# nothing\n\n") == "empty");
  CHECK(refusal("").message() == "no valid timestamps found");
  CHECK(code("0\n0\n0\n") == "zero_duration");
  CHECK(refusal("0\n").message() == "trace must last for a nonzero amount of time");
  CHECK(code("1 0\n5 0\n") == "no_opportunities");
  CHECK(code("1\nhello\n") == "not_a_number");
  CHECK(code("-1\n2\n") == "negative");
  CHECK(code("1 3\n2 -3\n") == "negative");
  CHECK(code("1\n2.5\n") == "decimal");
  CHECK(code("1.0\t91.0\n2.0\t93.5\n") == "rate_table");
  CHECK(code("time,throughput\n1,12\n") == "rate_table");
  CHECK(code("0.100,48.25\n") == "rate_table");
  CHECK(code("1 2 3\n") == "too_many_columns");
  CHECK(code("1\n2 3\n") == "mixed_columns");
  CHECK(code("1 2\n3\n") == "mixed_columns");
  CHECK(code("1\n\x01\x02\n") == "binary");
  CHECK(code("86400001\n") == "too_long");
  CHECK(code("1676616289123\n1676616289124\n") == "too_long");
  CHECK(code("99999999999999999999999999\n") == "too_long");
  CHECK(code("1 1000001\n") == "too_many");
  CHECK(code("1 600000\n1 600000\n") == "too_many");
  CHECK(code("1\n" + std::string(10'000, '7')) == "line_too_long");
}

TEST_CASE("The shown text is short and printable") {
  const TraceError error = refusal("1\n\xC3\xA4" + std::string(200, 'x') + "\n");
  CHECK(error.place()->text == "??" + std::string(58, 'x') + "...");
}

TEST_CASE("A short table in even steps could be seconds and Mbps: it is asked, not guessed") {
  std::string table;
  for (int second = 1; second <= 120; ++second)
    table += std::to_string(second) + " " + std::to_string(second % 17) + "\n";
  CHECK(refusal(table).code() == "ambiguous");
  CHECK(parse("# ms count\n" + table).counts.size() == 121);
  TraceTextParser trusting{TraceTextParser::Ambiguous::accept};
  trusting.feed(table);
  CHECK(trusting.finish().counts.size() == 121);
  CHECK(parse("1 4\n").counts == Counts{0, 4});        // one row is no table
  CHECK(parse("1 4\n2 5\n4 5\n").counts.size() == 5);  // a table has even steps
  CHECK(parse("1 4\n2 5\n3 5\n12000 1\n").counts.size() == 12001);
}

TEST_CASE("A parser that gave its trace starts afresh") {
  TraceTextParser parser;
  parser.feed(std::string_view{"1 5\n"});
  CHECK(parser.finish().counts == Counts{0, 5});
  parser.feed(std::string_view{"2\n"});
  CHECK(parser.finish().counts == Counts{0, 0, 1});
}
