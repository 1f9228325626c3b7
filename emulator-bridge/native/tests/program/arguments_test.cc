// Command lines, as all programs read them.

#include <doctest/doctest.h>

#include "program/arguments.hh"

using namespace paceline;

namespace {

Arguments read(std::vector<std::string> words, std::string_view word = {}) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (std::string& each : words) argv.push_back(each.data());
  argv.push_back(nullptr);
  return {static_cast<int>(words.size()), argv.data(), {"--port", "--path", "--set"}, {"--json"}, word};
}

std::string refusal(const std::vector<std::string>& words, std::string_view word = {}) {
  try {
    (void)read(words, word);
  } catch (const Refusal& e) {
    CHECK(e.exit_code() == kExitBadInput);
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("an option has the last value that was given, or all, and a flag none") {
  const Arguments given = read({"--port", "1", "--json", "--set", "a=b", "--port=2", "--set", "c=d"});
  CHECK(given.value("--port") == "2");
  CHECK(given.values("--set") == std::vector<std::string>{"a=b", "c=d"});
  CHECK(given.has("--json"));
  CHECK_FALSE(read({}).has("--json"));
  CHECK_FALSE(read({}).value("--port"));
}

TEST_CASE("a value is taken as it is, whatever it looks like") {
  for (const char* value : {"[1,2]", R"([{"element":"loss"}])", "-5", "--json", "--", "-", "", "a b", "@file", "%s",
                            "{}", "a,b", "\"q\""}) {
    CAPTURE(value);
    const Arguments given = read({"--path", value});
    CHECK(given.values("--path") == std::vector<std::string>{value});
    CHECK_FALSE(given.has("--json"));
  }
}

TEST_CASE("what is no option, and what lacks its value, is refused in one line that names it") {
  for (const char* word :
       {"--speed", "--por", "--PORT", "-p", "3", "", "--", "---", "/port", "port", "--json-stream"}) {
    CAPTURE(word);
    const std::string said = refusal({word, "3"});
    CHECK(said.find("is not an option of this program (see --help)") != std::string::npos);
    CHECK(said.starts_with(word));
  }
  CHECK(refusal({"--json", "--port"}) == "--port: needs a value");
  CHECK(refusal({"--json=false"}).find("json") != std::string::npos);
  CHECK(refusal({"--json=false"}).find('\n') == std::string::npos);
  CHECK(refusal({std::string(1 << 20, 'x')}).starts_with("xxxx"));
  CHECK_THROWS_WITH_AS((void)read({}).needed("--port"), "--port: is needed (see --help)", Refusal);
}

TEST_CASE("the one word beside the options") {
  CHECK(read({"--port", "1", "file", "--json"}, "FILE").word() == "file");
  CHECK(read({"-"}, "FILE").word() == "-");
  CHECK(refusal({"--json"}, "FILE") == "FILE: is needed (see --help)");
  CHECK(refusal({"a", "b"}, "FILE") == "b: is one FILE too many (see --help)");
  CHECK(refusal({"a", "--frob"}, "FILE") == "--frob: is not an option of this program (see --help)");
}

TEST_CASE("numbers are digits within their bounds and nothing else") {
  const auto number = [](const char* text) { return read({"--port", text}).whole("--port", -10, 100); };
  CHECK(number("0") == 0);
  CHECK(number("-10") == -10);
  CHECK(number("100") == 100);
  CHECK(number("007") == 7);
  for (const char* hostile : {"", " 5", "5 ", "+5", "0x10", "1e1", "5.0", "101", "-11", "9223372036854775808",
                              "99999999999999999999999", "nan", "inf", "true", "5,5", "٥", "--5"}) {
    CAPTURE(hostile);
    CHECK_THROWS_WITH_AS((void)number(hostile), "--port: must be a whole number from -10 to 100", Refusal);
  }
  CHECK(read({"--port", "18446744073709551615"}).whole<uint64_t>("--port", 0, UINT64_MAX) == UINT64_MAX);
  CHECK_THROWS_AS((void)read({"--port", "-1"}).whole<uint64_t>("--port", 0, UINT64_MAX), Refusal);
}
